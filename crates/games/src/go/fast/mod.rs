//! `line.fast` of go: points are weighed by the stones around them and the last moves; liberties
//! are not counted.
//!
//! The features ([`features`]) cost a few look-ups per point. [`Fast`] takes short cuts: the
//! weights of the stones around a point are kept from ply to ply and recomputed only near stones
//! that appear or disappear; the weights of the last moves are looked up in rows for all points of
//! the 19 by 19 board.

pub mod features;
pub mod ground;

use std::sync::LazyLock;

use plypack_core::policy::{Gate, halvings};
use plypack_core::{MoveModel, Ply, Work, natively};
use plypack_tables::go::FAST_GATE;

use super::link::features::{State as Memory, WORDS};
use super::link::patterns::{changes, number, seers, with};
use super::rules::EMPTY;
use super::{Go, Move, Position};
use crate::common::weights::{Glance, Weighing, Weights as Powers, weigh_at_a_glance};
use features::slot::count;
use features::{FIRST, RINGS, Times, slot};
use ground::{Ground, triangle};

/// The gate of `line.fast`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(FAST_GATE).unwrap_or_default());

/// The model.
#[derive(Debug)]
pub struct Fast;

/// The state of a line's model, and scratch memory.
#[derive(Clone, Debug)]
pub struct State {
    memory: Memory,
    /// By point, the weight of the patterns around it for Black and for White, if it is empty.
    views: [Vec<i16>; 2],
    sums: Vec<i16>,
    /// By point, how many moves ago a move was made close to it.
    recent: Vec<u8>,
}

/// Number of points of the 19 by 19 board.
const POINTS: usize = 361;

/// A weight for each point.
type Weights = [i8; POINTS];

/// The number of last moves that are weighed by distance.
const NEAR: usize = 4;

/// The code of a point without a recent move close to it.
const LONG_AGO: u8 = 8 * 10 + 8;

/// The gate's weights, arranged for look-ups.
struct Tables {
    /// On the 19 by 19 board, by the age of the move, then its point.
    near: Vec<Weights>,
    /// By phase.
    cells: Vec<Weights>,
    /// By the class of the stones in the corner, then stage.
    corners: Vec<Weights>,
    /// By the number of stones, in the opening.
    openings: Vec<Weights>,
    /// By stage, then by the code of recent moves close to a point.
    recent: [[i8; 128]; 3],
    powers: Powers,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::of(&GATE));

/// The state at the empty 19 by 19 board.
static USUAL: LazyLock<State> = LazyLock::new(|| State::new(&Position::empty(19, 19, false)));

/// Returns the weight of a feature of a slot.
#[inline(always)]
fn weigh(slot: usize, feature: usize) -> i8 {
    GATE.weight(usize::from(FIRST[slot]) + feature)
}

/// Returns what a move made `ago` moves ago adds to a point's weight.
#[inline(always)]
fn near(ground: &Ground, ago: usize, point: u16, other: u16) -> i8 {
    let [down, right] = ground.apart(point, other).map(|far| far.unsigned_abs().min(10));
    weigh(slot::LAST + ago, triangle(down, right) * 3 + ground.line(point))
}

impl Tables {
    fn of(gate: &Gate) -> Self {
        let ground = Ground { rows: 19, columns: 19, usual: true, size: 2 };
        let all = |of: &dyn Fn(u16) -> i8| {
            let mut weights = [0; POINTS];
            for (point, weight) in (0..).zip(&mut weights) {
                *weight = of(point);
            }
            weights
        };
        let nears = (0..NEAR).flat_map(|ago| (0..361).map(move |other| (ago, other)));
        let recent = |stage: usize, code: usize| {
            if code > usize::from(LONG_AGO) { 0 } else { weigh(slot::RECENT, code * 3 + stage) }
        };
        Self {
            near: nears.map(|(ago, other)| all(&|at| near(&ground, ago, at, other))).collect(),
            cells: (0..10).map(|phase| all(&|at| cell(&ground, phase, at))).collect(),
            corners: (0..18)
                .map(|class| all(&|at| corner(&ground, class / 3, class % 3, at)))
                .collect(),
            openings: (0..4).map(|early| all(&|at| opening(early, at))).collect(),
            recent: [0, 1, 2].map(|stage| std::array::from_fn(|code| recent(stage, code))),
            powers: Powers::of(gate),
        }
    }
}

/// Returns what a point's place adds in a phase.
#[inline(always)]
fn cell(ground: &Ground, phase: usize, point: u16) -> i8 {
    weigh(slot::CELL, (ground.cell(point) * 3 + ground.size) * 10 + phase)
}

/// Returns what the stones in a point's corner add, by their class `there`.
#[inline(always)]
fn corner(ground: &Ground, there: usize, stage: usize, point: u16) -> i8 {
    weigh(slot::CORNER, (ground.cell(point) * 6 + there) * 3 + stage)
}

