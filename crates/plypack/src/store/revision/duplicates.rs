//! Finds duplicate games.
//!
//! Two records are copies of one game if their bytes are equal; or if the same players made the
//! same moves, all of them or the beginning of a longer game, and nothing shows that the game was
//! on another day, in another round, or had another result. Moves are equal if the keys of all
//! positions that they lead to are.
//!
//! Little is decoded: the small columns leave few candidates, and rows that are stored alike are
//! equal. Rows are read in file order, each at most a few times.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use plypack_core::key::mix;
use rayon::prelude::*;
use sha2::{Digest as _, Sha256};

use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::facts::{Outcome, Players};
use crate::store::file::PackedFile;
use crate::store::games::Rows;
use crate::store::movetext::Annotation;
use crate::store::person::Person;
use crate::store::row::StoredRecord;
use crate::store::work::Work;

/// Shorter games are copies only if their bytes are equal: players repeat openings.
const PLIES_MIN: u32 = 10;

/// How many records are read and decoded at a time.
const CHUNK_RECORDS: usize = 4_096;

/// The most games with the same moves that one is compared with, the best first: thousands of
/// copies of one game would make millions of pairs.
const COMPARED_MAX: usize = 16;

/// The most games considered for those comparisons.
const LOOKED_AT_MAX: usize = 256;

/// Up to this many games of the same players are compared pairwise by day and round.
const EACH_WITH_EACH_MAX: usize = 64;

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

/// The first half of a SHA-256.
type Digest = [u8; 16];

/// What the small columns tell about a game.
#[derive(Clone, Copy, Debug)]
struct Told {
    place: (usize, u64),
    /// A hash of both players, if known.
    players: Option<u64>,
    checksum: u32,
    when: When,
    outcome: Option<Outcome>,
    plies: u32,
}

/// When a game was played, as far as known; the round is a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct When {
    year: Option<u16>,
    day: Option<i32>,
    round: Option<u64>,
}

/// What is stored of a game.
#[derive(Clone, Copy, Debug, Default)]
struct Stored {
    /// The digest of its line in coded form; `None` for a record without moves.
    line: Option<Digest>,
    annotations: u32,
    /// The digest of its annotations.
    notes: Digest,
}

/// The digests of the keys of a line: of all keys, and of prefixes of some lengths.
#[derive(Clone, Debug, Default)]
struct Keys {
    end: Option<Digest>,
    prefixes: Vec<(u32, Digest)>,
}

impl When {
    /// Returns whether both may be the same moment.
    fn fits(self, other: Self) -> bool {
        fn fits<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.zip(other).is_none_or(|(one, other)| one == other)
        }
        fits(self.year, other.year) && fits(self.day, other.day) && fits(self.round, other.round)
    }

    fn is_known(self) -> bool {
        self.year.is_some() && self.day.is_some() && self.round.is_some()
    }
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

/// Reads the small columns of all games.
fn told(files: &[PackedFile], work: &Work<'_>) -> Result<Vec<Told>, Error> {
    let mut told = Vec::new();
    let (mut names, mut players_told) = (Names::default(), Vec::new());
    for (number, file) in files.iter().enumerate() {
        for group in 0..file.groups() {
            work.check()?;
            let before = file.group_start(group);
            let players = file.players(group, None)?;
            let facts = file.facts(group, None)?;
            let rounds = file.cells(group, None, "Round")?;
            let plies = file.cells(group, None, "moves.plies")?;
            let checksums = checksums_of(file, group)?;
            let columns = players.iter().zip(facts).zip(rounds.texts()).zip(plies.numbers());
            for ((((players, fact), round), plies), (row, checksum)) in
                columns.zip((before..).zip(checksums))
            {
                let (year, day, round) = (fact.year, fact.day, round.and_then(hash_of_round));
                players_told.push(names.add(players));
                told.push(Told {
                    place: (number, row),
                    players: None,
                    checksum,
                    when: When { year, day, round },
                    outcome: fact.outcome,
                    plies: plies.and_then(|plies| u32::try_from(plies).ok()).unwrap_or(0),
                });
            }
            work.done(file.group_records(group));
        }
    }
    let keys = names.keys();
    for (told, players) in told.iter_mut().zip(players_told) {
        let [white, black] = players.map(|name| keys.get(name?).copied().flatten());
        told.players = white.zip(black).map(|(white, black)| white ^ mix(black));
    }
    Ok(told)
}

