//! `board.blocks`: up to 256 consecutive positions as one code, with a model that learns from the
//! earlier ones.
//!
//! Reading a position of a block requires the block up to it, and nothing else: the initial state
//! of the model is fixed.

mod coder;
mod model;
mod plain;
mod start;
mod tree;
mod weigh;

pub use coder::Answers;
pub use model::{BLOCK_MAX, Model};
pub use plain::Plain;
pub use start::{HABITS, Start};
pub use tree::Tree;

use std::fmt::Debug;

use crate::bits::range::{Decoder, Encoder};

use crate::board::BoardRules;
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::{Counters, PositionBlocks, PositionCode, PositionCodec};

/// A traversal of the parts of a position, for both writing and reading, with a game's knowledge.
pub trait Walk<G: BoardRules>: Debug + Send + Sync + 'static {
    /// Returns the state of the model at the beginning of a block.
    fn start(&self) -> &Start;

    /// Passes the parts of a position through the model. A writer gets the position in `told`; a
    /// reader returns it.
    ///
    /// # Errors
    /// Returns an error if a board does not fit, or if what is read is not a position.
    fn walk<A: Answers>(
        &self,
        game: &G,
        model: &mut Model,
        coder: &mut A,
        told: Option<&G::Position>,
    ) -> Result<Option<G::Position>, Error>;
}

/// The codec, for a registry row.
#[derive(Debug)]
pub struct Blocks<W> {
    /// The traversal of positions.
    pub walk: W,
}

/// Number of positions tried to find the best habit for a block.
const TRIED: usize = 8;

impl<W> Blocks<W> {
    /// Codes the habit of a block and returns the model at its beginning.
    fn begin<G: BoardRules>(&self, coder: &mut impl Answers, told: usize) -> Model
    where
        W: Walk<G>,
    {
        let start = self.walk.start();
        let mut habit = 0;
        if start.habits > 1 {
            for place in (0..HABITS.ilog2()).rev() {
                habit = habit << 1 | usize::from(coder.answer(1 << 15, told >> place & 1 == 1));
            }
        }
        Model::new(start, habit)
    }

    /// Returns the code of these positions with a habit.
    fn write<G: BoardRules>(
        &self,
        game: &G,
        positions: &[(&G::Position, Counters)],
        habit: usize,
    ) -> Result<Vec<u8>, Error>
    where
        W: Walk<G>,
    {
        let mut coder = Encoder::new();
        let mut model = self.begin(&mut coder, habit);
        for (position, known) in positions {
            model.begin(*known);
            self.walk.walk(game, &mut model, &mut coder, Some(position))?;
            model.end();
        }
        Ok(coder.finish())
    }
}

impl<G: BoardRules, W: Walk<G>> PositionBlocks<G> for Blocks<W> {
    fn encode(&self, game: &G, positions: &[(&G::Position, Counters)]) -> Result<Vec<u8>, Error> {
        if positions.len() > BLOCK_MAX {
            return Err(Error::Board { why: "a block holds at most 256 positions" });
        }
        let tried = &positions[..positions.len().min(TRIED)];
        let mut best = (usize::MAX, 0);
        for habit in 0..self.walk.start().habits {
            best = best.min((self.write(game, tried, habit)?.len(), habit));
        }
        self.write(game, positions, best.1)
    }

    fn decode(&self, game: &G, code: &[u8], known: &[Counters]) -> Result<Vec<G::Position>, Error> {
        let mut coder = Decoder::new(code);
        let mut model = self.begin(&mut coder, 0);
        let mut positions = Vec::with_capacity(known.len().min(BLOCK_MAX));
        for &known in known.iter().take(BLOCK_MAX) {
            model.begin(known);
            let position = self.walk.walk(game, &mut model, &mut coder, None)?;
            model.end();
            let nothing = Error::Cell { at: 0, why: "the block ends too early" };
            positions.push(position.ok_or(nothing)?);
        }
        Ok(positions)
    }
}

impl<G: BoardRules, W: Walk<G>> PositionCodec<G> for Blocks<W> {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "board.blocks",
            id: 72,
            summary: "256 positions together, range coded by a model that learns from earlier ones",
            source: "plypack, after PAQ (M. Mahoney)",
        }
    }

    fn encode(&self, game: &G, position: &G::Position) -> Result<PositionCode, Error> {
        let bytes = PositionBlocks::encode(self, game, &[(position, [None; 2])])?;
        let bits = u32::try_from(bytes.len()).unwrap_or(u32::MAX).saturating_mul(8);
        Ok(PositionCode { bytes, bits, board_bits: None })
    }

    fn decode(&self, game: &G, code: &[u8]) -> Result<G::Position, Error> {
        let position = PositionBlocks::decode(self, game, code, &[[None; 2]])?.pop();
        let nothing = Error::Cell { at: 0, why: "the block holds no position" };
        let position = position.ok_or(nothing)?;
        // Any bytes can be read as a position, but it has only one code.
        if PositionCodec::encode(self, game, &position)?.bytes != code {
            return Err(Error::Cell { at: 0, why: "not the code of its position" });
        }
        Ok(position)
    }

    fn blocks(&self) -> Option<&dyn PositionBlocks<G>> {
        Some(self)
    }
}
