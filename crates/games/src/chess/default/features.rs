//! The features of chess by which `line.default` judges the moves that `line.fast` keeps.
//!
//! Everything is seen by the side to move: for Black the board is flipped, so that every feature is
//! written for a player moving up the board. Most are joint, one number for several facts, so that
//! few rows have to be added up for a candidate.

use cozy_chess::Move;
use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Ply, Rules};

use super::close_up::{CloseUp, Man};
use super::inputs::{self, INPUTS};
use super::past::follow;
use super::scene::Scene;
use super::{BOOK_MOVES, rows};
use crate::chess::{Chess, Position};
use crate::common::past::Pasts;
use crate::common::slots::slots;
use crate::common::worth::Best;

slots! {
    slot of SLOTS {
        VALUE = ("value", 3 * 6 * 6 * 7 * 4),
        LEAVE = ("leave", 6 * 2 * 6 * 5 * 2),
        EXCHANGE = ("exchange", 6 * 2 * 6 * 6 * 4),
        COUNTS = ("counts", 4 * 4 * 6 * 2 * 4),
        THREAT = ("threat", 5 * 2 * 6 * 5 * 4),
        DANGER = ("danger", 4 * 6 * 6 * 2 * 6),
        NEAR_THEIRS = ("near-theirs", 49 * 6 * 12),
        NEAR_OURS = ("near-ours", 49 * 6 * 6),
        TO = ("to", 6 * 64 * 4),
        FROM = ("from", 6 * 64 * 4),
        FREEDOM = ("freedom", 11 * 16 * 6 * 2),
        CHASED = ("chased", 12 * 2 * 6 * 7),
        FRONT = ("front", 13 * 8 * 6),
        OWN = ("own", OWN),
        SHELTER = ("shelter", 2 * 4 * 6 * 4),
        KING = ("king", 6 * 8 * 8),
        REPEAT = ("repeat", 8 * 6 * 4),
        CHOICE = ("choice", 8 * 2 * 2 * 2 * 6),
        BEST = ("best", 8 * 2 * 6 * 4),
        BOOK = ("book", BOOK_FEATURES),
    }
}

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
