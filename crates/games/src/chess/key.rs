//! Hash keys of positions: the numbers of the facts, as in `SPEC.md`.

use std::sync::LazyLock;

use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};
use plypack_core::key::{self as words, FIRST_MAN, SECOND_TO_MOVE, Structure, men, word};

use super::ID;

/// The number of kinds of men, White's and Black's, and of squares.
const KINDS: usize = 12;
const SQUARES: usize = 64;

/// The words of the men: pawn, knight, bishop, rook, queen, king of White, then of Black.
static MEN: LazyLock<[[u64; SQUARES]; KINDS]> = LazyLock::new(|| men(ID));

/// The fact that White may castle with the rook on the a file; the other files follow, then
/// Black's.
const FIRST_RIGHT: u32 = FIRST_MAN + 12 * 64;

/// The fact that a pawn on the a file can be captured en passant; the other files follow.
const FIRST_PASSANT: u32 = FIRST_RIGHT + 16;

/// The word of a board of eight rows.
const BOARD: u64 = word(ID, 8);

/// The word of Black being to move.
const BLACK: u64 = word(ID, SECOND_TO_MOVE);

/// Returns the key of a position.
pub(super) fn key(board: &Board) -> u64 {
    let (mut key, by_kind) = (BOARD, &*MEN);
    let black = board.colors(Color::Black).0;
    for piece in Piece::ALL {
        let mut left = board.pieces(piece).0;
        while left != 0 {
            let square = left.trailing_zeros() as usize % SQUARES;
            let color = (black >> square & 1) as usize;
            key ^= by_kind[6 * color + piece as usize][square];
            left &= left - 1;
        }
    }
    for color in Color::ALL {
        let rights = board.castle_rights(color);
        for file in [rights.short, rights.long].into_iter().flatten() {
            key ^= word(ID, FIRST_RIGHT + 8 * color as u32 + file as u32);
        }
    }
    if board.side_to_move() == Color::Black {
        key ^= BLACK;
    }
    if let Some(file) = takeable(board) {
        key ^= word(ID, FIRST_PASSANT + file as u32);
    }
    key
}

/// Returns the structure of a position: its pawns, and as many men of each other kind as there are,
/// as if they stood on the first squares.
pub(super) fn structure(board: &Board) -> Structure {
    let (mut counts, by_kind) = (0, &*MEN);
    for color in Color::ALL {
        for piece in Piece::ALL.into_iter().filter(|piece| *piece != Piece::Pawn) {
            let men = board.colored_pieces(color, piece).len() as usize;
            let words = by_kind[6 * color as usize + piece as usize].iter().take(men);
            counts ^= words.fold(0, |sum, one| sum ^ one);
        }
    }
    let pawns = Color::ALL.map(|color| board.colored_pieces(color, Piece::Pawn));
    Structure { frame: frame(pawns), men: counts }
}

/// Returns the frame of White's pawns and Black's.
pub(super) fn frame(pawns: [BitBoard; 2]) -> u64 {
    let sides = pawns.into_iter().zip([&MEN[0], &MEN[6]]);
    sides.fold(BOARD, |frame, (pawns, words)| {
        pawns.into_iter().fold(frame, |frame, at| frame ^ words[at as usize])
    })
}

/// Returns the second hash of a position.
pub(super) fn second_key(board: &Board) -> u32 {
    let men = Piece::ALL.into_iter().map(|piece| board.pieces(piece).0);
    let right = |(color, file)| 1 << (8 * color as u32 + file as u32);
    let rights = Color::ALL.into_iter().flat_map(|color| {
        let rights = board.castle_rights(color);
        [rights.short, rights.long].into_iter().flatten().map(move |file| (color, file))
    });
    let passant = takeable(board);
    let rest = rights.map(right).sum::<u64>()
        | u64::from(board.side_to_move() == Color::Black) << 16
        | passant.map_or(0, |file| 1 << (17 + file as u32));
    words::second_key(men.chain([board.colors(Color::Black).0, rest]))
}

/// Returns the file of the pawn that can legally be captured en passant, if any.
pub(super) fn takeable(board: &Board) -> Option<File> {
    board.en_passant().filter(|_| takes_en_passant(board))
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
