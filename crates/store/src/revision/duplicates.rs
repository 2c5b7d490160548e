//! Games that are there twice.
//!
//! Two records are copies of one game if their bytes are the same; or if the same players made the
//! same moves, all of them or those of a longer game from its start on, and nothing says that it
//! was on another day or in another round. Moves are compared by the keys of all positions that
//! they lead to, by a hash of all keys so far, and what a hash has found is proved by the keys.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use plypack_core::key::mix;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::columns::Wanted;
use crate::error::Error;
use crate::export::in_pool;
use crate::facts::{Fact, Players};
use crate::file::PackedFile;
use crate::find::Watch;
use crate::games::Rows;
use crate::import::go_on;
use crate::row::StoredRecord;

/// Shorter games are only copies if their bytes are the same: players repeat openings.
const PLIES_MIN: u32 = 10;

/// How many records are read and decoded at a time.
const CHUNK_RECORDS: usize = 4_096;

/// With how many games of the same moves one is compared, the best of them: thousands of copies of
/// one game would have millions of pairs.
const COMPARED_MAX: usize = 16;

/// Which copy of a game stays. Of copies that are equal in it one whose day is known does, and then
/// the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stays {
    /// The one with the most plies, and of those the one with the most annotations.
    #[default]
    Longest,
    /// The one with the most annotations, clock readings and evaluations, and then plies.
    Annotated,
    /// The first.
    First,
}

/// What is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sought {
    /// Which copy stays.
    pub stays: Stays,
    /// Whether games of other days and rounds are copies as well.
    pub any_day: bool,
}

/// Why a record is a copy of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Copied {
    /// The bytes are the same.
    Bytes,
    /// The players and all moves are.
    Moves,
    /// One has the moves of the other, and others after them.
    Part,
}

/// A record that is a copy of one that stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duplicate {
    /// Which file it is in, and its row there.
    pub copy: (usize, u64),
    /// The one that stays.
    pub of: (usize, u64),
    /// Why it is a copy.
    pub why: Copied,
    /// How many plies it has, and the one that stays.
    pub plies: [u32; 2],
    /// How many annotations it has, and the one that stays.
    pub annotations: [u32; 2],
    /// The checksum of its bytes, by which it can be named.
    pub checksum: u32,
}

/// What is known of a game that may be there twice.
#[derive(Clone, Copy, Debug)]
struct Game {
    place: (usize, u64),
    players: u64,
    checksum: u32,
    /// Hashes of day and round as far as they are known.
    year: Option<u16>,
    day: Option<i32>,
    round: Option<u64>,
    plies: u32,
    annotations: u32,
    /// The hash of all keys; `None` of a short game, or one whose players are not known.
    end: Option<u64>,
}

/// How good a copy is; the best has the least. A known day, and then the first place decide.
type Rank = (Reverse<[u32; 2]>, bool, (usize, u64));

impl Game {
    fn rank(&self, stays: Stays) -> Rank {
        let goods = match stays {
            Stays::Longest => [self.plies, self.annotations],
            Stays::Annotated => [self.annotations, self.plies],
            Stays::First => [0, 0],
        };
        (Reverse(goods), self.day.is_none(), self.place)
    }
}

/// Finds the records that can go, as others are the same game, in the order of files and rows.
///
/// # Errors
/// If a file has positions, cannot be read or is damaged, or it was told to stop.
pub fn duplicates(
    files: &[PackedFile],
    sought: Sought,
    watch: &Watch<'_>,
) -> Result<Vec<Duplicate>, Error> {
    let Some(first) = files.first() else { return Ok(Vec::new()) };
    in_pool(first, watch.threads, || {
        let games = candidates(files, watch)?;
        let mut pairs = same_bytes(files, &games, watch)?;
        pairs.extend(same_moves(files, &games, sought, watch)?);
        Ok(decided(&games, &pairs, sought.stays))
    })
}

