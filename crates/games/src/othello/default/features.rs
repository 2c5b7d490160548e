//! The features of `line.default` of othello: the discs on the lines through a cell, what a move
//! turns, opens and leaves, and the result in the last moves.
//!
//! Features that are the same on symmetric boards are computed on the board as it is; cells are
//! those of the board turned so that the first move was f5.

use plypack_core::policy::book::BOOK_FEATURES;
use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Ply, Rules};

use super::inputs::{self, INPUTS};
use super::past::Past;
use super::solver::{self, FAR};
use crate::common::classes::exceeded;
use crate::common::slots::slots;
use crate::othello::link::patterns::{self, Lines, SHORT_CUTS};
use crate::othello::link::scene::{
    Comparison, Regions, Verdict, cell_turned, count, nearest_corner, swap, transpose,
};
use crate::othello::order::{CORNERS, around, kind};
use crate::othello::rules::moves;
use crate::othello::{Othello, Position};

slots! {
    /// The first have only weights. The slots of both lines share their features, as do those of
    /// both diagonals.
    slot of SLOTS {
        ROW = ("line", patterns::LINES),
        COLUMN = ("column", 0),
        DIAGONAL = ("diagonal", patterns::DIAGONALS),
        DIAGONAL_OTHER = ("diagonal-other", 0),
        TIME = ("time", 60 * 64),
        REPLY = ("reply", 64 * 64),
        MOVES = ("moves", 18 * 18 * 5),
        DISCS = ("discs", 10 * 16 * 5),
        BELOW = ("below", 6 * 8 * 8 * 5),
        WAITING = ("waiting", 2 * 2 * 8 * 9 * 5),
        CORNERS = ("corners", 9 * 12 * 3 * 5),
        REGION = ("region", 13 * 4 * 2 * 3 * 5),
        ROOM = ("room", 9 * 9 * 9 * 3),
        OPENED = ("opened", 8 * 12 * 5),
        INNER = ("inner", 12 * 15),
        THEIRS = ("theirs", 18 * 15),
        TAKEN = ("taken", 3 * 2 * 3 * 3 * 5),
        LATE = ("late", 2 * 17 * 13),
        SOLVED = ("solved", 6 * 3 * 3 * 8),
        BOOK = ("book", BOOK_FEATURES),
    }
}

/// Number of slots, from the first, whose features have no rows in the layer of each move.
const SHALLOW: usize = 6;

/// The book has no positions with fewer empty cells than this.
const BOOK_EMPTY: u32 = 40;

/// The game is solved with at most this many empty cells.
const SOLVED_EMPTY: usize = 6;

/// The features of `line.default`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Othello> for Eyes {
    type State = Past;
    type Scene = ();

    const SIZES: Sizes = Sizes {
        shallow: SHALLOW,
        heavy: SLOTS,
        deep: FIRST[SHALLOW],
        features: groups::count(&GROUPS),
        inputs: INPUTS,
        rows: 64,
        phases: 15,
        book: (slot::BOOK, FIRST[slot::BOOK]),
        ..Sizes::NONE
    };

    fn begin(&self, _: &Position) -> Past {
        Past::default()
    }

    fn key(&self, position: &Position) -> Option<u64> {
        let [black, white] = position.discs();
        let in_book = (!(black | white)).count_ones() >= BOOK_EMPTY;
        in_book.then(|| Othello.key(position))
    }

    fn see(&self, _: &Past, _: &Position, _: &[u8], _: &mut Sight) {}

    #[inline(always)]
    fn look(
        &self,
        past: &Past,
        (): &(),
        position: &Position,
        candidates: &[u8],
        sight: &mut Sight,
    ) {
        let scene = Scene::new(past, position);
        sight.phase = u8::try_from(scene.phase).unwrap_or(0);
        inputs::fill(past, position, scene.ours_now, scene.theirs_now, &mut sight.inputs);
        let mut outcomes = Vec::with_capacity(candidates.len() + 4);
        Verdict::all(scene.sides, candidates.iter().copied(), &mut outcomes);
        let comparison = Comparison::new(&outcomes);
        // Written in place: `extend` would not be inlined.
        sight.heavy.resize(sight.chosen.len() * SLOTS, 0);
        sight.rows.resize(sight.chosen.len(), 0);
        let slots = sight.heavy.as_chunks_mut::<SLOTS>().0;
        for ((outcome, slots), row) in outcomes.iter().zip(&mut *slots).zip(&mut sight.rows) {
            *row = cell_turned(outcome.cell, past.turn).into();
            scene.see(&comparison, outcome, slots);
        }
        if scene.empty <= SOLVED_EMPTY {
            see_results(&outcomes, scene.empty, slots);
        }
    }

    fn update(&self, past: &mut Past, ply: &Ply<'_, Othello>) {
        past.follow(ply);
    }
}

