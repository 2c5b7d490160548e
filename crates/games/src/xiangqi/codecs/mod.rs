//! Position codecs that only xiangqi has.

pub mod bytes32;
pub mod candidates;
pub mod map;
pub mod rank;
