//! Codes one line as a cell of bytes, and back.

use plypack_core::{ErasedLineCodec, Error as Inner, cell};

use crate::boards::Boards;
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

    /// Appends a row for each move of a cell whose line starts from `start`, or from the usual
    /// start, to `boards`, without texts.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Decode`]; the rows up to there are then appended.
    pub fn boards(
        self,
        start: Option<&str>,
        cell: &[u8],
        boards: &mut Boards,
    ) -> Result<(), Error> {
        let (plies, code) = cell::split(cell).map_err(Error::coding)?;
        Line { codec: self, start, plies, code }.boards(boards)
    }
}

/// A coded line with what it takes to read it, in the parts that the column `moves` of a packed
/// file has.
#[derive(Clone, Copy, Debug)]
pub struct Line<'a> {
    /// Its codec.
    pub codec: LineCodec,
    /// The position it starts from; `None` for the usual start.
    pub start: Option<&'a str>,
    /// The number of its plies.
    pub plies: u32,
    /// The code of its moves.
    pub code: &'a [u8],
}

impl<'a> Line<'a> {
    /// Decodes it to moves in `notation`.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Decode`].
    pub fn moves(self, notation: Notation) -> Result<MoveTexts, Error> {
        let moves = self.codec.0.decode(self.start, self.plies, self.code, notation.inner());
        moves.map(MoveTexts).map_err(decoding)
    }

    /// Returns a cursor at its start.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Decode`].
    pub fn cursor(self) -> Result<Cursor<'a>, Error> {
        self.codec.0.cursor(self.start, self.plies, self.code).map(Cursor).map_err(decoding)
    }

    /// Returns the [keys](Cursor::key) of its positions: the start's, then the one after each ply.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Decode`].
    pub fn keys(self) -> Result<Vec<u64>, Error> {
        let mut keys = Vec::new();
        let done = self.codec.0.keys(self.start, self.plies, self.code, &mut keys);
        done.map(|()| keys).map_err(decoding)
    }

    /// Appends a row for each of its moves to `boards`, without texts.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Decode`]; the rows up to there are then appended.
    pub fn boards(self, boards: &mut Boards) -> Result<(), Error> {
        let done = self.codec.0.boards(self.start, self.plies, self.code, &mut boards.0);
        done.map_err(decoding)
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
