//! Keys of positions: which fact has which number, as `SPEC.md` says. The rule is none: it says
//! what wins, not what may be played.

use plypack_core::board::Plain;
use plypack_core::board::symmetry::least_key;
use plypack_core::key::{SECOND_TO_MOVE, men, word};

use super::position::POINTS_MAX;
use super::{ID, Position};

/// The words of a black and of a white stone on each point, numbered as on the board at hand.
static MEN: [[u64; 2]; POINTS_MAX] = men(ID);

/// The word of White being to move.
const WHITE: u64 = word(ID, SECOND_TO_MOVE);

/// What counts beside the stones: how many rows there are, and who is to move.
fn rest(position: &Position) -> u64 {
    let board = word(ID, position.kind().size().into());
    if position.white_to_move() { board ^ WHITE } else { board }
}

/// The stones as places in [`MEN`]: the point and whose it is.
fn stones(position: &Position) -> impl Iterator<Item = (usize, usize)> {
    let points = position.points().iter().enumerate();
    points.filter_map(|(point, &stone)| Some((point, usize::from(stone.checked_sub(1)?))))
}

/// The key of a position.
pub(super) fn key(position: &Position) -> u64 {
    stones(position).fold(rest(position), |key, (point, player)| key ^ MEN[point][player])
}

/// The least key under the symmetries of the square.
pub(super) fn canonical_key(position: &Position) -> u64 {
    let size = position.kind().size();
    let points = Plain::new(size, size);
    let men = stones(position).filter_map(|(point, player)| {
        points.place(point).map(|(row, column)| (row, column, player))
    });
    least_key(size, men, rest(position), |row, column, player| {
        MEN[points.index(row, column)][player]
    })
}
