//! Games and codecs without their types, for callers: one virtual call per record, or one per step
//! with a [`Cursor`].

mod cursor;
mod game;
mod line;
mod position;
#[cfg(test)]
pub(crate) mod toy;
mod trunk;

pub use cursor::Cursor;
pub use game::{ErasedRules, GameRow};
pub use line::{EncodedLine, ErasedLineCodec, LineRow, Place};
pub use position::{ErasedPositionCodec, PositionRow, PositionTrial};
pub use trunk::{Branch, Foretold, Trunk, Visit};

use crate::error::Error;
use crate::game::Rules;

/// Reads a position; without a text, returns the game's usual start.
fn start_of<G: Rules>(game: &G, start: Option<&str>) -> Result<G::Position, Error> {
    match start {
        None => Ok(game.start()),
        Some(text) => game.read_position(text),
    }
}
