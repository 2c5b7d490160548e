//! The features of `line.default`: those of the first look, and the attacks of both sides after a
//! move.

use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Ply, Rules};

use super::after::{Force, Forces};
use crate::common::past::{Pasts, undone};
use crate::common::slots::slots;
use crate::common::worth::{Best, Value};
use crate::xiangqi::board::SQUARES;
use crate::xiangqi::fast::inputs::{self, INPUTS};
use crate::xiangqi::fast::{BELOWS, Glanced};
use crate::xiangqi::lines::{has, one};
use crate::xiangqi::link::features::follow;
use crate::xiangqi::link::rows;
use crate::xiangqi::link::scene::{DISPLACEMENT, DISTANCE};
use crate::xiangqi::small::exchange;
use crate::xiangqi::{Move, Position, Xiangqi};

slots! {
    slot of SLOTS {
        BELOW = ("below", BELOWS),
        EXCHANGE = ("exchange", 7 * 8 * 3 * 2 * 2 * 3),
        NEAR_OURS = ("near-ours", 49 * 7 * 7),
        RETAKE = ("retake", 3 * 7 * 5 * 2 * 2),
        REPEAT = ("repeat", 3 * 2 * 2 * 7),
        KING = ("king", 7 * 10 * 10),
        FRONT = ("front", 15 * 10 * 7),
        RISK = ("risk", 5 * 5 * 2 * 2 * 5 * 7),
        PROSPECT = ("prospect", 5 * 5 * 2 * 2 * 2 * 7),
        THREAT = ("threat", 5 * 5 * 2 * 7),
        LINES = ("lines", 16 * 16 * 7),
        BEST = ("best", 8 * 2 * 7 * 4),
        BOOK = ("book", BOOK_FEATURES),
    }
}

/// The book has no positions beyond this move.
const BOOK_MOVES: u32 = 30;

/// The worth of men by their classes, from none to rook.
const WORTH: [i8; 5] = [0, 1, 2, 4, 9];

/// The classes of kinds of men, from king to pawn.
const CLASSES: [usize; 8] = [4, 2, 2, 3, 4, 3, 1, 0];

use slot::set;

/// The features of `line.default`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Xiangqi> for Eyes {
    type State = Pasts;
    type Scene = Glanced;

    const SIZES: Sizes = Sizes {
        heavy: SLOTS,
        deep: FIRST[0],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: rows::COUNTS.1,
        phases: 4,
        book: (slot::BOOK, FIRST[slot::BOOK]),
        ..Sizes::NONE
    };

    fn begin(&self, _: &Position) -> Pasts {
        Pasts::default()
    }

    fn key(&self, position: &Position) -> Option<u64> {
        (position.fullmove_number <= BOOK_MOVES).then(|| Xiangqi.key(position))
    }

    fn see(&self, pasts: &Pasts, position: &Position, all: &[Move], _: &mut Sight) -> Glanced {
        Glanced::new(pasts, position, all)
    }

    #[inline(always)]
    fn look(
        &self,
        pasts: &Pasts,
        glanced: &Glanced,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        sight.phase = u8::try_from(glanced.seen.view.phase).unwrap_or(0);
        inputs::fill(&glanced.seen, position, &mut sight.inputs);
        let close = CloseUp::new(pasts, glanced, position);
        // Written in place: `extend` would not be inlined.
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        sight.rows.resize(sight.chosen.len(), 0);
        let mut best = Best::default();
        let mut man = Man::default();
        let places = sight.heavy.as_chunks_mut::<SLOTS>().0.iter_mut().zip(&mut sight.rows);
        for (&index, (slots, row)) in sight.chosen.iter().zip(places) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            if man.on != Some(mv.from) {
                man = close.man(mv.from);
            }
            set(slots, slot::BELOW, glanced.below(index));
            best.add(close.look(&man, mv, slots));
            *row = rows::row(man.from, glanced.seen.view.turn(mv.to.into()).into());
        }
        let slots = sight.heavy.as_chunks_mut::<SLOTS>().0;
        for (feature, slots) in best.features(14).zip(slots) {
            set(slots, slot::BEST, feature);
        }
    }

    fn update(&self, pasts: &mut Pasts, ply: &Ply<'_, Xiangqi>) {
        *pasts = follow(*pasts, ply);
    }
}

/// What all candidates share.
struct CloseUp<'a> {
    pasts: &'a Pasts,
    glanced: &'a Glanced,
    forces: Forces,
    /// The class of our man most in danger, and of theirs.
    worst: [usize; 2],
    /// Our men in danger.
    left: u128,
    their_king: usize,
    undone: bool,
}

/// What all moves of one of our men share.
#[derive(Default)]
struct Man {
    /// Its square, on the board and from the point of view of its side.
    on: Option<u8>,
    from: usize,
    role: usize,
    /// Whether it is in danger.
    left: usize,
    /// Its distance from their king, in steps.
    away: usize,
    /// Which rooks and cannons attack it.
    lines: usize,
    /// If it made its side's last move, the destination that undoes it.
    back: Option<u8>,
}

