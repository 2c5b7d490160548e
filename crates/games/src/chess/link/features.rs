//! The light features of chess, by which `line.small/4` weighs moves.
//!
//! Everything is seen by the side to move: for Black the board is flipped, so that every feature is
//! written for a player moving up the board. They take little more than shifts and look-ups.

use cozy_chess::Move;
use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::origin::Origin;
use crate::chess::default::past::{Pasts, follow};
use crate::chess::default::rows;
use crate::chess::default::scene::Scene;
use crate::chess::{Chess, Position};

/// The groups of features, each a name and a number of features: none, then those of the slots.
pub const GROUPS: [(&str, usize); 1 + LIGHT] = [
    ("none", 1),
    ("move", ROWS),
    ("time", 26 * 6 * 64),
    ("wings", 6 * 64 * 9),
    ("to", 6 * 64 * 4),
    ("from", 6 * 64 * 4),
    ("exchange", 6 * 2 * 6 * 6),
    ("leave", 6 * 2 * 6 * 5),
    ("check", 4 * 6 * 5),
    ("retake", 3 * 6 * 6 * 5),
    ("promotion", 5 * 2 * 5),
    ("again", 3 * 6 * 4),
    ("chased", 7 * 6 * 5),
    ("threat", 6 * 2 * 6 * 5),
    ("king", 6 * 8 * 8),
    ("passed", 2 * 8 * 4),
    ("pawn", 3 * 3 * 2 * 3 * 2),
    ("file", 4 * 4 * 4 * 2),
    ("evasion", 3 * 6 * 5 * 2),
    ("hanging", 4 * 6 * 6 * 5),
    ("near-theirs", 49 * 6 * 6),
    ("near-ours", 49 * 6 * 6),
    ("repeat", 8 * 6),
    ("choice", 8 * 2 * 2 * 2),
    ("front", 13 * 8 * 6),
    ("reply", 6 * 2 * 6 * 5),
];

/// The number of slots of a candidate.
pub const LIGHT: usize = 25;

/// The number of each slot's first feature.
const FIRST: [u16; LIGHT] = groups::firsts(&GROUPS);

/// The numbers of moves by man and squares.
const ROWS: usize = rows::COUNTS.0 as usize;

/// The features of `line.small/4`.
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

    fn look(&self, _: &Pasts, (): &(), _: &Position, _: &[Move], _: &mut Sight) {}

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Chess>) {
        *pasts = follow(*pasts, ply);
    }
}

/// The light slots, in the order of their groups.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod light {
    use super::{FIRST, GROUPS, LIGHT, groups};

    pub const MOVE: usize = 0;
    pub const TIME: usize = 1;
    pub const WINGS: usize = 2;
    pub const TO: usize = 3;
    pub const FROM: usize = 4;
    pub const EXCHANGE: usize = 5;
    pub const LEAVE: usize = 6;
    pub const CHECK: usize = 7;
    pub const RETAKE: usize = 8;
    pub const PROMOTION: usize = 9;
    pub const AGAIN: usize = 10;
    pub const CHASED: usize = 11;
    pub const THREAT: usize = 12;
    pub const KING: usize = 13;
    pub const PASSED: usize = 14;
    pub const PAWN: usize = 15;
    pub const FILE: usize = 16;
    pub const EVASION: usize = 17;
    pub const HANGING: usize = 18;
    pub const NEAR_THEIRS: usize = 19;
    pub const NEAR_OURS: usize = 20;
    pub const REPEAT: usize = 21;
    pub const CHOICE: usize = 22;
    pub const FRONT: usize = 23;
    pub const REPLY: usize = 24;

    /// Puts a feature of its group into a slot.
    #[inline(always)]
    pub fn set(slots: &mut [u16; LIGHT], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }

    /// Puts a feature into a slot: `more` after that of `bases`, if there is one.
    #[inline(always)]
    pub fn add(slots: &mut [u16; LIGHT], bases: &[u16; LIGHT], slot: usize, more: usize) {
        groups::add(&mut slots[slot], &GROUPS, &FIRST, slot, bases[slot], more);
    }
}
