//! The requested position: `fen`, and the moves `play` from there.

use plypack::store::find::Target;
use plypack_games::openings;
use serde_json::{Value, json};

use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::query::Query;

/// Returns the position of a query, if it names one.
///
/// # Errors
/// Returns an error if it cannot be parsed.
pub fn asked(database: &Database, query: &Query) -> Result<Option<Target>, Refusal> {
    let (fen, play) = (query.text("fen"), query.text("play"));
    if fen.is_none() && play.is_none() {
        return Ok(None);
    }
    let moves = play.unwrap_or_default().replace(',', " ");
    let target = Target::read(database.game(), fen, &moves).map_err(Refusal::asked)?;
    Ok(Some(target))
}

/// Returns the position of a query, or the usual start.
///
/// # Errors
/// Returns an error if it cannot be parsed.
pub fn asked_or_start(database: &Database, query: &Query) -> Result<Target, Refusal> {
    match asked(database, query)? {
        Some(target) => Ok(target),
        None => Target::read(database.game(), None, "").map_err(Refusal::asked),
    }
}

/// Returns the opening name of a position by its key, if it has one.
pub fn opening(database: &Database, key: u64) -> Value {
    match openings::opening(database.game().info().name, key) {
        Some(opening) => json!({ "eco": opening.eco, "name": opening.name }),
        None => Value::Null,
    }
}

/// Returns the opening name of the position after a candidate.
pub fn opening_after(database: &Database, target: &Target, candidate: u16) -> Value {
    let key = || {
        let mut cursor = database.game().cursor(Some(target.text())).ok()?;
        cursor.play(candidate).ok()?;
        Some(cursor.key())
    };
    key().map_or(Value::Null, |key| opening(database, key))
}
