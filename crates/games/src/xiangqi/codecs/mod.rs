//! Position codecs for xiangqi alone.

pub mod bytes32;
pub mod candidates;
pub mod map;
pub mod rank;
