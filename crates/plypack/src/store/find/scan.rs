//! Finds the rows of a file that may answer a question, one row group at a time, and verifies them
//! by decoding their moves on all threads.

use std::ops::{ControlFlow, Range};

use crate::rows::{RowError, StoredRecord, hits, matched, may_hit, result_of};
use plypack_core::Pattern;
use plypack_core::pattern::results;
use rayon::prelude::*;

use super::{Asked, Hit, Limits, Question, Target, spot};
use crate::store::columns::Wanted;
use crate::store::condition::Condition;
use crate::store::error::Error;
use crate::store::facts::Fact;
use crate::store::games::Rows;
use crate::store::index::{Entry, Shared};
use crate::store::work::Work;

/// Maximum number of records decoded before checking whether they suffice.
pub(super) const CHUNK_RECORDS: usize = 2_048;

/// Number of row groups filtered by a condition before checking whether they suffice.
pub(super) const CHUNK_GROUPS: usize = 16;

/// Candidate rows of one row group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidates {
    /// The row group.
    pub group: usize,
    /// Its range of rows in the file, from 0.
    pub whole: Range<u64>,
    /// The rows that may answer, ascending; `None` for all.
    pub rows: Option<Vec<u64>>,
}

impl Candidates {
    /// Returns all rows of each row group of a file.
    pub fn all(asked: &Asked) -> Vec<Self> {
        let mut before = 0;
        let group = |group| {
            let after = asked.file.group_records(group).saturating_add(before);
            let whole = std::mem::replace(&mut before, after)..after;
            Self { group, whole, rows: None }
        };
        (0..asked.file.groups()).map(group).collect()
    }

    /// Returns the rows of each row group that may answer a question according to the indices, and
    /// all rows that no index covers. For a position that many games share, the first `most` games
    /// suffice; a pattern alone is looked up by the remains of the games.
    ///
    /// # Errors
    /// Returns an error if an index cannot be read. A damaged index is ignored.
    pub fn of(asked: &Asked, question: &Question<'_>, most: usize) -> Result<Vec<Self>, Error> {
        let rows = match asked.indices.is_empty() {
            true => None,
            false => asked.indices.ask(|| rows_of(asked, question, most))?.flatten(),
        };
        Ok(rows.map_or_else(|| Self::all(asked), |rows| Self::among(asked, &rows, true)))
    }

    /// Groups these ascending rows of a file by row group; `with_uncovered` adds all rows that no
    /// index covers.
    pub fn among(asked: &Asked, rows: &[u64], with_uncovered: bool) -> Vec<Self> {
        let mut rest = rows;
        let narrow = |group: Self| {
            let (here, behind) = rest.split_at(rest.partition_point(|&row| row < group.whole.end));
            rest = behind;
            if with_uncovered && asked.indices.uncovered().binary_search(&group.group).is_ok() {
                return Some(group);
            }
            (!here.is_empty()).then(|| Self { rows: Some(here.to_vec()), ..group })
        };
        Self::all(asked).into_iter().filter_map(narrow).collect()
    }

    /// Wraps these ascending rows of a file.
    pub fn these(rows: Vec<u64>) -> Self {
        Self { group: 0, whole: 0..0, rows: Some(rows) }
    }

    /// Keeps the rows that satisfy a condition; `None` if there are none.
    fn narrowed(self, asked: &Asked, condition: &Condition) -> Result<Option<Self>, Error> {
        if !asked.file.may_match(self.group, condition) {
            return Ok(None);
        }
        let within = self.rows.as_ref().map(|rows| self.within(rows));
        let holds = asked.file.select(self.group, within.as_deref(), condition)?;
        if holds.count_set_bits() == holds.len() {
            return Ok(Some(self));
        }
        let rows: Vec<u64> = holds.set_indices().map(|place| self.row(place)).collect();
        Ok((!rows.is_empty()).then_some(Self { rows: Some(rows), ..self }))
    }

    /// Keeps the rows within these limits; `None` if there are none.
    fn within_limits(self, asked: &Asked, limits: &Limits) -> Result<Option<Self>, Error> {
        let rows: Vec<u64> = (0..self.len()).map(|place| self.row(place)).collect();
        let within: Vec<u64> = match &asked.known {
            Some(known) => {
                let admits = |&row: &u64| limits.admit(&known.fact(row), known.speed(row));
                rows.into_iter().filter(admits).collect()
            }
            None => {
                let facts = read_facts(asked, &rows)?;
                let admitted = rows.into_iter().zip(facts);
                admitted.filter(|(_, fact)| limits.admit(fact, None)).map(|game| game.0).collect()
            }
        };
        Ok((!within.is_empty()).then_some(Self { rows: Some(within), ..self }))
    }