/// Sets a slot to a feature of its group.
#[inline(always)]
fn set(slots: &mut [u16; SLOTS], slot: usize, feature: usize) {
    groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
}

/// What all candidates of a position share.
struct Scene<'a> {
    past: &'a Past,
    lines: &'a Lines,
    /// Our discs, and theirs.
    sides: [u64; 2],
    /// The same with rows and columns swapped.
    swapped: [u64; 2],
    empty: usize,
    phase: usize,
    ours_now: u64,
    theirs_now: u64,
    regions: Regions,
    ages: [u64; 3],
}

impl<'a> Scene<'a> {
    #[inline(always)]
    fn new(past: &'a Past, position: &Position) -> Self {
        let sides = position.sides();
        let [own, other] = sides;
        let free = !(own | other);
        let empty = count(free);
        Self {
            past,
            lines: &SHORT_CUTS,
            sides,
            swapped: sides.map(transpose),
            empty,
            phase: (60usize.saturating_sub(empty) / 4).min(14),
            ours_now: moves(own, other),
            theirs_now: moves(other, own),
            regions: Regions::new(free),
            ages: past.ages[usize::from(position.white_to_move())],
        }
    }

    /// Fills the slots of a candidate.
    #[inline(always)]
    fn see(&self, comparison: &Comparison, outcome: &Verdict, slots: &mut [u16; SLOTS]) {
        self.see_lines(outcome, slots);
        self.see_place(outcome, slots);
        self.see_discs(comparison, outcome, slots);
    }

    /// Fills the slots that have only weights.
    #[inline(always)]
    fn see_lines(&self, outcome: &Verdict, slots: &mut [u16; SLOTS]) {
        let cell = outcome.cell;
        let Self { lines, sides, swapped, .. } = *self;
        let mut put = |slot: usize, feature: u16| slots[slot] = FIRST[slot].wrapping_add(feature);
        put(slot::ROW, lines.row(sides, cell));
        put(slot::COLUMN, lines.row(swapped, swap(cell)));
        let [falling, rising] = lines.diagonals(sides, cell);
        put(slot::DIAGONAL, falling);
        put(slot::DIAGONAL_OTHER, rising);
        let at = usize::from(cell_turned(cell, self.past.turn));
        let time = 60usize.saturating_sub(self.empty).min(59);
        set(slots, slot::TIME, time * 64 + at);
        if let Some(last) = self.past.cells[0] {
            set(slots, slot::REPLY, usize::from(last & 63) * 64 + at);
        }
    }

