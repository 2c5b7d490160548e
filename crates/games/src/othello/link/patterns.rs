//! Numbers for the discs on the lines through an empty cell and on the cells around it. Symmetric
//! cells share them.

use plypack_core::each;
use std::sync::LazyLock;

use super::scene::mirror;

/// Number of patterns of a row or column: by its distance from the nearest edge, up to 2, the
/// cell's distance from its nearest end, and the other seven cells.
pub const LINES: usize = 3 * 4 * 2187;

/// Number of patterns of diagonals: by length, the cell's distance from the nearest end, and the
/// other cells.
pub const DIAGONALS: usize = DIAGONAL_FIRST[8];

/// The first pattern of the diagonals of each length, counted from 0 for length 1.
const DIAGONAL_FIRST: [usize; 9] = {
    let mut first = [0; 9];
    let (mut length, mut codes) = (1, 1);
    while length <= 8 {
        first[length] = first[length - 1] + length.div_ceil(2) * codes;
        codes *= 3;
        length += 1;
    }
    first
};

/// Our discs and theirs.
type Sides = [u64; 2];

/// Returns the pattern of the row through an empty cell; on a transposed board, of the column.
#[inline(always)]
pub fn row(sides: Sides, cell: u8) -> usize {
    let discs = |set: u64| (set >> (cell & 56) & 0xff) as u8;
    let [ours, theirs] = sides.map(|set| share(cell % 8, discs(set)));
    first(cell) + ours + 2 * theirs
}

/// Returns the first pattern of the row through a cell.
#[inline(always)]
pub fn first(cell: u8) -> usize {
    let (row, column) = (cell / 8 % 8, cell % 8);
    let folded = column.min(7 - column);
    (usize::from(row.min(7 - row).min(2)) * 4 + usize::from(folded)) * 2187
}

/// Returns what our discs in a row add to the pattern of a cell in this column; theirs add twice as
/// much.
#[inline(always)]
pub fn share(column: u8, discs: u8) -> usize {
    let folded = column.min(7 - column);
    let discs = if column == folded { discs } else { discs.reverse_bits() };
    let others = usize::from(discs & ((1 << folded) - 1) | discs >> (folded + 1) << folded);
    THREES[others & 127]
}

/// By number: the sum of the powers of three of its bits.
const THREES: [usize; 128] = {
    let mut threes = [0; 128];
    each!(number, 1, 128, threes[number] = 3 * threes[number / 2] + number % 2);
    threes
};

/// Returns the pattern of the diagonal through an empty cell that goes down to the right; on a
/// board with mirrored columns, of the other diagonal.
pub fn diagonal(sides: Sides, cell: u8) -> usize {
    let (row, column) = (cell / 8 % 8, cell % 8);
    let length = 8 - row.abs_diff(column);
    let place = row.min(column);
    let first = 8 * row + column - 9 * place;
    let folded = place.min(length - 1 - place);
    // Counted from the end nearer to the cell.
    let code = (0..length).filter(|&at| at != folded).fold((0, 1), |(code, power), at| {
        let at = if place == folded { at } else { length - 1 - at };
        (code + digit(sides, first + 9 * at) * power, power * 3)
    });
    let (code, codes) = code;
    DIAGONAL_FIRST[usize::from(length) - 1] + usize::from(folded) * codes + code
}

/// Returns 0 for an empty cell, 1 for a disc of ours, 2 for one of theirs.
fn digit([ours, theirs]: Sides, cell: u8) -> usize {
    let bit = |set: u64| usize::from(set >> (cell & 63) & 1 == 1);
    bit(ours) + 2 * bit(theirs)
}

/// Returns the pattern of the cells around a cell, on the symmetric board with the cell in the
/// upper left quarter, not below its diagonal. Cells beyond the edge count as empty.
pub fn around(sides: Sides, cell: u8) -> usize {
    const STEPS: [(i8, i8); 8] =
        [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
    let (column, row) = ((cell % 8).cast_signed(), (cell / 8 % 8).cast_signed());
    let swap = row.min(7 - row) > column.min(7 - column);
    STEPS.iter().rev().fold(0, |code, &(right, down)| {
        let (right, down) = if swap { (down, right) } else { (right, down) };
        let column = if column > 3 { column - right } else { column + right };
        let row = if row > 3 { row - down } else { row + down };
        let inside = (0..8).contains(&column) && (0..8).contains(&row);
        let cell = (8 * row + column).cast_unsigned();
        3 * code + if inside { digit(sides, cell) } else { 0 }
    })
}

/// What the discs on a line add to the number of its pattern, by the bits of the line.
type Shares = [u16; 256];

/// A diagonal through a cell.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slope {
    cells: u64,
    /// The first of its patterns.
    first: u16,
    /// The index of its shares.
    shares: u8,
    /// The column in which it begins.
    column: u8,
}

/// Short cuts to the numbers of patterns: a number is the sum of the contributions of our discs and
/// theirs.
#[derive(Debug)]
pub struct Lines {
    /// By cell, the first pattern of its row.
    rows: [u16; 64],
    /// By column.
    row_shares: Box<[Shares; 8]>,
    /// By cell, the falling diagonal and the rising one.
    slopes: [[Slope; 2]; 64],
    slope_shares: Vec<Shares>,
}

