//! The features of `line.link`.
//!
//! An empty point is weighed by what a stone of either side would make there on each of its four
//! lines, by the best points of the position, and by the last stones.

use plypack_core::Ply;
use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::patterns::PATTERNS;
use super::scene::Scene;
use crate::common::slots::slots;
use crate::gomoku::order::TABLES;
use crate::gomoku::{Gomoku, Position};

slots! {
    /// The light slots, of which the first have only weights, then the book's. The slots of the
    /// four lines share their features.
    light of SLOTS {
        OURS = ("ours-row", PATTERNS),
        OURS_COLUMN = ("ours-column", 0),
        OURS_RISING = ("ours-rising", 0),
        OURS_FALLING = ("ours-falling", 0),
        THEIRS = ("theirs-row", PATTERNS),
        THEIRS_COLUMN = ("theirs-column", 0),
        THEIRS_RISING = ("theirs-rising", 0),
        THEIRS_FALLING = ("theirs-falling", 0),
        BOTH = ("both", 6 * 45 * 45),
        SITUATION = ("situation", 81 * 81),
        RANK = ("rank", 48 * TABLES),
        CELL = ("cell", 55 * 3 * 12),
        NEAR_LAST = ("near-last", 45 * 9 * 4),
        NEAR_OWN = ("near-own", 45 * 9 * 4),
        NEAR_THIRD = ("near-third", 45 * 4),
        NEAR_FOURTH = ("near-fourth", 45 * 4),
        BELOW = ("below", 32 * 12 * 2),
        COUNTS = ("counts", 625),
        BESIDE = ("beside", 36 * 4),
        BOOK = ("book", BOOK_FEATURES),
    }
}

/// Number of light slots of a candidate.
pub const LIGHT: usize = SLOTS - HEAVY;

/// Number of heavy slots of a candidate.
pub const HEAVY: usize = 1;

/// Number of slots, from the first, whose features have no rows in the layer of each move.
const SHALLOW: usize = LIGHT;

/// Returns the number of a slot's first feature.
pub(super) fn first(slot: usize) -> usize {
    FIRST[slot].into()
}

/// What the features remember of a line: the last four points, the latest first.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    /// The opponent's last stone, then our own, and so on.
    pub past: [Option<u16>; 4],
}

/// The features of `line.link`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Gomoku> for Eyes {
    type State = State;
    type Scene = ();

    const SIZES: Sizes = Sizes {
        light: LIGHT,
        shallow: SHALLOW,
        heavy: HEAVY,
        gate: FIRST[LIGHT],
        deep: FIRST[LIGHT],
        features: groups::count(&GROUPS),
        inputs: 1,
        rows: 1,
        phases: 1,
        book: (HEAVY - 1, FIRST[LIGHT + HEAVY - 1]),
    };

    fn begin(&self, _: &Position) -> State {
        State::default()
    }

    fn see(&self, state: &State, position: &Position, candidates: &[u16], sight: &mut Sight) {
        sight.light.resize(candidates.len() * LIGHT, 0);
        let slots = sight.light.as_chunks_mut::<LIGHT>().0;
        Scene::new(state, position, candidates).see(slots);
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Gomoku>) {
        let [first, second, third, _] = state.past;
        state.past = [Some(ply.mv()), first, second, third];
    }
}
