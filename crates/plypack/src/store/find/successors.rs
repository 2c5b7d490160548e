//! Sums up the games of the positions that the moves of a tree lead to, whatever moves led there.
//!
//! An index has the sums of a position that many games share. The other games that it lists are
//! decoded, each once for all positions that it may reach, and up to a limit.

use std::collections::{BTreeMap, BTreeSet};

use plypack_index::Sum;
use rayon::prelude::*;

use super::scan::runs;
use super::tree::{shows, tell};
use super::{Asked, Question, Target, spot};
use crate::rows::RowError;
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::index::{Entry, Shared};
use crate::store::row::StoredRecord;
use crate::store::work::Work;

/// Up to this many moves are looked up, the first ones.
const MOVES_MAX: usize = 64;

/// Up to this many games are decoded for all moves together.
const DECODED_MAX: usize = 64;

/// Sums up, for each of some candidates of the question's position, all games that reach the
/// position after it, by whatever order of moves: as many as the tree of that position has, with
/// the results of all its moves and of the games that end there. The first candidates come first
/// where too many games would have to be decoded.
///
/// `None` is unknown: there would be too many games, or moves; the question has a condition, limits
/// or variations; a file has games that no index covers; or an index is damaged.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, or the stop flag is set.
pub fn successors(
    files: &[Asked],
    question: &Question<'_>,
    candidates: &[u16],
    work: &Work<'_>,
) -> Result<Vec<Option<Sum>>, Error> {
    let is_narrow =
        question.condition.is_some() || question.limits.is_some() || question.variations;
    let is_covered = files.iter().all(|asked| asked.indices.uncovered().is_empty());
    let unknown = vec![None; candidates.len()];
    let Some(target) = question.target.filter(|_| is_covered && !is_narrow) else {
        return Ok(unknown);
    };
    work.run(|| {
        let mut growth = Growth { work, left: DECODED_MAX, successors: Vec::new() };
        growth.successors.extend(behind(target, candidates));
        for asked in files {
            work.check()?;
            if asked.indices.ask(|| growth.add(asked))?.is_none() {
                return Ok(unknown);
            }
        }
        let sums = growth.successors.into_iter().map(|successor| successor.sum);
        Ok(sums.chain(unknown).take(candidates.len()).collect())
    })
}

/// A position that a move leads to.
struct Successor {
    target: Target,
    /// Its games so far; `None` if they are unknown.
    sum: Option<Sum>,
}

/// Returns the positions that the first candidates lead to.
fn behind(target: &Target, candidates: &[u16]) -> Vec<Successor> {
    let Ok(cursor) = target.game().cursor(Some(target.text())) else { return Vec::new() };
    let successor = |&candidate: &u16| {
        let mut cursor = cursor.fork(0);
        let played = cursor.play(candidate);
        let sum = played.is_ok().then(Sum::default);
        Successor { target: Target::at(target.game(), &*cursor), sum }
    };
    candidates.iter().take(MOVES_MAX).map(successor).collect()
}

/// Sums under construction.
struct Growth<'g> {
    work: &'g Work<'g>,
    successors: Vec<Successor>,
    /// How many more games may be decoded.
    left: usize,
}

/// What the indices of a file have for a successor.
#[derive(Default)]
struct Listed<'i> {
    /// Rows of games that may reach it.
    few: Vec<u64>,
    /// Blocks of the position.
    proved: Vec<Shared<'i>>,
    /// Blocks with its key that the first of their best games has to prove.
    unproved: Vec<(u64, Box<Shared<'i>>)>,
}

/// A successor's number, and the distinct moves that a game plays there.
type Visit = (usize, Vec<Option<u16>>);

/// The rows to decode, and the numbers of the successors to look for in each.
type Rows = BTreeMap<u64, Vec<usize>>;

