//! Position codecs that only othello has, one file each.

pub mod bytes13;
