//! The codecs of xiangqi positions that no other game has.

pub mod bytes32;
pub mod candidates;
pub mod map;
pub mod rank;
