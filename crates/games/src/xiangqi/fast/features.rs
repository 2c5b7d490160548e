//! The features of `line.fast`, computed directly. The trainer uses them, and a test compares
//! [`Fast`](super::Fast) with them.
//!
//! Squares are from the point of view of the side to move: for Black the board is rotated.

use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::view::View;
use crate::common::past::{Past, Pasts};
use crate::common::slots::slots;
use crate::xiangqi::board::SQUARES;
use crate::xiangqi::link::features::follow;
use crate::xiangqi::link::rows;
use crate::xiangqi::link::scene::DISPLACEMENT;
use crate::xiangqi::{Move, Position, Xiangqi};

slots! {
    slot of SLOTS {
        MOVE = ("move", rows::COUNTS.0 as usize),
        TIME = ("time", TIMES * 630),
        SET_UP = ("set-up", SET_UPS * 630),
        TO = ("to", PHASES * 630),
        TARGET = ("target", 9 * 630),
        FROM = ("from", PHASES * 630),
        NEAR = ("near", 49 * 7 * 14),
        AGAIN = ("again", 3 * 7 * 7),
        EXCHANGE = ("exchange", 7 * 8 * 3 * 2 * PHASES),
        LEAVE = ("leave", 7 * 6 * 2 * 2 * OUTCOMES),
        ACT = ("act", 2 * 3 * 7 * OUTCOMES),
    }
}

/// Numbers of stretches of a game, of set-ups and of phases.
pub const TIMES: usize = 15;
/// See [`TIMES`].
pub const SET_UPS: usize = 8;
/// See [`TIMES`].
pub const PHASES: usize = 4;

/// Number of possible outcomes of a move, judged by its destination alone: nothing, an exchange, a
/// gain, a loss.
pub const OUTCOMES: usize = 4;

/// The features of `line.fast`.
#[derive(Debug)]
pub struct Eyes;

/// The mutual worth of men, from king to pawn.
const WORTH: [u8; 7] = [50, 2, 2, 4, 9, 4, 1];

/// Returns the outcome of a move of a man of kind `role` to a square, where it takes a man of kind
/// `taken` (counted from 1; 0 for none). `danger` is 0 if the square is not attacked, 1 if it is,
/// but not by a man of less worth, 2 if it is by one; `defended` says whether the mover's side
/// defends it.
pub const fn outcome(role: usize, taken: usize, danger: usize, defended: bool) -> usize {
    if taken > 0 {
        if danger == 0 || WORTH[taken - 1] >= WORTH[role] { 2 } else { 1 }
    } else if danger == 2 || danger == 1 && !defended {
        3
    } else {
        0
    }
}

impl Features<Xiangqi> for Eyes {
    type State = Pasts;
    type Scene = ();

    const SIZES: Sizes = Sizes { light: SLOTS, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, _: &Position) -> Pasts {
        Pasts::default()
    }

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Xiangqi>) {
        *pasts = follow(*pasts, ply);
    }

    fn see(&self, pasts: &Pasts, position: &Position, candidates: &[Move], sight: &mut Sight) {
        let seen = Seen::new(pasts, position);
        sight.light.extend(candidates.iter().flat_map(|&mv| seen.slots(mv)));
    }
}

/// A view of a position, and the other inputs of its candidates' features.
#[derive(Debug)]
pub struct Seen {
    /// The position.
    pub view: View,
    /// The opponent's last move, and our own, from the point of view of the side to move.
    pub last: Option<Past>,
    /// See `last`.
    pub own: Option<Past>,
}

impl Seen {
    /// Looks at a position.
    #[inline(always)]
    pub fn new(pasts: &Pasts, position: &Position) -> Self {
        let [last, own, ..] = *pasts;
        let view = View::new(position, last);
        let seen = |past: Past| past.seen(|square| view.turn(square.into()));
        let [last, own] = [last, own].map(|past| past.map(seen));
        Self { view, last, own }
    }

    /// Returns the slots of a candidate.
    #[inline(always)]
    pub fn slots(&self, mv: Move) -> [u16; SLOTS] {
        let mut slots = [0; SLOTS];
        let mut set = |slot: usize, feature: usize| slot::set(&mut slots, slot, feature);
        let view = &self.view;
        let (at, goal) = (usize::from(mv.from), usize::from(mv.to));
        let (from, to) = (usize::from(view.turn(at)), usize::from(view.turn(goal)));
        let role = view.role(at) % 7;
        let place = role * SQUARES + to;
        let taken = view.taken(goal);
        let (danger, defended) = (view.danger(role, goal), view.defended(role, goal));
        let outcome = outcome(role, taken, danger, defended == 1);
        set(slot::MOVE, rows::man_rows(role, from)[to].into());
        set(slot::TIME, view.time * 630 + place);
        set(slot::SET_UP, view.set_up * 630 + place);
        set(slot::TO, view.phase * 630 + place);
        set(slot::TARGET, view.target * 630 + place);
        set(slot::FROM, view.phase * 630 + role * SQUARES + from);
        let again = match self.own {
            Some(own) if usize::from(own.to) == from => {
                1 + usize::from(usize::from(own.from) == to)
            }
            _ => 0,
        };
        set(slot::AGAIN, (again * 7 + view.stage) * 7 + role);
        if let Some(last) = self.last {
            let near = usize::from(DISPLACEMENT[usize::from(last.to) % SQUARES][to]);
            set(slot::NEAR, (near * 7 + role) * 14 + last.man());
        }
        let exchange = ((role * 8 + taken) * 3 + danger) * 2 + defended;
        set(slot::EXCHANGE, exchange * PHASES + view.phase);
        let origin = ((role * 6 + view.least_at(at)) * 2 + view.covered(at)) * 2 + view.chased(at);
        set(slot::LEAVE, origin * OUTCOMES + outcome);
        let act = view.check(role, goal) * 3 + view.threat(role, goal);
        set(slot::ACT, (act * 7 + role) * OUTCOMES + outcome);
        slots
    }
}
