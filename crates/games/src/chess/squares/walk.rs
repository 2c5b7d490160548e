//! One walk over the parts of a position, for writing, reading and counting.

use cozy_chess::{CastleRights, Color};
use plypack_core::{Board as _, BoardRules, Error};

use super::{Seen, state};
use crate::chess::board::State;
use crate::chess::{Chess, Position};

/// A position: the symbols of the squares a1 … h8, and what is not on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// By square.
    pub symbols: [u8; 64],
    /// Side to move, rights and counters.
    pub state: State,
}

impl Contents {
    /// What a reader passes in; it is ignored.
    pub const NOTHING: Self = Self {
        symbols: [0; 64],
        state: State {
            side: Color::White,
            rights: [CastleRights::EMPTY; 2],
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        },
    };

    /// Returns those of a position.
    pub fn of(position: &Position) -> Self {
        let (board, state) = Chess.split(position);
        let mut symbols = [0; 64];
        for (symbol, cell) in symbols.iter_mut().zip(0..) {
            *symbol = u8::try_from(board.symbol(cell)).unwrap_or(0);
        }
        Self { symbols, state }
    }

    /// Returns the position with these.
    ///
    /// # Errors
    /// As [`BoardRules::join`].
    pub fn position(&self) -> Result<Position, Error> {
        let mut board = Chess.start_board(&self.state);
        for (cell, &symbol) in (0..).zip(&self.symbols) {
            board.set(cell, symbol.into());
        }
        Chess.join(&board, &self.state)
    }
}

/// Takes the parts of a position in turn. A writer returns what it is given; a reader ignores that
/// and returns what it read.
pub trait Coder {
    /// Codes whether Black is to move.
    fn side(&mut self, black: bool) -> bool {
        self.bit(black)
    }

    /// Codes the symbol of the next square.
    fn square(&mut self, seen: &Seen, symbol: u8) -> u8;

    /// Called after the last square.
    fn board_ends(&mut self) {}

    /// Codes the answer to one of [`QUESTIONS`](super::QUESTIONS) yes-or-no questions.
    fn answer(&mut self, question: usize, yes: bool) -> bool;

    /// Codes a bit that is equally likely 0 or 1.
    fn bit(&mut self, bit: bool) -> bool;
}

/// Gives `coder` a position, and returns the one that it makes of it.
pub fn walk(coder: &mut impl Coder, told: &Contents) -> Contents {
    let black = coder.side(told.state.side == Color::Black);
    let mut seen = Seen::new(black);
    let mut symbols = [0; 64];
    for (symbol, &told) in symbols.iter_mut().zip(&told.symbols) {
        *symbol = coder.square(&seen, told);
        seen.push(*symbol);
    }
    coder.board_ends();
    let state = state::walk(coder, &seen, &told.state);
    Contents { symbols, state }
}

/// Gives `coder` what follows the squares of a position.
pub fn walk_state(coder: &mut impl Coder, told: &Contents) {
    let mut seen = Seen::new(told.state.side == Color::Black);
    told.symbols.iter().for_each(|&symbol| seen.push(symbol));
    state::walk(coder, &seen, &told.state);
}
