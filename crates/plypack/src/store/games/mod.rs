//! Files of games, one row per game. [`schema`] defines the columns once; `columns` fills them, and
//! `rows` reads them back.

mod columns;
pub(crate) mod prose;
mod rows;
pub mod schema;

pub(crate) use columns::{Columns, Entry};
pub use prose::restore_whole as restore_prose;
pub use rows::Rows;
pub(crate) use rows::{elements, places};
