//! The requested position: `fen`, and the moves `play` from there.

use plypack::store::find::Target;
use plypack_games::openings::{self, Opening};
use serde_json::{Value, json};

use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::query::Query;

/// Returns the position of a query, if it names one; an empty `play` names the usual start.
///
/// # Errors
/// Returns an error if it cannot be parsed.
pub fn asked(database: &Database, query: &Query) -> Result<Option<Target>, Refusal> {
    let (fen, play) = (query.text("fen"), query.text("play"));
    if fen.is_none() && !query.has("play") {
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

/// Returns the opening of a query's position: its name, or the last one on the way to it.
pub fn opening(database: &Database, query: &Query) -> Value {
    let game = database.game();
    let named = |key| openings::opening(game.info().name, key);
    let last = || {
        let mut cursor = game.cursor(query.text("fen")).ok()?;
        let mut last = named(cursor.key());
        for text in query.list("play").unwrap_or_default() {
            cursor.read(text).ok()?;
            last = named(cursor.key()).or(last);
        }
        last
    };
    value(last())
}

fn value(opening: Option<Opening>) -> Value {
    opening.map_or(Value::Null, |opening| json!({ "eco": opening.eco, "name": opening.name }))
}

/// Returns the opening name of the position after a candidate.
pub fn opening_after(database: &Database, target: &Target, candidate: u16) -> Value {
    let key = || {
        let mut cursor = database.game().cursor(Some(target.text())).ok()?;
        cursor.play(candidate).ok()?;
        Some(cursor.key())
    };
    value(key().and_then(|key| openings::opening(database.game().info().name, key)))
}
