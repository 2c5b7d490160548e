//! Which game a text is of, in which format, and what it says: where rules and formats meet.

pub mod compression;
pub mod foreign;
pub mod game;
pub mod identify;
pub mod pasted;
pub mod record;
mod rules;

pub use identify::{Identity, identify};
