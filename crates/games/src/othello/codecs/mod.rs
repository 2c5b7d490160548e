//! Position codecs of othello alone: one file each.

pub mod bytes13;
