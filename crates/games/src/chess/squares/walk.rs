//! What a position holds, told piece by piece: one walk that writes, reads and counts.

use super::{Seen, state};
use crate::chess::board::State;
use cozy_chess::Color;

/// A position: the symbols of the squares a1 … h8, and what the board does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contents {
    /// By square.
    pub symbols: [u8; 64],
    /// Turn, rights and counters.
    pub state: State,
}

/// Takes the pieces of a position in turn. One that writes returns what it is told; one that reads
/// returns what it read, whatever it is told.
pub trait Coder {
    /// What stands on the square after those seen.
    fn square(&mut self, seen: &Seen, symbol: u8) -> u8;

    /// All squares were seen.
    fn board_ends(&mut self) {}

    /// The answer to one of [`QUESTIONS`](super::QUESTIONS) yes-or-no questions.
    fn answer(&mut self, question: usize, yes: bool) -> bool;

    /// A bit that may as well be the one as the other.
    fn bit(&mut self, bit: bool) -> bool;
}

/// Tells `coder` a position, and returns the one that it makes of it.
pub fn walk(coder: &mut impl Coder, told: &Contents) -> Contents {
    let black = coder.bit(told.state.side == Color::Black);
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