impl Growth<'_> {
    /// Adds the games of a file, all of which are in its indices.
    fn add(&mut self, asked: &Asked) -> Result<(), Error> {
        let mut listed = self.listed(asked)?;
        let mut proofs = Rows::new();
        for (at, listed) in listed.iter().enumerate() {
            self.want(&mut proofs, at, listed.unproved.iter().map(|(row, _)| *row).collect());
        }
        let found = self.decode(asked, &proofs)?;
        let proved = |row, at| {
            let visits = found.iter().filter(|game| game.0 == row).flat_map(|game| &game.1);
            visits.into_iter().any(|visit: &Visit| visit.0 == at)
        };
        let mut rest = Rows::new();
        for (at, listed) in listed.iter_mut().enumerate() {
            let unproved = std::mem::take(&mut listed.unproved).into_iter();
            let shown = unproved.filter(|(row, _)| proved(*row, at));
            listed.proved.extend(shown.map(|(_, shared)| *shared));
            // Games of a colliding key may also reach this position; those are in its block.
            let few = std::mem::take(&mut listed.few).into_iter();
            let is_counted = |row| listed.proved.iter().any(|shared| shared.covers(row));
            self.want(&mut rest, at, few.filter(|&row| !is_counted(row)).collect());
            if let Some(sum) = self.sum(at) {
                listed.proved.iter().for_each(|shared| sum.merge(&all(shared)));
            }
        }
        let found = self.decode(asked, &rest)?;
        let rows: Vec<u64> = found.iter().map(|game| game.0).collect();
        for ((_, visits), head) in found.into_iter().zip(tell(asked, &rows)?) {
            for (at, moves) in visits {
                let mut one = Sum::default();
                moves.iter().for_each(|_| one.add(head.summand()));
                one.records = 1;
                self.sum(at).into_iter().for_each(|sum| sum.merge(&one));
            }
        }
        Ok(())
    }

    /// Looks all successors up that are not unknown.
    fn listed<'a>(&self, asked: &'a Asked) -> Result<Vec<Listed<'a>>, Error> {
        let spots: Vec<_> = self.successors.iter().map(|one| spot(&one.target)).collect();
        let found = asked.indices.look_up_each(&spots)?;
        let listed = self.successors.iter().zip(found).map(|(successor, entries)| {
            let mut listed = Listed::default();
            for entry in entries {
                self.work.check()?;
                match entry {
                    Entry::Few(rows) => listed.few.extend(rows),
                    Entry::Shared(shared) => match shared.witness() {
                        Some(witness) if shows(&shared, witness, &successor.target)? => {
                            listed.proved.push(*shared);
                        }
                        Some(_) => {}
                        None => {
                            let first = shared.best().first().map(|game| game.0);
                            listed.unproved.extend(first.map(|row| (row, shared)));
                        }
                    },
                }
            }
            Ok(listed)
        });
        listed.collect()
    }

    /// Returns the sum of the successor with this number, unless it is unknown.
    fn sum(&mut self, at: usize) -> Option<&mut Sum> {
        self.successors.get_mut(at)?.sum.as_mut()
    }

    /// Adds rows to be decoded for a successor. It is unknown from now on if they are too many.
    fn want(&mut self, rows: &mut Rows, at: usize, wanted: BTreeSet<u64>) {
        let more = wanted.iter().filter(|row| !rows.contains_key(row)).count();
        let is_within = rows.len() + more <= self.left;
        let Some(successor) = self.successors.get_mut(at).filter(|one| one.sum.is_some()) else {
            return;
        };
        if !is_within {
            successor.sum = None;
            return;
        }
        wanted.into_iter().for_each(|row| rows.entry(row).or_default().push(at));
    }

    /// Decodes these rows; returns those that reach some of their successors, ascending.
    fn decode(&mut self, asked: &Asked, rows: &Rows) -> Result<Vec<(u64, Vec<Visit>)>, Error> {
        if rows.is_empty() {
            return Ok(Vec::new());
        }
        self.left = self.left.saturating_sub(rows.len());
        let read = asked.file.read_rows(&runs(rows.keys().copied()), Wanted::MOVES)?;
        let one = |(place, (&row, wanted)): (usize, (&u64, &Vec<usize>))| {
            self.work.check()?;
            let Some((record, ..)) = read.record(place) else { return Ok(None) };
            let targets = wanted.iter().filter_map(|&at| Some((at, self.successors.get(at)?)));
            let targets: Vec<(usize, &Target)> =
                targets.map(|(at, successor)| (at, &successor.target)).collect();
            let visits =
                visits(&record, &targets).map_err(Error::record(asked.file.path(), row))?;
            Ok((!visits.is_empty()).then_some((row, visits)))
        };
        let rows: Vec<(&u64, &Vec<usize>)> = rows.iter().collect();
        let found: Result<Vec<Option<_>>, Error> =
            rows.into_par_iter().enumerate().map(one).collect();
        Ok(found?.into_iter().flatten().collect())
    }
}

/// Returns the sum of all games of a position.
fn all(shared: &Shared<'_>) -> Sum {
    let mut all = shared.ended().unwrap_or_default();
    shared.moves().iter().for_each(|played| all.merge(&played.sum));
    // A game may play two moves there.
    all.records = shared.records();
    all
}

/// Returns which of these positions the main line of a record reaches, and what it plays there.
fn visits(record: &StoredRecord<'_>, targets: &[(usize, &Target)]) -> Result<Vec<Visit>, RowError> {
    let mut visits: Vec<Visit> = Vec::new();
    let Some((game, mut cursor)) = record.cursor()? else { return Ok(visits) };
    let id = game.info().id;
    let is_ahead = |(_, target): &&(usize, &Target)| target.game().info().id == id;
    let targets: Vec<&(usize, &Target)> = targets.iter().filter(is_ahead).collect();
    while targets.iter().any(|(_, target)| !target.is_behind(&*cursor)) {
        let key = cursor.key();
        let here = targets.iter().filter(|(_, one)| one.key() == key && one.is_at(&*cursor));
        let here: Vec<usize> = here.map(|target| target.0).collect();
        let candidate = cursor.next()?;
        for at in here {
            let known = visits.iter().position(|visit| visit.0 == at);
            match known.and_then(|known| visits.get_mut(known)) {
                Some((_, moves)) if moves.contains(&candidate) => {}
                Some((_, moves)) => moves.push(candidate),
                None => visits.push((at, vec![candidate])),
            }
        }
        if candidate.is_none() {
            break;
        }
    }
    Ok(visits)
}