/// The names of players, each with a number.
#[derive(Default)]
struct Names(BTreeMap<String, usize>);

impl Names {
    /// Adds the players of a game, and returns their numbers.
    fn add(&mut self, players: &Players) -> [Option<usize>; 2] {
        [&players.white, &players.black].map(|name| {
            let name = name.as_deref()?;
            if let Some(&number) = self.0.get(name) {
                return Some(number);
            }
            let number = self.0.len();
            self.0.insert(name.to_owned(), number);
            Some(number)
        })
    }

    /// Returns a hash for each name, by its number, that is the same for names of one surname and
    /// initial; `None` for nobody. What is written without a comma is read as the surname of a
    /// name with one, if there is such a name.
    fn keys(&self) -> Vec<Option<u64>> {
        let mut read: Vec<(usize, Vec<String>)> =
            self.0.par_iter().map(|(name, &at)| (at, Person::read(name).short_keys())).collect();
        read.sort_unstable_by_key(|name| name.0);
        let certain = read.iter().filter_map(|(_, keys)| match &keys[..] {
            [key] => Some(key.as_str()),
            _ => None,
        });
        let certain: BTreeSet<&str> = certain.collect();
        let key = |keys: &[String]| {
            let known = keys.iter().find(|key| certain.contains(key.as_str()));
            known.or(keys.first()).map(|key| hash_of(key))
        };
        read.iter().map(|(_, keys)| key(keys)).collect()
    }
}

/// Returns the checksums of a row group's records.
fn checksums_of(file: &PackedFile, group: usize) -> Result<Vec<u32>, Error> {
    let rows = file.read_game_rows(group, None, Wanted::Of(&["checksum"]))?;
    let checksum = |row| rows.record(row).and_then(|record| record.1).unwrap_or_default();
    Ok((0..rows.len()).map(checksum).collect())
}

/// Groups games, by their indices, that may be one by their players, days and rounds; each game is
/// in at most one class, and each class has at least two.
fn classes(told: &[Told], any_day: bool) -> Vec<Vec<usize>> {
    let known = |&at: &usize| told.get(at)?.players.filter(|_| told[at].plies >= PLIES_MIN);
    let when = |at: usize| told.get(at).map(|told| told.when);
    let mut order: Vec<usize> = (0..told.len()).filter(|at| known(at).is_some()).collect();
    order.par_sort_by_key(|at| (known(at), when(*at), *at));
    let mut classes = Vec::new();
    for same in order.chunk_by(|one, other| known(one) == known(other)) {
        let is_clear = |&at: &usize| when(at).is_some_and(When::is_known);
        if any_day {
            classes.push(same.to_vec());
        } else if same.iter().all(is_clear) {
            let moments = same.chunk_by(|&one, &other| when(one) == when(other));
            classes.extend(moments.map(<[usize]>::to_vec));
        } else if same.len() > EACH_WITH_EACH_MAX {
            classes.push(same.to_vec());
        } else {
            let fits = |one, other| when(one).zip(when(other)).is_some_and(|(a, b)| a.fits(b));
            classes.extend(connected(same, fits));
        }
    }
    classes.retain(|class| class.len() > 1);
    classes.iter_mut().for_each(|class| class.sort_unstable());
    classes
}