/// Returns what a point's place adds in the opening.
#[inline(always)]
fn opening(early: usize, point: u16) -> i8 {
    weigh(slot::OPENING, usize::from(point) * 4 + early)
}

impl State {
    fn new(start: &Position) -> Self {
        let points = usize::from(start.count());
        let mut state = Self {
            memory: Memory::new(start),
            views: [vec![0; points], vec![0; points]],
            sums: Vec::with_capacity(points),
            recent: Vec::with_capacity(points),
        };
        (0..start.count()).for_each(|point| state.view(point));
        state
    }

    /// Computes the weights of the patterns around a point.
    #[inline(always)]
    fn view(&mut self, point: u16) {
        for (white, views) in [false, true].into_iter().zip(&mut self.views) {
            let around = self.memory.patterns.around(point, white);
            let rings = RINGS.into_iter().zip(&around);
            let weights = rings.map(|(slot, hashes)| weigh(slot, number(hashes, count(slot))));
            if let Some(view) = views.get_mut(usize::from(point)) {
                *view = weights.map(i16::from).sum();
            }
        }
    }
}

impl MoveModel<Go> for Fast {
    type State = State;

    fn begin(&self, _: &Go, start: &Position) -> State {
        if *start == Position::empty(19, 19, start.white_to_move()) {
            USUAL.clone()
        } else {
            State::new(start)
        }
    }

    weigh_at_a_glance!(Go);

    fn update(&self, state: &mut State, ply: &Ply<'_, Go>) {
        natively(Following { state, ply });
    }
}

/// A move to be applied to a line's state.
struct Following<'a, 'b> {
    state: &'a mut State,
    ply: &'a Ply<'b, Go>,
}

impl Work for Following<'_, '_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let Self { state, ply } = self;
        state.memory.follow(ply);
        let after = ply.after;
        let size = [after.rows(), after.columns()].map(u16::cast_signed);
        let cells = after.array();
        changes(ply, |place, _, new| {
            let own = (place[0] * size[1] + place[1]).unsigned_abs();
            let own = (new == EMPTY).then_some(own);
            for point in seers(&WORDS, size, place).chain(own) {
                if cells.get(after.index(point)) == Some(&EMPTY) {
                    state.view(point);
                }
            }
        });
    }
}

/// No weights.
static NONE: Weights = [0; POINTS];

impl Glance<Go> for Fast {
    type Memory = State;

    #[inline(always)]
    fn glance(
        State { memory, views, sums, recent }: &mut State,
        position: &Position,
        candidates: &[Move],
        weights: &mut Vec<u32>,
    ) {
        let ground = Ground::of(position);
        let times = Times::new(position, &ground);
        let tables = &*TABLES;
        sums.clear();
        sums.extend_from_slice(&views[usize::from(position.white_to_move())]);
        if ground.usual {
            sum_usual(tables, memory, &times, sums);
        } else {
            sum_plainly(memory, &ground, &times, sums);
        }
        paint(memory, &ground, recent);
        let lately = &tables.recent[times.stage % 3];
        for (sum, &code) in sums.iter_mut().zip(&*recent) {
            *sum += i16::from(lately[usize::from(code % 128)]);
        }
        answer(memory, position, &ground, sums);
        let pass: i16 = weigh(slot::PASS, times.pass(memory.passes)).into();
        let sum = |mv: &Move| sums.get(usize::from(mv.point)).copied().unwrap_or(pass);
        tables.powers.weigh(candidates.iter().map(sum), candidates.len(), weights);
        let halved = halvings(candidates.len());
        if halved > 0 {
            weights.iter_mut().for_each(|weight| *weight = (*weight >> halved).max(1));
        }
    }
}

/// Adds the weights of the points' places and of the last moves, on the 19 by 19 board.
#[inline(always)]
fn sum_usual(tables: &Tables, memory: &Memory, times: &Times, sums: &mut [i16]) {
    let near = |ago: usize| match memory.past[ago] {
        Move::PASS => &NONE,
        other => tables.near.get(ago * POINTS + usize::from(other)).unwrap_or(&NONE),
    };
    let [last, own, third, fourth] = [near(0), near(1), near(2), near(3)];
    let cells = tables.cells.get(times.phase).unwrap_or(&NONE);
    let early = times.early().and_then(|early| tables.openings.get(early)).unwrap_or(&NONE);
    for (at, sum) in sums.iter_mut().enumerate().take(POINTS) {
        let near =
            i16::from(last[at]) + i16::from(own[at]) + i16::from(third[at]) + i16::from(fourth[at]);
        *sum += near + i16::from(cells[at]) + i16::from(early[at]);
    }
    let corners = times.corners.map(|there| tables.corners.get(there * 3 + times.stage));
    let [one, two, three, four] = corners.map(|corner| corner.unwrap_or(&NONE));
    for (row, sums) in sums.chunks_mut(19).enumerate() {
        let [left, right] = if row < 10 { [one, two] } else { [three, four] };
        let start = row * 19;
        for (column, sum) in sums.iter_mut().enumerate() {
            let from = if column < 10 { left } else { right };
            *sum += i16::from(from.get(start + column).copied().unwrap_or(0));
        }
    }
}

