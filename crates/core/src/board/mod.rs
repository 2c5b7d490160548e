//! Boards as cells over small alphabets, so that one codec serves the boards of every game.
//!
//! [`plain`] and [`padded`] lay a rectangle of cells out in an array, for the rules of games.
//! [`symmetry`] has the rotations and mirror images of a square board. `ternary`, with the feature
//! of that name, is for boards of any size with three symbols.

mod cells;
pub mod direction;
pub mod padded;
pub mod plain;
pub mod symmetry;
#[cfg(feature = "ternary")]
pub mod ternary;

use std::fmt::Debug;

use crate::bits::bitstring::{BitReader, BitWriter};

use crate::error::Error;
use crate::game::Rules;

pub use cells::Cells;
pub use direction::Direction;
pub use padded::Padded;
pub use plain::Plain;
pub use symmetry::Symmetry;
#[cfg(feature = "ternary")]
pub use ternary::TernaryBoard;

/// The contents of the cells, and nothing else. Cells are numbered from 0.
pub trait Board: Clone + PartialEq + Debug {
    /// Returns the number of cells. Boards of different sizes are never equal.
    fn cells(&self) -> u32;

    /// Returns the number of symbols that may stand on a cell, at least 1; symbols are below it. It
    /// may differ between cells of one board: no pawn stands on the first rank.
    fn alphabet(&self, cell: u32) -> u32;

    /// Returns the symbol on a cell; 0 is empty.
    fn symbol(&self, cell: u32) -> u32;

    /// Puts a symbol of its alphabet on a cell.
    fn set(&mut self, cell: u32, symbol: u32);
}

/// A game whose positions are a board and a state.
pub trait BoardRules: Rules {
    /// The contents of the cells.
    type Board: Board;
    /// Everything else: the side to move, rights, counters, the size of the board.
    type State: Clone + PartialEq + Debug;

    /// Splits a position into board and state.
    fn split(&self, position: &Self::Position) -> (Self::Board, Self::State);

    /// Joins a board and a state into a position.
    ///
    /// # Errors
    /// Returns [`Error::Board`] if the rules cannot represent such a position.
    fn join(&self, board: &Self::Board, state: &Self::State) -> Result<Self::Position, Error>;

    /// Returns the board with which a game of this size begins.
    fn start_board(&self, state: &Self::State) -> Self::Board;

    /// Appends the bits of a state; common states take few.
    fn write_state(&self, state: &Self::State, out: &mut BitWriter);

    /// Reads a state from its bits.
    ///
    /// # Errors
    /// Returns [`Error::Cell`] if the bits are not a state.
    fn read_state(&self, bits: &mut BitReader<'_>) -> Result<Self::State, Error>;
}

/// A game in which the players take turns to place a permanent stone on an empty cell: symbol 1 is
/// the first player's, symbol 2 the second's.
pub trait PlacingRules: BoardRules {
    /// Returns the state of the game's variant with this number. A variant is everything in the
    /// state except the side to move: the size of the board, the rule. Returns `None` from the
    /// first unused number on.
    fn state(&self, variant: u64, second_to_move: bool) -> Option<Self::State>;
}

/// Codes the contents of the cells of a board.
///
/// A codec is given the start's board, and uses at least its size. It must read exactly the bits
/// that it wrote, unless its description says that it comes last.
pub trait BoardCodec<B: Board>: Debug + Send + Sync {
    /// Appends the code of a board.
    ///
    /// # Errors
    /// Returns [`Error::Board`] if this codec cannot represent such a board.
    fn encode(&self, board: &B, start: &B, out: &mut BitWriter) -> Result<(), Error>;

    /// Reads the code of a board.
    ///
    /// # Errors
    /// Returns [`Error::Cell`] if the bits are not one of this codec's codes.
    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error>;
}

/// Returns an empty board of the size of `start`.
pub fn emptied<B: Board>(start: &B) -> B {
    let mut board = start.clone();
    (0..board.cells()).for_each(|cell| board.set(cell, 0));
    board
}

/// Returns the error for bits that end too early.
pub(crate) fn cut(bits: &BitReader<'_>) -> Error {
    Error::Cell { at: bits.byte(), why: "the code ends too early" }
}
