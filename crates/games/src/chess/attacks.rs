//! The squares that men attack, computed instead of looked up: tables for sliders are so large that
//! they would push the nets' tables out of the caches.

use cozy_chess::{Color, Square, get_king_moves, get_knight_moves, get_pawn_attacks};
use plypack_core::each;

use super::sets::{A_FILE, H_FILE};

/// Returns the square with this number.
#[inline(always)]
pub fn square(number: usize) -> Square {
    Square::ALL[number % 64]
}

/// Returns the squares that a man of ours attacks.
#[inline(always)]
pub fn attacks(role: usize, from: usize, occupied: u64) -> u64 {
    attacks_of(Color::White, role, from, occupied)
}

/// Returns the squares that a man of a colour attacks.
#[inline(always)]
pub fn attacks_of(color: Color, role: usize, from: usize, occupied: u64) -> u64 {
    match role {
        0 => get_pawn_attacks(square(from), color).0,
        1 => get_knight_moves(square(from)).0,
        2 => diagonally(from, occupied),
        3 => straight(from, occupied),
        4 => diagonally(from, occupied) | straight(from, occupied),
        _ => get_king_moves(square(from)).0,
    }
}

/// Returns the squares that pawns of White, or of Black, attack, towards the a-file and the h-file.
#[inline(always)]
pub fn by_pawns(pawns: u64, white: bool) -> [u64; 2] {
    if white {
        [(pawns & !A_FILE) << 7, (pawns & !H_FILE) << 9]
    } else {
        [(pawns & !A_FILE) >> 9, (pawns & !H_FILE) >> 7]
    }
}

/// Returns the squares that a bishop attacks.
#[inline(always)]
pub fn diagonally(from: usize, occupied: u64) -> u64 {
    let [_, rising, falling] = LINES[from % 64];
    along(rising, from, occupied) | along(falling, from, occupied)
}

/// Returns the squares that a rook attacks.
#[inline(always)]
pub fn straight(from: usize, occupied: u64) -> u64 {
    let [file, ..] = LINES[from % 64];
    let rank = from % 64 / 8 * 8;
    // The squares at the ends of a rank block nothing.
    let between = (occupied >> rank >> 1) as usize % 64;
    along(file, from, occupied) | u64::from(RANKS[from % 8][between]) << rank
}

/// Returns the squares of a line that are attacked from one of its squares, which is not in `line`.
/// The line has at most one square on a rank, so swapping bytes reverses it.
///
/// The borrow of a subtraction runs up to the first man. After "Hyperbola Quintessence" (G.
/// Isenberg and A. Muñoz, on the Chess Programming Wiki).
#[inline(always)]
fn along(line: u64, from: usize, occupied: u64) -> u64 {
    let from = 1 << (from % 64);
    let men = occupied & line;
    let up = men.wrapping_sub(from);
    let down = men.swap_bytes().wrapping_sub(u64::swap_bytes(from));
    (up ^ down.swap_bytes()) & line
}

/// For each square, the others on its file, on its rising diagonal and on its falling diagonal.
static LINES: [[u64; 3]; 64] = {
    let mut lines = [[0; 3]; 64];
    each!(pair, 0usize, 64 * 64, {
        let (a, b) = (pair / 64, pair % 64);
        let (files, ranks) = ((a % 8).abs_diff(b % 8), (a / 8).abs_diff(b / 8));
        if a != b && (files == 0 || files == ranks) {
            let line = if files == 0 {
                0
            } else if (a % 8 < b % 8) == (a / 8 < b / 8) {
                1
            } else {
                2
            };
            lines[a][line] |= 1 << b;
        }
    });
    lines
};

/// For each file, the squares that a rook there attacks on its rank, by the men on files b to g.
static RANKS: [[u8; 64]; 8] = {
    let mut ranks = [[0; 64]; 8];
    let mut file = 0;
    while file < 8 {
        let mut men = 0;
        while men < 64 {
            let occupied = men << 1;
            let mut seen = 0u8;
            let mut to = file;
            while to < 7 {
                to += 1;
                seen |= 1 << to;
                if occupied >> to & 1 == 1 {
                    break;
                }
            }
            let mut to = file;
            while to > 0 {
                to -= 1;
                seen |= 1 << to;
                if occupied >> to & 1 == 1 {
                    break;
                }
            }
            ranks[file][men] = seen;
            men += 1;
        }
        file += 1;
    }
    ranks
};

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::{BitBoard, get_bishop_moves, get_rook_moves};
    use plypack_core::key::mix;

    #[test]
    fn sliders_see_what_tables_say() {
        let mut seed = 0;
        for round in 0..20_000 {
            seed = mix(seed);
            // From crowded boards to almost empty ones.
            let occupied = (0..round % 5).fold(seed, |all, _| {
                seed = mix(seed);
                all & seed
            });
            for from in 0..64 {
                let men = BitBoard(occupied);
                assert_eq!(straight(from, occupied), get_rook_moves(square(from), men).0);
                assert_eq!(diagonally(from, occupied), get_bishop_moves(square(from), men).0);
            }
        }
    }
}
