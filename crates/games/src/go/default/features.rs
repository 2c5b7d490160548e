//! The features of go's `line.default`: those of `line.link`, and some that cost more.

use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Ply, Rules, each};

use super::surroundings::Surroundings;
use crate::go::link::features::{GROUPS as SMALL, LIGHT, State};
use crate::go::link::scene::{INPUTS, PHASES, ROWS, Scene};
use crate::go::{Go, Move, Position};

/// The groups of features, each a name and a size: none, those that have only weights, those of
/// `line.link`, the first of which have only weights too, and the rest; the book's is last.
pub const GROUPS: [(&str, usize); 1 + SLOTS] = {
    let mut groups = [("none", 1); 1 + SLOTS];
    each!(at, BEFORE.len(), groups[1 + at] = BEFORE[at]);
    while at < BEFORE.len() + LIGHT {
        groups[1 + at] = SMALL[1 + at - BEFORE.len()];
        at += 1;
    }
    while at < SLOTS {
        groups[1 + at] = BEHIND[at - BEFORE.len() - LIGHT];
        at += 1;
    }
    groups
};

/// The groups before those of `line.link`.
const BEFORE: [(&str, usize); 3] = [("response", 5_248), ("sequel", 2_816), ("joseki", 5_888)];

/// The groups after those of `line.link`.
pub const BEHIND: [(&str, usize); 8] = [
    ("past", 8 * 8 * 8),
    ("joins", 4 * 4 * 4),
    ("both", 6 * 6 * 3),
    ("risk", 3 * 5),
    ("nearest", 7 * 7 * 5 * 3),
    ("kos", 4 * 2 * 2),
    ("urgent", 5 * 5 * 4 * 4),
    ("book", BOOK_FEATURES),
];

/// Number of slots of a candidate.
pub const SLOTS: usize = BEFORE.len() + LIGHT + BEHIND.len();

/// Number of slots, from the first, whose features have no rows in the layer of each move: the new
/// ones, and `far`, `wide`, `opening`, `middle` and `answer`.
const SHALLOW: usize = BEFORE.len() + 5;

/// The number of each slot's first feature.
const FIRST: [u16; SLOTS] = groups::firsts(&GROUPS);

/// The offset of the features of `line.link` here.
const SHIFT: u16 = FIRST[BEFORE.len()] - 1;

/// The book has no positions with more stones than this.
const BOOK_STONES: usize = 40;

/// The slots that `line.link` does not have, in the order of their groups.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod slot {
    use super::{BEFORE, FIRST, GROUPS, LIGHT, SLOTS, groups};

    pub const RESPONSE: usize = 0;
    pub const SEQUEL: usize = 1;
    pub const JOSEKI: usize = 2;
    pub const PAST: usize = BEFORE.len() + LIGHT;
    pub const JOINS: usize = PAST + 1;
    pub const BOTH: usize = PAST + 2;
    pub const RISK: usize = PAST + 3;
    pub const NEAREST: usize = PAST + 4;
    pub const KOS: usize = PAST + 5;
    pub const URGENT: usize = PAST + 6;
    pub const BOOK: usize = PAST + 7;

    /// Sets a slot to a feature of its group.
    #[inline(always)]
    pub fn set(slots: &mut [u16; SLOTS], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }

    /// Returns the size of a slot's group.
    #[inline(always)]
    pub const fn count(slot: usize) -> usize {
        GROUPS[slot + 1].1
    }
}

/// The features of `line.default`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Go> for Eyes {
    type State = State;
    type Scene = Scene;

    const SIZES: Sizes = Sizes {
        light: 0,
        shallow: SHALLOW,
        heavy: SLOTS,
        gate: 0,
        deep: FIRST[SHALLOW],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: ROWS,
        phases: PHASES,
        book: (slot::BOOK, FIRST[slot::BOOK]),
    };

    fn begin(&self, start: &Position) -> State {
        State::new(start)
    }

    fn key(&self, position: &Position) -> Option<u64> {
        let stones = position.points().filter(|&stone| stone > 0).count();
        (stones <= BOOK_STONES).then(|| Go.key(position))
    }

    fn see(&self, state: &State, position: &Position, _: &[Move], _: &mut Sight) -> Scene {
        Scene::new(state, position)
    }

    fn look(
        &self,
        state: &State,
        scene: &Scene,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        scene.look(state, position, candidates, sight);
        let surroundings = Surroundings::new(scene, state, position);
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        for (&index, slots) in sight.chosen.iter().zip(sight.heavy.as_chunks_mut::<SLOTS>().0) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            let mut light = [0; LIGHT];
            scene.see(state, position, mv, &mut light);
            for (slot, &feature) in slots.iter_mut().skip(BEFORE.len()).zip(&light) {
                *slot = if feature > 0 { feature + SHIFT } else { 0 };
            }
            if mv.point != Move::PASS {
                surroundings.see(scene, state, position, mv.point, slots);
            }
        }
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Go>) {
        state.follow(ply);
    }
}