    /// Keeps the games with one of these results; `None` if there are none.
    fn with_results(self, asked: &Asked, results: u8) -> Result<Option<Self>, Error> {
        let rows: Vec<u64> = (0..self.len()).map(|place| self.row(place)).collect();
        let facts = read_facts(asked, &rows)?;
        let ended = |fact: &Fact| result_of(fact.outcome) & results != 0;
        let rows = rows.into_iter().zip(facts).filter(|(_, fact)| ended(fact));
        let rows: Vec<u64> = rows.map(|(row, _)| row).collect();
        Ok((!rows.is_empty()).then_some(Self { rows: Some(rows), ..self }))
    }

    /// Converts rows of the file to rows of the group, which has fewer than 2^32.
    pub fn within(&self, rows: &[u64]) -> Vec<u32> {
        rows.iter().filter_map(|row| u32::try_from(row - self.whole.start).ok()).collect()
    }

    /// Returns the number of candidates.
    fn len(&self) -> usize {
        let all = || usize::try_from(self.whole.end - self.whole.start).unwrap_or(usize::MAX);
        self.rows.as_ref().map_or_else(all, Vec::len)
    }

    /// Returns the candidate at a place.
    fn row(&self, place: usize) -> u64 {
        let within = || self.whole.start + place as u64;
        self.rows.as_ref().and_then(|rows| rows.get(place)).copied().unwrap_or_else(within)
    }
}

/// Returns the rows that may answer a question according to the indices, ascending; `None` if the
/// indices do not help.
fn rows_of(asked: &Asked, question: &Question<'_>, most: usize) -> Result<Option<Vec<u64>>, Error> {
    let Some(target) = question.target else {
        return question.pattern.map_or(Ok(None), |pattern| rows_of_pattern(asked, pattern));
    };
    let spot = spot(target);
    let spots = [Some(spot), question.variations.then(|| spot.in_variation())];
    let mut rows = Vec::new();
    for spot in spots.into_iter().flatten() {
        for entry in asked.indices.look_up(spot)? {
            match entry {
                Entry::Few(few) => rows.extend(few),
                Entry::Shared(shared) => rows.extend(first_rows(&shared, most)?),
            }
        }
    }
    rows.sort_unstable();
    rows.dedup();
    Ok(Some(rows))
}

/// Returns the rows that may match a pattern according to the indices, ascending: those that come
/// to its pawns, or those whose remains do not speak against it; `None` if the indices do not help.
fn rows_of_pattern(asked: &Asked, pattern: &Pattern) -> Result<Option<Vec<u64>>, Error> {
    if let Some(frames) = pattern.frames() {
        let mut rows = Vec::new();
        for frame in frames {
            rows.extend(asked.indices.rows_of_frame(frame)?);
        }
        rows.sort_unstable();
        rows.dedup();
        return Ok(Some(rows));
    }
    if !pattern.asks_remains() {
        return Ok(None);
    }
    asked.indices.rows_where(&|left| pattern.may_leave(left)).map(Some)
}

/// Returns the rows of a file, in ascending runs, that may reach a position: those that its indices
/// name, and all that they do not cover.
///
/// # Errors
/// Returns an error if an index cannot be read or is damaged.
pub fn rows_named(asked: &Asked, target: &Target) -> Result<Vec<Range<u64>>, Error> {
    let question = Question { target: Some(target), ..Question::default() };
    let candidates = Candidates::of(asked, &question, usize::MAX)?;
    let rows = |group: &Candidates| match &group.rows {
        Some(rows) => runs(rows.iter().copied()),
        None => vec![group.whole.clone()],
    };
    Ok(candidates.iter().flat_map(rows).collect())
}

/// A question to a file, and the work of answering it.
#[derive(Clone, Copy)]
pub(super) struct Search<'s> {
    pub asked: &'s Asked,
    pub question: &'s Question<'s>,
    pub work: &'s Work<'s>,
}

