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

use plypack::store::repertoire::numbered;
use plypack_core::{ErasedRules, Turn};

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

/// Returns the number of the move played after so many plies from a start, with its dots and a
/// space; in go that of the stone.
pub fn number(game: &dyn ErasedRules, start: Option<&str>, ply: u32) -> String {
    if game.info().name == "go" {
        return numbered(Turn { number: ply.saturating_add(1), second: false });
    }
    let before = game
        .turn(start)
        .ok()
        .map_or(0, |turn| u64::from(turn.number.saturating_sub(1)) * 2 + u64::from(turn.second));
    let plies = before + u64::from(ply);
    let number = u32::try_from(plies / 2 + 1).unwrap_or(u32::MAX);
    numbered(Turn { number, second: !plies.is_multiple_of(2) })
}
