//! Codes one line as a cell of bytes, and back.

use plypack_core::{ErasedLineCodec, Error as Inner, cell};

use crate::codec::codec;
use crate::cursor::Cursor;
use crate::error::Error;
use crate::moves::{MoveTexts, Notation};
use crate::rules::Rules;

/// A codec of lines, bound to its game. [`Rules::line_codec`] finds one by name.
///
/// A cell is the bytes of one line: its number of plies, and their code. It needs no neighbours and
/// no tags, so it fits a database column. It does not name its codec or the line's start: store
/// both with it. As text a codec is `chess/line.default/5`, with a number whose meaning never
/// changes.
#[derive(Clone, Copy)]
pub struct LineCodec(pub(crate) &'static dyn ErasedLineCodec);

impl LineCodec {
    /// Encodes a line from the usual start as a cell. Moves may be in any notation of the game,
    /// without numbers.
    ///
    /// # Errors
    /// Returns [`Error::Move`] if a move cannot be played, [`Error::TooLarge`] if there are more
    /// than 65,536.
    pub fn encode<'m>(self, moves: impl IntoIterator<Item = &'m str>) -> Result<Vec<u8>, Error> {
        self.encode_from(None, moves)
    }

    /// Encodes a line from `start`, in any dialect of the game's position notation.
    ///
    /// # Errors
    /// Returns [`Error::Position`] and the errors of [`encode`](Self::encode).
    pub fn encode_from<'m>(
        self,
        start: Option<&str>,
        moves: impl IntoIterator<Item = &'m str>,
    ) -> Result<Vec<u8>, Error> {
        // Encoding also writes the moves' texts; coordinates are the quickest to write.
        let notation = Notation::Coordinate.inner();
        let line = self.0.encode(start, &mut moves.into_iter(), notation);
        let line = line.map_err(Error::coding)?;
        match line.stopped {
            Some(inner) => Err(Error::coding(inner)),
            None => Ok(cell::join(line.plies, &line.code)),
        }
    }

    /// Decodes a cell whose line starts from the usual start to moves in the game's customary
    /// notation.
    ///
    /// # Errors
    /// Returns [`Error::Decode`] if `cell` is not a cell of this codec.
    pub fn decode(self, cell: &[u8]) -> Result<MoveTexts, Error> {
        self.decode_from(None, cell, Notation::Customary)
    }

    /// Decodes a cell whose line starts from `start` to moves in `notation`.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Decode`].
    pub fn decode_from(
        self,
        start: Option<&str>,
        cell: &[u8],
        notation: Notation,
    ) -> Result<MoveTexts, Error> {
        let (plies, code) = cell::split(cell).map_err(Error::coding)?;
        self.0.decode(start, plies, code, notation.inner()).map(MoveTexts).map_err(decoding)
    }

    /// Returns a cursor at the start of a cell whose line starts from `start`, or from the usual
    /// start. A move is decoded when it is stepped over.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Decode`].
    pub fn cursor<'c>(self, start: Option<&str>, cell: &'c [u8]) -> Result<Cursor<'c>, Error> {
        let (plies, code) = cell::split(cell).map_err(Error::coding)?;
        self.0.cursor(start, plies, code).map(Cursor).map_err(decoding)
    }
}

/// Converts a decoding error: wrong moves and lengths are the code's fault.
pub(crate) fn decoding(inner: Inner) -> Error {
    match inner {
        Inner::Position { .. } => Error::coding(inner),
        _ => Error::Decode { message: inner.to_string() },
    }
}

codec! {
    LineCodec, line_codec,
    /// Parses game and name, `chess/default`, or game, name and number, `chess/line.default/5`.
}
