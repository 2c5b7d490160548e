//! The features of `line.link`.
//!
//! A point is weighed by the stones around it, in patterns of four sizes; by the neighbouring
//! chains and their liberties after the move; by the last moves; and by its place on the board.

use std::sync::LazyLock;

use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::patterns::{Patterns, Words};
use super::scene::Scene;
use crate::common::slots::slots;
use crate::go::{Go, Move, Position};

slots! {
    light of LIGHT {
        FAR = ("far", 8_192),
        WIDE = ("wide", 12_288),
        OPENING = ("opening", 361 * 4),
        MIDDLE = ("middle", 6_144),
        ANSWER = ("answer", 10_240),
        NEAR = ("near", 5_120),
        LIBERTIES = ("liberties", 5 * 5 * 6 * 2 * 3),
        CAPTURE = ("capture", 6 * 5 * 4 * 2),
        CHASE = ("chase", 5 * 5 * 4 * 3),
        LAST = ("last", 66 * 4 * 3),
        OWN = ("own", 66 * 3),
        THIRD = ("third", 66 * 3),
        FOURTH = ("fourth", 66),
        RECENT = ("recent", 100 * 3),
        CELL = ("cell", 55 * 3 * 10),
        CORNER = ("corner", 55 * 6 * 3),
        DENSITY = ("density", 25 * 5 * 3),
        PASS = ("pass", 3 * 24),
        KO = ("ko", 4 * 3),
    }
}

/// Number of moves remembered.
pub const PAST: usize = 8;

/// Number of positions whose ko points are remembered.
pub const KOS: usize = 4;

/// What the features remember of a line.
#[derive(Clone, Debug)]
pub struct State {
    /// The points of the last moves, the latest first; [`Move::PASS`] for a pass, and for moves
    /// before the start of the line.
    pub past: [u16; PAST],
    /// Number of passes at the end of the line, at most 2.
    pub passes: usize,
    /// The ko points of the positions before the last moves, the latest first; [`Move::PASS`] for
    /// none.
    pub kos: [u16; KOS],
    /// The patterns around each point.
    pub patterns: Patterns,
}

impl State {
    /// The state at the start of a line.
    pub fn new(start: &Position) -> Self {
        let patterns = Patterns::new(&WORDS, start);
        Self { past: [Move::PASS; PAST], passes: 0, kos: [Move::PASS; KOS], patterns }
    }

    /// Applies a played move.
    pub fn follow(&mut self, ply: &Ply<'_, Go>) {
        let mv = ply.mv();
        let mut past = [mv.point; PAST];
        past[1..].copy_from_slice(&self.past[..PAST - 1]);
        self.past = past;
        self.kos.rotate_right(1);
        self.kos[0] = ply.before.ko().unwrap_or(Move::PASS);
        self.passes = if mv.point == Move::PASS { (self.passes + 1).min(2) } else { 0 };
        self.patterns.follow(&WORDS, ply);
    }
}

/// The words of the patterns.
pub static WORDS: LazyLock<Words> = LazyLock::new(Words::new);

/// The features of `line.link`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Go> for Eyes {
    type State = State;
    type Scene = Scene;

    const SIZES: Sizes = Sizes { light: LIGHT, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, start: &Position) -> State {
        State::new(start)
    }

    fn see(
        &self,
        state: &State,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) -> Scene {
        let scene = Scene::new(state, position);
        sight.light.resize(candidates.len() * LIGHT, 0);
        let slots = sight.light.as_chunks_mut::<LIGHT>().0;
        for (mv, slots) in candidates.iter().zip(slots) {
            scene.see(state, position, *mv, slots);
        }
        scene
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Go>) {
        state.follow(ply);
    }
}
