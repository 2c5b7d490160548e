//! The features of chess by which `line.default` judges the moves that `line.fast` keeps.
//!
//! Everything is seen by the side to move: for Black the board is flipped, so that every feature is
//! written for a player moving up the board. Most are joint, one number for several facts, so that
//! few rows have to be added up for a candidate.

use cozy_chess::Move;
use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Ply, Rules};

use super::BOOK_MOVES;
use super::close_up::{CloseUp, Man};
use super::inputs::{self, INPUTS};
use super::past::{Pasts, follow};
use super::rows;
use super::scene::Scene;
use crate::chess::{Chess, Position};
use crate::common::worth::Best;

/// The groups of features, each a name and a number of features: none, then one for each slot.
pub const GROUPS: [(&str, usize); 1 + SLOTS] = [
    ("none", 1),
    ("value", 3 * 6 * 6 * 7 * 4),
    ("leave", 6 * 2 * 6 * 5 * 2),
    ("exchange", 6 * 2 * 6 * 6 * 4),
    ("counts", 4 * 4 * 6 * 2 * 4),
    ("threat", 5 * 2 * 6 * 5 * 4),
    ("danger", 4 * 6 * 6 * 2 * 6),
    ("near-theirs", 49 * 6 * 12),
    ("near-ours", 49 * 6 * 6),
    ("to", 6 * 64 * 4),
    ("from", 6 * 64 * 4),
    ("freedom", 11 * 16 * 6 * 2),
    ("chased", 12 * 2 * 6 * 7),
    ("front", 13 * 8 * 6),
    ("own", OWN),
    ("shelter", 2 * 4 * 6 * 4),
    ("king", 6 * 8 * 8),
    ("repeat", 8 * 6 * 4),
    ("choice", 8 * 2 * 2 * 2 * 6),
    ("best", 8 * 2 * 6 * 4),
    ("book", BOOK_FEATURES),
];

/// The number of slots of a candidate.
pub const SLOTS: usize = 20;

/// The number of each slot's first feature.
const FIRST: [u16; SLOTS] = groups::firsts(&GROUPS);

/// The number of features of the group `own`: each kind of man has its own, those of pawns that
/// stay pawns first.
const OWN: usize = own::KING + 16;

/// The first features of the group `own`, by man.
#[expect(missing_docs, reason = "the names are those of the men")]
pub mod own {
    pub const PROMOTION: usize = 2 * 8 * 3 * 3 * 2 * 3;
    pub const FILE: usize = PROMOTION + 4 * 2 * 5;
    pub const OUTPOST: usize = FILE + 4 * 4 * 4 * 2;
    pub const KING: usize = OUTPOST + 2 * 4 * 8;
}

/// The features of `line.default`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Chess> for Eyes {
    type State = Pasts;
    type Scene = Scene;

    const SIZES: Sizes = Sizes {
        light: 0,
        shallow: 0,
        heavy: SLOTS,
        gate: 0,
        deep: FIRST[0],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: rows::COUNTS.1,
        phases: 4,
        book: (slot::BOOK, FIRST[slot::BOOK]),
    };

    fn begin(&self, _: &Position) -> Pasts {
        Pasts::default()
    }

    fn key(&self, position: &Position) -> Option<u64> {
        (position.fullmove_number <= BOOK_MOVES).then(|| Chess.key(position))
    }

    #[inline(always)]
    fn see(&self, pasts: &Pasts, position: &Position, candidates: &[Move], _: &mut Sight) -> Scene {
        Scene::new(pasts, position, candidates.len())
    }

    #[inline(always)]
    fn look(
        &self,
        pasts: &Pasts,
        scene: &Scene,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        sight.phase = scene.phase();
        inputs::fill(&position.board, pasts, &mut sight.inputs);
        let close = CloseUp::new(scene, position);
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        let mut best = Best::default();
        let mut man = None;
        for (&index, slots) in sight.chosen.iter().zip(sight.heavy.as_chunks_mut::<SLOTS>().0) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            if man.as_ref().is_none_or(|man: &Man| man.on != mv.from) {
                man = Some(close.man(mv.from));
            }
            let Some(man) = &man else { continue };
            let (row, value) = close.look(man, mv, slots);
            sight.rows.push(row);
            best.add(value);
        }
        let slots = sight.heavy.as_chunks_mut::<SLOTS>().0;
        for (feature, slots) in best.features(12).zip(slots) {
            slot::set(slots, slot::BEST, feature);
        }
    }

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Chess>) {
        *pasts = follow(*pasts, ply);
    }
}

/// The slots, in the order of their groups. The last is the book's.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod slot {
    use super::{FIRST, GROUPS, SLOTS, groups};

    pub const VALUE: usize = 0;
    pub const LEAVE: usize = 1;
    pub const EXCHANGE: usize = 2;
    pub const COUNTS: usize = 3;
    pub const THREAT: usize = 4;
    pub const DANGER: usize = 5;
    pub const NEAR_THEIRS: usize = 6;
    pub const NEAR_OURS: usize = 7;
    pub const TO: usize = 8;
    pub const FROM: usize = 9;
    pub const FREEDOM: usize = 10;
    pub const CHASED: usize = 11;
    pub const FRONT: usize = 12;
    pub const OWN: usize = 13;
    pub const SHELTER: usize = 14;
    pub const KING: usize = 15;
    pub const REPEAT: usize = 16;
    pub const CHOICE: usize = 17;
    pub const BEST: usize = 18;
    pub const BOOK: usize = 19;

    /// Puts a feature of its group into a slot.
    #[inline(always)]
    pub fn set(slots: &mut [u16; SLOTS], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }
}
