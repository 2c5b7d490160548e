//! What the small columns tell of games, and the classes of those that may be one game.

use std::collections::{BTreeMap, BTreeSet};

use plypack_core::key::mix;
use rayon::prelude::*;

use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::facts::{Outcome, Players};
use crate::store::file::PackedFile;
use crate::store::person::Person;
use crate::store::work::Work;

/// Shorter games are copies only if their bytes are equal: players repeat openings.
const PLIES_MIN: u32 = 10;

/// Up to this many games of the same players are compared pairwise by day and round.
const EACH_WITH_EACH_MAX: usize = 64;

/// What the small columns tell about a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Told {
    pub(super) place: (usize, u64),
    /// A hash of both players, if known.
    pub(super) players: Option<u64>,
    pub(super) checksum: u32,
    pub(super) when: When,
    pub(super) outcome: Option<Outcome>,
    pub(super) plies: u32,
}

/// When a game was played, as far as known; the round is a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct When {
    pub(super) year: Option<u16>,
    pub(super) day: Option<i32>,
    pub(super) round: Option<u64>,
}

impl When {
    /// Returns whether both may be the same moment.
    pub(super) fn fits(self, other: Self) -> bool {
        fn fits<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.zip(other).is_none_or(|(one, other)| one == other)
        }
        fits(self.year, other.year) && fits(self.day, other.day) && fits(self.round, other.round)
    }

    pub(super) fn is_known(self) -> bool {
        self.year.is_some() && self.day.is_some() && self.round.is_some()
    }
}

/// Reads the small columns of all games.
pub(super) fn told(files: &[PackedFile], work: &Work<'_>) -> Result<Vec<Told>, Error> {
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
pub(super) struct Names(BTreeMap<String, usize>);

impl Names {
    /// Adds the players of a game, and returns their numbers.
    pub(super) fn add(&mut self, players: &Players) -> [Option<usize>; 2] {
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
    pub(super) fn keys(&self) -> Vec<Option<u64>> {
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
pub(super) fn checksums_of(file: &PackedFile, group: usize) -> Result<Vec<u32>, Error> {
    let rows = file.read_game_rows(group, None, Wanted::Of(&["checksum"]))?;
    let checksum = |row| rows.record(row).and_then(|record| record.1).unwrap_or_default();
    Ok((0..rows.len()).map(checksum).collect())
}

/// Groups games, by their indices, that may be one by their players, days and rounds; each game is
/// in at most one class, and each class has at least two.
pub(super) fn classes(told: &[Told], any_day: bool) -> Vec<Vec<usize>> {
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
pub(super) fn connected(games: &[usize], fits: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
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
pub(super) fn same_checksum(told: &[Told]) -> Vec<Vec<usize>> {
    let checksum = |at: &usize| told.get(*at).map(|told| told.checksum);
    let mut order: Vec<usize> = (0..told.len()).collect();
    order.par_sort_by_key(|at| (checksum(at), *at));
    let same = order.chunk_by(|one, other| checksum(one) == checksum(other));
    same.filter(|same| same.len() > 1).map(<[usize]>::to_vec).collect()
}

/// Returns a hash of a round; `None` if it is unknown.
pub(super) fn hash_of_round(round: &str) -> Option<u64> {
    let is_known = round.chars().any(char::is_alphanumeric);
    is_known.then(|| hash_of(round.trim()))
}

pub(super) fn hash_of(text: &str) -> u64 {
    text.bytes().fold(text.len() as u64, |hash, byte| mix(hash ^ u64::from(byte)))
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
