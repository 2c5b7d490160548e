//! Hash keys of positions: the numbers of the facts, as in `SPEC.md`.

use std::sync::LazyLock;

use plypack_core::key::{self as words, SECOND_TO_MOVE, Structure, men, word};

use super::board::{FILES, Piece, SQUARES, Side, squares};
use super::{ID, Position};

/// Number of kinds of men, Red's and Black's.
const KINDS: usize = 14;

/// The words of the men: king, advisor, elephant, horse, rook, cannon, pawn of Red, then of Black.
static MEN: LazyLock<[[u64; SQUARES]; KINDS]> = LazyLock::new(|| men(ID));

/// The word for a board of ten rows.
const BOARD: u64 = word(ID, 10);

/// The word for Black to move.
const BLACK: u64 = word(ID, SECOND_TO_MOVE);

/// Returns the key without the men.
fn rest(position: &Position) -> u64 {
    if position.side == Side::Black { BOARD ^ BLACK } else { BOARD }
}

/// Returns the key of a position whose squares are mapped by `seen`.
#[inline(always)]
fn key_seen(position: &Position, seen: impl Fn(u8) -> u8) -> u64 {
    let (board, by_role) = (&position.board, &*MEN);
    let black = board.side(Side::Black);
    let mut key = rest(position);
    for (place, piece) in Piece::ALL.into_iter().enumerate() {
        for square in squares(board.pieces(piece)) {
            let side = (black >> square & 1) as usize;
            key ^= by_role[7 * side + place][usize::from(seen(square))];
        }
    }
    key
}

/// Returns the key of a position.
pub(super) fn key(position: &Position) -> u64 {
    key_seen(position, |square| square)
}

/// Returns the structure of a position: its pawns, and as many men of each other kind as there are,
/// as if they stood on the first squares.
pub(super) fn structure(position: &Position) -> Structure {
    let (mut frame, mut counts, by_role) = (BOARD, 0, &*MEN);
    for (number, side) in [Side::Red, Side::Black].into_iter().enumerate() {
        for (place, piece) in Piece::ALL.into_iter().enumerate() {
            let words = &by_role[7 * number + place];
            let men = squares(position.board.pieces(piece) & position.board.side(side));
            match piece {
                Piece::Pawn => frame ^= men.fold(0, |sum, at| sum ^ words[usize::from(at)]),
                _ => counts ^= words.iter().zip(men).fold(0, |sum, (one, _)| sum ^ one),
            }
        }
    }
    Structure { frame, men: counts }
}

/// Returns the second hash of a position.
pub(super) fn second_key(position: &Position) -> u32 {
    let board = &position.board;
    let sets = Piece::ALL.map(|piece| board.pieces(piece));
    let sets = sets.into_iter().chain([board.side(Side::Black)]);
    let halves = sets.flat_map(|set| [set >> 64, set & u128::from(u64::MAX)]);
    let halves = halves.map(|half| u64::try_from(half).unwrap_or(0));
    words::second_key(halves.chain([(position.side == Side::Black).into()]))
}

/// Returns the lesser of the keys of a position and its mirror image, with left and right swapped.
pub(super) fn canonical_key(position: &Position) -> u64 {
    let mirrored = |square: u8| square + FILES - 1 - 2 * (square % FILES);
    key(position).min(key_seen(position, mirrored))
}
