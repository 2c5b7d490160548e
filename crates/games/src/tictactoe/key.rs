//! Keys of positions: which fact has which number, as `SPEC.md` says.

use plypack_core::board::symmetry::least_key;
use plypack_core::key::{SECOND_TO_MOVE, men, word};

use super::{CELLS, Cell, ID, Position, SIZE};

/// The words of a cross and of a naught on each cell.
static MEN: [[u64; 2]; CELLS.length()] = men(ID);

/// The word of a board of three rows.
const BOARD: u64 = word(ID, SIZE as u32);

/// The word of naught being to move.
const NAUGHT: u64 = word(ID, SECOND_TO_MOVE);

/// What counts beside the marks.
fn rest(position: &Position) -> u64 {
    if position.naught_to_move { BOARD ^ NAUGHT } else { BOARD }
}

/// The marks as places in [`MEN`]: the cell and whose it is.
fn marks(position: &Position) -> impl Iterator<Item = (usize, usize)> {
    (0..).zip(position.cells()).filter_map(|(cell, mark)| match mark {
        Cell::Cross => Some((cell, 0)),
        Cell::Naught => Some((cell, 1)),
        Cell::Empty | Cell::Outside => None,
    })
}

/// The key of a position.
pub(super) fn key(position: &Position) -> u64 {
    marks(position).fold(rest(position), |key, (cell, player)| key ^ MEN[cell][player])
}

/// The least key under the symmetries of the square.
pub(super) fn canonical_key(position: &Position) -> u64 {
    let men = marks(position)
        .filter_map(|(cell, player)| CELLS.place(cell).map(|(row, column)| (row, column, player)));
    least_key(SIZE, men, rest(position), |row, column, player| {
        MEN[CELLS.index(row, column)][player]
    })
}
