//! Requests of the page: about the database, lists of games, trees, records.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use plypack::store::export::raw_record;
use plypack::store::find::{
    GROUPS, Hit, Order, RATED_MIN, RATING_GROUPS, Sum, Target, Tree, find, successors, tree,
    tree_by_rating,
};
use plypack::store::{Done, Error};
use serde_json::{Value, json};

use crate::explorer::answer::{Answer, Stop};
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::filter::Filter;
use crate::explorer::head::{Listed, heads, of_example};
use crate::explorer::query::Query;
use crate::explorer::{pattern, place};

/// The maximum length of a list of games, and its default.
const LIST_MAX: u64 = 200;
const LIST_USUAL: u64 = 50;

/// The maximum number of games of a list that may be skipped.
const SKIP_MAX: u64 = 100_000;

/// Describes the database.
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

/// Returns the order in which a query sorts games.
///
/// # Errors
/// Returns an error if it names an unknown order.
pub fn order(query: &Query) -> Result<Order, Refusal> {
    match query.text("sort") {
        None | Some("stored") => Ok(Order::Stored),
        Some("rating") => Ok(Order::Rating),
        Some("date") => Ok(Order::Date),
        Some(other) => {
            Err(Refusal::asked(format!("`sort` must be stored, rating or date, not `{other}`")))
        }
    }
}

/// Returns which games of a list a query asks for, by their places in it.
///
/// # Errors
/// Returns an error if a number is invalid.
pub fn page_of(query: &Query) -> Result<Range<u64>, Refusal> {
    let skip = query.number("skip", SKIP_MAX)?.unwrap_or(0);
    let limit = query.number("limit", LIST_MAX)?.unwrap_or(LIST_USUAL);
    Ok(skip..skip + limit)
}

/// Returns the games that match a query.
///
/// # Errors
/// Returns an error if the query is invalid, a file cannot be read, or the work was stopped.
pub fn games(database: &Database, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    let filter = Filter::read(database, query, stop)?;
    let target = place::asked(database, query)?;
    let wanted = pattern::asked(database, query)?;
    let page = page_of(query)?;
    let (skip, limit) = (page.start, page.end - page.start);
    let mut found: Vec<Listed> = Vec::new();
    let mut passed = 0;
    let question = filter.question(target.as_ref(), wanted.as_ref());
    // The pattern's own `skip` applies before that of the list.
    let (left_out, at_most) = wanted.as_ref().map_or((0, u64::MAX), |one| (one.skip, one.limit));
    let searched = AtomicU64::new(0);
    let count = |done: Done| _ = searched.fetch_add(done.records, Ordering::Relaxed);
    // Matches of a pattern so far are useful if finding all takes long.
    let work = if wanted.is_some() { stop.work_in_part(&count) } else { stop.work() };
    // One extra game shows whether there are more.
    let most = left_out.saturating_add(at_most.min(skip + limit + 1));
    let order = order(query)?;
    let whole = find(database.files(), &question, order, most, &work, &mut |game| {
        passed += 1;
        if passed > left_out.saturating_add(skip) {
            let first = game.hits.first();
            found.push(Listed {
                file: game.file,
                row: game.row,
                ply: first.map(|hit: &Hit| hit.ply),
                candidate: first.and_then(|hit| hit.candidate),
                met: wanted.as_ref().map(|_| game.hits.iter().map(|hit| hit.ply).collect()),
            });
        }
        Ok(())
    });
    let searched = match whole {
        Ok(_) => None,
        Err(Error::Stopped) if wanted.is_some() && order == Order::Stored => {
            Some(searched.load(Ordering::Relaxed))
        }
        Err(Error::Stopped) if wanted.is_some() => {
            return Err(Refusal::busy(
                "the answer took too long: ask for fewer games, e.g. of one player or year, or \
                 in stored order, which returns the first matches",
            ));
        }
        Err(error) => return Err(error.into()),
    };
    passed = passed.saturating_sub(left_out);
    let more = passed > skip + limit;
    found.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let narrows = target.is_some() || wanted.is_some() || !filter.is_none();
    let total = match (narrows, more) {
        (false, _) => Some(database.records()),
        (true, false) if searched.is_none() && passed >= skip => Some(passed),
        _ => None,
    };
    // The moves after a pattern's match vary, so none are shown.
    let target = target.filter(|_| wanted.is_none());
    let moves = target.as_ref().map(Target::texts).transpose().map_err(Refusal::asked)?;
    let games = heads(database, &found, moves.as_ref())?;
    let mut list = json!({ "games": games, "more": more, "total": total });
    if let Some(searched) = searched {
        list["searched"] = searched.into();
    }
    Ok(Answer { whole: searched.is_none(), ..Answer::json(&list) })
}

