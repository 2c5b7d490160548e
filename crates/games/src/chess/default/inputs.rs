//! The inputs of the nets of chess: what is on the board, and the last moves.

use cozy_chess::{BitBoard, Board, Color, Piece};

use crate::common::past::Pasts;

/// The number of inputs: men by side, kind and square; the squares of the opponent's last move and
/// of the mover's own; castling rights; one that is always active.
pub const INPUTS: u16 = 12 * 64 + 4 * 64 + 4 + 1;

/// A strict upper bound on the number of active inputs of a position: 64 men, four squares, four
/// rights, and one.
const ROOM: usize = 128;

/// Collects the active inputs of a position, as the side to move sees it.
#[inline(always)]
pub fn fill(board: &Board, pasts: &Pasts, inputs: &mut Vec<u16>) {
    let us = board.side_to_move();
    let turn = if us == Color::White { 0 } else { 56 };
    let mut list = [0; ROOM];
    let mut count = 0;
    let mut add = |input: u16| {
        list[count % ROOM] = input;
        count += 1;
    };
    for (side, color) in [(0, us), (6, !us)] {
        let men = board.colors(color);
        for (kind, piece) in (side..).zip(Piece::ALL) {
            for at in BitBoard(board.pieces(piece).0 & men.0) {
                add(kind * 64 + (at as u16 ^ turn));
            }
        }
    }
    for (past, first) in pasts.iter().zip([768, 896]) {
        if let Some(past) = past {
            add(first + (u16::from(past.from) ^ turn));
            add(first + 64 + (u16::from(past.to) ^ turn));
        }
    }
    for (color, first) in [(us, 1024), (!us, 1026)] {
        let rights = board.castle_rights(color);
        if rights.short.is_some() {
            add(first);
        }
        if rights.long.is_some() {
            add(first + 1);
        }
    }
    add(1028);
    inputs.extend_from_slice(&list[..count % ROOM]);
}
