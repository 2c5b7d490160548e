//! Steps along a line.

use std::fmt;

use plypack_core::Cursor;

use crate::error::Error;
use crate::line::decoding;
use crate::moves::Notation;

/// A place in a line: a position, the moves that led to it, and perhaps moves ahead.
///
/// [`LineCodec::steps`](crate::LineCodec::steps) opens a cell, [`Game::steps`](crate::Game::steps)
/// goes along moves of one's own. A move ahead is decoded when it is stepped over, so that who has
/// seen enough stops for nothing; texts are written when they are asked for.
pub struct Steps<'a>(pub(crate) Box<dyn Cursor<'a> + 'a>);

impl<'a> Steps<'a> {
    /// Plays the next move ahead; false at the end of the line.
    ///
    /// # Errors
    /// [`Error::Code`] if the code is damaged. Then nothing is ahead any more.
    pub fn advance(&mut self) -> Result<bool, Error> {
        self.0.next().map(|index| index.is_some()).map_err(decoding)
    }

    /// Plays a move of one's own, in any notation of the game. Whatever was ahead is left.
    ///
    /// # Errors
    /// [`Error::Move`] if it cannot be played, [`Error::Unfit`] after 65,536 plies. Then nothing
    /// has changed.
    pub fn play(&mut self, mv: &str) -> Result<(), Error> {
        self.0.read(mv).map(drop).map_err(Error::coding)
    }

    /// How many plies led here from the start of the line.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.0.ply()
    }

    /// The number of the next move, counted in pairs of plies.
    #[must_use]
    pub fn move_number(&self) -> u32 {
        self.0.turn().number
    }

    /// Whether the second player is to move: Black in chess.
    #[must_use]
    pub fn is_second_to_move(&self) -> bool {
        self.0.turn().second
    }

    /// The move that led here; empty at the start.
    #[must_use]
    pub fn last_move(&mut self, notation: Notation) -> String {
        let mut text = String::new();
        self.write_move(notation, &mut text);
        text
    }

    /// Appends the move that led here to `out`; nothing at the start.
    pub fn write_move(&mut self, notation: Notation, out: &mut String) {
        self.0.write_move(notation.inner(), out);
    }

    /// The position, in its canonical spelling: FEN for chess.
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

    /// The position's key: 64 bits of everything that decides which moves may follow, the same on
    /// every machine for ever. Counters and results do not count.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.0.key()
    }

    /// The least key among the position's images under the symmetries of the game.
    #[must_use]
    pub fn canonical_key(&self) -> u64 {
        self.0.canonical_key()
    }

    /// How often the position has occurred in the line, now included: 3 is a threefold repetition.
    #[must_use]
    pub fn occurrences(&mut self) -> usize {
        self.0.occurrences()
    }

    /// How many moves can be played here; 0 if the game is over.
    #[must_use]
    pub fn candidates(&mut self) -> usize {
        self.0.candidates()
    }

    /// The position before the move at `ply`, counted from 1, with nothing ahead: to try another
    /// move there. Beyond the last ply, the position here.
    #[must_use]
    pub fn before(&self, ply: u32) -> Self {
        Self(self.0.fork(ply))
    }
}

impl fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ply, position) = (self.ply(), self.position());
        f.debug_struct("Steps").field("ply", &ply).field("position", &position).finish()
    }
}
