//! Columns of games as functions see them: lines, and values along lines.

mod annotations;
mod known;
mod line;
mod plain;
mod record;
mod rows;
mod search;
mod series;
mod walk;

pub use search::target;

pub(super) use annotations::Annotations;
pub(super) use known::Known;
pub(super) use line::{Line, Moves};
pub(super) use plain::plain;
pub(super) use record::records;
pub(super) use rows::{at_plies, move_texts, of_lines, of_rows};
pub(super) use search::{Reached, first_plies, matched};
pub(super) use series::{Remark, Series, differences, evaluations, readings, remarks};
pub(super) use walk::{Step, Walk};
