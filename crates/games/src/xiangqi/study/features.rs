//! The features of `line.default`: what the first look sees, and what either side attacks after a
//! move.

use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Game, Ply};

use super::after::{Force, Forces};
use crate::common::worth::{Best, Value};
use crate::xiangqi::board::{PALACES, SQUARES};
use crate::xiangqi::glance::inputs::{self, INPUTS};
use crate::xiangqi::glance::{BELOWS, Glanced};
use crate::xiangqi::lines::{has, one};
use crate::xiangqi::model::features::{State, follow};
use crate::xiangqi::model::rows;
use crate::xiangqi::model::scene::{DISPLACEMENT, DISTANCE};
use crate::xiangqi::sketch::exchange;
use crate::xiangqi::{Move, Position, Xiangqi};

/// The features by groups, each a name and how many there are: none, then one group for each slot.
pub const GROUPS: [(&str, usize); 1 + SLOTS] = [
    ("none", 1),
    ("set-up", 8 * 630),
    ("to", 4 * 630),
    ("from", 4 * 630),
    ("below", BELOWS),
    ("exchange", 7 * 8 * 3 * 2 * 2 * 3),
    ("near-theirs", 49 * 7 * 7),
    ("near-ours", 49 * 7 * 7),
    ("retake", 3 * 7 * 5 * 2 * 2),
    ("repeat", 3 * 2 * 2 * 7),
    ("chased", 8 * 7 * 2 * 2),
    ("king", 7 * 10 * 10),
    ("front", 15 * 10 * 7),
    ("risk", 5 * 5 * 2 * 2 * 5 * 7),
    ("prospect", 5 * 5 * 2 * 2 * 2 * 7),
    ("threat", 5 * 5 * 2 * 7),
    ("lines", 16 * 16 * 7),
    ("numbers", 4 * 4 * 4 * 4 * 7),
    ("palace", 6 * 6 * 4 * 4 * 7),
    ("freedom", 15 * 15 * 7),
    ("choice", 8 * 5 * 2 * 2 * 2),
    ("best", 8 * 2 * 7 * 4),
    ("book", BOOK_FEATURES),
];

/// How many slots a candidate has.
pub const SLOTS: usize = 22;

/// The number of each slot's first feature.
const FIRST: [u16; SLOTS] = groups::firsts(&GROUPS);

/// The groups of features that have only weights.
const SHALLOW: usize = 3;

/// The book has no positions beyond this move.
const BOOK_MOVES: u32 = 30;

/// What men are worth by their classes, from none to rook.
const WORTH: [i8; 5] = [0, 1, 2, 4, 9];

/// The classes of kinds of men, from king to pawn.
const CLASSES: [usize; 8] = [4, 2, 2, 3, 4, 3, 1, 0];

/// The slots, in the order of their groups.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod slot {
    use super::{FIRST, GROUPS, SLOTS, groups};

    pub const SET_UP: usize = 0;
    pub const TO: usize = 1;
    pub const FROM: usize = 2;
    pub const BELOW: usize = 3;
    pub const EXCHANGE: usize = 4;
    pub const NEAR_THEIRS: usize = 5;
    pub const NEAR_OURS: usize = 6;
    pub const RETAKE: usize = 7;
    pub const REPEAT: usize = 8;
    pub const CHASED: usize = 9;
    pub const KING: usize = 10;
    pub const FRONT: usize = 11;
    pub const RISK: usize = 12;
    pub const PROSPECT: usize = 13;
    pub const THREAT: usize = 14;
    pub const LINES: usize = 15;
    pub const NUMBERS: usize = 16;
    pub const PALACE: usize = 17;
    pub const FREEDOM: usize = 18;
    pub const CHOICE: usize = 19;
    pub const BEST: usize = 20;
    pub const BOOK: usize = 21;

    /// Puts a feature of its group into a slot.
    #[inline(always)]
    pub fn set(slots: &mut [u16; SLOTS], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }
}
use slot::set;

/// The features.
#[derive(Debug)]
pub struct Study;

impl Features<Xiangqi> for Study {
    type State = State;
    type Scene = Glanced;

    const SIZES: Sizes = Sizes {
        shallow: SHALLOW,
        heavy: SLOTS,
        deep: FIRST[SHALLOW],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: rows::COUNTS.1,
        phases: 4,
        book: (slot::BOOK, FIRST[slot::BOOK]),
        ..Sizes::NONE
    };

    fn begin(&self, _: &Position) -> State {
        State::default()
    }

