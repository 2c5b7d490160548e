//! Lists the players of games, with all spellings of their names.
//!
//! Names are collected first, each with its FIDE number where the tags have one. Names of one
//! number are one player. Without a number, names that mean the same person (`person`) are one
//! player, unless they belong to more than one number: then nothing tells whose games those are.

use std::borrow::Borrow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use rayon::prelude::*;

use crate::store::error::Error;
use crate::store::facts::{Outcome, Players};
use crate::store::file::PackedFile;
use crate::store::person::{Likeness, Person, SoughtPlayer};
use crate::store::work::Work;

/// Row groups read between two checks whether to stop.
const GROUPS_AT_ONCE: usize = 16;

/// The most names that one is compared with, those with the most games: thousands may share a
/// surname and an initial.
const DOUBTFUL_MAX: usize = 256;

/// A player, as far as names and FIDE numbers tell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Player {
    /// The spellings of the name, at least one, and the games of each, the most frequent first.
    pub spellings: Vec<(String, u64)>,
    /// The number at FIDE, if a tag of some game has it.
    pub fide_id: Option<u32>,
    /// The games and their results.
    pub career: Career,
}

/// The games of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Career {
    /// All games; those without a result are neither won, drawn nor lost.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// The first and the last year, if any game has one.
    pub years: Option<(u16, u16)>,
    /// The rating in the latest game that has one.
    pub last_rating: Option<u16>,
    /// The highest rating.
    pub highest_rating: Option<u16>,
    /// When the last rating was: year and day.
    rated: (Option<u16>, Option<i32>),
}

/// The players of some games.
#[derive(Clone, Debug, Default)]
pub struct Roster {
    players: Vec<Player>,
}

/// A name and the FIDE number beside it.
type Named = (String, Option<u32>);

impl Player {
    /// Returns the most frequent spelling of the name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.spellings.first().map_or("", |spelling| &spelling.0)
    }
}

impl Career {
    /// Adds the games of another career, which come later in the files.
    fn add(&mut self, later: &Self) {
        self.games += later.games;
        self.wins += later.wins;
        self.draws += later.draws;
        self.losses += later.losses;
        self.years = match (self.years, later.years) {
            (Some(one), Some(other)) => Some((one.0.min(other.0), one.1.max(other.1))),
            (one, other) => one.or(other),
        };
        self.highest_rating = self.highest_rating.max(later.highest_rating);
        if later.last_rating.is_some() && (self.last_rating.is_none() || later.rated >= self.rated)
        {
            (self.last_rating, self.rated) = (later.last_rating, later.rated);
        }
    }
}

/// Returns the names of players that are nearest to a misspelt one, at most so many: those of the
/// fewest slips first, then those of the most games. None if a search for it finds a name.
///
/// # Errors
/// Returns an error if a file holds positions, cannot be read or is damaged, or the work was
/// stopped.
pub fn nearest_names(
    files: &[&PackedFile],
    sought: &str,
    most: usize,
    work: &Work<'_>,
) -> Result<Vec<String>, Error> {
    let mut names: BTreeMap<String, u64> = BTreeMap::new();
    for file in files {
        for group in 0..file.groups() {
            work.check()?;
            let players = file.players(group, None)?.into_iter();
            for name in players.flat_map(|Players { white, black }| [white, black]).flatten() {
                *names.entry(name).or_default() += 1;
            }
        }
    }
    let (finds, person) = (SoughtPlayer::read(sought), Person::read(sought));
    if person.is_nobody() || names.keys().any(|name| finds.finds(name)) {
        return Ok(Vec::new());
    }
    let near = |(name, games): (String, u64)| {
        Some((person.slips(&Person::read(&name))?, Reverse(games), name))
    };
    let mut nearest: Vec<_> = names.into_iter().filter_map(near).collect();
    nearest.sort_unstable();
    Ok(nearest.into_iter().take(most).map(|found| found.2).collect())
}

impl Roster {
    /// Reads the players of all games of some files; the one with the most games comes first.
    ///
    /// # Errors
    /// Returns an error if a file holds positions, cannot be read or is damaged, or the work was
    /// stopped.
    pub fn read<F: Borrow<PackedFile> + Sync>(files: &[F], work: &Work<'_>) -> Result<Self, Error> {
        work.run(|| {
            let groups: Vec<(&PackedFile, usize)> = files
                .iter()
                .map(Borrow::borrow)
                .flat_map(|file: &PackedFile| (0..file.groups()).map(move |at| (file, at)))
                .collect();
            let mut all: BTreeMap<Named, Career> = BTreeMap::new();
            for some in groups.chunks(GROUPS_AT_ONCE) {
                work.check()?;
                let read: Vec<BTreeMap<Named, Career>> = some
                    .par_iter()
                    .map(|&(file, group)| {
                        work.check()?;
                        let careers = careers(file, group)?;
                        work.done(file.group_records(group));
                        Ok(careers)
                    })
                    .collect::<Result<_, Error>>()?;
                for (named, career) in read.into_iter().flatten() {
                    all.entry(named).or_default().add(&career);
                }
            }
            work.check()?;
            Ok(Self { players: players(all) })
        })
    }

