//! Finds duplicate games.
//!
//! Two records are copies of one game if their bytes are equal; or if the same players made the
//! same moves, all of them or the beginning of a longer game, and nothing shows that the game was
//! on another day, in another round, or had another result. Moves are equal if the keys of all
//! positions that they lead to are.
//!
//! Little is decoded: the small columns leave few candidates, and rows that are stored alike are
//! equal. Rows are read in file order, each at most a few times.

mod classes;
mod digests;
mod ranks;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rayon::prelude::*;
use sha2::Digest as _;

use self::classes::{Told, classes, same_checksum, told};
use self::digests::{Digest, Keys, Stored, digest, half, keys_of, line_of, notes_of, row_of};
use self::ranks::{Pair, Ranks, decided, same_moves};
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::facts::Outcome;
use crate::store::file::PackedFile;
use crate::store::find::runs;
use crate::store::row::StoredRecord;
use crate::store::work::Work;

/// How many records are read and decoded at a time.
const CHUNK_RECORDS: usize = 4_096;

/// Which copy of a game is kept. Ties go to one with a known day, then to the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stays {
    /// The one with the most plies, then with the most annotations.
    #[default]
    Longest,
    /// The one with the most annotations, clock readings and evaluations, then with the most plies.
    Annotated,
    /// The first.
    First,
}

/// What counts as a copy, and which copy is kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sought {
    /// Which copy is kept.
    pub stays: Stays,
    /// Whether games of other days and rounds are copies, too.
    pub any_day: bool,
    /// Whether games with other results are copies, too.
    pub any_result: bool,
}

/// Why a record is a copy of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Copied {
    /// The bytes are equal.
    Bytes,
    /// The players and all moves are equal.
    Moves,
    /// One has the moves of the other, and more after them.
    Part,
}

/// A record that is a copy of one that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// The number of its file, and its row there.
    pub copy: (usize, u64),
    /// The record that is kept.
    pub of: (usize, u64),
    /// Why it is a copy.
    pub why: Copied,
    /// The plies of this record, and of the one that is kept.
    pub plies: [u32; 2],
    /// The annotations of this record, and of the one that is kept; clock readings and evaluations
    /// count as one each.
    pub annotations: [u32; 2],
    /// Whether it has annotations that differ from those of the one that is kept.
    pub annotated_otherwise: bool,
    /// The result of this record, and of the one that is kept.
    pub outcomes: [Option<Outcome>; 2],
    /// Whether it is kept as well, because its result differs.
    pub contradicts: bool,
    /// The checksum of its bytes, which identifies it.
    pub checksum: u32,
}

/// Finds the records that duplicate others and can be deleted, in order of files and rows.
///
/// # Errors
/// Returns an error if a file holds positions, cannot be read or is damaged, or the search was
/// stopped.
pub fn duplicates(
    files: &[PackedFile],
    sought: Sought,
    work: &Work<'_>,
) -> Result<Vec<Duplicate>, Error> {
    work.run(|| {
        let games = Games { files, told: told(files, work)?, work };
        let classes = classes(&games.told, sought.any_day);
        let alike = same_checksum(&games.told);
        let stored = games.stored(&classes, &alike)?;
        let mut pairs = games.same_bytes(&alike)?;
        let ranks = Ranks { told: &games.told, stored: &stored, stays: sought.stays };
        let mut apart = Vec::new();
        let keys = games.keys(&classes, &stored)?;
        for class in &classes {
            for pair in same_moves(class, &games.told, &ranks, &keys, sought.any_day) {
                let [one, other] = [pair.0, pair.1].map(|at| games.told.get(at));
                let outcomes = one.and_then(|one| one.outcome).zip(other.and_then(|o| o.outcome));
                let differ = outcomes.is_some_and(|(one, other)| one != other);
                if differ && !sought.any_result { apart.push(pair) } else { pairs.push(pair) }
            }
        }
        Ok(decided(&ranks, &pairs, &apart))
    })
}

/// All games.
struct Games<'g> {
    files: &'g [PackedFile],
    told: Vec<Told>,
    work: &'g Work<'g>,
}

