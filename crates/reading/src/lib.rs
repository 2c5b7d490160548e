//! Which game a text is of, in which format, and what it says: where the rules of games and the
//! formats of records meet, for whoever reads what people wrote.

pub mod compression;
pub mod foreign;
pub mod game;
pub mod identify;
pub mod pasted;
pub mod record;
mod rules;

pub use identify::{Identity, identify};