    /// All players, the one with the most games first.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// Keeps only this many players, those with the most games.
    pub fn truncate(&mut self, most: usize) {
        self.players.truncate(most);
    }

    /// Returns the places of the players that a search finds by a spelling of their name.
    pub fn found(&self, sought: &SoughtPlayer) -> Vec<usize> {
        let is_found =
            |player: &Player| player.spellings.iter().any(|spelling| sought.finds(&spelling.0));
        let places = self.players.par_iter().enumerate();
        places.filter(|(_, player)| is_found(player)).map(|(at, _)| at).collect()
    }

    /// Returns for each of these players, by their places, the places of others who may be the same
    /// person. Two players with a FIDE number are not.
    ///
    /// # Errors
    /// Returns an error if the work was stopped.
    pub fn doubtful(&self, wanted: &[usize], work: &Work<'_>) -> Result<Vec<Vec<usize>>, Error> {
        let names = self.players.iter().enumerate().flat_map(|(at, player)| {
            player.spellings.iter().map(move |spelling| (at, spelling.0.as_str()))
        });
        let mut list: BTreeMap<String, Vec<(usize, &str)>> = BTreeMap::new();
        for (at, name) in names {
            for key in Person::read(name).doubtful_keys().own {
                let same = list.entry(key).or_default();
                if same.len() < DOUBTFUL_MAX {
                    same.push((at, name));
                }
            }
        }
        let of_one = |&wanted: &usize| {
            work.check()?;
            let mut found = BTreeSet::new();
            let Some(player) = self.players.get(wanted) else { return Ok(Vec::new()) };
            for (name, _) in &player.spellings {
                let person = Person::read(name);
                let near = person.doubtful_keys().others.into_iter();
                for &(at, other) in
                    near.filter_map(|key| list.get(&key)).flatten().take(DOUBTFUL_MAX)
                {
                    let is_other =
                        at != wanted && self.players[at].fide_id.and(player.fide_id).is_none();
                    let likeness = || person.compare(&Person::read(other));
                    if is_other && !found.contains(&at) && likeness() > Likeness::Different {
                        found.insert(at);
                    }
                }
            }
            Ok(found.into_iter().collect())
        };
        work.run(|| wanted.par_iter().map(of_one).collect())
    }
}

/// Returns the games of every name in a row group.
fn careers(file: &PackedFile, group: usize) -> Result<BTreeMap<Named, Career>, Error> {
    let (players, facts) = (file.players(group, None)?, file.facts(group, None)?);
    let [white_ids, black_ids] =
        ["WhiteFideId", "BlackFideId"].map(|name| file.cells(group, None, name));
    let (white_ids, black_ids) = (white_ids?, black_ids?);
    let ids = white_ids.numbers().zip(black_ids.numbers());
    let mut careers: BTreeMap<Named, Career> = BTreeMap::new();
    for ((players, fact), (white_id, black_id)) in players.into_iter().zip(facts).zip(ids) {
        let sides = [
            (players.white, white_id, fact.white_rating, Outcome::White),
            (players.black, black_id, fact.black_rating, Outcome::Black),
        ];
        for (name, id, rating, won) in sides {
            let Some(name) = name else { continue };
            let id = id.and_then(|id| u32::try_from(id).ok()).filter(|&id| id > 0);
            let is = |outcome| u64::from(fact.outcome == Some(outcome));
            let games = Career {
                games: 1,
                wins: is(won),
                draws: is(Outcome::Draw),
                losses: u64::from(fact.outcome.is_some()) - is(won) - is(Outcome::Draw),
                years: fact.year.map(|year| (year, year)),
                last_rating: rating,
                highest_rating: rating,
                rated: (fact.year, fact.day),
            };
            careers.entry((name, id)).or_default().add(&games);
        }
    }
    Ok(careers)
}

/// Whose games those of a name without a FIDE number are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Owner {
    /// The player with this number.
    Number(u32),
    /// The names of this cluster.
    Cluster(usize),
}

