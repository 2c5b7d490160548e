//! The page of a player: results by colour, year and opening.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use plypack::store::Error;
use plypack::store::columns::Wanted;
use plypack::store::facts::Fact;
use plypack::store::find::{Asked, Known, records};
use plypack::store::players::Player;
use plypack::store::row::StoredRecord;
use plypack_games::openings;
use serde_json::{Value, json};

use crate::explorer::answer::{Answer, Stop};
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::names::Names;
use crate::explorer::query::Query;
use crate::explorer::tally::{CHUNK, Score, Years, rows};

/// The number of openings that are listed, of each colour.
const OPENINGS: usize = 10;

/// The number of other players listed who may be the same.
const OTHERS: usize = 20;

/// The columns that tell whose game it is, and its opening.
const COLUMNS: [&str; 8] =
    ["White", "Black", "WhiteFideId", "BlackFideId", "ECO", "Opening", "tags", "tag_order"];

/// An opening: its code, or its name where it has none.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Opening {
    Code(String),
    Name(String),
}

/// What is summed up about the games of a player.
#[derive(Default)]
struct Sums {
    /// With White, and with Black.
    colours: [Score; 2],
    years: Years,
    /// Day and rating of the first and of the last rated game.
    rated: Option<[(i32, u16); 2]>,
    best: Option<u16>,
    openings: [BTreeMap<Opening, Played>; 2],
}

/// The games of an opening.
#[derive(Clone, Copy, Debug, Default)]
struct Played {
    score: Score,
    /// How many have its code in a tag, by which lists find them.
    tagged: u64,
}

/// Returns what is known about a player.
///
/// # Errors
/// Returns an error if the query is invalid, nobody has the name, a file cannot be read, or the
/// work was stopped.
pub fn player(database: &Database, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    let name = query.text("name").ok_or_else(|| Refusal::asked("`name` is missing"))?;
    let fide_id = query.number("fide_id", u32::MAX.into())?.and_then(|id| u32::try_from(id).ok());
    let names = database.names(stop)?;
    let found =
        names.player(name, fide_id).and_then(|at| Some((at, names.roster().players().get(at)?)));
    let Some((at, player)) = found else {
        return Err(Refusal::missing(format!("there is no player `{name}`")));
    };
    let mut sums = Sums::default();
    let games = rows(database, &names.condition(at, "player"), stop)?;
    for (asked, rows) in database.files().iter().zip(&games) {
        for some in rows.chunks(CHUNK) {
            stop.work().check()?;
            add(&mut sums, database, asked, (names, at), some)?;
        }
    }
    let perhaps = perhaps(names, at, player, stop)?;
    Ok(Answer::json(&object(player, &sums, &perhaps)))
}

/// Adds the games in some rows of a file, as far as they are this player's.
fn add(
    sums: &mut Sums,
    database: &Database,
    asked: &Asked,
    (names, at): (&Names, usize),
    rows: &[u64],
) -> Result<(), Refusal> {
    let mut own: Vec<(u64, Fact, [bool; 2], Option<Opening>)> = Vec::with_capacity(rows.len());
    records::<Error>(asked, rows, Wanted::Of(&COLUMNS), |place, record, _| {
        let row = rows.get(place).copied().unwrap_or_default();
        let is_own = is_own(names, at, &record);
        if is_own != [false; 2] {
            let fact = asked.known.as_ref().map(|known: &Known| known.fact(row));
            own.push((row, fact.unwrap_or_default(), is_own, opening_in(&record)));
        }
        Ok(())
    })?;
    // The moves are read only of games whose tags do not tell the opening.
    let game = database.game().info().name;
    let untold = own.iter().filter(|one| !matches!(one.3, Some(Opening::Code(_))));
    let untold: Vec<u64> = untold.map(|one| one.0).collect();
    let mut by_moves: BTreeMap<u64, Opening> = BTreeMap::new();
    if openings::has_names(game) && !untold.is_empty() {
        records::<Error>(asked, &untold, Wanted::MOVES, |place, record, _| {
            // A game with damaged moves has no opening here; opening it reports the damage.
            let named = record.cursor().ok().flatten().and_then(|(_, mut cursor)| {
                openings::opening_of(game, &mut *cursor).ok().flatten()
            });
            if let (Some(&row), Some(named)) = (untold.get(place), named) {
                by_moves.insert(row, Opening::Code(named.eco.into()));
            }
            Ok(())
        })?;
    }
    for (row, fact, is_own, told) in own {
        let tagged = u64::from(matches!(told, Some(Opening::Code(_))));
        let opening = by_moves.remove(&row).or(told);
        for (side, _) in [0, 1].into_iter().zip(is_own).filter(|side| side.1) {
            sums.add(side, &fact, opening.as_ref().map(|opening| (opening, tagged)));
        }
    }
    Ok(())
}

