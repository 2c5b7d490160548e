//! Codecs for every game.

pub mod blocks;
pub mod board;
pub mod fields;
pub mod line;
pub mod prose;
pub mod series;
#[cfg(feature = "ternary")]
pub mod ternary;