impl Search<'_> {
    /// Returns the columns needed to look for a position.
    pub fn wanted(&self) -> Wanted<'static> {
        if self.question.variations { Wanted::LINES } else { Wanted::MOVES }
    }

    /// Filters candidates by the question's condition, row groups in parallel.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or the stop flag is set.
    pub(super) fn narrow(&self, candidates: &[Candidates]) -> Result<Vec<Candidates>, Error> {
        let Self { asked, question, work } = *self;
        let results = question.pattern.map_or(results::ALL, Pattern::results);
        if question.condition.is_none() && question.limits.is_none() && results == results::ALL {
            return Ok(candidates.to_vec());
        }
        let one = |candidates: &Candidates| {
            work.check()?;
            let within = match question.limits {
                Some(limits) => candidates.clone().within_limits(asked, limits)?,
                None => Some(candidates.clone()),
            };
            let within = match (within, question.condition) {
                (Some(within), Some(condition)) => within.narrowed(asked, condition)?,
                (within, _) => within,
            };
            match within {
                Some(within) if results != results::ALL => within.with_results(asked, results),
                within => Ok(within),
            }
        };
        let narrowed: Result<Vec<_>, Error> = candidates.par_iter().map(one).collect();
        Ok(narrowed?.into_iter().flatten().collect())
    }

    /// Passes each candidate that answers to `each`, in order, with its hits; no hits if there is
    /// no position. Candidates that an index named are read `at_a_time`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, a record is damaged, `each` fails, or the stop
    /// flag is set.
    pub(super) fn prove(
        &self,
        candidates: &Candidates,
        at_a_time: usize,
        each: &mut dyn FnMut(u64, Vec<Hit>) -> Result<ControlFlow<()>, Error>,
    ) -> Result<ControlFlow<()>, Error> {
        let places: Vec<usize> = (0..candidates.len()).collect();
        // A whole group is read at once, other rows in chunks.
        let decodes = self.question.target.is_some() || self.question.pattern.is_some();
        let whole = match &candidates.rows {
            None if decodes => Some(self.read(candidates, &places)?),
            _ => None,
        };
        let at_a_time = if candidates.rows.is_some() { at_a_time } else { CHUNK_RECORDS };
        for chunk in places.chunks(at_a_time.clamp(1, CHUNK_RECORDS)) {
            self.work.check()?;
            let found = match &whole {
                _ if !decodes => chunk.iter().map(|&place| (place, Vec::new())).collect(),
                Some(rows) => self.decode(candidates, rows, chunk, 0)?,
                None => {
                    let rows = self.read(candidates, chunk)?;
                    let before = chunk.first().copied().unwrap_or(0);
                    self.decode(candidates, &rows, chunk, before)?
                }
            };
            self.work.done(chunk.len() as u64);
            for (place, hits) in found {
                if each(candidates.row(place), hits)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Passes what `look` finds in the main lines of candidates to `each`, in order.
    ///
    /// # Errors
    /// As [`prove`](Self::prove).
    pub(super) fn look<T: Send>(
        &self,
        candidates: &Candidates,
        look: &(dyn Fn(&StoredRecord<'_>) -> Result<Option<T>, RowError> + Sync),
        each: &mut dyn FnMut(u64, T) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let places: Vec<usize> = (0..candidates.len()).collect();
        let whole = match &candidates.rows {
            None => Some(self.read(candidates, &places)?),
            Some(_) => None,
        };
        for chunk in places.chunks(CHUNK_RECORDS) {
            self.work.check()?;
            let chunk_rows = match &whole {
                None => Some(self.read(candidates, chunk)?),
                Some(_) => None,
            };
            let before = if whole.is_some() { 0 } else { chunk.first().copied().unwrap_or(0) };
            let Some(rows) = chunk_rows.as_ref().or(whole.as_ref()) else { continue };
            let one = |&place: &usize| {
                self.work.check()?;
                let Some((record, ..)) = rows.record(place - before) else { return Ok(None) };
                let row = candidates.row(place);
                let found = look(&record).map_err(Error::record(self.asked.file.path(), row))?;
                Ok(found.map(|found| (row, found)))
            };
            let found: Result<Vec<Option<(u64, T)>>, Error> =
                chunk.par_iter().with_min_len(4).map(one).collect();
            self.work.done(chunk.len() as u64);
            found?.into_iter().flatten().try_for_each(|(row, found)| each(row, found))?;
        }
        Ok(())
    }

    /// Reads the columns needed to look for a position in the rows at these places.
    fn read(&self, candidates: &Candidates, places: &[usize]) -> Result<Rows, Error> {
        let (asked, wanted) = (self.asked, self.wanted());
        if candidates.rows.is_none() {
            return asked.file.read_game_rows(candidates.group, None, wanted);
        }
        asked.file.read_rows(&runs(places.iter().map(|&place| candidates.row(place))), wanted)
    }

    /// Decodes the rows at these places and returns those with hits. `rows` starts at the place
    /// `before`.
    fn decode(
        &self,
        candidates: &Candidates,
        rows: &Rows,
        places: &[usize],
        before: usize,
    ) -> Result<Vec<(usize, Vec<Hit>)>, Error> {
        let Self { asked, question, work } = *self;
        // Outcomes, if the pattern asks for them.
        let asks_result = question.pattern.is_some_and(Pattern::asks_result);
        let asked_rows: Vec<u64> = places.iter().map(|&place| candidates.row(place)).collect();
        let facts = if asks_result { read_facts(asked, &asked_rows)? } else { Vec::new() };
        let first = places.first().copied().unwrap_or(0);
        // Most rows that no index named have no hit.
        let is_named = candidates.rows.is_some() && !asked.indices.is_empty();
        let quickly = !is_named && !question.variations;
        let one = |&place: &usize| {
            work.check()?;
            let Some((record, ..)) = rows.record(place - before) else { return Ok(None) };
            let row = candidates.row(place);
            let mut found = Vec::new();
            if let Some(target) = question.target {
                if quickly && !may_hit(&record, target) {
                    return Ok(None);
                }
                let hits = hits(&record, target, question.variations, work.stop);
                work.check()?;
                found = hits.map_err(Error::record(asked.file.path(), row))?;
                if found.is_empty() {
                    return Ok(None);
                }
            }
            if let Some(pattern) = question.pattern {
                let outcome = facts.get(place - first).and_then(|fact| fact.outcome);
                let Some(plies) = matched(&record, pattern, outcome)
                    .map_err(Error::record(asked.file.path(), row))?
                else {
                    return Ok(None);
                };
                let hit = |ply| Hit { ply, candidate: None, variation: false };
                found = plies.into_iter().map(hit).collect();
            }
            Ok(Some((place, found)))
        };
        let found: Result<Vec<Option<_>>, Error> =
            places.par_iter().with_min_len(4).map(one).collect();
        Ok(found?.into_iter().flatten().collect())
    }
}

/// Returns the rows of the first `most` games that share a position, or of all; ascending.
fn first_rows(shared: &Shared<'_>, most: usize) -> Result<Vec<u64>, Error> {
    let rows = |games: Vec<(u64, Option<u16>)>| {
        let mut rows: Vec<u64> = games.into_iter().map(|game| game.0).collect();
        rows.sort_unstable();
        // A game that plays two moves there is listed twice.
        rows.dedup();
        rows
    };
    let first = rows(shared.first_games(most)?);
    let suffices = first.len() >= most || first.len() as u64 >= shared.records();
    if suffices { Ok(first) } else { Ok(rows(shared.games()?)) }
}

/// Returns the facts of the games in these ascending rows of a file.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub(super) fn read_facts(asked: &Asked, rows: &[u64]) -> Result<Vec<Fact>, Error> {
    if let Some(known) = &asked.known {
        return Ok(rows.iter().map(|&row| known.fact(row)).collect());
    }
    let one = |group: Candidates| {
        let within = group.rows.as_ref().map(|rows| group.within(rows));
        asked.file.facts(group.group, within.as_deref())
    };
    let groups = Candidates::among(asked, rows, false).into_par_iter();
    let facts: Vec<Vec<Fact>> = groups.map(one).collect::<Result<_, Error>>()?;
    Ok(facts.into_iter().flatten().collect())
}

/// Merges ascending rows into runs of consecutive rows.
pub(crate) fn runs(rows: impl Iterator<Item = u64>) -> Vec<Range<u64>> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for row in rows {
        match runs.last_mut().filter(|run| run.end == row) {
            Some(run) => run.end += 1,
            None => runs.push(row..row + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn rows_that_follow_one_another_are_a_run() {
        assert_eq!(runs([].into_iter()), []);
        assert_eq!(runs([3, 4, 5, 9, 11, 12].into_iter()), [3..6, 9..10, 11..13]);
    }
}
