//! The light features of a candidate: what the move flips, opens and leaves to the opponent.

use super::features::light::set;
use super::features::{LIGHT, State, light};
use super::patterns;
use crate::common::classes::exceeded;
use crate::othello::Position;
use crate::othello::order::{CORNERS, around, kind, region};
use crate::othello::rules::{moves_each, turned_each};

/// Each corner, and the three cells around it.
const CORNER_BLOCKS: [(u64, u64); 4] = [
    (1, 0x0000_0000_0000_0302),
    (1 << 7, 0x0000_0000_0000_c040),
    (1 << 56, 0x0203_0000_0000_0000),
    (1 << 63, 0x40c0_0000_0000_0000),
];

/// The largest number of separate regions.
const REGIONS: usize = 16;

/// What all candidates of a position share, on the rotated board.
#[derive(Debug)]
pub struct Scene {
    /// Our discs, and theirs.
    pub sides: [u64; 2],
    /// The same with rows and columns swapped.
    pub swapped: [u64; 2],
    /// Number of empty cells.
    pub empty: usize,
    /// The phase of the game, one per four discs, below 15.
    pub phase: usize,
    /// The outcome of each candidate.
    pub outcomes: Vec<Verdict>,
    pub(super) ours_now: u64,
    pub(super) theirs_now: u64,
    pub(super) regions: Regions,
    pub(super) ages: [u8; 64],
}

/// What the candidates of a position are compared with.
#[derive(Debug)]
pub struct Comparison {
    /// The fewest moves that a candidate leaves the opponent.
    pub least: usize,
    /// The best balance of a candidate.
    pub best: usize,
    /// The class of the number of candidates, one of eight.
    pub choice: usize,
}

impl Comparison {
    /// Compares candidates with these outcomes.
    #[inline(always)]
    pub fn new(outcomes: &[Verdict]) -> Self {
        Self {
            least: outcomes.iter().map(|outcome| count(outcome.theirs)).min().unwrap_or(0),
            best: outcomes.iter().map(Verdict::balance).max().unwrap_or(0),
            choice: exceeded([2, 4, 6, 8, 10, 13, 16], outcomes.len()),
        }
    }
}

/// The connected regions of empty cells.
#[derive(Clone, Copy, Debug)]
pub struct Regions {
    regions: [u64; REGIONS],
    /// Number of regions.
    parts: usize,
}

impl Regions {
    /// Finds the regions of the empty cells.
    #[inline(always)]
    pub fn new(free: u64) -> Self {
        let (mut regions, mut parts) = ([0; REGIONS], 0);
        let mut left = free;
        while left != 0 {
            let whole = region(left & left.wrapping_neg(), free);
            regions[parts % REGIONS] = whole;
            parts += 1;
            left &= !whole;
        }
        Self { regions, parts }
    }

    /// Returns the region of a cell, and the class of the number of regions, one of four.
    #[inline(always)]
    pub fn with(&self, disc: u64) -> (u64, usize) {
        let parts = self.regions.iter().take(self.parts);
        let whole = parts.fold(0, |all, &whole| if whole & disc == 0 { all } else { whole });
        (whole, self.parts.clamp(1, 4) - 1)
    }
}

/// A candidate and its outcome.
#[derive(Clone, Copy, Debug)]
pub struct Verdict {
    /// Its cell, on the rotated board.
    pub cell: u8,
    /// The discs that it flips.
    pub turned: u64,
    /// Our discs and theirs afterwards.
    pub sides: [u64; 2],
    /// Where we could move afterwards, if it were our turn again.
    pub ours: u64,
    /// Where they could move afterwards.
    pub theirs: u64,
}

/// Number of outcomes computed side by side.
const LANES: usize = 4;

impl Verdict {
    /// Appends the outcomes of the moves to these cells of the rotated board.
    #[inline(always)]
    pub fn all([own, other]: [u64; 2], cells: impl Iterator<Item = u8>, outcomes: &mut Vec<Self>) {
        let mut cells = cells.peekable();
        while let Some(&first) = cells.peek() {
            let mut lanes = [first; LANES];
            let mut count = 0;
            for (lane, cell) in lanes.iter_mut().zip(cells.by_ref()) {
                *lane = cell;
                count += 1;
            }
            outcomes.extend(Self::each([own, other], lanes).into_iter().take(count));
        }
    }

    /// Computes the outcomes of one move per lane.
    #[inline(always)]
    fn each([own, other]: [u64; 2], cells: [u8; LANES]) -> [Self; LANES] {
        let discs = cells.map(|cell| 1u64 << (cell & 63));
        let turned = turned_each(own, other, discs);
        let owns: [u64; LANES] = std::array::from_fn(|lane| own | turned[lane] | discs[lane]);
        let others: [u64; LANES] = std::array::from_fn(|lane| other & !turned[lane]);
        let (ours, theirs) = (moves_each(owns, others), moves_each(others, owns));
        std::array::from_fn(|lane| Self {
            cell: cells[lane],
            turned: turned[lane],
            sides: [owns[lane], others[lane]],
            ours: ours[lane],
            theirs: theirs[lane],
        })
    }

