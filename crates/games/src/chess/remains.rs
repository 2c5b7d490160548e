//! What is left at the end of a chess game: used to rule out patterns that never occurred.
//!
//! 16 bits say which pawns stand where they began, White's from the a-file on and then Black's; no
//! pawn steps back, so these never left. Then follow, four bits each, the numbers of White's
//! queens, rooks, bishops, knights and pawns, and of Black's. SCID's index has the same two facts
//! of each game, home pawns and final material.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank};
use plypack_core::pattern::Men;

/// The home squares of each side's pawns.
pub(super) const HOMES: [BitBoard; 2] = [Rank::Second.bitboard(), Rank::Seventh.bitboard()];

/// The kinds that are counted, in order.
const KINDS: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// Returns the remains of a line from one board to another.
pub(super) fn of(start: &Board, board: &Board) -> u64 {
    let mut bits = 0;
    // In a start that was set up, it is unknown where the pawns came from.
    let begins = |(color, home)| start.colored_pieces(color, Piece::Pawn) == home;
    let sides = [Color::White, Color::Black];
    if sides.into_iter().zip(HOMES).all(begins) {
        let home = |color, home| board.colored_pieces(color, Piece::Pawn) & home;
        bits |= home(Color::White, HOMES[0]).0 >> 8;
        bits |= home(Color::Black, HOMES[1]).0 >> 40;
    }
    let men = sides.into_iter().flat_map(|color| KINDS.map(|piece| (color, piece)));
    for ((color, piece), at) in men.zip((16..).step_by(4)) {
        bits |= u64::from(board.colored_pieces(color, piece).len().min(15)) << at;
    }
    bits
}

/// Reads the remains. Side 0 is White, 1 is Black.
pub(super) struct Remains(pub u64);

impl Remains {
    /// Returns the pawns of a side that never left.
    pub fn home(&self, side: usize) -> BitBoard {
        let rank = if side == 0 { self.0 & 0xff } else { self.0 >> 8 & 0xff };
        BitBoard(rank << if side == 0 { 8 } else { 48 })
    }

    /// Returns the number of men of each kind of a side, the king first, as patterns list them.
    pub fn counts(&self, side: usize) -> [u32; 6] {
        let count = |place: usize| (self.0 >> (16 + 20 * side + 4 * place) & 15) as u32;
        [0, count(0), count(1), count(2), count(3), count(4)]
    }

    /// Returns the least number of men left, without the kings.
    pub fn total(&self) -> u32 {
        (0..2).flat_map(|side| self.counts(side)).sum()
    }

    /// Returns the least number of these men that stood on these squares at any time: pawns that
    /// never left, and on the whole board the remaining men if pawns are among them, since others
    /// may have been pawns.
    pub fn least_on(&self, men: Men, squares: BitBoard) -> u32 {
        let of_side = |side: usize| {
            let is_among = |place: usize| men >> (6 * side + place + 1) & 1 == 1;
            if !is_among(PAWN) {
                return 0;
            }
            let home = (self.home(side) & squares).len();
            if squares != BitBoard::FULL {
                return home;
            }
            let left = self.counts(side).into_iter().enumerate();
            left.filter(|(place, _)| is_among(*place))
                .map(|(_, count)| count)
                .sum::<u32>()
                .max(home)
        };
        of_side(0) + of_side(1)
    }
}

/// The place of pawns among the kinds of patterns.
const PAWN: usize = 5;
