//! Codecs for every game.

pub mod blocks;
pub mod board;
pub mod line;
pub mod series;
pub mod ternary;
