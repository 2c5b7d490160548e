//! The inputs of the nets of chess: what is on the board, and the last moves.

use cozy_chess::{BitBoard, Board, Color, Piece};

use super::past::Pasts;

/// How many there are: men by side, kind and square; the squares of the opponent's last move and of
/// the mover's own; castling rights; one that is always active.
pub const INPUTS: u16 = 12 * 64 + 4 * 64 + 4 + 1;

/// The active inputs of a position, as the side to move sees it.
pub fn fill(board: &Board, pasts: &Pasts, inputs: &mut Vec<u16>) {
    let us = board.side_to_move();
    let turn = if us == Color::White { 0 } else { 56 };
    for (side, color) in [(0, us), (6, !us)] {
        for (kind, piece) in (side..).zip(Piece::ALL) {
            let men: BitBoard = board.colored_pieces(color, piece);
            inputs.extend(men.into_iter().map(|at| kind * 64 + (at as u16 ^ turn)));
        }
    }
    for (past, first) in pasts.iter().zip([768, 896]) {
        if let Some(past) = past {
            inputs.push(first + (u16::from(past.from) ^ turn));
            inputs.push(first + 64 + (u16::from(past.to) ^ turn));
        }
    }
    for (color, first) in [(us, 1024), (!us, 1026)] {
        let rights = board.castle_rights(color);
        if rights.short.is_some() {
            inputs.push(first);
        }
        if rights.long.is_some() {
            inputs.push(first + 1);
        }
    }
    inputs.push(1028);
}
