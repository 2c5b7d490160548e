//! The features of go.
//!
//! A point is judged by the stones around it, in patterns of four sizes; by the chains beside it
//! and what becomes of their liberties; by the last moves; and by where it lies.

use std::sync::LazyLock;

use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Game, Ply};

use super::patterns::{Patterns, Words};
use super::scene::{INPUTS, PHASES, ROWS, Scene};
use crate::go::{Go, Move, Position};

/// The features by groups, each a name and how many there are: none, then the groups of the light
/// slots, of which the first have only weights, then the book's slot.
pub const GROUPS: [(&str, usize); 1 + LIGHT + HEAVY] = [
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
    ("book", BOOK_FEATURES),
];

/// How many light slots a candidate has.
pub const LIGHT: usize = 19;

/// How many heavy slots a candidate has.
pub const HEAVY: usize = 1;

/// How many slots, from the first, have features without rows in the layer of each move.
const SHALLOW: usize = 3;

/// The number of each slot's first feature, light slots first, then heavy ones.
const FIRST: [u16; LIGHT + HEAVY] = groups::firsts(&GROUPS);

/// The book has no positions with more stones.
const BOOK_STONES: usize = 40;

/// How many moves are remembered.
pub const PAST: usize = 8;

/// What the features remember of the line.
#[derive(Clone, Debug)]
pub struct State {
    /// The points of the last moves, the latest first; [`Move::PASS`] for a pass, and before the
    /// line's beginning.
    pub past: [u16; PAST],
    /// How many of the last moves were passes, at most 2.
    pub passes: usize,
    /// What stands around each point.
    pub patterns: Patterns,
}

/// The words that patterns are made of.
pub static WORDS: LazyLock<Words> = LazyLock::new(Words::new);

/// The features of go.
#[derive(Debug)]
pub struct Eyes;

impl Features<Go> for Eyes {
    type State = State;
    type Scene = Scene;

    const SIZES: Sizes = Sizes {
        light: LIGHT,
        shallow: SHALLOW,
        heavy: HEAVY,
        gate: FIRST[LIGHT],
        deep: FIRST[SHALLOW],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: ROWS,
        phases: PHASES,
        book: (HEAVY - 1, FIRST[LIGHT + HEAVY - 1]),
    };

    fn begin(&self, start: &Position) -> State {
        State { past: [Move::PASS; PAST], passes: 0, patterns: Patterns::new(&WORDS, start) }
    }

    fn key(&self, position: &Position) -> Option<u64> {
        let stones = position.points().filter(|&stone| stone > 0).count();
        (stones <= BOOK_STONES).then(|| Go.key(position))
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

    fn look(
        &self,
        state: &State,
        scene: &Scene,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        sight.heavy.resize(sight.chosen.len() * HEAVY, 0);
        scene.look(state, position, candidates, sight);
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Go>) {
        let mv = ply.mv();
        let mut past = [mv.point; PAST];
        past[1..].copy_from_slice(&state.past[..PAST - 1]);
        state.past = past;
        state.passes = if mv.point == Move::PASS { (state.passes + 1).min(2) } else { 0 };
        state.patterns.follow(&WORDS, ply.before, ply.after);
    }
}

/// The light slots, in the order of their groups.
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

    /// Puts a feature of its group into a slot.
    #[inline(always)]
    pub fn set(slots: &mut [u16; LIGHT], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }

    /// How many features a slot's group has.
    #[inline(always)]
    pub const fn count(slot: usize) -> usize {
        GROUPS[slot + 1].1
    }
}