/// Returns the number of games that match a query.
///
/// # Errors
/// Returns an error if the query is invalid, a file cannot be read, or the work was stopped.
pub fn count(database: &Database, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    let filter = Filter::read(database, query, stop)?;
    let target = place::asked(database, query)?;
    let wanted = pattern::asked(database, query)?;
    let question = filter.question(target.as_ref(), wanted.as_ref());
    let narrows = target.is_some() || wanted.is_some() || !filter.is_none();
    let total = if narrows {
        let files = database.files();
        find(files, &question, Order::Stored, u64::MAX, &stop.work(), &mut |_| Ok(()))?
    } else {
        database.records()
    };
    let (skip, limit) = wanted.map_or((0, u64::MAX), |one| (one.skip, one.limit));
    Ok(Answer::json(&json!({ "total": total.saturating_sub(skip).min(limit) })))
}

/// Returns the moves played in the position of a query, and their results.
///
/// # Errors
/// Returns an error if the query is invalid, a file cannot be read, or the work was stopped.
pub fn opening_tree(database: &Database, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    if query.text("pattern").is_some() {
        return Err(Refusal::asked(
            "a tree does not take a `pattern`: /api/games lists the games that match it",
        ));
    }
    let filter = Filter::read(database, query, stop)?;
    let target = place::asked_or_start(database, query)?;
    let question = filter.question(Some(&target), None);
    let tree = tree(database.files(), &question, &stop.work())?;
    let candidates = tree.candidates();
    let behind = successors(database.files(), &question, &candidates, &stop.work())?;
    let by_rating = match tree.records {
        RATED_MIN.. => tree_by_rating(database.files(), &question, &stop.work())?,
        _ => None,
    };
    let mut object = tree_of(database, &target, &tree, &behind, by_rating.as_ref())?;
    object["opening"] = place::opening(database, query);
    Ok(Answer::json(&object))
}

