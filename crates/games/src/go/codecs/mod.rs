//! Codecs of go's positions that no other game has.

pub mod model;
pub mod number;
