//! Games in a list.

use plypack::store::columns::Wanted;
use plypack::store::facts::Outcome;
use plypack::store::find::{CandidateTexts, Example, records};
use plypack::store::row::StoredRecord;
use plypack_games::openings::{self, Opening};
use serde_json::{Value, json};

use crate::explorer::database::Database;
use crate::explorer::error::Refusal;

/// The columns needed for a list.
const COLUMNS: [&str; 15] = [
    "White",
    "Black",
    "Result",
    "WhiteElo",
    "BlackElo",
    "Date",
    "UTCDate",
    "Event",
    "ECO",
    "Opening",
    "Variation",
    "tags",
    "tag_order",
    "moves",
    "played_on",
];

/// A game of a list, and where the requested position or pattern first occurs in it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// The index of its file.
    pub file: usize,
    /// Its row in the file.
    pub row: u64,
    /// The number of plies before the position, or before the pattern's first condition is met, if
    /// one was requested and this is known.
    pub ply: Option<u32>,
    /// The move played there.
    pub candidate: Option<u16>,
    /// Where each condition of the pattern is met, if one was requested.
    pub met: Option<Vec<u32>>,
}

/// Returns the entries of these games in a list, in their order.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub fn heads(
    database: &Database,
    games: &[Listed],
    moves: Option<&CandidateTexts>,
) -> Result<Vec<Value>, Refusal> {
    let mut heads = vec![Value::Null; games.len()];
    for (file, asked) in database.files().iter().enumerate() {
        let places = games.iter().zip(0..).filter(|(game, _)| game.file == file);
        let here: Vec<(&Listed, usize)> = places.collect();
        let rows: Vec<u64> = here.iter().map(|(game, _)| game.row).collect();
        if rows.is_empty() {
            continue;
        }
        records::<Refusal>(asked, &rows, Wanted::Of(&COLUMNS), |place, record, _| {
            if let Some((game, at)) = here.get(place)
                && let Some(slot) = heads.get_mut(*at)
            {
                *slot = head(database, game, &record, moves);
            }
            Ok(())
        })?;
    }
    Ok(heads)
}

fn head(
    database: &Database,
    game: &Listed,
    record: &StoredRecord<'_>,
    moves: Option<&CandidateTexts>,
) -> Value {
    let tag = |name: &str| {
        let tag = record.tags.iter().find(|tag| tag.0 == name);
        tag.map(|tag| tag.1.as_ref()).filter(|value| !matches!(*value, "" | "?"))
    };
    let known = database.files().get(game.file).and_then(|asked| asked.known.as_ref());
    let fact = known.map(|known| known.fact(game.row)).unwrap_or_default();
    let white = tag("White").or_else(|| tag("Red"));
    let opening = match (tag("Opening"), tag("Variation")) {
        (Some(opening), Some(variation)) => Some(format!("{opening}, {variation}")),
        (opening, _) => opening.map(str::to_owned),
    };
    // Without its name in a tag, the moves determine the opening.
    let named = if opening.is_none() { named(database, record) } else { None };
    let date = tag("Date").or_else(|| tag("UTCDate")).filter(|date| !date.starts_with('?'));
    let year = fact.year.map(|year| year.to_string());
    json!({
        "id": database.id(game.file, game.row).to_string(),
        "white": white.unwrap_or_default(),
        "black": tag("Black").unwrap_or_default(),
        "white_rating": fact.white_rating,
        "black_rating": fact.black_rating,
        "result": fact.outcome.map(Outcome::text),
        "told": tag("Result"),
        "date": date.map(str::to_owned).or(year),
        "event": tag("Event"),
        "eco": tag("ECO").or(named.map(|named| named.eco)),
        "opening": opening.or(named.map(|named| named.name.to_owned())),
        "plies": record.line.map(|line| line.2),
        "ply": game.ply,
        "met": game.met,
        "move": moves.and_then(|moves| moves.customary(game.candidate)),
        "coordinates": moves.and_then(|moves| moves.coordinates(game.candidate)),
    })
}

/// Returns the opening's name by the game's moves. A game with damaged moves has no name here;
/// opening it reports the damage.
fn named(database: &Database, record: &StoredRecord<'_>) -> Option<Opening> {
    let (_, mut cursor) = record.cursor().ok()??;
    openings::opening_of(database.game().info().name, &mut *cursor).ok()?
}

/// Returns the entry of an example in a list, from what is in memory.
pub fn of_example(
    database: &Database,
    file: usize,
    game: &Example,
    moves: &CandidateTexts,
) -> Value {
    let head = &game.head;
    json!({
        "id": database.id(file, game.row).to_string(),
        "white": head.players.white,
        "black": head.players.black,
        "white_rating": head.players.white_rating,
        "black_rating": head.players.black_rating,
        "result": head.outcome.map(Outcome::text),
        "told": null,
        "date": head.year.map(|year| year.to_string()),
        "event": null,
        "eco": null,
        "opening": null,
        "plies": null,
        "ply": null,
        "met": null,
        "move": moves.customary(game.candidate),
        "coordinates": moves.coordinates(game.candidate),
    })
}
