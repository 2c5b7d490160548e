//! The king and rooks that castling rights pin to their starting squares.
//!
//! Side 0 plays up the board from the first rank, side 1 down from the last.

/// The rooks' squares on the queen's and on the king's side, and the king's.
const ROOK_SQUARES: [u64; 2] = [1, 1 << 7];
const KING_SQUARE: u64 = 1 << 4;

/// Returns the king and the rooks of a side that these rights pin; `rights` are queenside,
/// kingside.
pub fn pinned_men(rights: [bool; 2], side: usize) -> [u64; 2] {
    let rooks = rights.into_iter().zip(ROOK_SQUARES);
    let rooks: u64 = rooks.map(|(right, square)| u64::from(right) * square).sum();
    let king = if rooks == 0 { 0 } else { KING_SQUARE };
    [king, rooks].map(|men| men << (56 * side))
}

/// Returns the number of choices of castling rights that pin this many rooks.
pub fn cases(rooks: usize) -> u64 {
    if rooks == 1 { 2 } else { 1 }
}

/// Returns the number of these rights among those that pin as many rooks.
pub fn case(rights: [bool; 2]) -> u64 {
    u64::from(rights == [false, true])
}

/// Returns the rights that have this number.
pub fn from_case(rooks: usize, case: u64) -> [bool; 2] {
    match rooks {
        0 => [false, false],
        1 => [case == 0, case == 1],
        _ => [true, true],
    }
}