    /// Returns 64 plus the number of our moves less theirs.
    #[inline(always)]
    pub fn balance(&self) -> usize {
        64 + count(self.ours) - count(self.theirs)
    }
}

impl Scene {
    /// Computes what all candidates share, and the outcome of each.
    #[inline(always)]
    pub fn new(state: &State, position: &Position, candidates: &[u8]) -> Self {
        let sides = position.sides().map(|set| turned(set, state.turn));
        let [own, other] = sides;
        let free = !(own | other);
        let mut outcomes = Vec::with_capacity(candidates.len() + LANES);
        let cells = candidates.iter().map(|&cell| cell_turned(cell, state.turn));
        Verdict::all(sides, cells, &mut outcomes);
        let empty = count(free);
        let [ours_now, theirs_now] = moves_each([own, other], [other, own]);
        Self {
            sides,
            swapped: sides.map(transpose),
            empty,
            phase: (60usize.saturating_sub(empty) / 4).min(14),
            outcomes,
            ours_now,
            theirs_now,
            regions: Regions::new(free),
            ages: state.ages[usize::from(position.white_to_move())],
        }
    }

    /// Fills the light slots of a candidate.
    #[inline(always)]
    pub fn see(
        &self,
        state: &State,
        comparison: &Comparison,
        outcome: &Verdict,
        slots: &mut [u16; LIGHT],
    ) {
        let Comparison { least, best, choice } = *comparison;
        self.see_place(state, outcome, slots);
        self.see_discs(outcome, slots);
        self.see_corners(outcome, slots);
        let below = (count(outcome.theirs) - least).min(9);
        let third = self.phase / 3;
        set(slots, light::THEIRS_BELOW, (below * 8 + choice) * 5 + third);
        let below = (best - outcome.balance()).min(11);
        set(slots, light::BALANCE_BELOW, below * 15 + self.phase);
    }

    /// Fills the slots for the place of a move.
    #[inline(always)]
    fn see_place(&self, state: &State, outcome: &Verdict, slots: &mut [u16; LIGHT]) {
        let Verdict { cell, .. } = *outcome;
        let at = usize::from(cell & 63);
        let disc = 1u64 << at;
        let (phase, third) = (self.phase, self.phase / 3);
        let kind = kind(cell);
        set(slots, light::ROW, patterns::row(self.sides, cell));
        set(slots, light::COLUMN, patterns::row(self.swapped, swap(cell)));
        set(slots, light::TIME, 60usize.saturating_sub(self.empty).min(59) * 64 + at);
        set(slots, light::CELL, at * 5 + third);
        if let Some(last) = state.past[0] {
            set(slots, light::REPLY, usize::from(last & 63) * 64 + at);
            set(slots, light::NEAR_LAST, displacement(last, cell) * 5 + third);
        }
        if let Some(before) = state.past[1] {
            set(slots, light::NEAR_BEFORE, displacement(before, cell) * 3 + phase / 5);
        }
        let new = usize::from(state.earlier & disc == 0);
        let theirs = usize::from(self.theirs_now & disc != 0);
        set(slots, light::NEW, ((new * 2 + theirs) * 9 + kind) * 5 + third);
        let age = usize::from(self.ages[at].min(7));
        set(slots, light::AGE, (age * 9 + kind) * 5 + third);
        let (whole, regions) = self.regions.with(disc);
        let open = usize::from(outcome.theirs & whole != 0);
        let size = count(whole).min(12);
        set(slots, light::REGION, ((size * 4 + regions) * 2 + open) * 5 + third);
        let passes = match (outcome.theirs, outcome.ours) {
            (0, 0) => 2,
            (0, _) => 1,
            _ => 0,
        };
        set(slots, light::PASS, (passes * 2 + count(whole) % 2) * 15 + phase);
    }