/// The games whose players or whose checksum others have as well.
fn candidates(files: &[PackedFile], watch: &Watch<'_>) -> Result<Vec<Game>, Error> {
    let mut players = Vec::new();
    let mut checksums = Vec::new();
    let groups = files.iter().enumerate();
    let groups = groups.flat_map(|(at, file)| (0..file.groups()).map(move |group| (at, group)));
    let groups: Vec<(usize, usize)> = groups.collect();
    for &(file, group) in &groups {
        go_on(watch.stop)?;
        let Some(file) = files.get(file) else { continue };
        players.extend(file.players(group, None)?.iter().filter_map(hash_of_players));
        checksums.extend(checksums_of(file, group)?);
    }
    let (players, checksums) = (repeated(players), repeated(checksums));
    let mut games = Vec::new();
    for &(number, group) in &groups {
        go_on(watch.stop)?;
        let Some(file) = files.get(number) else { continue };
        let names = file.players(group, None)?;
        let own = checksums_of(file, group)?;
        let is_candidate = |row: &u32| {
            let at = *row as usize;
            let known = names.get(at).and_then(hash_of_players);
            known.is_some_and(|hash| players.binary_search(&hash).is_ok())
                || own.get(at).is_some_and(|sum| checksums.binary_search(sum).is_ok())
        };
        let count = u32::try_from(file.group_records(group)).unwrap_or(u32::MAX);
        let rows: Vec<u32> = (0..count).filter(is_candidate).collect();
        (watch.progress)(file.group_records(group));
        if rows.is_empty() {
            continue;
        }
        let before: u64 = (0..group).map(|group| file.group_records(group)).sum();
        let facts = file.facts(group, Some(&rows))?;
        let rounds = file.cells(group, Some(&rows), "Round")?;
        let mut known: Vec<(u32, Fact, Option<u64>)> = Vec::with_capacity(rows.len());
        for ((&row, fact), round) in rows.iter().zip(facts).zip(rounds.texts()) {
            known.push((row, fact, round.and_then(hash_of_round)));
        }
        for some in known.chunks(CHUNK_RECORDS) {
            let read = read(file, some.iter().map(|known| before + u64::from(known.0)), COLUMNS)?;
            let one = |(at, (row, fact, round)): (usize, &(u32, Fact, Option<u64>))| {
                go_on(watch.stop)?;
                let players = names.get(*row as usize).and_then(hash_of_players);
                let place = (number, before + u64::from(*row));
                let Some((record, checksum, _)) = read.record(at) else { return Ok(None) };
                let end = players.map(|players| end_of(file, place.1, &record, players));
                let annotations = record.annotations.as_ref().map_or(0, Vec::len);
                let series = [&record.clocks, &record.evaluations, &record.reviews];
                let series = series.iter().filter(|series| series.is_some()).count();
                Ok::<_, Error>(Some(Game {
                    place,
                    players: players.unwrap_or_default(),
                    checksum: checksum.unwrap_or_default(),
                    year: fact.year,
                    day: fact.day,
                    round: *round,
                    plies: record.line.map_or(0, |line| line.2),
                    annotations: u32::try_from(annotations + series).unwrap_or(u32::MAX),
                    end: end.transpose()?.flatten(),
                }))
            };
            let found: Vec<Option<Game>> =
                some.par_iter().enumerate().map(one).collect::<Result<_, _>>()?;
            games.extend(found.into_iter().flatten());
        }
    }
    Ok(games)
}

/// What is read of games that may be there twice.
const COLUMNS: Wanted<'static> =
    Wanted::Of(&["moves", "annotations", "clocks", "evaluations", "reviews", "checksum"]);

/// Reads ascending rows of a file.
fn read(
    file: &PackedFile,
    rows: impl Iterator<Item = u64>,
    wanted: Wanted<'_>,
) -> Result<Rows, Error> {
    let runs: Vec<Range<u64>> = rows.map(|row| row..row + 1).collect();
    file.read_rows(&runs, wanted)
}

