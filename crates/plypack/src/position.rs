//! Codes one position as bytes, and back.

use plypack_core::ErasedPositionCodec;

use crate::codec::codec;
use crate::error::Error;
use crate::rules::Rules;

/// A codec of single positions, bound to its game. [`Rules::position_codec`] finds one by name.
///
/// The bytes do not name their codec: store it with them. As text a codec is
/// `chess/chess.rank/40`, with a number whose meaning never changes.
#[derive(Clone, Copy)]
pub struct PositionCodec(pub(crate) &'static dyn ErasedPositionCodec);

impl PositionCodec {
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

codec! {
    PositionCodec, position_codec,
    /// Parses game and name, `chess/chess.rank`, or game, name and number,
    /// `chess/board.combination/25`.
}
