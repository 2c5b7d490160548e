//! `line.fast` of othello: moves are weighed by the discs on the lines through a cell and by the
//! last moves. No disc is turned over.
//!
//! The features ([`features`]) are eight look-ups per candidate. [`Fast`] takes short cuts: the
//! number of a pattern is the sum of the contributions of our discs and theirs, and the turn of the
//! board and the time select a row for all cells.

pub mod features;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_core::{MoveModel, Ply, natively};
use plypack_tables::othello::FAST_GATE;

use super::link::patterns;
use super::link::scene::{cell_turned, count, displacement, swap, transpose};
use super::order::kind;
use super::{Othello, Position};
use crate::common::weights::{Glance, Weighing, Weights, weigh_at_a_glance};
use features::{FIRST, Memory, PHASES, STAGES, TIMES, Times, quarter, slot};

/// The gate of `line.fast`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(FAST_GATE).unwrap_or_default());

/// The model.
#[derive(Debug)]
pub struct Fast;

/// The state of a line's model, and scratch memory.
#[derive(Clone, Debug)]
pub struct State {
    memory: Memory,
    sums: Vec<i16>,
}

/// A weight for each cell.
type Weigh = [i8; 64];

/// The gate's weights, arranged for look-ups.
struct Tables {
    /// By pattern: of rows and columns, and of diagonals.
    lines: Box<[i8; 1 << 15]>,
    diagonals: Box<[i8; 1 << 14]>,
    /// By time, and by the last move's cell.
    times: Vec<Weigh>,
    replies: Vec<Weigh>,
    /// By stage, then by the cell of the move before.
    before: Vec<Weigh>,
    /// By phase, then by kind of cell, then by the empty cells of the quarter.
    quarters: Vec<[[i8; 32]; 16]>,
    /// By turn of the board, then by cell.
    turned: [[u8; 64]; 4],
    kinds: [u8; 64],
    weights: Weights,
}

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| Box::new(Tables::of(&GATE)));

fn narrow<T: TryFrom<usize> + Default>(number: usize) -> T {
    T::try_from(number).unwrap_or_default()
}

impl Tables {
    fn of(gate: &Gate) -> Self {
        let weight = |slot: usize, feature: usize| gate.weight(usize::from(FIRST[slot]) + feature);
        let row = |slot: usize, row: usize| std::array::from_fn(|at| weight(slot, row * 64 + at));
        let before = |stage: usize, before: usize| {
            std::array::from_fn(|at| {
                let near = displacement(narrow(before), narrow(at));
                weight(slot::NEAR_BEFORE, near * STAGES + stage)
            })
        };
        let quarters = |phase: usize| {
            std::array::from_fn(|kind| {
                std::array::from_fn(|room| match (kind, room) {
                    (..9, ..17) => weight(slot::QUARTER, (room * 9 + kind) * PHASES + phase),
                    _ => 0,
                })
            })
        };
        let patterns_of = |slot: usize, count: usize, number: usize| {
            if number < count { weight(slot, number) } else { 0 }
        };
        Self {
            lines: Box::new(std::array::from_fn(|number| {
                patterns_of(slot::ROW, patterns::LINES, number)
            })),
            diagonals: Box::new(std::array::from_fn(|number| {
                patterns_of(slot::DIAGONAL, patterns::DIAGONALS, number)
            })),
            times: (0..TIMES).map(|time| row(slot::TIME, time)).collect(),
            replies: (0..64).map(|last| row(slot::REPLY, last)).collect(),
            before: (0..STAGES * 64).map(|number| before(number / 64, number % 64)).collect(),
            quarters: (0..PHASES).map(quarters).collect(),
            turned: std::array::from_fn(|turn| {
                std::array::from_fn(|cell| cell_turned(narrow(cell), narrow(turn)))
            }),
            kinds: std::array::from_fn(|cell| narrow(kind(narrow(cell)))),
            weights: Weights::of(gate),
        }
    }
}

impl MoveModel<Othello> for Fast {
    type State = State;

    fn begin(&self, _: &Othello, _: &Position) -> State {
        State { memory: Memory::default(), sums: Vec::with_capacity(32) }
    }

    weigh_at_a_glance!(Othello);

    fn update(&self, state: &mut State, ply: &Ply<'_, Othello>) {
        state.memory.follow(ply);
    }
}

impl Glance<Othello> for Fast {
    type Memory = State;