/// Makes players of names, the one with the most games first; nobody is left out.
fn players(careers: BTreeMap<Named, Career>) -> Vec<Player> {
    // Names are those of neighbours, each once, and each with all of its numbers.
    let mut names: Vec<(&str, Vec<u32>)> = Vec::new();
    for (name, id) in careers.keys() {
        if names.last().is_none_or(|last| last.0 != name) {
            names.push((name, Vec::new()));
        }
        if let Some(last) = names.last_mut() {
            last.1.extend(id);
        }
    }
    let owners = owners(&names);
    let owner = |(name, id): &Named| match id {
        Some(id) => Some(Owner::Number(*id)),
        None => {
            let at = names.binary_search_by(|other| other.0.cmp(name)).ok()?;
            owners.get(at).copied().flatten()
        }
    };
    let mut made: BTreeMap<Owner, Player> = BTreeMap::new();
    for (named, career) in &careers {
        let Some(owner) = owner(named) else { continue };
        let player = made.entry(owner).or_insert_with(|| Player {
            spellings: Vec::new(),
            fide_id: match owner {
                Owner::Number(id) => Some(id),
                Owner::Cluster(_) => None,
            },
            career: Career::default(),
        });
        player.career.add(career);
        // A name's numbers are neighbours.
        match player.spellings.last_mut().filter(|spelling| spelling.0 == named.0) {
            Some(spelling) => spelling.1 += career.games,
            None => player.spellings.push((named.0.clone(), career.games)),
        }
    }
    let mut players: Vec<Player> = made.into_values().collect();
    for player in &mut players {
        player.spellings.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
    }
    let key = |player: &Player| std::cmp::Reverse(player.career.games);
    players.par_sort_by(|one, other| {
        (key(one), &one.spellings, one.fide_id).cmp(&(key(other), &other.spellings, other.fide_id))
    });
    players
}

/// Returns for each name, with its numbers, whose its games without a number are; `None` for
/// nobody's.
fn owners(names: &[(&str, Vec<u32>)]) -> Vec<Option<Owner>> {
    let people: Vec<(Vec<String>, String)> = names
        .par_iter()
        .map(|(name, _)| {
            let person = Person::read(name);
            match person.is_nobody() {
                true => Default::default(),
                false => (person.keys(), person.parts()),
            }
        })
        .collect();
    let mut clusters = Clusters((0..names.len()).collect());
    let mut first: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, (keys, _)) in people.iter().enumerate() {
        for key in keys {
            let other = *first.entry(key).or_insert(at);
            clusters.join(at, other);
        }
    }
    // Those with a comma. `Thomas Martin` does not tell whether it is `Martin, Thomas` or `Thomas,
    // Martin`, if there are both.
    let mut parted: BTreeMap<usize, BTreeSet<&str>> = BTreeMap::new();
    for (at, (_, parts)) in people.iter().enumerate().filter(|(_, one)| !one.1.is_empty()) {
        parted.entry(clusters.of(at)).or_default().insert(parts);
    }
    let mut groups = Vec::with_capacity(names.len());
    for (at, (_, parts)) in people.iter().enumerate() {
        let cluster = clusters.of(at);
        let is_clear = parted.get(&cluster).is_none_or(|parted| parted.len() < 2);
        groups.push((cluster, if is_clear { "" } else { parts.as_str() }));
    }
    let mut numbers: BTreeMap<(usize, &str), BTreeSet<u32>> = BTreeMap::new();
    let mut places: BTreeMap<(usize, &str), usize> = BTreeMap::new();
    for (at, (group, (_, ids))) in groups.iter().zip(names).enumerate() {
        numbers.entry(*group).or_default().extend(ids);
        places.entry(*group).or_insert(at);
    }
    let owner = |(group, (keys, _)): (&(usize, &str), &(Vec<String>, String))| {
        if keys.is_empty() {
            return None;
        }
        let mut ids = numbers.get(group).into_iter().flatten();
        match (ids.next(), ids.next()) {
            (Some(&id), None) => Some(Owner::Number(id)),
            _ => places.get(group).map(|&at| Owner::Cluster(at)),
        }
    };
    groups.iter().zip(&people).map(owner).collect()
}

/// Disjoint sets of names: each leads to another of its set, at last to one that stands for it.
struct Clusters(Vec<usize>);

