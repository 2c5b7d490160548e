//! Keys of positions: which fact has which number, as `SPEC.md` says.

use plypack_core::board::Plain;
use plypack_core::board::symmetry::least_key;
use plypack_core::key::{SECOND_TO_MOVE, men, word};

use super::{ID, Position};

/// How many rows the board has.
const SIZE: u16 = 8;

/// The numbers of the cells.
const CELLS: Plain = Plain::new(SIZE, SIZE);

/// The words of a black and of a white disc on each cell.
static MEN: [[u64; 2]; CELLS.length()] = men(ID);

/// The word of a board of eight rows.
const BOARD: u64 = word(ID, SIZE as u32);

/// The word of White being to move.
const WHITE: u64 = word(ID, SECOND_TO_MOVE);

/// What counts beside the discs.
fn rest(position: &Position) -> u64 {
    if position.white_to_move() { BOARD ^ WHITE } else { BOARD }
}

/// The discs as places in [`MEN`]: the cell and whose it is.
fn discs(position: &Position) -> impl Iterator<Item = (usize, usize)> {
    let [black, white] = position.discs();
    let mut left = black | white;
    std::iter::from_fn(move || {
        let cell = (left != 0).then_some(left.trailing_zeros() & 63)?;
        left &= left - 1;
        Some((cell as usize, (white >> cell & 1) as usize))
    })
}

/// The key of a position.
pub(super) fn key(position: &Position) -> u64 {
    discs(position).fold(rest(position), |key, (cell, player)| key ^ MEN[cell][player])
}

/// The least key under the symmetries of the square.
pub(super) fn canonical_key(position: &Position) -> u64 {
    let men = discs(position)
        .filter_map(|(cell, player)| CELLS.place(cell).map(|(row, column)| (row, column, player)));
    least_key(SIZE, men, rest(position), |row, column, player| {
        MEN[CELLS.index(row, column)][player]
    })
}