    /// Fills the slots for the place of a move.
    #[inline(always)]
    fn see_place(&self, outcome: &Verdict, slots: &mut [u16; SLOTS]) {
        let Verdict { cell, turned, ours, theirs, .. } = *outcome;
        let third = self.phase / 3;
        let disc = 1u64 << (cell & 63);
        let kind = kind(cell);
        let wait = self.past.wait(self.ages, self.theirs_now, disc, kind);
        set(slots, slot::WAITING, wait * 5 + third);
        let near = nearest_corner(cell);
        let has = |set: u64| usize::from(set & near != 0);
        let held = has(self.sides[0]) + 2 * has(self.sides[1]);
        let corner = (held * 2 + has(theirs)) * 2 + has(self.theirs_now);
        let given = count(theirs & CORNERS).min(2);
        set(slots, slot::CORNERS, ((kind * 12 + corner) * 3 + given) * 5 + third);
        let (whole, parts) = self.regions.with(disc);
        let open = usize::from(theirs & whole != 0);
        let passes = usize::from(theirs == 0) + usize::from(theirs | ours == 0);
        let size = count(whole).min(12);
        set(slots, slot::REGION, (((size * 4 + parts) * 2 + open) * 3 + passes) * 5 + third);
        let few = |set: u64| count(set & CORNERS).min(2);
        let taken = (few(self.ours_now) * 2 + few(disc)) * 3 + given;
        set(slots, slot::TAKEN, (taken * 3 + few(self.theirs_now)) * 5 + third);
        let beside = around(disc);
        let free = !(self.sides[0] | self.sides[1] | disc);
        let room = count(beside & free) * 9 + count(beside & turned);
        set(slots, slot::ROOM, (room * 9 + kind) * 3 + self.phase / 5);
    }

    /// Fills the slots for counts of discs and moves.
    #[inline(always)]
    fn see_discs(&self, comparison: &Comparison, outcome: &Verdict, slots: &mut [u16; SLOTS]) {
        let Verdict { cell, turned, sides: [own, other], ours, theirs } = *outcome;
        let third = self.phase / 3;
        let disc = 1u64 << (cell & 63);
        let free = !(own | other);
        let their = count(theirs);
        set(slots, slot::MOVES, (their.min(17) * 18 + count(ours).min(17)) * 5 + third);
        let frontier = count(around(turned | disc) & free).min(15);
        set(slots, slot::DISCS, (count(turned).min(9) * 16 + frontier) * 5 + third);
        set(slots, slot::THEIRS, their.min(17) * 15 + self.phase);
        let inner = count(turned & around(free)).min(11);
        set(slots, slot::INNER, inner * 15 + self.phase);
        let below = (their - comparison.least).min(5) * 8;
        let below = (below + (comparison.best - outcome.balance()).min(7)) * 8;
        set(slots, slot::BELOW, (below + comparison.choice) * 5 + third);
        // The cells beside empty corners.
        let corners = free & CORNERS;
        let safe = count(theirs & !(around(corners) & !corners)).min(11);
        let opened = count(theirs & !self.theirs_now).min(7);
        set(slots, slot::OPENED, (opened * 12 + safe) * 5 + third);
        let over = usize::from(ours | theirs == 0);
        // Disc differences in steps of four, eight steps to either side.
        let difference = ((64 + count(own) - count(other)).clamp(32, 96) - 32) / 4;
        set(slots, slot::LATE, (over * 17 + difference) * 13 + self.empty.min(12));
    }
}

/// Fills the slot for the results.
fn see_results(outcomes: &[Verdict], empty: usize, slots: &mut [[u16; SLOTS]]) {
    let mut best = -64;
    let results: Vec<i32> = outcomes
        .iter()
        .map(|outcome| {
            // Results that are worse by this much are not told apart.
            let result = solver::result(outcome.sides, (best - FAR).min(-1));
            best = best.max(result);
            result
        })
        .collect();
    for (&result, slots) in results.iter().zip(slots) {
        let outcome = (loss_class(best - result) * 3 + sign(result)) * 3 + sign(best);
        set(slots, slot::SOLVED, outcome * 8 + empty.min(7));
    }
}

/// Returns the class of discs given away, one of six.
fn loss_class(discs: i32) -> usize {
    exceeded([0, 2, 4, 8, 16], usize::try_from(discs).unwrap_or(0))
}

/// Returns 0 for a loss, 1 for a draw, 2 for a win.
fn sign(result: i32) -> usize {
    usize::from(result >= 0) + usize::from(result > 0)
}
