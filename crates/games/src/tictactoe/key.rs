//! Hash keys of positions: the numbers of the facts, as in `SPEC.md`.

use plypack_core::board::symmetry::ImageKeys;
use plypack_core::key::{self as words, SECOND_TO_MOVE, man, word};

use super::{Cell, ID, Position, SIZE};

/// The word for a board of three rows.
const BOARD: u64 = word(ID, SIZE as u32);

/// The word for naught to move.
const NAUGHT: u64 = word(ID, SECOND_TO_MOVE);

/// Returns the key without the marks.
fn rest(position: &Position) -> u64 {
    if position.naught_to_move { BOARD ^ NAUGHT } else { BOARD }
}

/// Iterates over the marks: row, column, and 0 for a cross or 1 for a naught.
fn marks(position: &Position) -> impl Iterator<Item = (u16, u16, u32)> {
    let places = (0..SIZE).flat_map(|row| (0..SIZE).map(move |column| (row, column)));
    places.zip(position.cells()).filter_map(|((row, column), mark)| match mark {
        Cell::Cross => Some((row, column, 0)),
        Cell::Naught => Some((row, column, 1)),
        Cell::Empty | Cell::Outside => None,
    })
}

/// Returns the word of a mark.
fn mark(row: u16, column: u16, player: u32) -> u64 {
    man(ID, 2, u32::from(SIZE * row + column), player)
}

/// Returns the key of a position.
pub(super) fn key(position: &Position) -> u64 {
    let words = marks(position).map(|(row, column, player)| mark(row, column, player));
    words.fold(rest(position), |key, word| key ^ word)
}

/// Returns the second hash of a position.
pub(super) fn second_key(position: &Position) -> u32 {
    let marks = marks(position).map(|(row, column, player)| (SIZE * row + column, player));
    let marks = marks.map(|(cell, player)| u64::from(cell) << 1 | u64::from(player));
    words::second_key(marks.chain([u64::from(position.naught_to_move) << 8]))
}

/// Returns the least key under the symmetries of the square.
pub(super) fn canonical_key(position: &Position) -> u64 {
    let mut keys = ImageKeys::default();
    for (row, column, player) in marks(position) {
        keys.toggle(SIZE, row, column, |row, column| mark(row, column, player));
    }
    keys.least(rest(position))
}