/// The checksums of a row group's records.
fn checksums_of(file: &PackedFile, group: usize) -> Result<Vec<u32>, Error> {
    let rows = file.read_game_rows(group, None, Wanted::Of(&["checksum"]))?;
    let checksum = |row| rows.record(row).and_then(|record| record.1).unwrap_or_default();
    Ok((0..rows.len()).map(checksum).collect())
}

/// What is there more than once, ascending.
fn repeated<T: Ord + Copy + Send>(mut all: Vec<T>) -> Vec<T> {
    all.par_sort_unstable();
    let mut repeated: Vec<T> =
        all.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    repeated.dedup();
    repeated
}

/// A hash of both names; `None` if one is not known.
fn hash_of_players(players: &Players) -> Option<u64> {
    let white = person(players.white.as_deref()?)?;
    let black = person(players.black.as_deref()?)?;
    Some(hash_of(&white) ^ mix(hash_of(&black)))
}

/// A name as it is compared: small letters and digits alone, of the first names the first letter
/// where a comma tells them apart. `None` if it is none.
fn person(name: &str) -> Option<String> {
    let plain = |part: &str| -> String {
        part.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (last, first) = name.split_once(',').unwrap_or((name, ""));
    let mut person = plain(last);
    if let Some(letter) = plain(first).chars().next() {
        person.push(' ');
        person.push(letter);
    }
    let is_none = ["", "nn", "unknown", "anonymous", "white", "black"].contains(&person.as_str());
    (!is_none).then_some(person)
}

/// A hash of a round; `None` if it is not known.
fn hash_of_round(round: &str) -> Option<u64> {
    let is_known = round.chars().any(char::is_alphanumeric);
    is_known.then(|| hash_of(round.trim()))
}

fn hash_of(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| mix(hash ^ u64::from(byte)))
}

/// Continues a hash of keys with the next one.
fn chain(hash: u64, key: u64) -> u64 {
    mix(hash.rotate_left(1) ^ key)
}

/// The keys of the main line of a record.
fn keys_of(file: &PackedFile, row: u64, record: &StoredRecord<'_>) -> Result<Vec<u64>, Error> {
    let Some((codec, start, plies, code)) = record.line else { return Ok(Vec::new()) };
    let failed = |why| Error::Record { path: file.path().into(), record: row + 1, why };
    let codec = StoredRecord::codec(codec).map_err(failed)?;
    let mut keys = Vec::new();
    // What cannot be decoded is no copy; `verify` tells of it.
    match codec.keys(start, plies, code, &mut keys) {
        Ok(()) => Ok(keys),
        Err(_) => Ok(Vec::new()),
    }
}

/// The hash of all keys of a game of these players; `None` if it is short.
fn end_of(
    file: &PackedFile,
    row: u64,
    record: &StoredRecord<'_>,
    players: u64,
) -> Result<Option<u64>, Error> {
    if record.line.is_none_or(|line| line.2 < PLIES_MIN) {
        return Ok(None);
    }
    let keys = keys_of(file, row, record)?;
    Ok((!keys.is_empty()).then(|| keys.iter().fold(players, |hash, &key| chain(hash, key))))
}

/// Pairs of games, by their places among all, and why one is a copy of the other.
type Pairs = Vec<(usize, usize, Copied)>;

