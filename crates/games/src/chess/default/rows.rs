//! Numbers of moves by their squares: all that an empty board allows.

use plypack_core::each;

/// Whether a man of a kind may go from one square to another on an empty board. A pawn goes up the
/// board, and may capture sideways.
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

/// The numbers of the moves of a kind of man.
struct Numbers {
    /// The number of the first move from each square.
    firsts: [u16; 64],
    /// By origin, then destination: the number of moves from the same origin with lower numbers.
    /// One cache line for each origin.
    before: [[u8; 64]; 64],
}

impl Numbers {
    #[inline(always)]
    const fn of(&self, from: usize, to: usize) -> u16 {
        self.firsts[from % 64] + self.before[from % 64][to % 64] as u16
    }
}

/// Numbers the moves of a kind of man, by origin, then destination, from `next` on; 6 stands for
/// all men together.
const fn number(role: usize, mut next: u16) -> (Numbers, u16) {
    let mut numbers = Numbers { firsts: [0; 64], before: [[0; 64]; 64] };
    each!(from, 64, {
        numbers.firsts[from] = next;
        let mut count = 0;
        each!(to, 64, {
            if goes(role, from, to) {
                numbers.before[from][to] = count;
                count += 1;
            }
        });
        next += count as u16;
    });
    (numbers, next)
}

const PAWN: (Numbers, u16) = number(0, 0);
const KNIGHT: (Numbers, u16) = number(1, PAWN.1);
const BISHOP: (Numbers, u16) = number(2, KNIGHT.1);
const ROOK: (Numbers, u16) = number(3, BISHOP.1);
const QUEEN: (Numbers, u16) = number(4, ROOK.1);
const KING: (Numbers, u16) = number(5, QUEEN.1);
const ALL: (Numbers, u16) = number(6, 0);

static MAN_ROWS: [Numbers; 6] = [PAWN.0, KNIGHT.0, BISHOP.0, ROOK.0, QUEEN.0, KING.0];
static ROWS: Numbers = ALL.0;

/// The numbers of castling towards the h-file, among the moves of all kinds and among the rows.
pub const CASTLING_SHORT: (u16, u16) = (KING.1, ALL.1);

/// The numbers of castling towards the a-file.
pub const CASTLING_LONG: (u16, u16) = (KING.1 + 1, ALL.1 + 1);

/// The numbers of moves distinguished by man and squares, and by squares alone.
pub const COUNTS: (u16, u16) = (KING.1 + 2, ALL.1 + 2);

/// Returns the number of a man's first move from a square, and for each destination the number of
/// its moves that come before.
#[inline(always)]
pub fn man_rows(role: usize, from: usize) -> (usize, &'static [u8; 64]) {
    let numbers = &MAN_ROWS[role % 6];
    (numbers.firsts[from % 64].into(), &numbers.before[from % 64])
}

/// Returns the number of a move of any man.
#[inline(always)]
pub fn row(from: usize, to: usize) -> u16 {
    ROWS.of(from, to)
}

/// Returns the row of a move of any man; of castling, given the king's squares.
#[inline(always)]
pub fn row_of(from: usize, to: usize, castles: bool) -> u16 {
    match (castles, to % 8 == 6) {
        (false, _) => row(from, to),
        (true, true) => CASTLING_SHORT.1,
        (true, false) => CASTLING_LONG.1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn man_row(role: usize, from: usize, to: usize) -> u16 {
        let (first, before) = man_rows(role, from);
        u16::try_from(first).expect("a number of a row") + u16::from(before[to])
    }

    #[test]
    fn every_move_has_a_number() {
        assert_eq!(COUNTS.1, 1792 + 2);
        assert_eq!((row(0, 1), man_row(0, 8, 16), man_row(5, 63, 62)), (0, 0, KING.1 - 1));
        let mut next = (0, 0);
        for role in 0..=6 {
            for pair in (0..64 * 64).filter(|pair| goes(role, pair / 64, pair % 64)) {
                let (from, to) = (pair / 64, pair % 64);
                if role < 6 {
                    assert_eq!(man_row(role, from, to), next.0);
                    next.0 += 1;
                } else {
                    assert_eq!(row(from, to), next.1);
                    next.1 += 1;
                }
            }
        }
        assert_eq!(next, (KING.1, ALL.1));
    }
}
