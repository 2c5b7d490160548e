//! Codecs of xiangqi positions that follow an article.

pub mod candidates;
