//! The page of an event: its results, and its players with theirs.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use plypack::store::Error;
use plypack::store::columns::Wanted;
use plypack::store::find::{Known, records};
use serde_json::{Value, json};

use crate::explorer::answer::{Answer, Stop};
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::filter::of_event;
use crate::explorer::query::Query;
use crate::explorer::tally::{CHUNK, Score, Years, rows};

/// The number of players that are listed.
const PLAYERS: usize = 100;

/// A player in an event.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    score: Score,
    /// The highest rating.
    rating: Option<u16>,
}

/// Returns what is known about an event.
///
/// # Errors
/// Returns an error if the query is invalid, no game has the event, a file cannot be read, or the
/// work was stopped.
pub fn event(database: &Database, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    let name = query.text("name").ok_or_else(|| Refusal::asked("`name` is missing"))?;
    let (mut all, mut years) = (Score::default(), Years::default());
    let mut players: BTreeMap<String, Played> = BTreeMap::new();
    let games = rows(database, &of_event(database, name)?, stop)?;
    for (asked, rows) in database.files().iter().zip(&games) {
        for some in rows.chunks(CHUNK) {
            stop.work().check()?;
            let columns = Wanted::Of(&["White", "Black", "tags", "tag_order"]);
            records::<Error>(asked, some, columns, |place, record, _| {
                let row = some.get(place).copied().unwrap_or_default();
                let fact = asked.known.as_ref().map(|known: &Known| known.fact(row));
                let fact = fact.unwrap_or_default();
                all.add(fact.outcome, true);
                years.add(&fact, true);
                let tag = |name: &str| {
                    let found = record.tags.iter().find(|tag| tag.0 == name)?;
                    Some(found.1.trim()).filter(|value| !matches!(*value, "" | "?"))
                };
                let white = tag("White").or_else(|| tag("Red"));
                let sides =
                    [(white, fact.white_rating, true), (tag("Black"), fact.black_rating, false)];
                for (name, rating, is_white) in sides {
                    let Some(name) = name else { continue };
                    let played = players.entry(name.to_owned()).or_default();
                    played.score.add(fact.outcome, is_white);
                    played.rating = played.rating.max(rating);
                }
                Ok(())
            })?;
        }
    }
    if all.games == 0 {
        return Err(Refusal::missing(format!("there is no event `{name}`")));
    }
    let (first_year, last_year) = years.span();
    let total = players.len();
    let mut players: Vec<(String, Played)> = players.into_iter().collect();
    players.sort_by_key(|(_, played)| {
        (Reverse(played.score.half_points()), played.score.games, Reverse(played.rating))
    });
    let one = |(name, played): (String, Played)| {
        let mut object = played.score.object();
        object["name"] = name.into();
        object["rating"] = played.rating.into();
        object
    };
    Ok(Answer::json(&json!({
        "name": name,
        "games": all.games,
        "white": all.wins,
        "draws": all.draws,
        "black": all.losses,
        "first_year": first_year,
        "last_year": last_year,
        "players": players.into_iter().take(PLAYERS).map(one).collect::<Vec<Value>>(),
        "players_total": total,
    })))
}