/// Reads what is wanted of games, on all threads, by their places among all.
fn read_games<T: Send>(
    files: &[PackedFile],
    games: &[Game],
    mut wanted: Vec<usize>,
    columns: Wanted<'_>,
    each: impl Fn(&PackedFile, u64, &StoredRecord<'_>, Option<u32>) -> Result<T, Error> + Sync,
) -> Result<BTreeMap<usize, T>, Error> {
    // They are in the order of files and rows.
    wanted.sort_unstable();
    wanted.dedup();
    let place = |at: &usize| games.get(*at).map_or((0, 0), |game| game.place);
    let mut read_so_far = BTreeMap::new();
    for of_file in wanted.chunk_by(|one, other| place(one).0 == place(other).0) {
        let Some(file) = of_file.first().and_then(|at| files.get(place(at).0)) else { continue };
        let rows = read(file, of_file.iter().map(|at| place(at).1), columns)?;
        let one = |(number, &at): (usize, &usize)| {
            let Some((record, checksum, _)) = rows.record(number) else { return Ok(None) };
            Ok(Some((at, each(file, place(&at).1, &record, checksum)?)))
        };
        let found: Vec<Option<(usize, T)>> =
            of_file.par_iter().enumerate().map(one).collect::<Result<_, Error>>()?;
        read_so_far.extend(found.into_iter().flatten());
    }
    Ok(read_so_far)
}

/// The records that have the same bytes as one before them, but for white space around them.
fn same_bytes(files: &[PackedFile], games: &[Game], watch: &Watch<'_>) -> Result<Pairs, Error> {
    let key = |at: &usize| games.get(*at).map(|game| (game.checksum, game.plies));
    let mut order: Vec<usize> = (0..games.len()).collect();
    order.sort_by_key(|at| (key(at), *at));
    let alike: Vec<usize> = order
        .chunk_by(|one, other| key(one) == key(other))
        .filter(|alike| alike.len() > 1)
        .flatten()
        .copied()
        .collect();
    let mut pairs = Pairs::new();
    // The first of each text, as a checksum may be that of several.
    let mut firsts: BTreeMap<[u8; 32], usize> = BTreeMap::new();
    for some in alike.chunks(CHUNK_RECORDS) {
        go_on(watch.stop)?;
        let hash = |_: &PackedFile, _, record: &StoredRecord<'_>, checksum| {
            // What does not come back is no copy; `verify` tells of it.
            let bytes = record.original(checksum).ok();
            Ok(bytes.map(|bytes| <[u8; 32]>::from(Sha256::digest(bytes.trim_ascii()))))
        };
        let hashes = read_games(files, games, some.to_vec(), Wanted::All, hash)?;
        for &at in some {
            let Some(Some(hash)) = hashes.get(&at) else { continue };
            match firsts.get(hash) {
                Some(&first) => pairs.push((first, at, Copied::Bytes)),
                None => {
                    firsts.insert(*hash, at);
                }
            }
        }
    }
    Ok(pairs)
}

/// The games whose moves others have as well, all of them or at their beginning.
fn same_moves(
    files: &[PackedFile],
    games: &[Game],
    sought: Sought,
    watch: &Watch<'_>,
) -> Result<Pairs, Error> {
    // The best of those with the same hash come first.
    let rank = |at: usize| games.get(at).map(|game| game.rank(sought.stays));
    let ended = games.iter().enumerate();
    let mut ends: Vec<(u64, usize)> =
        ended.filter_map(|(at, game)| Some((game.end?, at))).collect();
    ends.par_sort_by_key(|&(end, at)| (end, rank(at)));
    let alike = |hash: u64| {
        let first = ends.partition_point(|end| end.0 < hash);
        ends.get(first..).unwrap_or_default().iter().take_while(move |end| end.0 == hash)
    };
    let of_file = |one: &(usize, &Game), other: &(usize, &Game)| one.1.place.0 == other.1.place.0;
    let long: Vec<(usize, &Game)> =
        games.iter().enumerate().filter(|(_, game)| game.end.is_some()).collect();
    let mut pairs = Pairs::new();
    for of_file in long.chunk_by(of_file) {
        for some in of_file.chunks(CHUNK_RECORDS) {
            go_on(watch.stop)?;
            let Some(file) = some.first().and_then(|game| files.get(game.1.place.0)) else {
                continue;
            };
            let rows = read(file, some.iter().map(|game| game.1.place.1), Wanted::MOVES)?;
            let one = |(place, &(at, game)): (usize, &(usize, &Game))| {
                let Some((record, ..)) = rows.record(place) else { return Ok(Pairs::new()) };
                let keys = keys_of(file, game.place.1, &record)?;
                let mut hash = game.players;
                let mut found = Pairs::new();
                for (ply, &key) in keys.iter().enumerate() {
                    hash = chain(hash, key);
                    if ply < PLIES_MIN as usize {
                        continue;
                    }
                    let is_whole = ply + 1 == keys.len();
                    let why = if is_whole { Copied::Moves } else { Copied::Part };
                    let fits = |other: &usize| {
                        games.get(*other).is_some_and(|other| {
                            other.plies as usize == ply && may_be_one(game, other, sought)
                        })
                    };
                    // Of two that are equal each would find the other.
                    let others = alike(hash).map(|end| end.1);
                    let better = others.take_while(|&other| !is_whole || other != at);
                    let compared = better.filter(fits).take(COMPARED_MAX);
                    found.extend(compared.map(|other| (at, other, why)));
                }
                Ok::<_, Error>(found)
            };
            let found: Vec<Pairs> =
                some.par_iter().enumerate().map(one).collect::<Result<_, _>>()?;
            let found: Pairs = found.into_iter().flatten().collect();
            let both = found.iter().flat_map(|pair| [pair.0, pair.1]).collect();
            let keys = read_games(files, games, both, Wanted::MOVES, |file, row, record, _| {
                keys_of(file, row, record)
            })?;
            pairs.extend(found.into_iter().filter(|(longer, other, _)| {
                let both = keys.get(longer).zip(keys.get(other));
                both.is_some_and(|(longer, other)| !other.is_empty() && longer.starts_with(other))
            }));
        }
    }
    Ok(pairs)
}

