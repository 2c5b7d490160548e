//! Files of positions: one row per line of FEN or EPD, in a schema of their own.

mod columns;
pub mod row;
mod rows;
pub mod schema;

pub(crate) use columns::{Columns, Entry};
pub use row::StoredPosition;
pub(crate) use rows::{Block, USED, unchecked};
pub use rows::{NEEDED, PositionRows};

use plypack_core::ErasedPositionCodec;
use plypack_games::{position_codec, position_text};

/// The codec with the smallest position files: it codes 256 positions together, learning from each
/// for the next. `docs/bench.md` has the figures.
const SMALLEST: &str = "board.blocks";

/// Returns the default codec for positions of a game.
pub fn default_codec(game: &str) -> &'static dyn ErasedPositionCodec {
    position_codec(game, SMALLEST).unwrap_or_else(|| position_text(game))
}
