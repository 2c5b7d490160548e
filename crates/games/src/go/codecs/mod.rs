//! Position codecs that only go has.

pub mod model;
pub mod number;