    fn key(&self, position: &Position) -> Option<u64> {
        (position.fullmove_number <= BOOK_MOVES).then(|| Xiangqi.key(position))
    }

    fn see(&self, state: &State, position: &Position, all: &[Move], _: &mut Sight) -> Glanced {
        Glanced::new(state, position, all)
    }

    #[inline(always)]
    fn look(
        &self,
        state: &State,
        glanced: &Glanced,
        position: &Position,
        candidates: &[Move],
        sight: &mut Sight,
    ) {
        sight.phase = u8::try_from(glanced.seen.view.phase).unwrap_or(0);
        inputs::fill(&glanced.seen, position, &mut sight.inputs);
        let close = CloseUp::new(state, glanced, position, candidates.len());
        // In place: what extends a vector is not inlined.
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        sight.rows.resize(sight.chosen.len(), 0);
        let mut best = Best::default();
        let places = sight.heavy.as_chunks_mut::<SLOTS>().0.iter_mut().zip(&mut sight.rows);
        for (&index, (slots, row)) in sight.chosen.iter().zip(places) {
            let Some(&mv) = candidates.get(usize::from(index)) else { continue };
            set(slots, slot::BELOW, glanced.below(index));
            best.add(close.look(mv, slots));
            let turn = |at: u8| usize::from(glanced.seen.view.turn(at.into()));
            *row = rows::row(turn(mv.from), turn(mv.to));
        }
        let slots = sight.heavy.as_chunks_mut::<SLOTS>().0;
        for (feature, slots) in best.features(14).zip(slots) {
            set(slots, slot::BEST, feature);
        }
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Xiangqi>) {
        follow(state, ply);
    }
}

/// What all candidates share.
struct CloseUp<'a> {
    state: &'a State,
    glanced: &'a Glanced,
    forces: Forces,
    /// The class of our man most in danger, and of theirs; what of either is.
    worst: [usize; 2],
    danger: [u128; 2],
    /// How many squares of the other's palace each side attacks, and how many squares at all.
    palace: [usize; 2],
    freedom: [usize; 2],
    their_king: usize,
    undone: bool,
    choice: usize,
    palaces: [u128; 2],
}

/// The number of squares of a set, below `most`.
#[inline(always)]
fn count(set: u128, most: usize) -> usize {
    (set.count_ones() as usize).min(most - 1)
}

/// The difference of two numbers, from -7 to 7, from 0 on.
#[inline(always)]
fn change(after: usize, before: usize) -> usize {
    (after + 7).saturating_sub(before).min(14)
}

impl<'a> CloseUp<'a> {
    #[inline(always)]
    fn new(state: &'a State, glanced: &'a Glanced, position: &Position, candidates: usize) -> Self {
        let us = position.side;
        let forces = Forces::new(&position.board, us);
        let [ours, theirs] = &forces.now;
        let danger = [ours.in_danger(theirs), theirs.in_danger(ours)];
        let palaces = [us.other(), us].map(|side| PALACES[side as usize]);
        let undone = state.past[0]
            .zip(state.past[2])
            .is_some_and(|(last, before)| before.to == last.from && before.from == last.to);
        Self {
            state,
            glanced,
            worst: [ours.dearest(danger[0]), theirs.dearest(danger[1])],
            danger,
            palace: [count(ours.all() & palaces[0], 6), count(theirs.all() & palaces[1], 4)],
            freedom: [freedom(ours), freedom(theirs)],
            their_king: theirs.men[0].trailing_zeros() as usize % SQUARES,
            undone,
            choice: match candidates {
                0..=4 => 0,
                5..=14 => 1,
                15..=24 => 2,
                25..=31 => 3,
                32..=37 => 4,
                38..=42 => 5,
                43..=48 => 6,
                _ => 7,
            },
            palaces,
            forces,
        }
    }

