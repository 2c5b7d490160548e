//! Numbers for moves by their squares: those that an empty board allows.

/// Whether a man may go from one square to another on an empty board, by kind. A pawn goes up the
/// board, and sideways by one.
const fn goes(role: usize, from: usize, to: usize) -> bool {
    let files = (from % 8).abs_diff(to % 8);
    let ranks = (from / 8).abs_diff(to / 8);
    if from == to {
        return false;
    }
    let knight = files + ranks == 3 && files > 0 && ranks > 0;
    let bishop = files == ranks;
    let rook = files == 0 || ranks == 0;
    match role {
        0 => {
            let one = to / 8 == from / 8 + 1 && files <= 1;
            from / 8 > 0 && from / 8 < 7 && (one || from / 8 == 1 && to == from + 16)
        }
        1 => knight,
        2 => bishop,
        3 => rook,
        4 => bishop || rook,
        5 => files <= 1 && ranks <= 1,
        _ => bishop || rook || knight,
    }
}

/// Numbers the moves of a kind of man, in the order of origin and destination, from `next` on; 6
/// stands for all men together.
const fn number(role: usize, mut next: u16) -> ([[u16; 64]; 64], u16) {
    let mut rows = [[0; 64]; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        if goes(role, pair / 64, pair % 64) {
            rows[pair / 64][pair % 64] = next;
            next += 1;
        }
        pair += 1;
    }
    (rows, next)
}

const PAWN: ([[u16; 64]; 64], u16) = number(0, 0);
const KNIGHT: ([[u16; 64]; 64], u16) = number(1, PAWN.1);
const BISHOP: ([[u16; 64]; 64], u16) = number(2, KNIGHT.1);
const ROOK: ([[u16; 64]; 64], u16) = number(3, BISHOP.1);
const QUEEN: ([[u16; 64]; 64], u16) = number(4, ROOK.1);
const KING: ([[u16; 64]; 64], u16) = number(5, QUEEN.1);
const ALL: ([[u16; 64]; 64], u16) = number(6, 0);

static MAN_ROWS: [[[u16; 64]; 64]; 6] = [PAWN.0, KNIGHT.0, BISHOP.0, ROOK.0, QUEEN.0, KING.0];
static ROWS: [[u16; 64]; 64] = ALL.0;

/// The numbers of castling towards the h-file, among the moves of all kinds and among the rows.
pub const CASTLING_SHORT: (u16, u16) = (KING.1, ALL.1);

/// The numbers of castling towards the a-file.
pub const CASTLING_LONG: (u16, u16) = (KING.1 + 1, ALL.1 + 1);

/// How many moves are told apart, man by man, and how many by their squares alone.
pub const COUNTS: (u16, u16) = (KING.1 + 2, ALL.1 + 2);

/// The number of a man's move.
pub fn man_row(role: usize, from: usize, to: usize) -> u16 {
    MAN_ROWS[role % 6][from % 64][to % 64]
}

/// The number of a move of any man.
pub fn row(from: usize, to: usize) -> u16 {
    ROWS[from % 64][to % 64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_has_a_number() {
        assert_eq!(COUNTS.1, 1792 + 2);
        assert_eq!((row(0, 1), man_row(0, 8, 16), man_row(5, 63, 62)), (0, 0, KING.1 - 1));
    }
}