/// Does the same on any board.
fn sum_plainly(memory: &Memory, ground: &Ground, times: &Times, sums: &mut [i16]) {
    for (point, sum) in (0..).zip(sums) {
        for (ago, &other) in memory.past.iter().enumerate().take(NEAR) {
            if other != Move::PASS {
                *sum += i16::from(near(ground, ago, point, other));
            }
        }
        *sum += i16::from(cell(ground, times.phase, point));
        let there = times.corners[ground.corner(point)];
        *sum += i16::from(corner(ground, there, times.stage, point));
    }
}

/// Records how many moves ago a move was made close to each point.
#[inline(always)]
fn paint(memory: &Memory, ground: &Ground, recent: &mut Vec<u8>) {
    recent.clear();
    recent.resize(ground.rows * ground.columns, LONG_AGO);
    for (ago, &other) in (0u8..8).zip(&memory.past).rev() {
        if other == Move::PASS {
            continue;
        }
        let [row, column] = ground.place(other);
        let rows = row.saturating_sub(3)..(row + 4).min(ground.rows);
        let columns = column.saturating_sub(3)..(column + 4).min(ground.columns);
        for at in rows {
            let start = at * ground.columns;
            let Some(line) = recent.get_mut(start..start + ground.columns) else { continue };
            let close = at.abs_diff(row) <= 1;
            for (across, code) in line.iter_mut().enumerate().take(columns.end).skip(columns.start)
            {
                let beside = close && across.abs_diff(column) <= 1;
                *code = if beside { ago * 10 + ago } else { *code / 10 * 10 + ago };
            }
        }
    }
}

/// Adds the weights of the patterns with the last move.
#[inline(always)]
fn answer(memory: &Memory, position: &Position, ground: &Ground, sums: &mut [i16]) {
    let last = memory.past[0];
    if last == Move::PASS {
        return;
    }
    let [row, column] = ground.place(last);
    let white = position.white_to_move();
    for at in row.saturating_sub(3)..(row + 4).min(ground.rows) {
        for across in column.saturating_sub(3)..(column + 4).min(ground.columns) {
            let point = u16::try_from(at * ground.columns + across).unwrap_or(0);
            if position.array().get(position.index(point)) != Some(&EMPTY) {
                continue;
            }
            let [down, right] = ground.apart(last, point);
            let Some(words) = WORDS.last(down, right) else { continue };
            let [_, around, ..] = memory.patterns.around(point, white);
            let feature = number(&with(&around, words), count(slot::ANSWER));
            if let Some(sum) = sums.get_mut(usize::from(point)) {
                *sum += i16::from(weigh(slot::ANSWER, feature));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;
    use crate::common::weights::plain;
    use plypack_core::testkit::Random;
    use plypack_core::{Candidates, Rules};

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Gate::read(FAST_GATE).is_some() && FAST_GATE.len() <= 50_000);
        assert_eq!(fnv1a(*FAST_GATE), 0x5176_f506_bfb3_cac7);
    }

    #[test]
    fn short_cuts_lead_to_the_same_weights() {
        let mut random = Random::new(6);
        let mut below = |bound: usize| {
            usize::try_from(random.next_u64() % bound as u64).expect("a small number")
        };
        let sizes = [(19, 19), (9, 9), (13, 13), (1, 1), (2, 7), (19, 19), (5, 21), (40, 52)];
        for (rows, columns) in sizes {
            let mut position = Position::empty(rows, columns, below(2) == 1);
            let mut fast = Fast.begin(&Go, &position);
            let mut memory = Memory::new(&position);
            for ply in 0..if rows == 40 { 12 } else { 330 } {
                let mut candidates = Vec::new();
                Go.candidates(&position, &mut candidates);
                let usual = candidates.len() - Go.rare(&candidates);
                let usual = &candidates[..usual];
                let mut ours = Vec::new();
                Fast.weigh(&mut fast, &position, usual, &mut ours);
                let theirs = plain((&features::Eyes, &GATE), &memory, &position, usual);
                assert_eq!(ours, theirs, "{rows} by {columns}, ply {ply}");
                let likely = (0..usual.len()).max_by_key(|&index| (ours[index], index));
                // Occasionally a stone on an occupied point, or of the other player.
                let index = match below(12) {
                    0 => below(candidates.len()),
                    1..=6 => below(usual.len()),
                    _ => likely.expect("a move"),
                };
                let before = position.clone();
                position.play(candidates[index]);
                let listed = Candidates::listed(&before, &candidates);
                let ply = Ply::new(listed, candidates[index], &position);
                Fast.update(&mut fast, &ply);
                memory.follow(&ply);
            }
        }
    }
}
