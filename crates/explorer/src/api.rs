//! What the page asks: about the database, lists of games, trees, records.

use plypack_store::export::raw_record;
use plypack_store::find::{Hit, Order, Question, Sum, Target, Tree, find, tree};
use serde_json::{Value, json};

use crate::answer::{Answer, Stop};
use crate::database::Database;
use crate::error::Refusal;
use crate::filter::Filter;
use crate::head::{Listed, Moves, heads, of_example};
use crate::place;
use crate::query::Query;

/// How many games a list has at most, and how many unless it is said.
const LIST_MAX: u64 = 200;
const LIST_USUAL: u64 = 50;

/// How many games of a list may be passed over.
const SKIP_MAX: u64 = 100_000;

/// What the database is.
pub fn about(database: &Database) -> Value {
    let files = database.files().iter().map(|asked| {
        let name = asked.file.path().file_name().map(|name| name.to_string_lossy());
        json!({ "name": name, "records": asked.file.records() })
    });
    let info = database.game().info();
    json!({
        "name": database.name(),
        "game": info.name,
        "title": info.title,
        "records": database.records(),
        "files": files.collect::<Vec<Value>>(),
        "indexed": database.files().iter().all(|asked| asked.indices.uncovered().is_empty()),
    })
}

/// How a query sorts games.
///
/// # Errors
/// If it names no order.
pub fn order(query: &Query) -> Result<Order, Refusal> {
    match query.text("sort") {
        None | Some("stored") => Ok(Order::Stored),
        Some("rating") => Ok(Order::Rating),
        Some("date") => Ok(Order::Date),
        Some(other) => {
            Err(Refusal::asked(format!("`sort` is stored, rating or date, and not `{other}`")))
        }
    }
}

/// The games that a query finds.
///
/// # Errors
/// If the query is not understood, a file cannot be read, or it was told to stop.
pub fn games(database: &Database, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    let filter = Filter::read(database, query)?;
    let target = place::asked(database, query)?;
    let skip = query.number("skip", SKIP_MAX)?.unwrap_or(0);
    let limit = query.number("limit", LIST_MAX)?.unwrap_or(LIST_USUAL);
    let mut found: Vec<Listed> = Vec::new();
    let mut passed = 0;
    let question = Question {
        target: target.as_ref(),
        condition: filter.condition.as_ref(),
        limits: filter.limits(),
        variations: false,
        pattern: None,
    };
    // One more tells whether there are more.
    let most = skip + limit + 1;
    find(database.files(), &question, order(query)?, most, &stop.watch(), &mut |game| {
        passed += 1;
        if passed > skip {
            let first = game.hits.first();
            found.push(Listed {
                file: game.file,
                row: game.row,
                ply: first.map(|hit: &Hit| hit.ply),
                candidate: first.and_then(|hit| hit.candidate),
            });
        }
        Ok(())
    })?;
    let more = passed == most;
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let total = match (target.is_some() || !filter.is_none(), more) {
        (false, _) => Some(database.records()),
        (true, false) if passed >= skip => Some(passed),
        _ => None,
    };
    let moves = target.as_ref().map(Moves::of).transpose()?;
    let games = heads(database, &found, moves.as_ref())?;
    Ok(Answer::json(&json!({ "games": games, "more": more, "total": total })))
}

/// What was played in the position of a query.
///
/// # Errors
/// If the query is not understood, a file cannot be read, or it was told to stop.
pub fn opening_tree(database: &Database, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    let filter = Filter::read(database, query)?;
    let target = place::asked_or_start(database, query)?;
    let question = Question {
        target: Some(&target),
        condition: filter.condition.as_ref(),
        limits: filter.limits(),
        variations: false,
        pattern: None,
    };
    let tree = tree(database.files(), &question, &stop.watch())?;
    Ok(Answer::json(&tree_of(database, &target, &tree)?))
}

fn tree_of(database: &Database, target: &Target, tree: &Tree) -> Result<Value, Refusal> {
    let moves = Moves::of(target)?;
    let mut all = tree.ended;
    tree.moves.iter().for_each(|played| all.merge(&played.sum));
    // A game may play two moves here.
    all.records = tree.records;
    let played = tree.moves.iter().map(|played| {
        let mut object = sum_of(&played.sum);
        let candidate = Some(played.candidate);
        object["move"] = moves.text(candidate).into();
        object["coordinates"] = moves.coordinates(candidate).into();
        object["opening"] = place::opening_after(database, target, played.candidate);
        object
    });
    let played: Vec<Value> = played.collect();
    let examples = tree.examples.iter();
    let examples: Vec<Value> =
        examples.map(|(file, game)| of_example(database, *file, game, &moves)).collect();
    let mut object = sum_of(&all);
    object["position"] = target.text().into();
    object["opening"] = place::opening(database, target.key());
    object["moves"] = played.into();
    object["ended"] = sum_of(&tree.ended);
    object["examples"] = examples.into();
    Ok(object)
}

fn sum_of(sum: &Sum) -> Value {
    json!({
        "records": sum.records,
        "white": sum.white,
        "draws": sum.draws,
        "black": sum.black,
        "mean_rating": mean_rating(sum),
        "last_year": sum.last_year,
    })
}

/// The mean rating of the games that have one, rounded to the nearest.
pub fn mean_rating(sum: &Sum) -> Option<u64> {
    let half = sum.rated / 2;
    (sum.rating_sum + half).checked_div(sum.rated)
}

/// The text of a record.
///
/// # Errors
/// If there is none of this number, or its file cannot be read.
pub fn record(database: &Database, id: &str) -> Result<Answer, Refusal> {
    let (text, _) = text(database, id)?;
    Ok(Answer::text(text))
}

/// The text of a record, and whether it is PGN.
pub fn text(database: &Database, id: &str) -> Result<(String, bool), Refusal> {
    let missing = || {
        Refusal::missing(format!(
            "there is no game {id}: the games are numbered from 1 to {}",
            database.records()
        ))
    };
    let place = id.parse().ok().and_then(|id| database.place(id)).ok_or_else(missing)?;
    let asked = database.files().get(place.0).ok_or_else(missing)?;
    let raw = raw_record(&asked.file, place.1)?.ok_or_else(missing)?;
    let is_pgn = raw.identity.format.info().name == "pgn";
    let text = raw.identity.decode(&raw.bytes, database.game(), true).text.into_owned();
    Ok((text, is_pgn))
}
