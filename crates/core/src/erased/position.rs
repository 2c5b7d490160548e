//! A position codec without its types.

use std::fmt::Debug;

use super::{ErasedRules, GameRow};
use crate::codec::{Claim, CodecInfo};
use crate::error::Error;
use crate::game::Rules;
use crate::position::{Counters, PositionCode, PositionCodec};

/// A position codec bound to its game.
pub trait ErasedPositionCodec: Debug + Send + Sync {
    /// Returns the game.
    fn game(&self) -> &'static dyn ErasedRules;

    /// Returns the description of the codec.
    fn info(&self) -> &'static CodecInfo;

    /// Returns the parts of a position's text that it drops, in words; empty if none.
    fn drops(&self) -> &'static [&'static str];

    /// Returns the size of a code in bits, if it is fixed.
    fn bits(&self) -> Option<u32>;

    /// Returns published figures for this codec, with ours beside them.
    fn claims(&self) -> &'static [Claim];

    /// Encodes a position, given in any dialect of the game's notation.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the text cannot be read, [`Error::Board`] if this codec
    /// cannot represent the position.
    fn encode(&self, text: &str) -> Result<PositionCode, Error>;

    /// Decodes a position to its canonical text.
    ///
    /// # Errors
    /// Returns an error if the bytes are not one of this codec's codes, or not of a valid position.
    fn decode(&self, code: &[u8]) -> Result<String, Error>;

    /// Returns whether it codes consecutive positions together.
    fn has_blocks(&self) -> bool;

    /// Encodes up to [`BLOCK_MAX`](crate::codecs::blocks::BLOCK_MAX) positions as one code, given
    /// as texts, each with what is known of its counters.
    ///
    /// # Errors
    /// As [`encode`](Self::encode), or if it codes each position alone.
    fn encode_block(&self, texts: &[(&str, Counters)]) -> Result<Vec<u8>, Error>;

    /// Decodes a block of as many positions as there are items in `known` to canonical texts.
    ///
    /// # Errors
    /// As [`decode`](Self::decode), or if it codes each position alone.
    fn decode_block(&self, code: &[u8], known: &[Counters]) -> Result<Vec<String>, Error>;

    /// Reads positions once, so that a measurement can encode and decode them repeatedly. Omits
    /// positions that this codec cannot represent.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if a text cannot be read.
    fn trial(
        &self,
        texts: &mut dyn Iterator<Item = &str>,
    ) -> Result<Box<dyn PositionTrial + '_>, Error>;
}

/// Positions in memory, for measuring a codec without reading and writing texts.
pub trait PositionTrial {
    /// Returns the number of positions that the codec cannot represent.
    fn refused(&self) -> u32;

    /// Encodes every position and keeps the codes.
    fn encode(&mut self);

    /// Returns the codes, after [`encode`](Self::encode).
    fn codes(&self) -> &[PositionCode];

    /// Decodes every code; returns whether all positions came back, except for what the codec
    /// drops.
    fn decode(&self) -> bool;
}

/// A row of the registry of position codecs.
pub struct PositionRow<G: 'static, C> {
    /// The game.
    pub game: &'static GameRow<G>,
    /// The codec.
    pub codec: C,
    /// Published figures for this codec on this game.
    pub claims: &'static [Claim],
}

impl<G: Debug, C: Debug> Debug for PositionRow<G, C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("PositionRow").field(&self.game.0).field(&self.codec).finish()
    }
}

impl<G: Rules, C: PositionCodec<G>> ErasedPositionCodec for PositionRow<G, C> {
    fn game(&self) -> &'static dyn ErasedRules {
        self.game
    }

    fn info(&self) -> &'static CodecInfo {
        self.codec.info()
    }

    fn drops(&self) -> &'static [&'static str] {
        self.codec.drops()
    }

    fn bits(&self) -> Option<u32> {
        self.codec.bits()
    }

    fn claims(&self) -> &'static [Claim] {
        self.claims
    }

    fn encode(&self, text: &str) -> Result<PositionCode, Error> {
        let game = &self.game.0;
        self.codec.encode(game, &game.read_position(text)?)
    }

    fn decode(&self, code: &[u8]) -> Result<String, Error> {
        let game = &self.game.0;
        let mut text = String::new();
        game.write_position(&self.codec.decode(game, code)?, &mut text);
        Ok(text)
    }

    fn has_blocks(&self) -> bool {
        self.codec.blocks().is_some()
    }

    fn encode_block(&self, texts: &[(&str, Counters)]) -> Result<Vec<u8>, Error> {
        let game = &self.game.0;
        let blocks = self.codec.blocks().ok_or(Error::Board { why: ALONE })?;
        let read = |(text, known): &(&str, Counters)| Ok((game.read_position(text)?, *known));
        let positions: Vec<(G::Position, Counters)> =
            texts.iter().map(read).collect::<Result<_, Error>>()?;
        let positions: Vec<_> =
            positions.iter().map(|(position, known)| (position, *known)).collect();
        blocks.encode(game, &positions)
    }

    fn decode_block(&self, code: &[u8], known: &[Counters]) -> Result<Vec<String>, Error> {
        let game = &self.game.0;
        let blocks = self.codec.blocks().ok_or(Error::Board { why: ALONE })?;
        let positions = blocks.decode(game, code, known)?;
        let text = |position: &G::Position| {
            let mut text = String::new();
            game.write_position(position, &mut text);
            text
        };
        Ok(positions.iter().map(text).collect())
    }

    fn trial(
        &self,
        texts: &mut dyn Iterator<Item = &str>,
    ) -> Result<Box<dyn PositionTrial + '_>, Error> {
        let game = &self.game.0;
        let mut trial = Trial { row: self, positions: Vec::new(), codes: Vec::new(), refused: 0 };
        for text in texts {
            let position = game.read_position(text)?;
            // What a codec drops does not count as a difference, so compare with the decoded
            // position.
            match self.codec.encode(game, &position) {
                Ok(code) => trial.positions.push(match self.drops() {
                    [] => position,
                    _ => self.codec.decode(game, &code.bytes)?,
                }),
                Err(_) => trial.refused += 1,
            }
        }
        Ok(Box::new(trial))
    }
}

/// Why a codec has no blocks.
const ALONE: &str = "it codes each position alone";

/// Positions with their codes.
struct Trial<'a, G: Rules, C> {
    row: &'a PositionRow<G, C>,
    positions: Vec<G::Position>,
    codes: Vec<PositionCode>,
    refused: u32,
}

impl<G: Rules, C: PositionCodec<G>> PositionTrial for Trial<'_, G, C> {
    fn refused(&self) -> u32 {
        self.refused
    }

    fn encode(&mut self) {
        let (codec, game) = (&self.row.codec, &self.row.game.0);
        self.codes.clear();
        let codes = self.positions.iter().filter_map(|position| codec.encode(game, position).ok());
        self.codes.extend(codes);
    }

    fn codes(&self) -> &[PositionCode] {
        &self.codes
    }

    fn decode(&self) -> bool {
        let (codec, game) = (&self.row.codec, &self.row.game.0);
        let mut pairs = self.codes.iter().zip(&self.positions);
        self.codes.len() == self.positions.len()
            && pairs.all(|(code, position)| {
                codec.decode(game, &code.bytes).is_ok_and(|back| back == *position)
            })
    }
}
