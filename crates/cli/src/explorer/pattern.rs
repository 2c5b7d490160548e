//! The requested pattern: `pattern`, as for `plypack find --pattern`.

use plypack::store::find::PatternText;
use plypack_core::Pattern;

use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::query::Query;

/// The maximum length of a pattern, in bytes. It fits into the head of a request even when escaped,
/// and matching one game takes so little time that the stop flag takes effect promptly.
const TEXT_MAX: usize = 8 << 10;

/// A pattern, and which of the matching games are wanted.
#[derive(Debug)]
pub struct Wanted {
    /// The pattern.
    pub pattern: Pattern,
    /// The number of matches to skip.
    pub skip: u64,
    /// The maximum number of matches to return after those.
    pub limit: u64,
}

/// Returns the pattern of a query, if it has one.
///
/// # Errors
/// Returns the parser's error if it is invalid.
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
