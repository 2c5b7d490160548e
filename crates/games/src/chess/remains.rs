//! What is left at the end of a game of chess: what patterns look for that it never came to.
//!
//! 16 bits say which pawns stand where they began, White's from the a-file on and then Black's:
//! they never left, as no pawn steps back. Then come, four bits each, White's queens, rooks,
//! bishops, knights and pawns, and Black's. SCID's index has the same two of each game, its home
//! pawns and its final material.

use cozy_chess::{BitBoard, Board, Color, Piece, Rank};
use plypack_core::pattern::Men;

/// Where the pawns of each side begin.
pub(super) const HOMES: [BitBoard; 2] = [Rank::Second.bitboard(), Rank::Seventh.bitboard()];

/// The kinds that are counted, in order.
const KINDS: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];

/// What is left on a board of a line that began with another.
pub(super) fn of(start: &Board, board: &Board) -> u64 {
    let mut bits = 0;
    // Of a start that was set up nobody knows from where its pawns came.
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

/// Reads it. Sides are 0, White, and 1, Black.
pub(super) struct Remains(pub u64);

impl Remains {
    /// The pawns of a side that never left.
    pub fn home(&self, side: usize) -> BitBoard {
        let rank = if side == 0 { self.0 & 0xff } else { self.0 >> 8 & 0xff };
        BitBoard(rank << if side == 0 { 8 } else { 48 })
    }

    /// How many men of each kind a side has, the king first, as patterns list them.
    pub fn counts(&self, side: usize) -> [u32; 6] {
        let count = |place: usize| (self.0 >> (16 + 20 * side + 4 * place) & 15) as u32;
        [0, count(0), count(1), count(2), count(3), count(4)]
    }

    /// How many men are left at least, but for the kings.
    pub fn total(&self) -> u32 {
        (0..2).flat_map(|side| self.counts(side)).sum()
    }

    /// How many of these men stood on these squares at any time, at least: pawns that never left,
    /// and of the whole board what is left of men among which pawns are, as others may have been
    /// pawns.
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