impl<'a> CloseUp<'a> {
    #[inline(always)]
    fn new(pasts: &'a Pasts, glanced: &'a Glanced, position: &Position) -> Self {
        let forces = Forces::new(&position.board, position.side);
        let [ours, theirs] = &forces.now;
        let danger = [ours.in_danger(theirs), theirs.in_danger(ours)];
        Self {
            pasts,
            glanced,
            worst: [ours.dearest(danger[0]), theirs.dearest(danger[1])],
            left: danger[0],
            their_king: theirs.men[0].trailing_zeros() as usize % SQUARES,
            undone: undone(pasts),
            forces,
        }
    }

    /// Looks at the man on a square.
    #[inline(always)]
    fn man(&self, on: u8) -> Man {
        let seen = &self.glanced.seen;
        let at = usize::from(on);
        let role = seen.view.role(at) % 7;
        let from = seen.view.turn(at);
        Man {
            on: Some(on),
            from: from.into(),
            role,
            left: has(self.left, at),
            away: self.away(at),
            lines: self.lines_at(at),
            back: seen.own.filter(|own| own.to == from).map(|own| own.from),
        }
    }

    /// Returns the distance of a square from their king, in steps.
    #[inline(always)]
    fn away(&self, square: usize) -> usize {
        DISTANCE[self.their_king][square % SQUARES].into()
    }

    /// Returns which rooks and cannons attack a square: 1 a rook of ours, 2 a cannon of ours, 4 a
    /// rook of theirs, 8 a cannon of theirs.
    #[inline(always)]
    fn lines_at(&self, square: usize) -> usize {
        let [ours, theirs] = &self.forces.now;
        let on = |force: &Force, kind: usize| has(force.reach[kind], square);
        on(ours, 4) + 2 * on(ours, 5) + 4 * on(theirs, 4) + 8 * on(theirs, 5)
    }

    /// Fills the slots of a man's candidate except those of the group `below` and of the last two.
    /// Returns its apparent value.
    #[inline(always)]
    fn look(&self, man: &Man, mv: Move, slots: &mut [u16; SLOTS]) -> Value {
        let seen = &self.glanced.seen;
        let view = &seen.view;
        let role = man.role;
        let goal = usize::from(mv.to);
        let to = usize::from(view.turn(goal));
        let taken = CLASSES[(view.taken(goal) + 7) % 8];
        let captures = usize::from(taken > 0);
        let [ours, theirs] = self.forces.after(role, mv.from, mv.to);
        let danger = [ours.in_danger(&theirs), theirs.in_danger(&ours)];
        let itself = has(danger[0], goal);
        let left = man.left;
        let check = usize::from(ours.all() & theirs.men[0] != 0);

        set(slots, slot::EXCHANGE, exchange(view, role, goal));
        let mut retakes = 0;
        if let Some(last) = seen.last.filter(|last| usize::from(last.to) == to) {
            retakes = 1 + usize::from(last.captured);
        }
        let retake = ((retakes * 7 + role) * 5 + taken) * 2 + itself;
        set(slots, slot::RETAKE, retake * 2 + check);
        if let Some(own) = seen.own {
            let near = usize::from(DISPLACEMENT[usize::from(own.to) % SQUARES][to % SQUARES]);
            set(slots, slot::NEAR_OURS, (near * 7 + role) * 7 + usize::from(own.role));
        }
        let again = man.back.map_or(0, |back| 1 + usize::from(usize::from(back) == to));
        let same = self.pasts[3].is_some_and(|past| past.from == mv.from && past.to == mv.to);
        let repeat = (again * 2 + usize::from(self.undone)) * 2 + usize::from(same);
        set(slots, slot::REPEAT, repeat * 7 + role);
        set(slots, slot::KING, (role * 10 + man.away) * 10 + self.away(goal));
        set(slots, slot::FRONT, (self.front(to, goal) * 10 + to / 9) * 7 + role);

        let risk = ours.dearest(danger[0] & !one(goal));
        let risk = ((self.worst[0] * 5 + risk) * 2 + itself) * 2 + left;
        set(slots, slot::RISK, (risk * 5 + taken) * 7 + role);
        let prospect = (self.worst[1] * 5 + theirs.dearest(danger[1])) * 2 + itself;
        set(slots, slot::PROSPECT, ((prospect * 2 + captures) * 2 + check) * 7 + role);
        let reach = ours.reach[role];
        let threat = theirs.dearest(danger[1] & reach) * 5 + theirs.dearest(reach);
        set(slots, slot::THREAT, (threat * 2 + itself) * 7 + role);
        set(slots, slot::LINES, (man.lines * 16 + self.lines_at(goal)) * 7 + role);
        let net = WORTH[taken % 5] - WORTH[ours.dearest(danger[0]) % 5];
        Value { net, kind: u8::try_from(captures * 7 + role).unwrap_or(0) }
    }

    /// Returns the man before a square: 0 none, 1 our king … 7 our pawn, 8 their king …
    #[inline(always)]
    fn front(&self, to: usize, goal: usize) -> usize {
        let view = &self.glanced.seen.view;
        if to >= SQUARES - 9 {
            return 0;
        }
        let ahead = if view.black { goal.saturating_sub(9) } else { goal + 9 };
        if has(view.ours, ahead) == 1 {
            return 1 + view.role(ahead) % 7;
        }
        let taken = view.taken(ahead);
        if taken > 0 { 7 + taken } else { 0 }
    }
}
