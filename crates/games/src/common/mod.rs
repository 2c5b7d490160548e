//! What several games share.

pub mod diagram;
pub mod spread;
