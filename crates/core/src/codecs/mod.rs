//! Codecs that serve every game.

pub mod line;
pub mod series;
