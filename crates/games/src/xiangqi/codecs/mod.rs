//! Codecs of xiangqi positions that follow an article.

pub mod bytes32;
pub mod candidates;
pub mod map;
