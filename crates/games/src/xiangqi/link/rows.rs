//! Numbers for moves by their squares, from the point of view of the side to move: all that are
//! possible on an empty board.

use crate::xiangqi::board::SQUARES;
use plypack_core::each;

/// Whether a man of a kind can go from one square to another on an empty board.
const fn goes(role: usize, from: usize, to: usize) -> bool {
    let files = (from % 9).abs_diff(to % 9);
    let (rank, rank_to) = (from / 9, to / 9);
    let ranks = rank.abs_diff(rank_to);
    let in_palace = rank_to < 3 && to % 9 > 2 && to % 9 < 6;
    match role {
        0 => files + ranks == 1 && in_palace && rank < 3 && from % 9 > 2 && from % 9 < 6,
        1 => files == 1 && ranks == 1 && in_palace,
        2 => files == 2 && ranks == 2 && rank_to < 5,
        3 => files + ranks == 3 && files > 0 && ranks > 0,
        4 | 5 => (files == 0) != (ranks == 0),
        6 => files == 0 && rank_to == rank + 1 || rank > 4 && ranks == 0 && files == 1,
        _ => goes(1, from, to) || goes(2, from, to) || goes(3, from, to) || goes(4, from, to),
    }
}

/// Numbers the moves of a kind of man, by origin, then destination, from `next` on; kind 7 stands
/// for all men together.
const fn number(role: usize, mut next: u16) -> ([[u16; SQUARES]; SQUARES], u16) {
    let mut rows = [[0; SQUARES]; SQUARES];
    each!(from, SQUARES, {
        each!(to, SQUARES, {
            if goes(role, from, to) {
                rows[from][to] = next;
                next += 1;
            }
        });
    });
    (rows, next)
}

const KING: ([[u16; SQUARES]; SQUARES], u16) = number(0, 0);
const ADVISOR: ([[u16; SQUARES]; SQUARES], u16) = number(1, KING.1);
const ELEPHANT: ([[u16; SQUARES]; SQUARES], u16) = number(2, ADVISOR.1);
const HORSE: ([[u16; SQUARES]; SQUARES], u16) = number(3, ELEPHANT.1);
const ROOK: ([[u16; SQUARES]; SQUARES], u16) = number(4, HORSE.1);
const CANNON: ([[u16; SQUARES]; SQUARES], u16) = number(5, ROOK.1);
const PAWN: ([[u16; SQUARES]; SQUARES], u16) = number(6, CANNON.1);
const ALL: ([[u16; SQUARES]; SQUARES], u16) = number(7, 0);

static MAN_ROWS: [[[u16; SQUARES]; SQUARES]; 7] =
    [KING.0, ADVISOR.0, ELEPHANT.0, HORSE.0, ROOK.0, CANNON.0, PAWN.0];

static ROWS: [[u16; SQUARES]; SQUARES] = ALL.0;

/// Number of moves by man and squares, and by squares alone.
pub const COUNTS: (u16, u16) = (PAWN.1, ALL.1);

/// Returns the numbers of a man's moves from a square, by destination.
pub fn man_rows(role: usize, from: usize) -> &'static [u16; SQUARES] {
    &MAN_ROWS[role % 7][from % SQUARES]
}

/// Returns the number of a move of any man.
pub fn row(from: usize, to: usize) -> u16 {
    ROWS[from % SQUARES][to % SQUARES]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::board::{Piece, Side, squares};
    use crate::xiangqi::lines::reach;

    #[test]
    fn every_move_has_a_number() {
        let mut numbers = Vec::new();
        for piece in Piece::ALL {
            for from in 0..90 {
                // Red's king is never in Black's palace.
                if piece == Piece::King && from > 44 {
                    continue;
                }
                for to in squares(reach(Side::Red, piece, from, 0)) {
                    numbers.push(man_rows(piece as usize, from.into())[usize::from(to)]);
                }
            }
        }
        assert_eq!(numbers, (0..COUNTS.0).collect::<Vec<_>>());
        assert_eq!(COUNTS, (3895, 2180));
    }
}
