//! A place in a line, from which it is stepped along.

use std::fmt;

use plypack_core::Cursor as Inner;

use crate::error::Error;
use crate::line::decoding;
use crate::moves::Notation;

/// A place in a line: a position, the moves that led to it, and any moves ahead.
///
/// [`LineCodec::cursor`](crate::LineCodec::cursor) opens a cell,
/// [`Rules::cursor`](crate::Rules::cursor) follows the caller's own moves. A move ahead is decoded
/// when it is stepped over, so stopping early costs nothing; texts are written on demand.
pub struct Cursor<'a>(pub(crate) Box<dyn Inner<'a> + 'a>);

impl<'a> Cursor<'a> {
    /// Plays the next move ahead; returns false at the end of the line.
    ///
    /// # Errors
    /// Returns [`Error::Decode`] if the code is damaged. Then no moves are left ahead.
    pub fn advance(&mut self) -> Result<bool, Error> {
        self.0.next().map(|index| index.is_some()).map_err(decoding)
    }

    /// Plays a move of the caller's choice, in any notation of the game. Moves ahead are
    /// dropped.
    ///
    /// # Errors
    /// Returns [`Error::Move`] if the move cannot be played, [`Error::TooLarge`] after 65,536
    /// plies. Then nothing has changed.
    pub fn play(&mut self, mv: &str) -> Result<(), Error> {
        self.0.read(mv).map(drop).map_err(Error::coding)
    }

    /// Returns the number of plies from the start of the line.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// Returns the number of the next move, counted in pairs of plies.
    #[must_use]
    pub fn move_number(&self) -> u32 {
        self.0.turn().number
    }

    /// Returns the side to move.
    #[must_use]
    pub fn turn(&self) -> Side {
        if self.0.turn().second { Side::Second } else { Side::First }
    }

    /// Returns the move that led here; empty at the start.
    #[must_use]
    pub fn last_move(&mut self, notation: Notation) -> String {
        let mut text = String::new();
        self.write_last_move(notation, &mut text);
        text
    }

    /// Appends the move that led here to `out`; nothing at the start.
    pub fn write_last_move(&mut self, notation: Notation, out: &mut String) {
        self.0.write_move(notation.inner(), out);
    }

    /// Returns the position in its canonical spelling: FEN for chess.
    #[must_use]
    pub fn position(&self) -> String {
        let mut text = String::new();
        self.write_position(&mut text);
        text
    }

    /// Appends the position, in its canonical spelling, to `out`.
    pub fn write_position(&self, out: &mut String) {
        self.0.write_position(out);
    }

    /// Returns the position's key: 64 bits that depend on everything that decides which moves may
    /// follow, not on counters and results. It is the same on every machine and will not change.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.0.key()
    }

    /// Returns the least key of the position's images under the game's symmetries.
    #[must_use]
    pub fn canonical_key(&self) -> u64 {
        self.0.canonical_key()
    }

    /// Returns how often the position has occurred in the line, including now: 3 is a threefold
    /// repetition.
    #[must_use]
    pub fn occurrences(&mut self) -> usize {
        self.0.occurrences()
    }

    /// Returns how many moves can be played here; 0 if the game is over.
    #[must_use]
    pub fn move_count(&mut self) -> usize {
        self.0.candidates()
    }

    /// Returns the position before the move at `ply`, counted from 1, with no moves ahead, to try
    /// another move there. Beyond the last ply, returns the current position.
    #[must_use]
    pub fn fork_at(&self, ply: u32) -> Self {
        Self(self.0.fork(ply))
    }
}

/// A side of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The side that usually moves first: White in chess, Red in xiangqi, Black in go, gomoku and
    /// othello, X in tic-tac-toe.
    First,
    /// The other side.
    Second,
}

impl fmt::Debug for Cursor<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ply, position) = (self.ply(), self.position());
        f.debug_struct("Cursor").field("ply", &ply).field("position", &position).finish()
    }
}
