//! Codes one position as bytes, and back.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use plypack_core::ErasedPositionCodec;

use crate::error::Error;
use crate::rules::Rules;

/// A codec of single positions, bound to its game. [`Rules::position_codec`] finds one by name.
///
/// The bytes do not name their codec: store it with them. As text a codec is
/// `chess/chess.rank/129`, with a number whose meaning never changes.
#[derive(Clone, Copy)]
pub struct PositionCodec(pub(crate) &'static dyn ErasedPositionCodec);

impl PositionCodec {
    /// Returns the rules of its game.
    #[must_use]
    pub fn rules(self) -> Rules {
        Rules(self.0.game())
    }

    /// Returns its name, such as `chess.rank`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.info().name
    }

    /// Returns its number, which is never reused.
    #[must_use]
    pub fn id(self) -> u16 {
        self.0.info().id
    }

    /// Returns one sentence on how it works.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.0.info().summary
    }

    /// Returns the size of every code in bytes, if all are the same size.
    #[must_use]
    pub fn fixed_len(self) -> Option<usize> {
        let bits = self.0.bits()?;
        usize::try_from(bits.div_ceil(8)).ok()
    }

    /// Returns what it drops from a position, in words; empty if every position is restored
    /// exactly.
    #[must_use]
    pub fn lossy_fields(self) -> &'static [&'static str] {
        self.0.drops()
    }

    /// Encodes a position in any dialect of the game's notation: FEN for chess, with or without
    /// counters.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the text cannot be read, [`Error::TooLarge`] if this codec
    /// cannot hold the position.
    pub fn encode(self, position: &str) -> Result<Vec<u8>, Error> {
        self.0.encode(position).map(|code| code.bytes).map_err(Error::coding)
    }

    /// Decodes a code to a position in its canonical spelling.
    ///
    /// # Errors
    /// Returns [`Error::Decode`] if `code` is not a code of this codec.
    pub fn decode(self, code: &[u8]) -> Result<String, Error> {
        self.0.decode(code).map_err(|inner| Error::Decode { message: inner.to_string() })
    }
}

/// Writes game, name and number.
impl fmt::Display for PositionCodec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.rules(), self.name(), self.id())
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
        game.parse::<Rules>()?.position_codec(name)
    }
}

impl PartialEq for PositionCodec {
    fn eq(&self, other: &Self) -> bool {
        self.rules() == other.rules() && self.id() == other.id()
    }
}

impl Eq for PositionCodec {}

impl Hash for PositionCodec {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.rules(), self.id()).hash(state);
    }
}
