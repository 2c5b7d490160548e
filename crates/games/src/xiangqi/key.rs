//! Keys of positions: which fact has which number, as `SPEC.md` says.

use plypack_core::key::{SECOND_TO_MOVE, men_by_kind, word};

use super::board::{FILES, Kind, SQUARES, Side, squares};
use super::{ID, Position};

/// How many kinds of men there are, Red's and Black's.
const KINDS: usize = 14;

/// The words of the men: king, advisor, elephant, horse, rook, cannon, pawn of Red, then of Black.
static MEN: [[u64; SQUARES]; KINDS] = men_by_kind(ID);

/// The word of a board of ten rows.
const BOARD: u64 = word(ID, 10);

/// The word of Black being to move.
const BLACK: u64 = word(ID, SECOND_TO_MOVE);

/// What counts beside the men.
fn rest(position: &Position) -> u64 {
    if position.side == Side::Black { BOARD ^ BLACK } else { BOARD }
}

/// The men: the words of their kind, and where they stand.
fn men(position: &Position) -> impl Iterator<Item = (&'static [u64; SQUARES], u8)> {
    let board = &position.board;
    [Side::Red, Side::Black].into_iter().flat_map(move |side| {
        Kind::ALL.into_iter().flat_map(move |kind| {
            let words = &MEN[7 * side as usize + kind as usize];
            squares(board.kind(kind) & board.side(side)).map(move |square| (words, square))
        })
    })
}

/// The key of a position.
pub(super) fn key(position: &Position) -> u64 {
    men(position).fold(rest(position), |key, (words, square)| key ^ words[usize::from(square)])
}

/// The lesser of the keys of a position and of its mirror image, left and right exchanged.
pub(super) fn canonical_key(position: &Position) -> u64 {
    let mirrored = |square: u8| square - square % FILES + (FILES - 1 - square % FILES);
    let mut keys = [rest(position); 2];
    for (words, square) in men(position) {
        keys[0] ^= words[usize::from(square)];
        keys[1] ^= words[usize::from(mirrored(square))];
    }
    keys[0].min(keys[1])
}
