//! Identifies the game and the format of a text, and reads it: where rules and formats meet.

pub mod compression;
pub mod foreign;
pub mod game;
pub mod identify;
pub mod pasted;
pub mod record;
mod rules;

pub use identify::{Identity, identify};