/// Splits games into connected parts.
fn connected(games: &[usize], fits: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut left = games.to_vec();
    let mut parts = Vec::new();
    while let Some(first) = left.pop() {
        let (mut part, mut at) = (vec![first], 0);
        while let Some(&one) = part.get(at) {
            let (joined, apart) = left.into_iter().partition(|&other| fits(one, other));
            part.extend::<Vec<usize>>(joined);
            left = apart;
            at += 1;
        }
        parts.push(part);
    }
    parts
}

/// Groups games whose bytes have the same checksum, at least two, in order of their indices.
fn same_checksum(told: &[Told]) -> Vec<Vec<usize>> {
    let checksum = |at: &usize| told.get(*at).map(|told| told.checksum);
    let mut order: Vec<usize> = (0..told.len()).collect();
    order.par_sort_by_key(|at| (checksum(at), *at));
    let same = order.chunk_by(|one, other| checksum(one) == checksum(other));
    same.filter(|same| same.len() > 1).map(<[usize]>::to_vec).collect()
}

/// Returns a hash of a round; `None` if it is unknown.
fn hash_of_round(round: &str) -> Option<u64> {
    let is_known = round.chars().any(char::is_alphanumeric);
    is_known.then(|| hash_of(round.trim()))
}

fn hash_of(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// Starts a digest; `first` tells what it is of.
fn digest(first: &[u8]) -> Sha256 {
    Sha256::new_with_prefix(first)
}

/// Finishes a digest.
fn half(hash: Sha256) -> Digest {
    let mut half = Digest::default();
    half.copy_from_slice(&hash.finalize()[..size_of::<Digest>()]);
    half
}

/// Adds bytes and their length, so that different lists of texts give different bytes.
fn add(hash: &mut Sha256, bytes: Option<&[u8]>) {
    hash.update(bytes.map_or(u64::MAX, |bytes| bytes.len() as u64).to_le_bytes());
    hash.update(bytes.unwrap_or_default());
}

/// Returns the digest of a record's line in coded form.
fn line_of(record: &StoredRecord<'_>) -> Option<Digest> {
    let (codec, start, plies, code) = record.line?;
    let mut hash = digest(b"line");
    add(&mut hash, Some(codec.as_bytes()));
    add(&mut hash, start.map(str::as_bytes));
    hash.update(plies.to_le_bytes());
    add(&mut hash, Some(code));
    Some(half(hash))
}

/// Returns the number of a record's annotations, and their digest. Series count as one each.
fn notes_of(record: &StoredRecord<'_>) -> (u32, Digest) {
    let mut hash = digest(b"notes");
    let annotations = record.annotations.as_deref().unwrap_or_default();
    for Annotation { skip, kind, text, moves } in annotations {
        hash.update(skip.to_le_bytes());
        add(&mut hash, Some(kind.name().as_bytes()));
        add(&mut hash, Some(text.as_bytes()));
        hash.update(moves.as_ref().map_or(0, |moves| moves.0).to_le_bytes());
        add(&mut hash, moves.as_ref().map(|moves| &*moves.1));
    }
    let mut count = annotations.len();
    add(&mut hash, record.templates.map(str::as_bytes));
    for series in [record.clocks, record.evaluations, record.reviews, record.fields] {
        add(&mut hash, series.map(|series| series.0.as_bytes()));
        add(&mut hash, series.map(|series| series.1));
        count += usize::from(series.is_some());
    }
    (u32::try_from(count).unwrap_or(u32::MAX), half(hash))
}

/// Returns the digest of everything stored of a record.
fn row_of(record: &StoredRecord<'_>) -> Digest {
    let mut hash = digest(b"row");
    for (name, value) in &record.tags {
        add(&mut hash, Some(name.as_bytes()));
        add(&mut hash, Some(value.as_bytes()));
    }
    hash.update(line_of(record).unwrap_or_default());
    hash.update(notes_of(record).1);
    add(&mut hash, record.layout.map(str::as_bytes));
    add(&mut hash, record.patch);
    add(&mut hash, record.verbatim);
    half(hash)
}

/// Returns the digests of the keys of a record's line: of all keys, and of prefixes of these
/// lengths.
fn keys_of(
    file: &PackedFile,
    row: u64,
    record: &StoredRecord<'_>,
    lengths: &[u32],
) -> Result<Keys, Error> {
    let Some((codec, start, plies, code)) = record.line else { return Ok(Keys::default()) };
    let codec = StoredRecord::codec(codec).map_err(Error::record(file.path(), row))?;
    let mut keys = Vec::new();
    // What cannot be decoded is not a copy; `verify` reports it.
    if codec.keys(start, plies, code, &mut keys).is_err() {
        return Ok(Keys::default());
    }
    let mut hash = digest(codec.game().info().name.as_bytes());
    let (mut prefixes, mut lengths) = (Vec::new(), lengths.iter().peekable());
    for (ply, key) in (0u32..).zip(&keys) {
        hash.update(key.to_le_bytes());
        while let Some(&length) = lengths.next_if(|&&length| length <= ply) {
            if length == ply && ply < plies {
                prefixes.push((length, half(hash.clone())));
            }
        }
    }
    Ok(Keys { end: Some(half(hash)), prefixes })
}

/// The indices of two games, and why one is a copy of the other.
type Pair = (usize, usize, Copied);

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
                let rows = read(file, some.iter().map(|at| place(at).1), columns)?;
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

/// Reads ascending rows of a file.
fn read(
    file: &PackedFile,
    rows: impl Iterator<Item = u64>,
    wanted: Wanted<'_>,
) -> Result<Rows, Error> {
    let mut runs: Vec<Range<u64>> = Vec::new();
    for row in rows {
        match runs.last_mut().filter(|run| run.end == row) {
            Some(run) => run.end += 1,
            None => runs.push(row..row + 1),
        }
    }
    file.read_rows(&runs, wanted)
}

/// Pairs the games of a class whose moves equal another's, or the beginning of another's.
fn same_moves(
    class: &[usize],
    told: &[Told],
    ranks: &Ranks<'_>,
    keys: &BTreeMap<usize, Keys>,
    any_day: bool,
) -> Vec<Pair> {
    let when = |at: usize| told.get(at).map(|told| told.when);
    let fits = |one: usize, other: usize| {
        any_day || when(one).zip(when(other)).is_some_and(|(one, other)| one.fits(other))
    };
    let mut best: Vec<usize> = class.to_vec();
    best.sort_by_key(|&at| ranks.of(at));
    let mut ends: BTreeMap<Digest, Vec<usize>> = BTreeMap::new();
    let mut pairs = Vec::new();
    // The best games come first, so each is compared with better ones.
    for &at in &best {
        let Some(end) = keys.get(&at).and_then(|keys| keys.end) else { continue };
        let same = ends.entry(end).or_default();
        let better = same.iter().take(LOOKED_AT_MAX).filter(|&&other| fits(at, other));
        pairs.extend(better.take(COMPARED_MAX).map(|&other| (at, other, Copied::Moves)));
        same.push(at);
    }
    for &at in &best {
        for (_, beginning) in keys.get(&at).into_iter().flat_map(|keys| &keys.prefixes) {
            let shorter = ends.get(beginning).into_iter().flatten().take(LOOKED_AT_MAX);
            let shorter = shorter.filter(|&&other| fits(at, other));
            pairs.extend(shorter.take(COMPARED_MAX).map(|&other| (at, other, Copied::Part)));
        }
    }
    pairs
}

/// The rank of a copy; the best has the least. Ties are decided by a known day, then by place.
type Rank = (Reverse<[u32; 2]>, bool, (usize, u64));

/// Ranks games.
struct Ranks<'r> {
    told: &'r [Told],
    stored: &'r BTreeMap<usize, Stored>,
    stays: Stays,
}

