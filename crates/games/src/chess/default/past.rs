//! The last moves of a line.

use cozy_chess::{Move, Piece, Square};
use plypack_core::Ply;

use crate::chess::Chess;
use crate::chess::attacks::square;

/// A move of the line so far.
#[derive(Clone, Copy, Debug)]
pub struct Past {
    /// Its squares, as White sees them; castling goes to the king's new square.
    pub from: u8,
    /// See `from`.
    pub to: u8,
    /// The kind of the man that moved, from pawn 0 to king 5.
    pub role: u8,
    /// Whether it captured.
    pub captured: bool,
}

impl Past {
    /// Returns the kind of man, capturing or not: below 12.
    #[inline(always)]
    pub fn man(&self) -> usize {
        usize::from(self.role) % 6 + 6 * usize::from(self.captured)
    }
}

/// The last four moves: the opponent's last one, then our own, and so on.
pub type Pasts = [Option<Past>; 4];

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
fn castled(from: usize, rook: usize) -> Square {
    square(from / 8 * 8 + if from < rook { 6 } else { 2 })
}
