//! The verbs of the command line, one file each.

pub mod append;
pub mod bench;
pub mod board;
pub mod cat;
pub mod codecs;
pub mod completions;
pub mod dedup;
pub mod delete;
#[cfg(feature = "cluster")]
pub mod executor;
pub mod find;
pub mod index;
pub mod line;
pub mod link;
pub mod ls;
pub mod man;
pub mod merge;
pub mod pack;
pub mod players;
pub mod position;
#[cfg(feature = "cluster")]
pub mod scheduler;
pub mod serve;
#[cfg(feature = "sql")]
pub mod sql;
#[cfg(not(feature = "sql"))]
#[path = "without_sql.rs"]
pub mod sql;
pub mod synth;
pub mod tree;
pub mod unlink;
pub mod unpack;
pub mod verify;
#[cfg(all(test, feature = "sql"))]
mod without_sql;

use std::io::Write;

use crate::failure::Failure;
use crate::terminal;

/// Returns the failure for typed text that is not a move.
fn no_move(text: &str) -> Failure {
    Failure::new(format!("`{text}` is not a move"))
}

/// Prints a line on standard output. The failure is silent if the reader has gone.
pub(crate) fn print_line(line: &str) -> Result<(), Failure> {
    Ok(writeln!(std::io::stdout().lock(), "{}", terminal::lines(line))?)
}
