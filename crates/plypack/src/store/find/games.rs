//! Finds the games that answer a question, in order.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::scan::{CHUNK_GROUPS, CHUNK_RECORDS, Candidates, Search, read_facts, runs};
use super::tree::tree;
use super::{Asked, Hit, Question};
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::facts::Fact;
use crate::store::row::StoredRecord;
use crate::store::work::Work;

/// A game that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its file's position in the list.
    pub file: usize,
    /// Its row in that file, from 0.
    pub row: u64,
    /// Where each condition of the pattern is met, or where the position occurs; empty if neither
    /// was asked for.
    pub hits: Vec<Hit>,
}

/// The order of games. Ties keep their stored order, file by file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Stored order.
    #[default]
    Stored,
    /// Best-rated first: games of two rated players by the mean of their ratings, then those of one
    /// by his.
    Rating,
    /// Latest first.
    Date,
}

/// Receives one game at a time.
pub type Sink<'s> = dyn FnMut(Found) -> Result<(), Error> + Send + 's;

/// Passes the games that answer a question to `sink`, up to `limit`. Returns their number.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, `sink` fails, or the stop flag
/// is set.
pub fn find(
    files: &[Asked],
    question: &Question<'_>,
    order: Order,
    limit: u64,
    work: &Work<'_>,
    sink: &mut Sink<'_>,
) -> Result<u64, Error> {
    if files.is_empty() || limit == 0 {
        return Ok(0);
    }
    work.run(|| {
        let mut given = 0;
        let mut give = |file: usize, row: u64, hits: Vec<Hit>| {
            sink(Found { file, row, hits })?;
            given += 1;
            Ok(if given < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        };
        match order {
            Order::Stored => as_stored(files, question, limit, work, &mut give)?,
            _ => sorted(files, question, order, limit, work, &mut give)?,
        };
        Ok(given)
    })
}

/// Returns how many games answer a question: from the indices where they have the number, else from
/// as few columns as tell it.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, or the stop flag is set.
pub fn count(files: &[Asked], question: &Question<'_>, work: &Work<'_>) -> Result<u64, Error> {
    let Question { target, pattern, condition, limits, .. } = question;
    if target.is_none() && pattern.is_none() && condition.is_none() && limits.is_none() {
        let records = files.iter().map(|asked| asked.file.records());
        return Ok(records.fold(0, u64::saturating_add));
    }
    if target.is_some() && pattern.is_none() {
        return Ok(tree(files, question, work)?.records);
    }
    find(files, question, Order::Stored, u64::MAX, work, &mut |_| Ok(()))
}

/// Returns how many games answer a question if that takes no more than a few look-ups: all games,
/// or those of a position that indices know. `None` otherwise.
///
/// # Errors
/// As [`count`].
pub fn count_told(
    files: &[Asked],
    question: &Question<'_>,
    work: &Work<'_>,
) -> Result<Option<u64>, Error> {
    let Question { target, pattern, condition, limits, variations } = question;
    let is_narrow = pattern.is_some() || condition.is_some() || limits.is_some() || *variations;
    let is_covered = || {
        files.iter().all(|asked| !asked.indices.is_empty() && asked.indices.uncovered().is_empty())
    };
    if is_narrow || target.is_some() && !is_covered() {
        return Ok(None);
    }
    count(files, question, work).map(Some)
}

/// Receives a file's number, a row and its hits; returns whether to continue.
type Give<'g> = dyn FnMut(usize, u64, Vec<Hit>) -> Result<ControlFlow<()>, Error> + 'g;

fn as_stored(
    files: &[Asked],
    question: &Question<'_>,
    limit: u64,
    work: &Work<'_>,
    give: &mut Give<'_>,
) -> Result<(), Error> {
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    // A condition or pattern may reject some of the first games.
    let narrows = question.condition.is_some() || question.pattern.is_some();
    let most = if narrows { usize::MAX } else { limit };
    for (file, asked) in files.iter().enumerate() {
        let search = Search { asked, question, work };
        let mut each = |row, hits| give(file, row, hits);
        // Rows of several row groups are read and decoded in parallel.
        let mut listed = Vec::new();
        for groups in Candidates::of(asked, question, most)?.chunks(CHUNK_GROUPS) {
            for candidates in search.narrow(groups)? {
                let whole = candidates.rows.is_none().then(|| candidates.clone());
                listed.extend(candidates.rows.into_iter().flatten());
                let enough = whole.is_some() || listed.len() >= limit.min(CHUNK_RECORDS);
                let rows = if enough { std::mem::take(&mut listed) } else { Vec::new() };
                for candidates in [Some(Candidates::these(rows)), whole].into_iter().flatten() {
                    if search.prove(&candidates, limit, &mut each)?.is_break() {
                        return Ok(());
                    }
                }
            }
        }
        let rest = Candidates::these(listed);
        if search.prove(&rest, limit, &mut each)?.is_break() {
            return Ok(());
        }
    }
    Ok(())
}

/// A game's sort key: the mean of two ratings, or else the only one; or its year and then its day.
/// Unknown comes last.
pub(super) type Rank = Reverse<(Option<u16>, Option<i32>)>;

/// Returns a game's sort key.
pub(super) fn rank(order: Order, fact: &Fact) -> Rank {
    Reverse(match order {
        Order::Stored => (None, None),
        Order::Rating => match (fact.white_rating, fact.black_rating) {
            (Some(_), Some(_)) => (fact.rating(), None),
            _ => (None, fact.rating().map(i32::from)),
        },
        Order::Date => (fact.year, fact.day),
    })
}

fn sorted(
    files: &[Asked],
    question: &Question<'_>,
    order: Order,
    limit: u64,
    work: &Work<'_>,
    give: &mut Give<'_>,
) -> Result<(), Error> {
    let mut ranked: Vec<(Rank, usize, u64)> = Vec::new();
    for (file, asked) in files.iter().enumerate() {
        let search = Search { asked, question, work };
        for groups in Candidates::of(asked, question, usize::MAX)?.chunks(CHUNK_GROUPS) {
            let mut listed = Vec::new();
            for candidates in search.narrow(groups)? {
                match candidates.rows {
                    // They are verified when they are returned.
                    Some(rows)
                        if asked.indices.uncovered().binary_search(&candidates.group).is_err() =>
                    {
                        listed.extend(rows);
                    }
                    _ => listed.extend(reaching(&search, &candidates)?),
                }
            }
            work.check()?;
            let ranks = read_facts(asked, &listed)?.into_iter().map(|fact| rank(order, &fact));
            ranked.extend(ranks.zip(listed).map(|(rank, row)| (rank, file, row)));
        }
    }
    ranked.sort_unstable();
    let chunk = usize::try_from(limit).unwrap_or(usize::MAX).min(CHUNK_RECORDS);
    let again = &work.unwatched();
    for chunk in ranked.chunks(chunk) {
        // Read in row order, returned in rank order.
        let mut proved: Vec<Option<Vec<Hit>>> = vec![None; chunk.len()];
        for (file, asked) in files.iter().enumerate() {
            let mut rows: Vec<(u64, usize)> = Vec::new();
            let of_file = chunk.iter().zip(0..).filter(|(game, _)| game.1 == file);
            rows.extend(of_file.map(|(game, place)| (game.2, place)));
            rows.sort_unstable();
            let candidates = Candidates::these(rows.iter().map(|row| row.0).collect());
            let mut places = rows.iter();
            let search = Search { asked, question, work: again };
            _ = search.prove(&candidates, CHUNK_RECORDS, &mut |row, hits| {
                let place = places.find(|place| place.0 == row);
                let slot = place.and_then(|place| proved.get_mut(place.1));
                slot.into_iter().for_each(|slot| *slot = Some(hits.clone()));
                Ok(ControlFlow::Continue(()))
            })?;
        }
        for (hits, (_, file, row)) in proved.into_iter().zip(chunk) {
            if let Some(hits) = hits
                && give(*file, *row, hits)?.is_break()
            {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Returns the candidates that answer the question.
fn reaching(search: &Search<'_>, candidates: &Candidates) -> Result<Vec<u64>, Error> {
    let mut rows = Vec::new();
    _ = search.prove(candidates, CHUNK_RECORDS, &mut |row, _| {
        rows.push(row);
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(rows)
}

/// Reads columns of the given rows, in any order. Passes each row's place among them, its record
/// and the checksum of its bytes to `each`. All rows are in memory at once.
///
/// # Errors
/// Returns an error if the file cannot be read or `each` fails.
pub fn records<E: From<Error>>(
    asked: &Asked,
    rows: &[u64],
    wanted: Wanted<'_>,
    mut each: impl FnMut(usize, StoredRecord<'_>, Option<u32>) -> Result<(), E>,
) -> Result<(), E> {
    let mut ascending = rows.to_vec();
    ascending.sort_unstable();
    ascending.dedup();
    let read = asked.file.read_rows(&runs(ascending.iter().copied()), wanted)?;
    for (place, row) in rows.iter().enumerate() {
        let at = ascending.binary_search(row).unwrap_or(usize::MAX);
        if let Some((record, checksum, _)) = read.record(at) {
            each(place, record, checksum)?;
        }
    }
    Ok(())
}

/// Separates records written one after another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Separator {
    /// Whether the last record ended with an empty line; `None` before the first.
    ended: Option<bool>,
}

impl Separator {
    /// Returns the bytes to write before a record: the last record of an input often lacks the
    /// empty line that must precede the next record's tags.
    pub fn before(&mut self, record: &StoredRecord<'_>, bytes: &[u8]) -> &'static [u8] {
        let begins_with_tag = bytes.first() == Some(&b'[') && is_pgn(record);
        let ended = bytes.ends_with(b"\n\n") || bytes.ends_with(b"\n\r\n");
        match self.ended.replace(ended) {
            Some(false) if begins_with_tag => b"\n\n",
            _ => b"",
        }
    }
}

/// Whether a record is in PGN.
fn is_pgn(record: &StoredRecord<'_>) -> bool {
    let format = record.layout.and_then(plypack_records::format::of_layout);
    format.is_none_or(|format| format.info().name == "pgn")
}
