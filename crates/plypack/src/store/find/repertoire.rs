//! Finds the games that follow a repertoire, and sums up where they leave it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::games::{Order, Rank, rank};
use super::scan::{CHUNK_GROUPS, CHUNK_RECORDS, Candidates, Search, read_facts};
use super::{Asked, Question, Sum};
use crate::rows::StoredRecord;
use crate::store::error::Error;
use crate::store::facts;
use crate::store::index::{Entry, head};
use crate::store::repertoire::{Leaving, Repertoire};
use crate::store::work::Work;

/// Looking a position up in an index takes about as long as decoding this many games.
const GAMES_A_POSITION: u64 = 4;

/// A game that follows a repertoire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    /// Its file's position in the list.
    pub file: usize,
    /// Its row in that file, from 0.
    pub row: u64,
    /// Where it leaves the repertoire.
    pub leaving: Leaving,
}

/// The games that leave a repertoire at one position by one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Departure {
    /// The place of the position in the repertoire.
    pub place: u32,
    /// The move; `None` if the games end.
    pub candidate: Option<u16>,
    /// Their results.
    pub sum: Sum,
}

/// Passes the games that come to a position of a repertoire, other than the usual start, to `sink`.
/// Of the question only the condition and the limits count.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, `sink` fails, or the stop flag
/// is set.
pub fn follow(
    files: &[Asked],
    question: &Question<'_>,
    repertoire: &Repertoire,
    order: Order,
    work: &Work<'_>,
    sink: &mut (dyn FnMut(Followed) -> Result<(), Error> + Send),
) -> Result<(), Error> {
    let question =
        &Question { condition: question.condition, limits: question.limits, ..Question::default() };
    work.run(|| {
        let mut ranked: Vec<(Rank, usize, u64, Leaving)> = Vec::new();
        for (file, asked) in files.iter().enumerate() {
            let search = Search { asked, question, work };
            each_chunk(search, repertoire, &mut |games| {
                if order == Order::Stored {
                    let followed = |(row, leaving)| Followed { file, row, leaving };
                    return games.into_iter().map(followed).try_for_each(&mut *sink);
                }
                let rows: Vec<u64> = games.iter().map(|game| game.0).collect();
                let facts = read_facts(asked, &rows)?;
                let ranks = facts.iter().map(|fact| rank(order, fact));
                ranked.extend(
                    ranks.zip(games).map(|(rank, (row, leaving))| (rank, file, row, leaving)),
                );
                Ok(())
            })?;
        }
        ranked.sort_unstable();
        let followed = |(_, file, row, leaving)| Followed { file, row, leaving };
        ranked.into_iter().map(followed).try_for_each(sink)
    })
}

/// Sums up the games that follow a repertoire by where they leave it, the most frequent first; ties
/// in the order of the repertoire. Of the question only the condition and the limits count.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, or the stop flag is set.
pub fn departures(
    files: &[Asked],
    question: &Question<'_>,
    repertoire: &Repertoire,
    work: &Work<'_>,
) -> Result<Vec<Departure>, Error> {
    let question =
        &Question { condition: question.condition, limits: question.limits, ..Question::default() };
    work.run(|| {
        let mut sums: BTreeMap<(u32, Option<u16>), Sum> = BTreeMap::new();
        for asked in files {
            let search = Search { asked, question, work };
            each_chunk(search, repertoire, &mut |games| {
                let rows: Vec<u64> = games.iter().map(|game| game.0).collect();
                for (fact, (_, leaving)) in read_facts(asked, &rows)?.iter().zip(&games) {
                    let head = head::head(fact, facts::Players::default());
                    let sum = sums.entry((leaving.place, leaving.candidate)).or_default();
                    sum.add(head.summand());
                }
                Ok(())
            })?;
        }
        let departure = |((place, candidate), sum)| Departure { place, candidate, sum };
        let mut departures: Vec<Departure> = sums.into_iter().map(departure).collect();
        departures.sort_by_key(|departure| Reverse(departure.sum.records));
        Ok(departures)
    })
}

/// Passes the games of a file that follow a repertoire to `each`, some thousands at a time, in
/// ascending rows.
fn each_chunk(
    search: Search<'_>,
    repertoire: &Repertoire,
    each: &mut dyn FnMut(Vec<(u64, Leaving)>) -> Result<(), Error>,
) -> Result<(), Error> {
    let look = |record: &StoredRecord<'_>| repertoire.leaving(record);
    let mut listed = Vec::new();
    let mut found = Vec::new();
    for groups in candidates(search, repertoire)?.chunks(CHUNK_GROUPS) {
        for narrowed in search.narrow(groups)? {
            let whole = narrowed.rows.is_none().then(|| narrowed.clone());
            // Rows of several row groups are read and decoded in parallel.
            listed.extend(narrowed.rows.into_iter().flatten());
            let enough = whole.is_some() || listed.len() >= CHUNK_RECORDS;
            let rows = if enough { std::mem::take(&mut listed) } else { Vec::new() };
            for candidates in [Some(Candidates::these(rows)), whole].into_iter().flatten() {
                search.look(&candidates, &look, &mut |row, leaving| {
                    found.push((row, leaving));
                    if found.len() < CHUNK_RECORDS {
                        return Ok(());
                    }
                    each(std::mem::take(&mut found))
                })?;
            }
        }
    }
    search.look(&Candidates::these(listed), &look, &mut |row, leaving| {
        found.push((row, leaving));
        Ok(())
    })?;
    each(found)
}

/// Returns the rows of a file that may follow a repertoire: those that its indices list for any of
/// its positions, if that is quicker than to decode all games.
fn candidates(search: Search<'_>, repertoire: &Repertoire) -> Result<Vec<Candidates>, Error> {
    let Search { asked, work, .. } = search;
    let asks = GAMES_A_POSITION.saturating_mul(repertoire.positions() as u64);
    if asked.indices.is_empty() || asks > asked.file.records() {
        return Ok(Candidates::all(asked));
    }
    let rows = asked.indices.ask(|| rows_of(asked, repertoire, work))?;
    Ok(rows.map_or_else(|| Candidates::all(asked), |rows| Candidates::among(asked, &rows, true)))
}

/// Returns the rows that the indices list for any position of a repertoire, ascending.
fn rows_of(asked: &Asked, repertoire: &Repertoire, work: &Work<'_>) -> Result<Vec<u64>, Error> {
    let mut rows: Vec<u64> = Vec::new();
    let mut sorted = 0;
    for spot in repertoire.spots() {
        work.check()?;
        for entry in asked.indices.look_up(spot)? {
            match entry {
                Entry::Few(few) => rows.extend(few),
                Entry::Shared(shared) => {
                    rows.extend(shared.games()?.into_iter().map(|game| game.0))
                }
            }
        }
        // A game is listed for each of its positions.
        if rows.len() - sorted > CHUNK_RECORDS.max(sorted) {
            rows.sort_unstable();
            rows.dedup();
            sorted = rows.len();
        }
    }
    rows.sort_unstable();
    rows.dedup();
    Ok(rows)
}
