//! The features of `line.fast`, computed directly. The trainer uses them, and a test compares
//! [`Fast`](super::Fast) with them.

use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use crate::common::slots::slots;
use crate::othello::link::features::turn_of;
use crate::othello::link::patterns;
use crate::othello::link::scene::{cell_turned, count, displacement, mirror, swap, transpose};
use crate::othello::order::kind;
use crate::othello::{Othello, Position};

slots! {
    /// The slots of both lines share their features, as do those of both diagonals.
    slot of SLOTS {
        ROW = ("line", patterns::LINES),
        COLUMN = ("column", 0),
        DIAGONAL = ("diagonal", patterns::DIAGONALS),
        DIAGONAL_OTHER = ("diagonal-other", 0),
        TIME = ("time", TIMES * 64),
        REPLY = ("reply", 64 * 64),
        NEAR_BEFORE = ("near-before", 225 * STAGES),
        QUARTER = ("quarter", 17 * 9 * PHASES),
    }
}

/// Number of distinct times of a game, in moves.
pub const TIMES: usize = 60;

/// Number of stages, of twenty moves each.
pub const STAGES: usize = 3;

/// Number of phases, of twelve moves each.
pub const PHASES: usize = 5;

/// The features of `line.fast`.
#[derive(Debug)]
pub struct Eyes;

/// What the features remember of a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// The turn of the board: see `scene::turned`.
    pub turn: u8,
    /// The cells of the last two moves on the turned board, the latest first.
    pub past: [Option<u8>; 2],
}

impl Memory {
    /// Records a move.
    #[inline(always)]
    pub fn follow(&mut self, ply: &Ply<'_, Othello>) {
        self.turn = turn_of(self.turn, ply);
        self.past = [Some(cell_turned(ply.mv(), self.turn)), self.past[0]];
    }
}

/// How far the game has progressed.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Number of moves, below 60.
    pub time: usize,
    /// The stage, of twenty moves.
    pub stage: usize,
    /// The phase, of twelve moves.
    pub phase: usize,
}

impl Times {
    /// Computes all three from the empty cells.
    #[inline(always)]
    pub fn new(free: u64) -> Self {
        let time = 60usize.saturating_sub(count(free)).min(TIMES - 1);
        Self { time, stage: time / 20, phase: time / 12 }
    }
}

impl Features<Othello> for Eyes {
    type State = Memory;
    type Scene = ();

    const SIZES: Sizes = Sizes { light: SLOTS, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, _: &Position) -> Memory {
        Memory::default()
    }

    fn update(&self, memory: &mut Memory, ply: &Ply<'_, Othello>) {
        memory.follow(ply);
    }

    fn see(&self, memory: &Memory, position: &Position, candidates: &[u8], sight: &mut Sight) {
        let sides = position.sides();
        let (swapped, mirrored) = (sides.map(transpose), sides.map(mirror));
        let free = !(sides[0] | sides[1]);
        let Times { time, stage, phase } = Times::new(free);
        sight.light.resize(candidates.len() * SLOTS, 0);
        let slots = sight.light.as_chunks_mut::<SLOTS>().0;
        for (&cell, slots) in candidates.iter().zip(slots) {
            let mut set = |slot: usize, feature: usize| slot::set(slots, slot, feature);
            set(slot::ROW, patterns::row(sides, cell));
            set(slot::COLUMN, patterns::row(swapped, swap(cell)));
            set(slot::DIAGONAL, patterns::diagonal(sides, cell));
            set(slot::DIAGONAL_OTHER, patterns::diagonal(mirrored, cell ^ 7));
            let turned = cell_turned(cell, memory.turn);
            set(slot::TIME, time * 64 + usize::from(turned));
            if let Some(last) = memory.past[0] {
                set(slot::REPLY, usize::from(last) * 64 + usize::from(turned));
            }
            if let Some(before) = memory.past[1] {
                set(slot::NEAR_BEFORE, displacement(before, turned) * STAGES + stage);
            }
            let room = count(free & quarter(cell));
            set(slot::QUARTER, (room * 9 + kind(cell)) * PHASES + phase);
        }
    }
}

/// Returns the cells of the quarter that contains a cell.
#[inline(always)]
pub fn quarter(cell: u8) -> u64 {
    // Cell 36 is e5; its bits select the halves of columns and of rows.
    0x0f0f_0f0f << (cell & 36)
}
