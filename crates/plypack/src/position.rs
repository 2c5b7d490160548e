//! One position as bytes, and back.

use std::fmt;
use std::str::FromStr;

use plypack_core::ErasedPositionCodec;

use crate::error::Error;
use crate::game::{Game, position_codec};

/// A codec of single positions, bound to its game. [`position_codec`] finds one by its name.
///
/// Bytes do not say their codec: who stores them keeps it. As text a codec is
/// `chess/chess.rank/129`, with the number that never changes its meaning.
#[derive(Clone, Copy)]
pub struct PositionCodec(pub(crate) &'static dyn ErasedPositionCodec);

impl PositionCodec {
    /// The game.
    #[must_use]
    pub fn game(self) -> Game {
        Game(self.0.game())
    }

    /// Its name, such as `chess.rank`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.info().name
    }

    /// Its number, which is never reused.
    #[must_use]
    pub fn number(self) -> u16 {
        self.0.info().id
    }

    /// One sentence on how it works.
    #[must_use]
    pub fn summary(self) -> &'static str {
        self.0.info().summary
    }

    /// The size of every code in bytes, if all have the same.
    #[must_use]
    pub fn size(self) -> Option<usize> {
        let bits = self.0.bits()?;
        usize::try_from(bits.div_ceil(8)).ok()
    }

    /// What of a position it does not hold, in words; empty if every position comes back exactly.
    #[must_use]
    pub fn drops(self) -> &'static [&'static str] {
        self.0.drops()
    }

    /// The code of a position in any dialect of the game's notation: FEN for chess, with or without
    /// counters.
    ///
    /// # Errors
    /// [`Error::Position`] if the text cannot be read, [`Error::Unfit`] if this codec cannot hold
    /// the position.
    pub fn encode(self, position: &str) -> Result<Vec<u8>, Error> {
        self.0.encode(position).map(|code| code.bytes).map_err(Error::coding)
    }

    /// The position of a code, in its canonical spelling.
    ///
    /// # Errors
    /// [`Error::Code`] if it is not a code of this codec's.
    pub fn decode(self, code: &[u8]) -> Result<String, Error> {
        self.0.decode(code).map_err(|inner| Error::Code { message: inner.to_string() })
    }
}

/// Game, name and number.
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

/// From game and name, `chess/chess.rank`, or game, name and number, `chess/board.combination/25`.
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
