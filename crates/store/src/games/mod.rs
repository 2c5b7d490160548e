//! Files of games: a row a game. [`schema`] says once what the columns are; `columns` fills them,
//! `rows` reads them back.

mod columns;
mod rows;
pub mod schema;

pub(crate) use columns::{Columns, Entry};
pub use rows::Rows;
pub(crate) use rows::{elements, places};
