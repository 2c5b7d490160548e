//! Codes one position as bytes, and back.

use std::fmt;
use std::str::FromStr;

use plypack_core::ErasedPositionCodec;

use crate::error::Error;
use crate::game::{Game, position_codec};

/// A codec of single positions, bound to its game. [`position_codec`] finds one by name.
///
/// The bytes do not name their codec: store it with them. As text a codec is
/// `chess/chess.rank/129`, with a number whose meaning never changes.
#[derive(Clone, Copy)]
pub struct PositionCodec(pub(crate) &'static dyn ErasedPositionCodec);

impl PositionCodec {
    /// Returns the game.
    #[must_use]
    pub fn game(self) -> Game {
        Game(self.0.game())
    }

    /// Returns its name, such as `chess.rank`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.info().name
    }

    /// Returns its number, which is never reused.
    #[must_use]
    pub fn number(self) -> u16 {
        self.0.info().id
    }

    /// Returns one sentence on how it works.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.0.info().summary
    }

    /// Returns the size of every code in bytes, if all are the same size.
    #[must_use]
    pub fn size(self) -> Option<usize> {
        let bits = self.0.bits()?;
        usize::try_from(bits.div_ceil(8)).ok()
    }

    /// Returns what it drops from a position, in words; empty if every position is restored
    /// exactly.
    #[must_use]
    pub fn drops(self) -> &'static [&'static str] {
        self.0.drops()
    }

    /// Encodes a position in any dialect of the game's notation: FEN for chess, with or without
    /// counters.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the text cannot be read, [`Error::Unfit`] if this codec
    /// cannot hold the position.
    pub fn encode(self, position: &str) -> Result<Vec<u8>, Error> {
        self.0.encode(position).map(|code| code.bytes).map_err(Error::coding)
    }

    /// Decodes a code to a position in its canonical spelling.
    ///
    /// # Errors
    /// Returns [`Error::Code`] if `code` is not a code of this codec.
    pub fn decode(self, code: &[u8]) -> Result<String, Error> {
        self.0.decode(code).map_err(|inner| Error::Code { message: inner.to_string() })
    }
}

/// Writes game, name and number.
impl fmt::Display for PositionCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.game(), self.name(), self.number())
    }
}

impl fmt::Debug for PositionCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PositionCodec({self})")
    }
}

/// Parses game and name, `chess/chess.rank`, or game, name and number,
/// `chess/board.combination/25`.
impl FromStr for PositionCodec {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (game, name) = text.split_once('/').unwrap_or((text, ""));
        position_codec(game, name)
    }
}

impl PartialEq for PositionCodec {
    fn eq(&self, other: &Self) -> bool {
        self.game() == other.game() && self.number() == other.number()
    }
}

impl Eq for PositionCodec {}