/// `behind` has the games of the positions after the moves, `by_rating` the same tree of each
/// rating group.
fn tree_of(
    database: &Database,
    target: &Target,
    tree: &Tree,
    behind: &[Option<Sum>],
    by_rating: Option<&[Tree; GROUPS]>,
) -> Result<Value, Refusal> {
    let moves = target.texts().map_err(Refusal::asked)?;
    let all = all_of(tree);
    let played = tree.moves.iter().zip(behind).map(|(played, behind)| {
        let mut object = sum_of(&played.sum);
        object["any_order"] = behind.as_ref().map(sum_of).into();
        let own = |tree: &Tree| {
            let own = tree.moves.iter().find(|own| own.candidate == played.candidate);
            own.map(|own| own.sum)
        };
        object["by_rating"] = by_rating.map(|groups| groups_of(groups, own)).into();
        let candidate = Some(played.candidate);
        object["move"] = moves.customary(candidate).into();
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
    object["by_rating"] = by_rating.map(|groups| groups_of(groups, |one| Some(all_of(one)))).into();
    object["moves"] = played.into();
    object["ended"] = sum_of(&tree.ended);
    object["examples"] = examples.into();
    Ok(object)
}

/// Returns the sum of all games of a tree.
fn all_of(tree: &Tree) -> Sum {
    let mut all = tree.ended;
    tree.moves.iter().for_each(|played| all.merge(&played.sum));
    // A game may play two moves here.
    all.records = tree.records;
    all
}

/// Returns the sums of the rating groups that have any games.
fn groups_of(groups: &[Tree; GROUPS], sum: impl Fn(&Tree) -> Option<Sum>) -> Vec<Value> {
    let sums = RATING_GROUPS.iter().zip(groups).filter_map(|(least, tree)| {
        let sum = sum(tree).filter(|sum| sum.records > 0)?;
        let mut object = sum_of(&sum);
        object["rating"] = (*least).into();
        Some(object)
    });
    sums.collect()
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

/// Returns the mean rating of the rated games, rounded to the nearest integer.
pub fn mean_rating(sum: &Sum) -> Option<u64> {
    let half = sum.rated / 2;
    (sum.rating_sum + half).checked_div(sum.rated)
}

/// Returns the text of a record.
///
/// # Errors
/// Returns an error if there is no record of this number, or its file cannot be read.
pub fn record(database: &Database, id: &str) -> Result<Answer, Refusal> {
    let (text, _) = text(database, id)?;
    Ok(Answer::text(text))
}

/// Returns the text of a record, and the name of its format.
pub fn text(database: &Database, id: &str) -> Result<(String, &'static str), Refusal> {
    let missing = || {
        Refusal::missing(format!(
            "there is no game {id}: the games are numbered from 1 to {}",
            database.records()
        ))
    };
    let place = id.parse().ok().and_then(|id| database.place(id)).ok_or_else(missing)?;
    let asked = database.files().get(place.0).ok_or_else(missing)?;
    let raw = raw_record(&asked.file, place.1)?.ok_or_else(missing)?;
    let format = raw.identity.format.info().name;
    let text = raw.identity.decode(&raw.bytes, database.game(), true).text.into_owned();
    Ok((text, format))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;
    use std::path::Path;

    use plypack::store::{Options, Source, import};

    use super::*;

    /// Packs this many games in a folder.
    fn database(folder: &Path, games: usize) -> Database {
        let path = folder.join("games.parquet");
        let text = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n".repeat(games);
        let source = Source::new("games.pgn", Box::new(Cursor::new(text.into_bytes())));
        let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
        let options = Options { codec, positions: None, detect: true };
        import(vec![source], &path, &options, &plypack::store::Work::on(1)).expect("a packed file");
        Database::open(&path).expect("a database")
    }

    fn value(answer: &Answer) -> Value {
        serde_json::from_slice(&answer.body).expect("JSON")
    }

    /// A pattern query returns its matches so far when time is up, and may be repeated.
    #[test]
    fn a_part_is_told_where_all_takes_too_long() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = database(folder.path(), 5_000);
        let ask = |query: &str, stop: &Stop| games(&database, &Query::read(query), stop);
        let pattern = "pattern=%7B%22white-move%22:%22Nf3%22%7D&limit=2";
        let all = ask(pattern, &Stop::default()).expect("games");
        assert!(all.whole);
        let list = value(&all);
        assert_eq!((&list["games"][1]["met"], &list["more"]), (&json!([3]), &true.into()));
        assert_eq!(list["searched"], Value::Null);
        let late = Stop::default();
        late.late.store(true, Ordering::Relaxed);
        let part = ask(pattern, &late).expect("games");
        assert!(!part.whole);
        let none = json!({ "games": [], "more": false, "total": null, "searched": 0 });
        assert_eq!(value(&part), none);
        let refusal = ask(&format!("{pattern}&sort=date"), &late).expect_err("not in order");
        assert_eq!(refusal.status, 503);
        // Other lists are not interrupted this early.
        assert!(ask("player=x", &late).is_ok_and(|answer| answer.whole));
    }

    #[test]
    fn a_long_pattern_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let database = database(folder.path(), 1);
        let query = Query::read(&format!("pattern={}", "8/".repeat(5_000)));
        let refusal = pattern::asked(&database, &query).expect_err("too long");
        assert!(refusal.status == 400 && refusal.why.contains("8192 bytes"), "{refusal}");
    }
}
