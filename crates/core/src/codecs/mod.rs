//! Codecs that serve every game.

pub mod board;
pub mod line;
pub mod series;
pub mod ternary;