impl Clusters {
    fn of(&mut self, at: usize) -> usize {
        let mut at = at;
        while self.0[at] != at {
            // Halves the way for the next time.
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.of(one), self.of(other));
        self.0[one.max(other)] = one.min(other);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Makes a roster of names, numbers (0 for none) and how many games each has.
    fn roster(names: &[(&str, u32, u64)]) -> Roster {
        let career = |games| Career { games, ..Career::default() };
        let named = |name: &str, id| (name.to_owned(), Some(id).filter(|&id| id > 0));
        let all = names.iter().map(|&(name, id, games)| (named(name, id), career(games)));
        Roster { players: players(all.collect()) }
    }

    fn doubtful(roster: &Roster, wanted: &[usize]) -> Vec<Vec<usize>> {
        roster.doubtful(wanted, &Work::on(1)).expect("nobody stops it")
    }

    /// Lists players as `name (games), other name (games)`, with `#` before their numbers.
    fn listed(roster: &Roster) -> Vec<String> {
        let one = |player: &Player| {
            let spelling = |(name, games): &(String, u64)| format!("{name} ({games})");
            let spellings: Vec<String> = player.spellings.iter().map(spelling).collect();
            let id = player.fide_id.map(|id| format!("#{id} ")).unwrap_or_default();
            id + &spellings.join("; ")
        };
        roster.players().iter().map(one).collect()
    }

    #[test]
    fn spellings_of_one_name_are_one_player_and_doubtful_ones_are_not() {
        let roster = roster(&[
            ("Carlsen, Magnus", 0, 5),
            ("Magnus Carlsen", 0, 3),
            ("CARLSEN MAGNUS", 0, 1),
            ("Carlsen,M", 0, 2),
            ("carlsen, m.", 0, 2),
            ("Carlsen", 0, 1),
            ("Carlsen, Henrik", 0, 1),
            ("Müller, Karsten", 0, 1),
            ("Mueller, Karsten", 0, 1),
            ("?", 0, 7),
            ("NN", 0, 7),
        ]);
        let expected = [
            "Carlsen, Magnus (5); Magnus Carlsen (3); CARLSEN MAGNUS (1)",
            "Carlsen,M (2); carlsen, m. (2)",
            "Mueller, Karsten (1); Müller, Karsten (1)",
            "Carlsen (1)",
            "Carlsen, Henrik (1)",
        ];
        assert_eq!(listed(&roster), expected);
        let doubtful = doubtful(&roster, &[0, 1, 2, 3, 4, 5]);
        assert_eq!(doubtful, [vec![1, 3], vec![0, 3], vec![], vec![0, 1, 4], vec![3], vec![]]);
        assert_eq!(roster.found(&SoughtPlayer::read("Carlsen, Magnus")), [0, 1]);
    }

    #[test]
    fn numbers_join_names_and_keep_people_apart() {
        let one = roster(&[
            ("Carlsen, Magnus", 1_503_014, 5),
            ("Carlsen,M", 1_503_014, 4),
            ("Magnus Carlsen", 0, 3),
        ]);
        let expected = "#1503014 Carlsen, Magnus (5); Carlsen,M (4); Magnus Carlsen (3)";
        assert_eq!(listed(&one), [expected]);
        let two = roster(&[
            ("Li, Wei", 11, 9),
            ("Li, Wei", 22, 8),
            ("Wei Li", 0, 7),
            ("LI WEI", 0, 2),
            ("Li, W.", 0, 1),
        ]);
        let expected =
            ["#11 Li, Wei (9)", "Wei Li (7); LI WEI (2)", "#22 Li, Wei (8)", "Li, W. (1)"];
        assert_eq!(listed(&two), expected);
        let doubtful = doubtful(&two, &[0, 1, 2, 3]);
        assert_eq!(doubtful, [vec![1, 3], vec![0, 2, 3], vec![1, 3], vec![0, 1, 2]]);
    }

    #[test]
    fn a_name_that_may_be_two_is_neither() {
        let roster = roster(&[
            ("Thomas, Martin", 0, 3),
            ("Martin, Thomas", 0, 2),
            ("Thomas Martin", 0, 1),
            ("MARTIN THOMAS", 0, 1),
        ]);
        let expected =
            ["Thomas, Martin (3)", "MARTIN THOMAS (1); Thomas Martin (1)", "Martin, Thomas (2)"];
        assert_eq!(listed(&roster), expected);
    }

    #[test]
    fn the_last_rating_is_that_of_the_latest_game() {
        let at = |year, day, rating| Career {
            games: 1,
            years: Some((year, year)),
            last_rating: rating,
            highest_rating: rating,
            rated: (Some(year), day),
            ..Career::default()
        };
        let mut all = Career::default();
        for career in [
            at(2001, Some(11_400), Some(2600)),
            at(2003, None, Some(2700)),
            at(2003, Some(12_100), Some(2650)),
            at(1999, Some(10_700), Some(2750)),
            at(2010, Some(14_700), None),
        ] {
            all.add(&career);
        }
        assert_eq!((all.last_rating, all.highest_rating), (Some(2650), Some(2750)));
        assert_eq!((all.years, all.games), (Some((1999, 2010)), 5));
    }

    #[test]
    fn many_names_alike_take_no_time_per_pair() {
        let names: Vec<String> = (0..20_000).map(|at| format!("Smith, J{at:05}")).collect();
        let names: Vec<(&str, u32, u64)> = names.iter().map(|name| (name.as_str(), 0, 1)).collect();
        let roster = roster(&names);
        assert_eq!(roster.players().len(), 20_000);
        let all: Vec<usize> = (0..2_000).collect();
        assert!(doubtful(&roster, &all).iter().all(Vec::is_empty));
    }
}
