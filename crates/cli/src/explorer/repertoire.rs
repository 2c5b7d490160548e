//! Which games follow a repertoire, where they leave it, and what it does not answer.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use plypack::store::Error;
use plypack::store::find::{Followed, Known, Sum, Summand, follow};
use plypack::store::repertoire::{Followers, Leaving, Left, Repertoire, sides};
use plypack_core::{Error as LineError, Notation};
use serde_json::{Value, json};

use crate::explorer::answer::{Answer, Stop};
use crate::explorer::api::{mean_rating, order, page_of};
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::filter::Filter;
use crate::explorer::head::{Listed, heads};
use crate::explorer::query::Query;

/// The most bytes of a repertoire's text.
pub const TEXT_MAX: usize = 1 << 20;

/// The name of the text in errors.
const NAME: &str = "the repertoire";

/// The most moves of each kind that are listed, by which games leave it.
const MOVES_MAX: usize = 100;

/// The games that leave at one position by one move.
type Sums = BTreeMap<(u32, Option<u16>), Sum>;

/// Returns how the games that match a query follow the repertoire in a text.
///
/// # Errors
/// Returns an error if the text or the query is invalid, a file cannot be read, or the work was
/// stopped.
pub fn repertoire(
    database: &Database,
    query: &Query,
    text: String,
    stop: &Stop,
) -> Result<Answer, Refusal> {
    let second = second(database, query)?;
    let read = Repertoire::read_text(NAME, text, database.game(), second, &stop.work());
    let repertoire = read.map_err(|error| match error {
        Error::Stopped => error.into(),
        error => Refusal::asked(error),
    })?;
    let [own, theirs] = [repertoire.game(), database.game()].map(|game| game.info());
    if own.id != theirs.id {
        let why = format!("{NAME} has lines of {}, not of {}", own.title, theirs.title);
        return Err(Refusal::asked(why));
    }
    // A player of the filter has the side of the repertoire.
    let color = if repertoire.side() == "Black" { "black" } else { "white" };
    let filter = Filter::read(database, &query.with("color", color), stop)?;
    let question = filter.question(None, None);
    let page = page_of(query)?;
    let (mut sums, mut followers) = (Sums::new(), Followers::default());
    let mut listed: Vec<Followed> = Vec::new();
    let order = order(query)?;
    follow(database.files(), &question, &repertoire, order, &stop.work(), &mut |game| {
        let at = followers.all();
        followers.add(repertoire.left(&game.leaving), 1);
        let known = database.files().get(game.file).and_then(|asked| asked.known.as_ref());
        let fact = known.map(|known: &Known| known.fact(game.row)).unwrap_or_default();
        let summand = Summand { outcome: fact.outcome, rating: fact.rating(), year: fact.year };
        sums.entry((game.leaving.place, game.leaving.candidate)).or_default().add(summand);
        if page.contains(&at) {
            listed.push(game);
        }
        Ok(())
    })?;
    let games = games(database, &repertoire, &listed)?;
    let count = |left| followers.of(left);
    Ok(Answer::json(&json!({
        "side": repertoire.side(),
        "opponent": repertoire.opponent(),
        "positions": repertoire.positions(),
        "lines": repertoire.lines(),
        "total": followers.all(),
        "left": {
            "own": count(Left::Own),
            "opponent": count(Left::Opponent),
            "line_end": count(Left::LineEnd),
            "game_end": count(Left::GameEnd),
        },
        "departures": departures(&repertoire, sums).map_err(unwritten)?,
        "games": games,
        "more": followers.all() > page.end,
    })))
}

/// A move that was read cannot be written.
fn unwritten(error: LineError) -> Refusal {
    Refusal { status: 500, why: error.to_string() }
}

/// Whether the repertoire is said to be for the second player.
fn second(database: &Database, query: &Query) -> Result<Option<bool>, Refusal> {
    let Some(side) = query.text("side") else { return Ok(None) };
    let [first, second] = sides(database.game());
    if side.eq_ignore_ascii_case(first) || side.eq_ignore_ascii_case(second) {
        return Ok(Some(side.eq_ignore_ascii_case(second)));
    }
    let [first, second] = [first, second].map(str::to_lowercase);
    Err(Refusal::asked(format!("`side` must be {first} or {second}, not `{side}`")))
}

/// Returns where games leave the repertoire, of each kind the most frequent first.
fn departures(repertoire: &Repertoire, sums: Sums) -> Result<Vec<Value>, LineError> {
    let mut sums: Vec<(Leaving, Sum)> = sums
        .into_iter()
        .map(|((place, candidate), sum)| (Leaving { ply: 0, place, candidate }, sum))
        .collect();
    sums.sort_by_key(|(_, sum)| Reverse(sum.records));
    let mut shown = Followers::default();
    let mut listed = Vec::new();
    for (leaving, sum) in sums {
        let left = repertoire.left(&leaving);
        if leaving.candidate.is_none() || shown.of(left) >= MOVES_MAX as u64 {
            continue;
        }
        shown.add(left, 1);
        let (fen, moves) = repertoire.line_moves(leaving.place, leaving.candidate)?;
        let mut object = told(repertoire, &leaving)?;
        object["line"] =
            repertoire.line_text(leaving.place, leaving.candidate, Notation::Customary)?.into();
        object["fen"] = fen.into();
        object["play"] = moves.join(",").into();
        object["records"] = sum.records.into();
        object["white"] = sum.white.into();
        object["draws"] = sum.draws.into();
        object["black"] = sum.black.into();
        object["mean_rating"] = mean_rating(&sum).into();
        object["last_year"] = sum.last_year.into();
        listed.push(object);
    }
    Ok(listed)
}

/// Returns who or what ends that games follow the repertoire, by which move, and its own moves.
fn told(repertoire: &Repertoire, leaving: &Leaving) -> Result<Value, LineError> {
    let text = |notation| {
        let text = |candidate| repertoire.move_text(leaving.place, candidate, notation);
        leaving.candidate.map(text).transpose()
    };
    Ok(json!({
        "left": repertoire.left(leaving).name(),
        "move": text(Notation::Customary)?,
        "coordinates": text(Notation::Coordinate)?,
        "repertoire": repertoire.replies(leaving.place, Notation::Customary)?,
    }))
}

/// Returns entries of games in a list, with where each leaves the repertoire.
fn games(
    database: &Database,
    repertoire: &Repertoire,
    games: &[Followed],
) -> Result<Vec<Value>, Refusal> {
    let listed = games.iter().map(|game| Listed {
        file: game.file,
        row: game.row,
        ply: Some(game.leaving.ply),
        candidate: game.leaving.candidate,
        met: None,
    });
    let mut heads = heads(database, &listed.collect::<Vec<_>>(), None)?;
    for (head, game) in heads.iter_mut().zip(games) {
        let told = told(repertoire, &game.leaving).map_err(unwritten)?;
        if let (Value::Object(head), Value::Object(told)) = (head, told) {
            head.extend(told);
        }
    }
    Ok(heads)
}
