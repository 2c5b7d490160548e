//! Hash keys of positions: the numbers of the facts, as in `SPEC.md`. The rule does not count: it
//! decides what wins, not what may be played.
//!
//! Positions store the keys of their stones, because visiting all points would take as long as
//! listing the candidates.

use plypack_core::board::symmetry::ImageKeys;
use plypack_core::key::{self as words, SECOND_TO_MOVE, man, word};

use super::{ID, Position};

/// The word for White to move.
const WHITE: u64 = word(ID, SECOND_TO_MOVE);

/// Puts a stone, 1 for Black or 2 for White, on a point of a board of `size` rows, or removes it;
/// does nothing for 0.
pub(super) fn toggle(keys: &mut ImageKeys, size: u16, point: u16, stone: u8) {
    let Some(player) = stone.checked_sub(1) else { return };
    keys.toggle(size, point / size, point % size, |row, column| {
        man(ID, 2, u32::from(size * row + column), player.into())
    });
}

/// Returns the key without the stones: the number of rows and the side to move.
fn rest(position: &Position) -> u64 {
    let board = word(ID, position.variant().size().into());
    if position.white_to_move() { board ^ WHITE } else { board }
}

/// Returns the key of a position.
pub(super) fn key(position: &Position) -> u64 {
    position.stones().exact(rest(position))
}

/// Returns the second hash of a position, which takes its stones eight at a time.
pub(super) fn second_key(position: &Position) -> u32 {
    let eight = |points: &[u8]| points.iter().fold(0, |word, &stone| word << 8 | u64::from(stone));
    let size = u64::from(position.variant().size());
    let rest = size << 1 | u64::from(position.white_to_move());
    words::second_key(position.points().chunks(8).map(eight).chain([rest]))
}

/// Returns the least key under the symmetries of the square.
pub(super) fn canonical_key(position: &Position) -> u64 {
    position.stones().least(rest(position))
}
