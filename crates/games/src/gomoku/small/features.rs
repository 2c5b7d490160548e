//! The features of `line.small`.
//!
//! An empty point is weighed by what a stone of either side would make there on each of its four
//! lines, by the best points of the position, and by the last stones.

use plypack_core::Ply;
use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::patterns::PATTERNS;
use super::scene::Scene;
use crate::gomoku::order::TABLES;
use crate::gomoku::{Gomoku, Position};

/// The groups of features, each a name and a size: none, then the groups of the light slots, the
/// first of which have only weights, then the book's slot. The slots of the four lines share their
/// features.
pub const GROUPS: [(&str, usize); 1 + LIGHT + HEAVY] = [
    ("none", 1),
    ("ours-row", PATTERNS),
    ("ours-column", 0),
    ("ours-rising", 0),
    ("ours-falling", 0),
    ("theirs-row", PATTERNS),
    ("theirs-column", 0),
    ("theirs-rising", 0),
    ("theirs-falling", 0),
    ("both", 6 * 45 * 45),
    ("situation", 81 * 81),
    ("rank", 48 * TABLES),
    ("cell", 55 * 3 * 12),
    ("near-last", 45 * 9 * 4),
    ("near-own", 45 * 9 * 4),
    ("near-third", 45 * 4),
    ("near-fourth", 45 * 4),
    ("below", 32 * 12 * 2),
    ("counts", 625),
    ("beside", 36 * 4),
    ("book", BOOK_FEATURES),
];

/// Number of light slots of a candidate.
pub const LIGHT: usize = 19;

/// Number of heavy slots of a candidate.
pub const HEAVY: usize = 1;

/// Number of slots, from the first, whose features have no rows in the layer of each move.
const SHALLOW: usize = LIGHT;

/// The number of each slot's first feature, light slots first, then heavy ones.
const FIRST: [u16; LIGHT + HEAVY] = groups::firsts(&GROUPS);

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

/// The features of `line.small`.
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

    /// There is no judge.
    fn look(&self, _: &State, (): &(), _: &Position, _: &[u16], _: &mut Sight) {}

    fn update(&self, state: &mut State, ply: &Ply<'_, Gomoku>) {
        let [first, second, third, _] = state.past;
        state.past = [Some(ply.mv()), first, second, third];
    }
}

/// The light slots, in the order of their groups.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod light {
    use super::{FIRST, GROUPS, LIGHT, groups};

    pub const OURS: usize = 0;
    pub const THEIRS: usize = 4;
    pub const BOTH: usize = 8;
    pub const SITUATION: usize = 9;
    pub const RANK: usize = 10;
    pub const CELL: usize = 11;
    pub const NEAR_LAST: usize = 12;
    pub const NEAR_OWN: usize = 13;
    pub const NEAR_THIRD: usize = 14;
    pub const NEAR_FOURTH: usize = 15;
    pub const BELOW: usize = 16;
    pub const COUNTS: usize = 17;
    pub const BESIDE: usize = 18;

    /// Sets a slot to a feature of its group.
    #[inline(always)]
    pub fn set(slots: &mut [u16; LIGHT], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }
}
