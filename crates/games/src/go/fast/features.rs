//! The features of `line.fast`, computed directly. The trainer uses them, and a test compares
//! [`Fast`](super::Fast) with them.

use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use super::ground::{Ground, triangle};
use crate::common::slots::slots;
use crate::go::link::features::{State, WORDS};
use crate::go::link::patterns::{number, with};
use crate::go::rules::EMPTY;
use crate::go::{Go, Move, Position};

slots! {
    slot of SLOTS {
        FAR = ("far", 8_192),
        WIDE = ("wide", 8_192),
        MIDDLE = ("middle", 6_144),
        RING = ("ring", 1_536),
        ANSWER = ("answer", 8_192),
        LAST = ("last", 66 * 3),
        OWN = ("own", 66 * 3),
        THIRD = ("third", 66 * 3),
        FOURTH = ("fourth", 66 * 3),
        RECENT = ("recent", 100 * 3),
        CELL = ("cell", 55 * 3 * 10),
        CORNER = ("corner", 55 * 6 * 3),
        OPENING = ("opening", 361 * 4),
        PASS = ("pass", 3 * 24),
    }
}

/// The slots of the patterns, by the number of rings less one.
pub const RINGS: [usize; 4] = [slot::RING, slot::MIDDLE, slot::WIDE, slot::FAR];

/// The features of `line.fast`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Go> for Eyes {
    type State = State;
    type Scene = ();

    const SIZES: Sizes = Sizes { light: SLOTS, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, start: &Position) -> State {
        State::new(start)
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Go>) {
        state.follow(ply);
    }

    fn see(&self, state: &State, position: &Position, candidates: &[Move], sight: &mut Sight) {
        let ground = Ground::of(position);
        let times = Times::new(position, &ground);
        sight.light.resize(candidates.len() * SLOTS, 0);
        let slots = sight.light.as_chunks_mut::<SLOTS>().0;
        for (mv, slots) in candidates.iter().zip(slots) {
            see(state, position, &ground, &times, mv.point, slots);
        }
    }
}

/// How far the game has progressed.
#[derive(Debug)]
pub struct Times {
    /// Number of stones.
    pub stones: usize,
    /// Phase of the game, one of ten.
    pub phase: usize,
    /// Stage of the game, one of three.
    pub stage: usize,
    /// The class of the number of stones in each corner, from the upper left.
    pub corners: [usize; 4],
}

impl Times {
    /// Counts the stones of a position.
    #[inline(always)]
    pub fn new(position: &Position, ground: &Ground) -> Self {
        let (mut stones, mut corners) = (0, [0usize; 4]);
        for (row, cells) in ground.lines(position) {
            let of = |cells: &[u8]| cells.iter().map(|&cell| usize::from(cell != EMPTY)).sum();
            let both: usize = of(cells);
            stones += both;
            let [top, bottom] = ground.bands(row, ground.rows);
            let near = ground.columns.min(9);
            let left: usize = of(cells.get(..near).unwrap_or_default());
            let right: usize = of(cells.get(ground.columns - near..).unwrap_or_default());
            for (corner, (band, count)) in
                [(top, left), (top, right), (bottom, left), (bottom, right)].into_iter().enumerate()
            {
                corners[corner] += if band { count } else { 0 };
            }
        }
        let phase = [4, 8, 16, 30, 50, 80, 120, 170, 220];
        let phase = phase.into_iter().filter(|&least| stones >= least).count();
        let stage = usize::from(stones >= 40) + usize::from(stones >= 120);
        let class = |stones: usize| match stones {
            0..=2 => stones,
            3 | 4 => 3,
            5..=8 => 4,
            _ => 5,
        };
        Self { stones, phase, stage, corners: corners.map(class) }
    }

    /// Returns the class of the number of stones in the opening; `None` later.
    #[inline(always)]
    pub fn early(&self) -> Option<usize> {
        [0, 1, 2, 2, 3, 3, 3, 3].get(self.stones).copied()
    }

    /// Returns the feature of a pass after `passes` passes.
    #[inline(always)]
    pub fn pass(&self, passes: usize) -> usize {
        passes * 24 + (self.stones / 16).min(23)
    }
}

/// Fills the slots of a candidate.
fn see(
    state: &State,
    position: &Position,
    ground: &Ground,
    times: &Times,
    point: u16,
    slots: &mut [u16; SLOTS],
) {
    let mut set = |slot: usize, feature: usize| {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    };
    if point == Move::PASS {
        set(slot::PASS, times.pass(state.passes));
        return;
    }
    let around = state.patterns.around(point, position.white_to_move());
    for (slot, hashes) in RINGS.into_iter().zip(&around) {
        set(slot, number(hashes, slot::count(slot)));
    }
    let line = ground.line(point);
    for (past, &other) in state.past.iter().enumerate() {
        if other == Move::PASS {
            continue;
        }
        let [down, right] = ground.apart(point, other);
        if past < 4 {
            let near = triangle(down.unsigned_abs().min(10), right.unsigned_abs().min(10));
            set(slot::LAST + past, near * 3 + line);
        }
        if past == 0
            && let Some(words) = WORDS.last(-down, -right)
        {
            set(slot::ANSWER, number(&with(&around[1], words), slot::count(slot::ANSWER)));
        }
    }
    let latest = |within: u16| {
        let close = |&other: &u16| {
            other != Move::PASS
                && ground.apart(point, other).iter().all(|far| far.unsigned_abs() <= within)
        };
        state.past.iter().position(close).unwrap_or(state.past.len())
    };
    set(slot::RECENT, (latest(1) * 10 + latest(3)) * 3 + times.stage);
    let cell = ground.cell(point);
    set(slot::CELL, (cell * 3 + ground.size) * 10 + times.phase);
    let there = times.corners[ground.corner(point)];
    set(slot::CORNER, (cell * 6 + there) * 3 + times.stage);
    if ground.usual
        && let Some(early) = times.early()
    {
        set(slot::OPENING, usize::from(point) * 4 + early);
    }
}