impl Games<'_> {
    /// Reads columns of games, by their indices, in order of files and rows, and maps each game, on
    /// all threads.
    fn read<T, F>(
        &self,
        wanted: &BTreeSet<usize>,
        columns: Wanted<'_>,
        each: F,
    ) -> Result<BTreeMap<usize, T>, Error>
    where
        T: Send,
        F: Fn(usize, &PackedFile, &StoredRecord<'_>, Option<u32>) -> Result<T, Error> + Sync,
    {
        let wanted: Vec<usize> = wanted.iter().copied().collect();
        let place = |at: &usize| self.told.get(*at).map_or((0, 0), |told| told.place);
        let mut made = BTreeMap::new();
        for of_file in wanted.chunk_by(|one, other| place(one).0 == place(other).0) {
            for some in of_file.chunks(CHUNK_RECORDS) {
                self.work.check()?;
                let file = some.first().and_then(|at| self.files.get(place(at).0));
                let Some(file) = file else { continue };
                let rows = file.read_rows(&runs(some.iter().map(|at| place(at).1)), columns)?;
                let one = |(number, &at): (usize, &usize)| {
                    self.work.check()?;
                    let Some((record, checksum, _)) = rows.record(number) else { return Ok(None) };
                    Ok(Some((at, each(at, file, &record, checksum)?)))
                };
                let found: Vec<Option<(usize, T)>> =
                    some.par_iter().enumerate().map(one).collect::<Result<_, Error>>()?;
                made.extend(found.into_iter().flatten());
            }
        }
        Ok(made)
    }

    /// Returns what is stored of the games of all classes.
    fn stored(
        &self,
        classes: &[Vec<usize>],
        alike: &[Vec<usize>],
    ) -> Result<BTreeMap<usize, Stored>, Error> {
        let wanted = classes.iter().chain(alike).flatten().copied().collect();
        self.read(&wanted, NOTED, |_, _, record, _| {
            let (annotations, notes) = notes_of(record);
            Ok(Stored { line: line_of(record), annotations, notes })
        })
    }

    /// Returns the records, among those with the same checksum, whose bytes equal those of an
    /// earlier one, ignoring surrounding white space.
    fn same_bytes(&self, alike: &[Vec<usize>]) -> Result<Vec<Pair>, Error> {
        let wanted = alike.iter().flatten().copied().collect();
        let stored = self.read(&wanted, Wanted::All, |_, _, record, _| Ok(row_of(record)))?;
        // The first record of each different stored form has to be decoded.
        let mut odd = BTreeSet::new();
        for same in alike {
            let mut rows: BTreeMap<Option<&Digest>, usize> = BTreeMap::new();
            for at in same {
                rows.entry(stored.get(at)).or_insert(*at);
            }
            if rows.len() > 1 {
                odd.extend(rows.into_values());
            }
        }
        let written = self.read(&odd, Wanted::All, |_, _, record, checksum| {
            // What cannot be decoded is not a copy; `verify` reports it.
            let bytes = record.original(checksum).ok();
            Ok(bytes.map(|bytes| {
                let mut hash = digest(b"bytes");
                hash.update(bytes.trim_ascii());
                half(hash)
            }))
        })?;
        let mut pairs = Vec::new();
        for same in alike {
            // By their stored form, and by their bytes.
            let mut rows: BTreeMap<Digest, usize> = BTreeMap::new();
            let mut texts: BTreeMap<Digest, usize> = BTreeMap::new();
            for &at in same {
                let Some(&row) = stored.get(&at) else { continue };
                if let Some(&first) = rows.get(&row) {
                    pairs.push((first, at, Copied::Bytes));
                    continue;
                }
                let text = written.get(&at).copied().flatten();
                let first = text.and_then(|text| texts.get(&text).copied());
                rows.insert(row, first.unwrap_or(at));
                texts.extend(text.filter(|_| first.is_none()).map(|text| (text, at)));
                pairs.extend(first.map(|first| (first, at, Copied::Bytes)));
            }
        }
        Ok(pairs)
    }

    /// Returns the keys of the games of each class. Lines with equal codes are decoded once, and
    /// not at all if a whole class has one code: then the code serves as well.
    fn keys(
        &self,
        classes: &[Vec<usize>],
        stored: &BTreeMap<usize, Stored>,
    ) -> Result<BTreeMap<usize, Keys>, Error> {
        let line = |at: &usize| stored.get(at).and_then(|stored| stored.line);
        // For each game the one that is decoded in its place, and for that the prefix lengths
        // needed.
        let mut shown_by: BTreeMap<usize, usize> = BTreeMap::new();
        let mut lengths: BTreeMap<usize, Arc<[u32]>> = BTreeMap::new();
        let mut keys: BTreeMap<usize, Keys> = BTreeMap::new();
        for class in classes {
            let mut lines: BTreeMap<Digest, usize> = BTreeMap::new();
            for at in class {
                if let Some(line) = line(at) {
                    shown_by.insert(*at, *lines.entry(line).or_insert(*at));
                }
            }
            if lines.len() == 1 {
                let whole = |at: &usize| Some((*at, Keys { end: line(at), prefixes: Vec::new() }));
                keys.extend(class.iter().filter_map(whole));
                continue;
            }
            let plies = class.iter().filter_map(|&at| Some(self.told.get(at)?.plies));
            let plies: BTreeSet<u32> = plies.collect();
            let plies: Arc<[u32]> = plies.into_iter().collect();
            lengths.extend(lines.into_values().map(|at| (at, plies.clone())));
        }
        let decoded = lengths.keys().copied().collect();
        let decoded = self.read(&decoded, Wanted::MOVES, |at, file, record, _| {
            let row = self.told.get(at).map_or(0, |told| told.place.1);
            let lengths = lengths.get(&at).map(|lengths| &**lengths).unwrap_or_default();
            keys_of(file, row, record, lengths)
        })?;
        for (at, by) in shown_by {
            if let Some(found) = decoded.get(&by) {
                keys.insert(at, found.clone());
            }
        }
        Ok(keys)
    }
}

/// The columns of a game's line and annotations.
const NOTED: Wanted<'static> =
    Wanted::Of(&["moves", "annotations", "clocks", "evals", "reviews", "templates", "fields"]);
