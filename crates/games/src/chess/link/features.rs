//! The light features of chess, by which `line.link/7` weighs moves.
//!
//! Everything is seen by the side to move: for Black the board is flipped, so that every feature is
//! written for a player moving up the board. They take little more than shifts and look-ups.

use cozy_chess::Move;
use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::origin::Origin;
use crate::chess::default::past::follow;
use crate::chess::default::rows;
use crate::chess::default::scene::Scene;
use crate::chess::{Chess, Position};
use crate::common::past::Pasts;
use crate::common::slots::slots;

slots! {
    light of LIGHT {
        MOVE = ("move", ROWS),
        TIME = ("time", 26 * 6 * 64),
        WINGS = ("wings", 6 * 64 * 9),
        TO = ("to", 6 * 64 * 4),
        FROM = ("from", 6 * 64 * 4),
        EXCHANGE = ("exchange", 6 * 2 * 6 * 6),
        LEAVE = ("leave", 6 * 2 * 6 * 5),
        CHECK = ("check", 4 * 6 * 5),
        RETAKE = ("retake", 3 * 6 * 6 * 5),
        PROMOTION = ("promotion", 5 * 2 * 5),
        AGAIN = ("again", 3 * 6 * 4),
        CHASED = ("chased", 7 * 6 * 5),
        THREAT = ("threat", 6 * 2 * 6 * 5),
        KING = ("king", 6 * 8 * 8),
        PASSED = ("passed", 2 * 8 * 4),
        PAWN = ("pawn", 3 * 3 * 2 * 3 * 2),
        FILE = ("file", 4 * 4 * 4 * 2),
        EVASION = ("evasion", 3 * 6 * 5 * 2),
        HANGING = ("hanging", 4 * 6 * 6 * 5),
        NEAR_THEIRS = ("near-theirs", 49 * 6 * 6),
        NEAR_OURS = ("near-ours", 49 * 6 * 6),
        REPEAT = ("repeat", 8 * 6),
        CHOICE = ("choice", 8 * 2 * 2 * 2),
        FRONT = ("front", 13 * 8 * 6),
        REPLY = ("reply", 6 * 2 * 6 * 5),
    }
}

/// The numbers of moves by man and squares.
const ROWS: usize = rows::COUNTS.0 as usize;

/// The features of `line.link/7`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Chess> for Eyes {
    type State = Pasts;
    type Scene = ();

    const SIZES: Sizes = Sizes { light: LIGHT, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, _: &Position) -> Pasts {
        Pasts::default()
    }

    fn see(&self, pasts: &Pasts, position: &Position, candidates: &[Move], sight: &mut Sight) {
        let scene = Scene::new(pasts, position, candidates.len());
        let hanging = scene.hanging();
        sight.light.resize(candidates.len() * LIGHT, 0);
        let mut each = sight.light.as_chunks_mut::<LIGHT>().0.iter_mut();
        for moves in candidates.chunk_by(|a, b| a.from == b.from) {
            let Some(origin) = moves.first().map(|mv| Origin::new(&scene, hanging, mv.from)) else {
                break;
            };
            for (&mv, slots) in moves.iter().zip(each.by_ref()) {
                origin.see(&scene, mv, slots);
            }
        }
    }

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Chess>) {
        *pasts = follow(*pasts, ply);
    }
}

/// Puts a feature into a slot: `more` after that of `bases`, if there is one.
#[inline(always)]
pub fn add(slots: &mut [u16; LIGHT], bases: &[u16; LIGHT], slot: usize, more: usize) {
    groups::add(&mut slots[slot], &GROUPS, &FIRST, slot, bases[slot], more);
}
