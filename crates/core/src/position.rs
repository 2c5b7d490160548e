//! Codecs of single positions.

use std::fmt::Debug;

use crate::bits::bitstring::{BitReader, BitWriter};

use crate::board::{BoardCodec, BoardRules};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::game::Rules;

/// A position's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionCode {
    /// The code, the last byte padded.
    pub bytes: Vec<u8>,
    /// The length of the code in bits.
    pub bits: u32,
    /// Number of the board's bits, if the codec can tell.
    pub board_bits: Option<u32>,
}

/// Codes one position on its own.
pub trait PositionCodec<G: Rules>: Debug + Send + Sync + 'static {
    /// Returns the description of the codec.
    fn info(&self) -> &'static CodecInfo;

    /// Returns the parts of a position's text that it drops, in words; empty if none.
    fn drops(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the size of a code in bits, if it is fixed.
    fn bits(&self) -> Option<u32> {
        None
    }

    /// Encodes a position.
    ///
    /// # Errors
    /// Returns [`Error::Board`] if this codec cannot represent such a position.
    fn encode(&self, game: &G, position: &G::Position) -> Result<PositionCode, Error>;

    /// Decodes a position.
    ///
    /// # Errors
    /// Returns an error if the bytes are not one of this codec's codes, or not of a valid position.
    fn decode(&self, game: &G, code: &[u8]) -> Result<G::Position, Error>;

    /// Returns the codec of consecutive positions as one code; `None` if it codes each alone.
    fn blocks(&self) -> Option<&dyn PositionBlocks<G>> {
        None
    }
}

/// Numbers at the end of a position, as far as they are known from elsewhere.
pub type Counters = [Option<u32>; 2];

/// Codes up to [`BLOCK_MAX`](crate::codecs::blocks::BLOCK_MAX) positions as one.
pub trait PositionBlocks<G: Rules> {
    /// Encodes positions. Their known counters hardly add to the code, and are needed to decode it.
    ///
    /// # Errors
    /// Returns [`Error::Board`] if this codec cannot represent one of them.
    fn encode(&self, game: &G, positions: &[(&G::Position, Counters)]) -> Result<Vec<u8>, Error>;

    /// Decodes as many positions as there are items in `known`.
    ///
    /// # Errors
    /// Returns an error if the bytes are not the code of that many valid positions.
    fn decode(&self, game: &G, code: &[u8], known: &[Counters]) -> Result<Vec<G::Position>, Error>;
}

/// Codes a position as its state, then its board.
#[derive(Debug)]
pub struct StateAndBoard<C> {
    /// The description of the codec.
    pub info: &'static CodecInfo,
    /// Codes the board.
    pub board: C,
}

impl<G: BoardRules, C: BoardCodec<G::Board> + 'static> PositionCodec<G> for StateAndBoard<C> {
    fn info(&self) -> &'static CodecInfo {
        self.info
    }

    fn encode(&self, game: &G, position: &G::Position) -> Result<PositionCode, Error> {
        let (board, state) = game.split(position);
        let mut out = BitWriter::new();
        game.write_state(&state, &mut out);
        let state_bits = out.bits();
        self.board.encode(&board, &game.start_board(&state), &mut out)?;
        let bits = out.bits();
        Ok(PositionCode { bits, board_bits: Some(bits - state_bits), bytes: out.into_bytes() })
    }

    fn decode(&self, game: &G, code: &[u8]) -> Result<G::Position, Error> {
        let mut bits = BitReader::new(code);
        let state = game.read_state(&mut bits)?;
        let board = self.board.decode(&game.start_board(&state), &mut bits)?;
        if !bits.is_at_end() {
            return Err(Error::Cell { at: bits.byte(), why: "bits follow the end of the code" });
        }
        game.join(&board, &state)
    }
}

/// The position's text, a baseline.
#[derive(Debug)]
pub struct Text;

impl<G: Rules> PositionCodec<G> for Text {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "position.text",
            id: 16,
            summary: "the position in the game's notation (FEN), UTF-8",
            source: "S. J. Edwards, PGN standard (FEN)",
        }
    }

    fn encode(&self, game: &G, position: &G::Position) -> Result<PositionCode, Error> {
        let mut text = String::new();
        game.write_position(position, &mut text);
        let bits = u32::try_from(text.len()).unwrap_or(u32::MAX).saturating_mul(8);
        Ok(PositionCode { bytes: text.into_bytes(), bits, board_bits: None })
    }

    fn decode(&self, game: &G, code: &[u8]) -> Result<G::Position, Error> {
        let text = std::str::from_utf8(code).map_err(|error| Error::Cell {
            at: error.valid_up_to(),
            why: "the text is not UTF-8",
        })?;
        game.read_position(text)
    }
}
