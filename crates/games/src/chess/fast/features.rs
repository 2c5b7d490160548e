//! The features of `line.fast` in plain form: the trainer learns from them, and a test compares
//! [`Fast`](super::Fast) with them.
//!
//! Squares are seen by the side to move: for Black the board is flipped.

use cozy_chess::Move;
use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::view::{View, bucket};
use crate::chess::default::past::{castled, follow, man};
use crate::chess::{Chess, Position};
use crate::common::past::Past;
use crate::common::slots::slots;

slots! {
    slot of SLOTS {
        MOVE = ("move", 6 * 64 * 64),
        TIME = ("time", BUCKETS * 6 * 64),
        EXCHANGE = ("exchange", 6 * 6 * 3 * 2 * 2),
        LEAVE = ("leave", 6 * 6 * 2 * OUTCOMES),
        NEAR = ("near", 49 * 6 * 12),
        CHECK = ("check", 2 * 6 * OUTCOMES),
        CASTLING = ("castling", 2 * 2),
        PROMOTION = ("promotion", 4 * 6),
    }
}

/// The number of stretches into which a game is divided.
pub const BUCKETS: usize = 26;

/// The number of possible outcomes of a move, as far as the destination shows them: nothing, an
/// exchange, a gain, a loss.
pub const OUTCOMES: usize = 4;

/// The features of `line.fast`.
#[derive(Debug)]
pub struct Eyes;

/// The relative worth of men, from pawn to king.
pub const WORTH: [usize; 6] = [1, 2, 2, 3, 4, 5];

/// Returns the outcome of a move of a man of kind `role` to a square where a man of kind `victim`
/// (from 1; 0 none) is taken. `danger` is 0 if the square is not attacked, 1 if it is, but not by a
/// man of less worth, and 2 if it is by one; `defended` says whether the mover's side defends it.
#[inline(always)]
pub const fn outcome(role: usize, victim: usize, danger: usize, defended: bool) -> usize {
    if victim > 0 {
        if danger == 0 || WORTH[victim - 1] >= WORTH[role] { 2 } else { 1 }
    } else if danger == 2 || danger == 1 && !defended {
        3
    } else {
        0
    }
}

impl Features<Chess> for Eyes {
    type State = Option<Past>;
    type Scene = ();

    const SIZES: Sizes = Sizes { light: SLOTS, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, _: &Position) -> Option<Past> {
        None
    }

    fn update(&self, past: &mut Option<Past>, ply: &Ply<'_, Chess>) {
        [*past, ..] = follow([*past, None, None, None], ply);
    }

    fn see(
        &self,
        past: &Option<Past>,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        let seen = Seen::new(*past, position);
        sight.light.extend(candidates.iter().flat_map(|&mv| seen.slots(mv)));
    }
}

/// A view of a position, and the other facts for its candidates' features.
#[derive(Debug)]
pub struct Seen {
    /// The position.
    pub view: View,
    /// The opponent's last move.
    pub past: Option<Past>,
    /// The stretch of the game.
    pub bucket: usize,
}

impl Seen {
    /// Looks at a position.
    #[inline(always)]
    pub fn new(past: Option<Past>, position: &Position) -> Self {
        Self { view: View::new(&position.board), past, bucket: bucket(position) }
    }

    /// Returns the slots of a candidate.
    #[inline(always)]
    pub fn slots(&self, mv: Move) -> [u16; SLOTS] {
        let mut slots = [0; SLOTS];
        let mut set = |slot: usize, feature: usize| slot::set(&mut slots, slot, feature);
        let view = &self.view;
        let from = mv.from as usize;
        let role = view.role(from) % 6;
        let castles = view.castles(mv);
        let to = if castles { castled(from, mv.to as usize) } else { mv.to } as usize;
        let (turned_from, turned_to) = (from ^ view.turn, to ^ view.turn);
        let victim = match view.victim(to) {
            _ if castles => 0,
            0 if view.takes_in_passing(mv) => 1,
            victim => victim,
        };
        let (danger, defended) = (view.danger(role, to), view.defended(role, from, to));
        let outcome = outcome(role, victim, danger, defended == 1);
        set(0, role * 4096 + turned_from * 64 + turned_to);
        set(1, (self.bucket * 6 + role) * 64 + turned_to);
        let exchange = ((role * 6 + victim) * 3 + danger) * 2 + defended;
        set(2, exchange * 2 + usize::from(view.late));
        let origin = (role * 6 + view.least_at(from)) * 2 + usize::from(view.covered(from));
        set(3, origin * OUTCOMES + outcome);
        if let Some(past) = self.past {
            set(4, (view.near(past, to) * 6 + role) * 12 + man(past));
        }
        set(5, (view.check(role, to) * 6 + role) * OUTCOMES + outcome);
        if castles {
            set(6, usize::from(view.late) * 2 + usize::from(mv.from < mv.to));
        }
        if let Some(piece) = mv.promotion {
            set(7, (piece as usize - 1) % 4 * 6 + victim);
        }
        slots
    }
}