impl Ranks<'_> {
    fn of(&self, at: usize) -> Option<Rank> {
        let told = self.told.get(at)?;
        let annotations = self.stored(at).annotations;
        let goods = match self.stays {
            Stays::Longest => [told.plies, annotations],
            Stays::Annotated => [annotations, told.plies],
            Stays::First => [0, 0],
        };
        Some((Reverse(goods), told.when.day.is_none(), told.place))
    }

    fn stored(&self, at: usize) -> Stored {
        self.stored.get(&at).copied().unwrap_or_default()
    }

    fn duplicate(&self, (copy, of, why): Pair) -> Option<Duplicate> {
        let [told, of_told] = [self.told.get(copy)?, self.told.get(of)?];
        let [stored, of_stored] = [self.stored(copy), self.stored(of)];
        Some(Duplicate {
            copy: told.place,
            of: of_told.place,
            why,
            plies: [told.plies, of_told.plies],
            annotations: [stored.annotations, of_stored.annotations],
            annotated_otherwise: stored.annotations > 0 && stored.notes != of_stored.notes,
            outcomes: [told.outcome, of_told.outcome],
            contradicts: false,
            checksum: told.checksum,
        })
    }
}

/// Decides which games to delete: of all that are copies of one another, the best is kept, and the
/// copies of kept ones go. The pairs in `apart`, which differ only in their results, are both kept.
fn decided(ranks: &Ranks<'_>, pairs: &[Pair], apart: &[Pair]) -> Vec<Duplicate> {
    let mut of: BTreeMap<usize, Vec<(usize, Copied)>> = BTreeMap::new();
    for &(one, other, why) in pairs {
        of.entry(one).or_default().push((other, why));
        of.entry(other).or_default().push((one, why));
    }
    let mut order: Vec<usize> = of.keys().copied().collect();
    order.sort_by_key(|&at| ranks.of(at));
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    let mut gone: BTreeSet<usize> = BTreeSet::new();
    let mut found = Vec::new();
    for at in order {
        let others = of.get(&at).map(Vec::as_slice).unwrap_or_default();
        let best = others.iter().filter(|other| kept.contains(&other.0));
        let best = best.min_by_key(|other| (other.1, ranks.of(other.0)));
        let duplicate = best.and_then(|&(other, why)| ranks.duplicate((at, other, why)));
        (if duplicate.is_some() { &mut gone } else { &mut kept }).insert(at);
        found.extend(duplicate);
    }
    let mut said = BTreeSet::new();
    for &(one, other, why) in apart {
        let (better, worse) = match ranks.of(one) <= ranks.of(other) {
            true => (one, other),
            false => (other, one),
        };
        if !gone.contains(&one) && !gone.contains(&other) && said.insert(worse) {
            let duplicate = ranks.duplicate((worse, better, why));
            found.extend(duplicate.map(|found| Duplicate { contradicts: true, ..found }));
        }
    }
    found.sort_by_key(|duplicate| duplicate.copy);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_one_by_surname_and_initial() {
        let keys = |names: &[&str]| {
            let mut all = Names::default();
            for name in names {
                all.add(&Players { white: Some((*name).to_owned()), black: None });
            }
            all.keys()
        };
        let spellings =
            ["Carlsen, M.", "carlsen,m", "Magnus Carlsen", "CARLSEN MAGNUS", "Carlsen, Magnus"];
        let of_one = keys(&spellings);
        assert!(of_one[0].is_some() && of_one.iter().all(|key| *key == of_one[0]), "{of_one:?}");
        // Nothing tells which word is the surname.
        let [one, other] = keys(&["CARLSEN MAGNUS", "Magnus Carlsen"])[..] else { panic!("two") };
        assert_ne!(one, other);
        let others = keys(&["Polgar, Judit", "Polgar, Sofia", "Carlsen", "?", "N.N."]);
        assert_eq!(others[3..], [None, None]);
        assert_eq!(others.iter().collect::<BTreeSet<_>>().len(), 4);
    }
}