    #[inline(always)]
    fn glance(
        State { memory, sums }: &mut State,
        position: &Position,
        candidates: &[u8],
        weights: &mut Vec<u32>,
    ) {
        let tables = &**TABLES;
        let rows = Rows::new(tables, memory, position);
        // Written in place: `extend` would not be inlined.
        sums.clear();
        sums.resize(candidates.len(), 0);
        for (&cell, sum) in candidates.iter().zip(sums.iter_mut()) {
            *sum = rows.sum(cell);
        }
        tables.weights.weigh(sums.iter().copied(), candidates.len(), weights);
    }
}

/// No weights, for positions without a last move.
static NONE: Weigh = [0; 64];

/// The tables' rows for a position.
struct Rows<'a> {
    tables: &'a Tables,
    lines: &'a patterns::Lines,
    sides: [u64; 2],
    swapped: [u64; 2],
    free: u64,
    turned: &'a [u8; 64],
    time: &'a Weigh,
    reply: &'a Weigh,
    before: &'a Weigh,
    quarters: &'a [[i8; 32]; 16],
}

impl<'a> Rows<'a> {
    #[inline(always)]
    fn new(tables: &'a Tables, memory: &Memory, position: &Position) -> Self {
        let sides = position.sides();
        let free = !(sides[0] | sides[1]);
        let Times { time, stage, phase } = Times::new(free);
        let of = |rows: &'a [Weigh], past: Option<u8>, from: usize| match past {
            Some(cell) => rows.get(from + usize::from(cell)).unwrap_or(&NONE),
            None => &NONE,
        };
        static NOWHERE: [[i8; 32]; 16] = [[0; 32]; 16];
        Self {
            tables,
            lines: &patterns::SHORT_CUTS,
            sides,
            swapped: sides.map(transpose),
            free,
            turned: &tables.turned[usize::from(memory.turn % 4)],
            time: tables.times.get(time).unwrap_or(&NONE),
            reply: of(&tables.replies, memory.past[0], 0),
            before: of(&tables.before, memory.past[1], stage * 64),
            quarters: tables.quarters.get(phase).unwrap_or(&NOWHERE),
        }
    }

    /// Returns the sum of a move.
    #[inline(always)]
    fn sum(&self, cell: u8) -> i16 {
        let tables = self.tables;
        let at = usize::from(cell % 64);
        let turned = usize::from(self.turned[at] % 64);
        let room = count(self.free & quarter(cell));
        let places = i16::from(self.time[turned])
            + i16::from(self.reply[turned])
            + i16::from(self.before[turned])
            + i16::from(self.quarters[usize::from(tables.kinds[at] % 16)][room % 32]);
        let line = |number: u16| i16::from(tables.lines[usize::from(number) % (1 << 15)]);
        let slope = |number: u16| i16::from(tables.diagonals[usize::from(number) % (1 << 14)]);
        let [falling, rising] = self.lines.diagonals(self.sides, cell);
        places
            + line(self.lines.row(self.sides, cell))
            + line(self.lines.row(self.swapped, swap(cell)))
            + slope(falling)
            + slope(rising)
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
        assert_eq!(fnv1a(*FAST_GATE), 0x875d_f687_ba7d_915c);
    }

    #[test]
    fn short_cuts_lead_to_the_same_weights() {
        let mut random = Random::new(6);
        for line in 0..200 {
            let mut position = Othello.start();
            if line % 8 == 7 {
                let text = "8/8/8/3ox3/2oxx3/8/8/8 x";
                position = Position::read(text).expect(text);
            }
            let mut fast = MoveModel::begin(&Fast, &Othello, &position);
            loop {
                let mut candidates = Vec::new();
                Othello.candidates(&position, &mut candidates);
                let Some(count) = u64::try_from(candidates.len()).ok().filter(|&n| n > 0) else {
                    break;
                };
                let mut weights = Vec::new();
                Fast.weigh(&mut fast, &position, &candidates, &mut weights);
                assert_eq!(
                    weights,
                    plain((&features::Eyes, &GATE), &fast.memory, &position, &candidates),
                    "{position:?}"
                );
                let index = usize::try_from(random.next_u64() % count).expect("few");
                let before = position;
                position.play(candidates[index]);
                let listed = Candidates::listed(&before, &candidates);
                Fast.update(&mut fast, &Ply::new(listed, candidates[index], &position));
            }
        }
    }
}
