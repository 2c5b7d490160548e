//! Boards as cells over small alphabets, so that one codec serves the boards of every game.
//!
//! [`plain`] and [`padded`] are for the rules of games: how a rectangle of cells lies in an array.
//! [`symmetry`] has the rotations and mirror images of a square board. [`ternary`] is for boards of
//! any size with three symbols.

mod cells;
pub mod direction;
pub mod padded;
pub mod plain;
pub mod spiral;
pub mod symmetry;
pub mod ternary;

use std::fmt::Debug;

use plypack_bits::bitstring::{BitReader, BitWriter};

use crate::error::Error;
use crate::game::Game;

pub use cells::Cells;
pub use direction::Direction;
pub use padded::Padded;
pub use plain::Plain;
pub use symmetry::Symmetry;
pub use ternary::TernaryBoard;

/// What stands on the cells, and nothing else. Cells are numbered from 0.
pub trait Board: Clone + PartialEq + Debug {
    /// How many cells there are. Boards of different sizes are never equal.
    fn cells(&self) -> u32;

    /// How many symbols may stand on a cell, at least 1: the symbols below that number. Cells of
    /// one board may differ: no pawn stands on the first rank.
    fn alphabet(&self, cell: u32) -> u32;

    /// What stands on a cell; 0 means nothing.
    fn symbol(&self, cell: u32) -> u32;

    /// Puts a symbol of its alphabet on a cell.
    fn set(&mut self, cell: u32, symbol: u32);
}

/// A game whose positions are a board and a state.
pub trait BoardGame: Game {
    /// What stands on the cells.
    type Board: Board;
    /// What the board does not say: the side to move, rights, counters, the size of the board.
    type State: Clone + PartialEq + Debug;

    /// Takes a position apart.
    fn split(&self, position: &Self::Position) -> (Self::Board, Self::State);

    /// Puts a position together.
    ///
    /// # Errors
    /// [`Error::Board`] if the rules cannot hold such a position.
    fn join(&self, board: &Self::Board, state: &Self::State) -> Result<Self::Position, Error>;

    /// The board with which a game of this size begins.
    fn start_board(&self, state: &Self::State) -> Self::Board;

    /// Appends a state in bits; common states take few.
    fn write_state(&self, state: &Self::State, out: &mut BitWriter);

    /// Reads a state from its bits.
    ///
    /// # Errors
    /// [`Error::Cell`] if the bits are not a state.
    fn read_state(&self, bits: &mut BitReader<'_>) -> Result<Self::State, Error>;
}

/// A game in which the players take turns to put a stone on an empty cell, where it stays: symbol
/// 1 is the first player's, symbol 2 the second's.
pub trait PlacingGame: BoardGame {
    /// The state of the game's variant with this number. A variant is everything in the state but
    /// the side to move: the size of the board, the rule. `None` from the first unused number on.
    fn state(&self, variant: u64, second_to_move: bool) -> Option<Self::State>;
}

/// Codes what stands on the cells of a board.
///
/// A codec is given the start's board, of which it uses at least the size. It must read back
/// exactly the bits that it wrote, unless it says that it comes last.
pub trait BoardCodec<B: Board>: Debug + Send + Sync {
    /// Appends a board's code.
    ///
    /// # Errors
    /// [`Error::Board`] if this codec cannot hold such a board.
    fn encode(&self, board: &B, start: &B, out: &mut BitWriter) -> Result<(), Error>;

    /// Reads a board's code.
    ///
    /// # Errors
    /// [`Error::Cell`] if the bits are not one of this codec's codes.
    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error>;
}

/// The size of `start` with nothing on it.
#[must_use]
pub fn emptied<B: Board>(start: &B) -> B {
    let mut board = start.clone();
    (0..board.cells()).for_each(|cell| board.set(cell, 0));
    board
}

/// The error for bits that end too early.
pub(crate) fn cut(bits: &BitReader<'_>) -> Error {
    Error::Cell { at: bits.byte(), why: "the code ends too early" }
}