/// The short cuts.
pub static SHORT_CUTS: LazyLock<Lines> = LazyLock::new(Lines::new);

fn narrow<T: TryFrom<usize> + Default>(number: usize) -> T {
    T::try_from(number).unwrap_or_default()
}

impl Lines {
    fn new() -> Self {
        let (slopes, slope_shares) = slopes();
        Self {
            rows: std::array::from_fn(|cell| narrow(first(narrow(cell)))),
            row_shares: Box::new(std::array::from_fn(|column| {
                std::array::from_fn(|discs| narrow(share(narrow(column), narrow(discs))))
            })),
            slopes,
            slope_shares,
        }
    }

    /// Returns the same as [`row`].
    #[inline(always)]
    pub fn row(&self, sides: Sides, cell: u8) -> u16 {
        let [ours, theirs] = sides.map(|set| (set >> (cell & 56) & 0xff) as usize);
        let shares = &self.row_shares[usize::from(cell % 8)];
        let number = self.rows[usize::from(cell % 64)].wrapping_add(shares[ours]);
        number.wrapping_add(shares[theirs].wrapping_mul(2))
    }

    /// Returns the same as [`diagonal`], for the falling and for the rising one.
    #[inline(always)]
    pub fn diagonals(&self, sides: Sides, cell: u8) -> [u16; 2] {
        self.slopes[usize::from(cell % 64)].map(|slope| {
            // Each cell of a diagonal lies in a column of its own, so a multiplication gathers them
            // in one byte.
            let [ours, theirs] = sides.map(|set| {
                let byte = (set & slope.cells).wrapping_mul(0x0101_0101_0101_0101) >> 56;
                (byte >> (slope.column % 8)) as usize
            });
            let shares = &self.slope_shares[usize::from(slope.shares)];
            let number = slope.first.wrapping_add(shares[ours % 256]);
            number.wrapping_add(shares[theirs % 256].wrapping_mul(2))
        })
    }
}

/// Returns the diagonals through all cells, and what discs add to the numbers of their patterns;
/// diagonals with the same length and place share an entry.
fn slopes() -> ([[Slope; 2]; 64], Vec<Shares>) {
    let mut all = Vec::new();
    let mut known = Vec::new();
    let slopes = std::array::from_fn(|cell| {
        [false, true].map(|rises| {
            let (row, column) = (cell / 8, cell % 8);
            let on = |other: &usize| {
                let (down, right) = (other / 8 + 8 - row, other % 8 + 8 - column);
                if rises { down + right == 16 } else { down == right }
            };
            let cells: Vec<usize> = (0..64).filter(on).collect();
            let begin = cells.iter().map(|cell| cell % 8).min().unwrap_or(0);
            let kind = (rises, cells.len(), column - begin);
            let number = |discs: u64| {
                let cell = narrow(cell);
                if rises {
                    diagonal([mirror(discs), 0], cell ^ 7)
                } else {
                    diagonal([discs, 0], cell)
                }
            };
            let place = known.iter().position(|other| *other == kind).unwrap_or_else(|| {
                known.push(kind);
                all.push(std::array::from_fn(|line| {
                    let on_line = |at: &&usize| line >> (*at % 8 - begin) & 1 == 1 && **at != cell;
                    let discs = cells.iter().filter(on_line).fold(0, |set, at| set | 1u64 << at);
                    narrow(number(discs) - number(0))
                }));
                known.len() - 1
            });
            Slope {
                cells: cells.iter().fold(0, |set, at| set | 1 << at),
                first: narrow(number(0)),
                shares: narrow(place),
                column: narrow(begin),
            }
        })
    });
    (slopes, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::othello::link::scene::transpose;

    #[test]
    fn cells_alike_have_the_same_patterns() {
        let sides = [0x0010_2040_0081_8301, 0x8100_0814_1c00_4080];
        let mirrored = sides.map(mirror);
        let flipped = sides.map(u64::swap_bytes);
        let swapped = sides.map(transpose);
        let taken = sides[0] | sides[1];
        for cell in (0..64).filter(|cell| taken >> cell & 1 == 0) {
            let own = (row(sides, cell), diagonal(sides, cell), around(sides, cell));
            assert!(own.0 < LINES && own.1 < DIAGONALS && own.2 < 6_561);
            assert_eq!(row(mirrored, cell ^ 7), own.0);
            assert_eq!(row(flipped, cell ^ 56), own.0);
            let (across, down) = (cell % 8, cell / 8);
            assert_eq!(diagonal(swapped, across * 8 + down), own.1);
            // The middle of a diagonal is equally near to both ends.
            if 2 * across.min(down) + 1 != 8 - across.abs_diff(down) {
                assert_eq!(diagonal(sides.map(u64::reverse_bits), cell ^ 63), own.1);
            }
            assert_eq!(around(mirrored, cell ^ 7), own.2);
            if across.min(7 - across) != down.min(7 - down) {
                assert_eq!(around(swapped, across * 8 + down), own.2, "{cell}");
            }
        }
    }

    #[test]
    fn diagonals_are_numbered_without_gaps() {
        assert_eq!(DIAGONAL_FIRST, [0, 1, 4, 22, 76, 319, 1_048, 3_964, 12_712]);
    }
}