    /// Fills the slots for counts of discs and moves.
    #[inline(always)]
    fn see_discs(&self, outcome: &Verdict, slots: &mut [u16; LIGHT]) {
        let Verdict { cell, turned, sides: [own, other], ours, theirs } = *outcome;
        let (phase, third) = (self.phase, self.phase / 3);
        let disc = 1u64 << (cell & 63);
        let free = !(own | other);
        let staged = |number: usize, most: usize| number.min(most) * 15 + phase;
        set(slots, light::TURNED, staged(count(turned), 13));
        set(slots, light::INNER, staged(count(turned & around(free)), 11));
        set(slots, light::FRONTIER, staged(count(around(turned | disc) & free), 15));
        set(slots, light::THEIRS, staged(count(theirs), 17));
        set(slots, light::OURS, staged(count(ours), 17));
        set(slots, light::OPENED, staged(count(theirs & !self.theirs_now), 7));
        let poor =
            CORNER_BLOCKS.iter().fold(
                0,
                |poor, &(corner, beside)| {
                    if free & corner != 0 { poor | beside } else { poor }
                },
            );
        set(slots, light::SAFE, staged(count(theirs & !poor), 11));
        let over = usize::from(ours | theirs == 0);
        // Disc differences in steps of four, eight steps to either side.
        let difference = ((64 + count(own) - count(other)).clamp(32, 96) - 32) / 4;
        set(slots, light::LATE, (over * 17 + difference) * 13 + self.empty.min(12));
        let room = count(around(disc) & free);
        set(slots, light::ROOM, (room * 9 + kind(cell)) * 5 + third);
        set(slots, light::DIRECTIONS, staged(count(around(disc) & turned), 8));
    }

    /// Fills the slots for corners.
    #[inline(always)]
    fn see_corners(&self, outcome: &Verdict, slots: &mut [u16; LIGHT]) {
        let third = self.phase / 3;
        let near = nearest_corner(outcome.cell);
        let [own, other] = self.sides;
        let held = usize::from(own & near != 0) + 2 * usize::from(other & near != 0);
        let after = usize::from(outcome.theirs & near != 0);
        let before = usize::from(self.theirs_now & near != 0);
        let state = (held * 2 + after) * 2 + before;
        set(slots, light::CORNER, (kind(outcome.cell) * 12 + state) * 5 + third);
        let few = |set: u64| count(set & CORNERS).min(2);
        let takes = few(1 << (outcome.cell & 63));
        let corners = (few(self.ours_now) * 2 + takes) * 3 + few(outcome.theirs);
        set(slots, light::CORNERS, (corners * 3 + few(self.theirs_now)) * 5 + third);
    }
}

/// Returns the corner of the quarter that contains a cell.
#[inline(always)]
pub fn nearest_corner(cell: u8) -> u64 {
    let column = if cell % 8 > 3 { 7 } else { 0 };
    1 << (column + if cell / 8 % 8 > 3 { 56 } else { 0 })
}

/// Returns the displacement between two cells, as a number below 225.
#[inline(always)]
pub fn displacement(from: u8, to: u8) -> usize {
    let (from, to) = (usize::from(from), usize::from(to));
    (to % 8 + 7 - from % 8) * 15 + to / 8 % 8 + 7 - from / 8 % 8
}

/// Returns the number of cells in a set.
#[inline(always)]
pub fn count(set: u64) -> usize {
    set.count_ones() as usize
}

/// Iterates over the cells of a set in ascending order.
#[inline(always)]
pub fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then_some(set.trailing_zeros() as usize & 63);
        set &= set.wrapping_sub(1);
        cell
    })
}

/// Returns the board with its rows and columns swapped.
#[inline(always)]
pub fn transpose(set: u64) -> u64 {
    let exchange = |set: u64, shift: u32, mask: u64| {
        let moved = (set ^ set >> shift) & mask;
        set ^ moved ^ moved << shift
    };
    let set = exchange(set, 7, 0x00aa_00aa_00aa_00aa);
    let set = exchange(set, 14, 0x0000_cccc_0000_cccc);
    exchange(set, 28, 0x0000_0000_f0f0_f0f0)
}

/// Returns the board with left and right swapped.
pub fn mirror(set: u64) -> u64 {
    set.reverse_bits().swap_bytes()
}

/// Returns a cell with its row and column swapped.
#[inline(always)]
pub fn swap(cell: u8) -> u8 {
    cell % 8 * 8 + cell / 8 % 8
}

/// Returns a rotated board: bit 0 of `turn` swaps rows and columns, bit 1 rotates by 180 degrees.
#[inline(always)]
pub fn turned(set: u64, turn: u8) -> u64 {
    let set = if turn & 1 == 1 { transpose(set) } else { set };
    if turn & 2 == 2 { set.reverse_bits() } else { set }
}

/// Returns a cell of the rotated board.
#[inline(always)]
pub fn cell_turned(cell: u8, turn: u8) -> u8 {
    let cell = if turn & 1 == 1 { swap(cell) } else { cell & 63 };
    if turn & 2 == 2 { cell ^ 63 } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_cells_turn_alike() {
        for turn in 0..4 {
            for cell in 0..64 {
                assert_eq!(turned(1 << cell, turn), 1 << cell_turned(cell, turn));
            }
        }
        // f5, e6, c4 and d3 are mapped to f5.
        for (turn, cell) in (0..4).zip([37, 44, 26, 19]) {
            assert_eq!(cell_turned(cell, turn), 37);
        }
    }
}