/// Whether White, and whether Black, of a game is this player.
fn is_own(names: &Names, at: usize, record: &StoredRecord<'_>) -> [bool; 2] {
    let tag = |name: &str| {
        let found = record.tags.iter().find(|tag| tag.0 == name)?;
        Some(found.1.as_ref())
    };
    let sides = [
        (tag("White").or_else(|| tag("Red")), tag("WhiteFideId")),
        (tag("Black"), tag("BlackFideId")),
    ];
    sides.map(|(name, id)| {
        let id = id.and_then(|id| id.parse().ok()).filter(|&id| id > 0);
        name.is_some_and(|name| names.owner(name, id) == Some(at))
    })
}

/// Returns the opening that a game's tags tell.
fn opening_in(record: &StoredRecord<'_>) -> Option<Opening> {
    let tag = |name: &str| {
        let found = record.tags.iter().find(|tag| tag.0 == name)?;
        Some(found.1.trim()).filter(|value| !matches!(*value, "" | "?" | "-"))
    };
    let code = tag("ECO").and_then(|code| code.get(..3)).filter(|code| {
        let [letter, digits @ ..] = code.as_bytes() else { return false };
        letter.is_ascii_alphabetic() && digits.iter().all(u8::is_ascii_digit)
    });
    let code = code.map(|code| Opening::Code(code.to_ascii_uppercase()));
    code.or_else(|| tag("Opening").map(|name| Opening::Name(name.into())))
}

impl Sums {
    /// Adds a game in which the player has White (0) or Black (1).
    fn add(&mut self, side: usize, fact: &Fact, opening: Option<(&Opening, u64)>) {
        let is_white = side == 0;
        if let Some(score) = self.colours.get_mut(side) {
            score.add(fact.outcome, is_white);
        }
        self.years.add(fact, is_white);
        let rating = if is_white { fact.white_rating } else { fact.black_rating };
        if let (Some(rating), Some(day)) = (rating, day_of(fact)) {
            let [first, last] = self.rated.get_or_insert([(day, rating); 2]);
            if day < first.0 {
                *first = (day, rating);
            }
            if day >= last.0 {
                *last = (day, rating);
            }
        }
        self.best = self.best.max(rating);
        if let (Some((opening, tagged)), Some(openings)) = (opening, self.openings.get_mut(side)) {
            let played = openings.entry(opening.clone()).or_default();
            played.score.add(fact.outcome, is_white);
            played.tagged += tagged;
        }
    }

    /// Returns the openings that are played most with a colour.
    fn most_played(&self, side: usize) -> Vec<Value> {
        let openings = self.openings.get(side).into_iter().flatten();
        let mut openings: Vec<(&Opening, &Played)> = openings.collect();
        openings.sort_by_key(|(_, played)| Reverse(played.score.games));
        let one = |(opening, played): (&Opening, &Played)| {
            let mut object = played.score.object();
            let (code, name) = match opening {
                Opening::Code(code) => (Some(code), openings::name_of_code(code)),
                Opening::Name(name) => (None, Some(name.as_str())),
            };
            object["eco"] = code.cloned().into();
            object["name"] = name.into();
            object["listed"] = (played.tagged == played.score.games).into();
            object
        };
        openings.into_iter().take(OPENINGS).map(one).collect()
    }
}

/// The day of a game; of one whose year alone is known, the last day before it.
fn day_of(fact: &Fact) -> Option<i32> {
    let before = |year: u16| (i32::from(year) - 1970) * 365 + (i32::from(year) - 1969) / 4 - 1;
    fact.day.or_else(|| fact.year.map(before))
}

/// Returns the places of players who may be the same person, or have the same name.
fn perhaps<'n>(
    names: &'n Names,
    at: usize,
    player: &Player,
    stop: &Stop,
) -> Result<Vec<&'n Player>, Refusal> {
    let doubtful = names.roster().doubtful(&[at], &stop.work())?;
    let namesakes = player.spellings.iter().flat_map(|spelling| names.namesakes(&spelling.0));
    let mut all: BTreeSet<usize> = doubtful.into_iter().flatten().chain(namesakes).collect();
    all.remove(&at);
    let all = all.into_iter().filter_map(|at| names.roster().players().get(at));
    Ok(all.take(OTHERS).collect())
}

fn object(player: &Player, sums: &Sums, perhaps: &[&Player]) -> Value {
    let spelling = |(name, games): &(String, u64)| json!({ "name": name, "games": games });
    let other = |other: &&Player| {
        let (name, games) = (other.name(), other.career.games);
        json!({ "name": name, "fide_id": other.fide_id, "games": games })
    };
    let (first_year, last_year) = sums.years.span();
    let [white, black] = sums.colours;
    json!({
        "name": player.name(),
        "fide_id": player.fide_id,
        "games": white.games + black.games,
        "first_year": first_year,
        "last_year": last_year,
        "first_rating": sums.rated.map(|rated| rated[0].1),
        "last_rating": sums.rated.map(|rated| rated[1].1),
        "highest_rating": sums.best,
        "spellings": player.spellings.iter().map(spelling).collect::<Vec<_>>(),
        "perhaps": perhaps.iter().map(other).collect::<Vec<_>>(),
        "white": white.object(),
        "black": black.object(),
        "years": sums.years.list(),
        "openings": { "white": sums.most_played(0), "black": sums.most_played(1) },
    })
}
