//! A key for a chess position, for the book.

use cozy_chess::{Board, Color, Piece};
use plypack_core::key::mix;

/// The key: all bitboards and the state, mixed one after the other. En passant counts only if a
/// pawn could take.
pub fn key(board: &Board) -> u64 {
    let sets = [board.colors(Color::White), board.colors(Color::Black)];
    let kinds = Piece::ALL.map(|piece| board.pieces(piece));
    let side = u64::from(board.side_to_move() == Color::Black);
    let rights = [Color::White, Color::Black].map(|color| *board.castle_rights(color));
    let rights = rights
        .iter()
        .flat_map(|rights| [rights.short, rights.long])
        .fold(0, |all, file| all << 4 | file.map_or(0, |file| 1 + file as u64));
    let en_passant = board.en_passant().filter(|&file| can_take(board, file));
    let state = rights << 8 | en_passant.map_or(0, |file| 1 + file as u64) << 1 | side;
    let words = sets.iter().chain(&kinds).map(|set| set.0).chain([state]);
    words.fold(0, |key, word| mix(key ^ word))
}

/// Whether a pawn stands beside the one that was pushed by two.
fn can_take(board: &Board, file: cozy_chess::File) -> bool {
    let us = board.side_to_move();
    let rank = cozy_chess::Rank::Fifth.relative_to(us).bitboard();
    let pawns = board.colored_pieces(us, Piece::Pawn) & rank;
    !(pawns & file.adjacent()).is_empty()
}
