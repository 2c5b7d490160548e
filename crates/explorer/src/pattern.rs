//! The pattern that is asked for: `pattern`, as `plypack find --pattern` takes it.

use plypack_core::Pattern;
use plypack_store::find::PatternText;

use crate::database::Database;
use crate::error::Refusal;
use crate::query::Query;

/// The longest text of a pattern, in bytes. With its escapes it has room in the head of a request,
/// and a game is gone through in no time, so that who is told to stop does.
const TEXT_MAX: usize = 8 << 10;

/// A pattern, and which of the games that match it are wanted.
#[derive(Debug)]
pub struct Wanted {
    /// The pattern.
    pub pattern: Pattern,
    /// How many of the games are left out, from the first.
    pub skip: u64,
    /// How many there are at most behind those.
    pub limit: u64,
}

/// The pattern of a query, if it has one.
///
/// # Errors
/// If it is not understood, in the words of who reads it.
pub fn asked(database: &Database, query: &Query) -> Result<Option<Wanted>, Refusal> {
    let Some(text) = query.text("pattern") else { return Ok(None) };
    if text.len() > TEXT_MAX {
        return Err(Refusal::asked(format!(
            "`pattern` is longer than {TEXT_MAX} bytes; `plypack find --pattern @FILE` takes more"
        )));
    }
    let text = PatternText::read(text).map_err(Refusal::asked)?;
    let pattern = text.of(database.game()).map_err(Refusal::asked)?;
    Ok(Some(Wanted { pattern, skip: text.skip, limit: text.limit.unwrap_or(u64::MAX) }))
}