/// Whether two games can be one: the same players, and no other day or round that is known.
fn may_be_one(one: &Game, other: &Game, sought: Sought) -> bool {
    fn fits<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
        one.zip(other).is_none_or(|(one, other)| one == other)
    }
    one.players == other.players
        && (sought.any_day
            || fits(one.year, other.year)
                && fits(one.day, other.day)
                && fits(one.round, other.round))
}

/// What goes: of all that are copies of one another, the best stays, and those go that are copies
/// of one that stays.
fn decided(games: &[Game], pairs: &Pairs, stays: Stays) -> Vec<Duplicate> {
    let mut of: BTreeMap<usize, Vec<(usize, Copied)>> = BTreeMap::new();
    for &(one, other, why) in pairs {
        of.entry(one).or_default().push((other, why));
        of.entry(other).or_default().push((one, why));
    }
    let rank = |at: &usize| games.get(*at).map(|game| game.rank(stays));
    let mut order: Vec<usize> = of.keys().copied().collect();
    order.sort_by_key(rank);
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    let mut found = Vec::new();
    for at in order {
        let others = of.get(&at).map(Vec::as_slice).unwrap_or_default();
        let best = others.iter().filter(|other| kept.contains(&other.0));
        let best = best.min_by_key(|other| (other.1, rank(&other.0)));
        match best.and_then(|&(other, why)| Some((games.get(at)?, games.get(other)?, why))) {
            Some((game, other, why)) => found.push(Duplicate {
                copy: game.place,
                of: other.place,
                why,
                plies: [game.plies, other.plies],
                annotations: [game.annotations, other.annotations],
                checksum: game.checksum,
            }),
            None => {
                kept.insert(at);
            }
        }
    }
    found.sort_by_key(|duplicate| duplicate.copy);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_by_their_letters() {
        for (one, other) in [
            ("Carlsen, Magnus", "Carlsen,M"),
            ("CARLSEN, M.", "carlsen,magnus"),
            ("Van Wely, L", "van wely,Loek"),
        ] {
            assert_eq!(person(one), person(other), "{one}");
            assert!(person(one).is_some());
        }
        assert_ne!(person("Polgar, Judit"), person("Polgar, Sofia"));
        assert_ne!(person("Carlsen"), person("Carlsen, Magnus"));
        for none in ["", "?", "-", " ", "N.N.", "Unknown"] {
            assert_eq!(person(none), None, "{none}");
        }
    }
}
