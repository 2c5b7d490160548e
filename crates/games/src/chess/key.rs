//! Keys of positions: which fact has which number, as `SPEC.md` says.

use cozy_chess::{Board, Color, Piece, Rank, Square};
use plypack_core::key::{FIRST_MAN, SECOND_TO_MOVE, men_by_kind, word, words};

use super::ID;

/// How many kinds of men there are, White's and Black's, and how many squares.
const KINDS: usize = 12;
const SQUARES: usize = 64;

/// The words of the men: pawn, knight, bishop, rook, queen, king of White, then of Black.
static MEN: [[u64; SQUARES]; KINDS] = men_by_kind(ID);

/// The number of the fact that White may castle with the rook on the a file.
const FIRST_RIGHT: u32 = FIRST_MAN + 12 * 64;

/// The words of the rights to castle, by the file of the rook, of White and of Black.
static RIGHTS: [[u64; 8]; 2] = [words(ID, FIRST_RIGHT), words(ID, FIRST_RIGHT + 8)];

/// The words of the files on which a pawn can be taken en passant.
static EN_PASSANT: [u64; 8] = words(ID, FIRST_RIGHT + 16);

/// The word of a board of eight rows.
const BOARD: u64 = word(ID, 8);

/// The word of Black being to move.
const BLACK: u64 = word(ID, SECOND_TO_MOVE);

/// The key of a position.
pub(super) fn key(board: &Board) -> u64 {
    let mut key = BOARD;
    for color in Color::ALL {
        let men = board.colors(color);
        for piece in Piece::ALL {
            let words = &MEN[6 * color as usize + piece as usize];
            let mut left = (men & board.pieces(piece)).0;
            while left != 0 {
                key ^= words[left.trailing_zeros() as usize % SQUARES];
                left &= left - 1;
            }
        }
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long].into_iter().flatten() {
            key ^= RIGHTS[color as usize][file as usize];
        }
    }
    if board.side_to_move() == Color::Black {
        key ^= BLACK;
    }
    if let Some(file) = board.en_passant().filter(|_| takes_en_passant(board)) {
        key ^= EN_PASSANT[file as usize];
    }
    key
}

/// Whether a capture en passant is among the legal moves.
fn takes_en_passant(board: &Board) -> bool {
    let us = board.side_to_move();
    let Some(file) = board.en_passant() else { return false };
    let takers = Rank::Fifth.relative_to(us).bitboard() & file.adjacent();
    let takers = takers & board.colored_pieces(us, Piece::Pawn);
    let behind = Square::new(file, Rank::Sixth.relative_to(us));
    !takers.is_empty() && board.generate_moves_for(takers, |moves| moves.to.has(behind))
}
