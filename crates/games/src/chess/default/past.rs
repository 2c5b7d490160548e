//! The last moves of a line.

use cozy_chess::{Move, Piece, Square};
use plypack_core::Ply;

use crate::chess::Chess;
use crate::chess::attacks::square;
use crate::common::past::{Past, Pasts};

/// Returns the kind of the man of a move, capturing or not, for `line.fast`: below 12.
#[inline(always)]
pub fn man(past: Past) -> usize {
    usize::from(past.role) % 6 + 6 * usize::from(past.captured)
}

/// Returns the last moves after one more.
#[inline(always)]
pub fn follow([first, second, third, _]: Pasts, ply: &Ply<'_, Chess>) -> Pasts {
    let board = &ply.before.board;
    let Move { from, mut to, .. } = ply.mv();
    let us = board.side_to_move();
    let role = board.piece_on(from).unwrap_or(Piece::Pawn) as u8;
    let captured = board.colors(!us).has(to) || role == 0 && from.file() != to.file();
    // In the null move the king stays on its square.
    if from != to && board.colors(us).has(to) {
        to = castled(from as usize, to as usize);
    }
    let last = Past { from: from as u8, to: to as u8, role, captured };
    [Some(last), first, second, third]
}

/// Returns the square on which a king lands that castles with a rook.
#[inline(always)]
pub fn castled(from: usize, rook: usize) -> Square {
    square(from / 8 * 8 + if from < rook { 6 } else { 2 })
}
