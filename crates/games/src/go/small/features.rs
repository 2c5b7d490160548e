//! The features of `line.small`.
//!
//! A point is weighed by the stones around it, in patterns of four sizes; by the neighbouring
//! chains and their liberties after the move; by the last moves; and by its place on the board.

use std::sync::LazyLock;

use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::patterns::{Patterns, Words};
use super::scene::Scene;
use crate::go::{Go, Move, Position};

/// The groups of features, each a name and a size: none, then one group per slot.
pub const GROUPS: [(&str, usize); 1 + LIGHT] = [
    ("none", 1),
    ("far", 8_192),
    ("wide", 12_288),
    ("opening", 361 * 4),
    ("middle", 6_144),
    ("answer", 10_240),
    ("near", 5_120),
    ("liberties", 5 * 5 * 6 * 2 * 3),
    ("capture", 6 * 5 * 4 * 2),
    ("chase", 5 * 5 * 4 * 3),
    ("last", 66 * 4 * 3),
    ("own", 66 * 3),
    ("third", 66 * 3),
    ("fourth", 66),
    ("recent", 100 * 3),
    ("cell", 55 * 3 * 10),
    ("corner", 55 * 6 * 3),
    ("density", 25 * 5 * 3),
    ("pass", 3 * 24),
    ("ko", 4 * 3),
];

/// Number of slots of a candidate.
pub const LIGHT: usize = 19;

/// The number of each slot's first feature.
const FIRST: [u16; LIGHT] = groups::firsts(&GROUPS);

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
    #[must_use]
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

/// The features of `line.small`.
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

    fn look(&self, _: &State, _: &Scene, _: &Position, _: &[Move], _: &mut Sight) {}

    fn update(&self, state: &mut State, ply: &Ply<'_, Go>) {
        state.follow(ply);
    }
}

/// The slots, in the order of their groups.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod light {
    use super::{FIRST, GROUPS, LIGHT, groups};

    pub const FAR: usize = 0;
    pub const WIDE: usize = 1;
    pub const OPENING: usize = 2;
    pub const MIDDLE: usize = 3;
    pub const ANSWER: usize = 4;
    pub const NEAR: usize = 5;
    pub const LIBERTIES: usize = 6;
    pub const CAPTURE: usize = 7;
    pub const CHASE: usize = 8;
    pub const LAST: usize = 9;
    pub const OWN: usize = 10;
    pub const THIRD: usize = 11;
    pub const FOURTH: usize = 12;
    pub const RECENT: usize = 13;
    pub const CELL: usize = 14;
    pub const CORNER: usize = 15;
    pub const DENSITY: usize = 16;
    pub const PASS: usize = 17;
    pub const KO: usize = 18;

    /// Sets a slot to a feature of its group.
    #[inline(always)]
    pub fn set(slots: &mut [u16; LIGHT], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }

    /// Returns the size of a slot's group.
    #[inline(always)]
    pub const fn count(slot: usize) -> usize {
        GROUPS[slot + 1].1
    }
}