    /// Fills the slots of a candidate but those of the group `below` and of the last two. Returns
    /// its apparent value.
    #[inline(always)]
    fn look(&self, mv: Move, slots: &mut [u16; SLOTS]) -> Value {
        let seen = &self.glanced.seen;
        let view = &seen.view;
        let (at, goal) = (usize::from(mv.from), usize::from(mv.to));
        let (from, to) = (usize::from(view.turn(at)), usize::from(view.turn(goal)));
        let role = view.role(at) % 7;
        let taken = CLASSES[(view.taken(goal) + 7) % 8];
        let captures = usize::from(taken > 0);
        let [ours, theirs] = self.forces.after(role, mv.from, mv.to);
        let danger = [ours.in_danger(&theirs), theirs.in_danger(&ours)];
        let itself = has(danger[0], goal);
        let left = has(self.danger[0], at);
        let check = usize::from(ours.all() & theirs.men[0] != 0);

        set(slots, slot::SET_UP, view.set_up * 630 + role * SQUARES + to);
        set(slots, slot::TO, view.phase * 630 + role * SQUARES + to);
        set(slots, slot::FROM, view.phase * 630 + role * SQUARES + from);
        set(slots, slot::EXCHANGE, exchange(view, role, goal));
        let near =
            |other: u8| usize::from(DISPLACEMENT[usize::from(other) % SQUARES][to % SQUARES]);
        let mut retakes = 0;
        if let Some(last) = seen.last {
            set(slots, slot::NEAR_THEIRS, (near(last.to) * 7 + role) * 7 + usize::from(last.role));
            if usize::from(last.to) == to {
                retakes = 1 + usize::from(last.captured);
            }
        }
        let retake = ((retakes * 7 + role) * 5 + taken) * 2 + itself;
        set(slots, slot::RETAKE, retake * 2 + usize::from(check > 0));
        let mut again = 0;
        if let Some(own) = seen.own {
            set(slots, slot::NEAR_OURS, (near(own.to) * 7 + role) * 7 + usize::from(own.role));
            if usize::from(own.to) == from {
                again = 1 + usize::from(usize::from(own.from) == to);
            }
        }
        let same = self.state.past[3].is_some_and(|past| past.from == mv.from && past.to == mv.to);
        let repeat = (again * 2 + usize::from(self.undone)) * 2 + usize::from(same);
        set(slots, slot::REPEAT, repeat * 7 + role);
        let chaser = match seen.last {
            Some(last) if view.chased(at) > 0 => 1 + usize::from(last.role),
            _ => 0,
        };
        set(slots, slot::CHASED, ((chaser * 7 + role) * 2 + itself) * 2 + left);
        let away = |square: usize| usize::from(DISTANCE[self.their_king][square % SQUARES]);
        set(slots, slot::KING, (role * 10 + away(at)) * 10 + away(goal));
        set(slots, slot::FRONT, (self.front(to, goal) * 10 + to / 9) * 7 + role);

        let risk = ours.dearest(danger[0] & !one(goal));
        let risk = ((self.worst[0] * 5 + risk) * 2 + itself) * 2 + left;
        set(slots, slot::RISK, (risk * 5 + taken) * 7 + role);
        let prospect = (self.worst[1] * 5 + theirs.dearest(danger[1])) * 2 + itself;
        set(slots, slot::PROSPECT, ((prospect * 2 + captures) * 2 + check) * 7 + role);
        let reach = ours.reach[role];
        let threat = theirs.dearest(danger[1] & reach) * 5 + theirs.dearest(reach);
        set(slots, slot::THREAT, (threat * 2 + itself) * 7 + role);
        let lines = |square: usize| {
            let on = |side: usize, kind: usize| has(self.forces.now[side].reach[kind], square);
            on(0, 4) + 2 * on(0, 5) + 4 * on(1, 4) + 8 * on(1, 5)
        };
        set(slots, slot::LINES, (lines(at) * 16 + lines(goal)) * 7 + role);
        let numbers = [self.danger, danger].map(|[own, other]| count(own, 4) * 4 + count(other, 4));
        set(slots, slot::NUMBERS, (numbers[0] * 16 + numbers[1]) * 7 + role);
        let palace = self.palace[0] * 6 + count(ours.all() & self.palaces[0], 6);
        let shelter = self.palace[1] * 4 + count(theirs.all() & self.palaces[1], 4);
        set(slots, slot::PALACE, (palace * 16 + shelter) * 7 + role);
        let own = change(freedom(&ours), self.freedom[0]);
        let other = change(freedom(&theirs), self.freedom[1]);
        set(slots, slot::FREEDOM, (own * 15 + other) * 7 + role);
        let choice = ((self.choice * 5 + self.worst[0]) * 2 + captures) * 2 + itself;
        set(slots, slot::CHOICE, choice * 2 + check);
        let net = WORTH[taken % 5] - WORTH[ours.dearest(danger[0]) % 5];
        Value { net, kind: u8::try_from(captures * 7 + role).unwrap_or(0) }
    }

    /// What stands before a square: 0 nothing, 1 our king … 7 our pawn, 8 their king …
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

/// How many squares a side attacks.
#[inline(always)]
fn freedom(force: &Force) -> usize {
    force.all().count_ones() as usize
}
