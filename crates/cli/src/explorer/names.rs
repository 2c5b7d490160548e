//! Names of players and events, read when they are first asked for: they complete what is typed,
//! and tell whose name it is.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, TryLockError};
use std::time::{Duration, Instant};

use plypack::store::events::events;
use plypack::store::person::{SoughtPlayer, words};
use plypack::store::players::Roster;
use plypack::store::{Condition, Error, PackedFile, Work};
use serde_json::{Value, json};

use crate::explorer::answer::{Answer, Stop};
use crate::explorer::database::Database;
use crate::explorer::error::Refusal;
use crate::explorer::query::Query;

/// The most players, and the most events, that are kept in memory: those with the most games.
const NAMES_MAX: usize = 500_000;

/// The maximum number of names that complete what is typed, and its default.
const COMPLETIONS_MAX: u64 = 50;
const COMPLETIONS_USUAL: u64 = 10;

/// How long a request waits for another one that reads the names.
const PATIENCE: Duration = Duration::from_secs(5);

/// The names of a database.
#[derive(Debug)]
pub struct Names {
    roster: Roster,
    /// All spellings of all players: places of player and spelling, in the order of their texts.
    spellings: Vec<(u32, u32)>,
    events: Vec<(String, u64)>,
    beginnings: [Beginnings; 2],
}

/// The names, once they were read.
#[derive(Debug, Default)]
pub struct LazyNames {
    read: OnceLock<Names>,
    reading: Mutex<()>,
}

static NEVER: AtomicBool = AtomicBool::new(false);

impl LazyNames {
    /// Returns the names; reads them first if need be, however long that takes: a later request
    /// finds them.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or another request takes long to read them.
    pub fn get(&self, database: &Database, stop: &Stop) -> Result<&Names, Refusal> {
        if let Some(names) = self.read.get() {
            return Ok(names);
        }
        let begun = Instant::now();
        let mut reading = self.reading.try_lock();
        while let Err(TryLockError::WouldBlock) = reading {
            if begun.elapsed() > PATIENCE || stop.gone.load(Ordering::Relaxed) {
                return Err(Refusal::busy("the names of players are being read: try again"));
            }
            std::thread::sleep(Duration::from_millis(20));
            reading = self.reading.try_lock();
        }
        if let Some(names) = self.read.get() {
            return Ok(names);
        }
        let files = database.files().iter().map(|asked| &asked.file);
        let names = Names::read(&files.collect::<Vec<_>>())?;
        Ok(self.read.get_or_init(|| names))
    }
}

impl Names {
    /// Reads the names of all games.
    fn read(files: &[&PackedFile]) -> Result<Self, Error> {
        let work = Work { threads: 0, stop: &NEVER, progress: &|_| () };
        let mut roster = Roster::read(files, &work)?;
        roster.truncate(NAMES_MAX);
        let mut events = events(files, &work)?;
        events.truncate(NAMES_MAX);
        Ok(Self::of(roster, events))
    }

    fn of(roster: Roster, events: Vec<(String, u64)>) -> Self {
        let places = |(player, spellings): (u32, usize)| {
            (0..u32::try_from(spellings).unwrap_or(u32::MAX)).map(move |at| (player, at))
        };
        let lengths = roster.players().iter().map(|player| player.spellings.len());
        let mut spellings: Vec<(u32, u32)> = (0..).zip(lengths).flat_map(places).collect();
        spellings.sort_by_key(|&place| spelled(&roster, place));
        let players = spellings.iter().map(|&place| (place.0, spelled(&roster, place)));
        let named = (0..).zip(&events).map(|(at, event)| (at, event.0.as_str()));
        let beginnings = [Beginnings::of(players), Beginnings::of(named)];
        Self { roster, spellings, events, beginnings }
    }

    /// The players, the one with the most games first.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Returns the places of the players with this spelling of their name, ascending.
    pub fn namesakes(&self, name: &str) -> impl Iterator<Item = usize> {
        let text = |place: &(u32, u32)| spelled(&self.roster, *place);
        let from = self.spellings.partition_point(|place| text(place) < name);
        let rest = self.spellings.get(from..).unwrap_or_default();
        rest.iter().take_while(move |place| text(place) == name).map(|place| place.0 as usize)
    }

    /// Returns the place of the player whose games those of a name with this number at FIDE, or
    /// none, are.
    pub fn owner(&self, name: &str, fide_id: Option<u32>) -> Option<usize> {
        let number = |at: &usize| self.roster.players().get(*at).and_then(|player| player.fide_id);
        let owner = self.namesakes(name).find(|at| number(at) == fide_id);
        if fide_id.is_some() {
            return owner;
        }
        // Those of a name without a number are its only player's.
        let mut all = self.namesakes(name);
        owner.or_else(|| all.next().filter(|_| all.next().is_none()))
    }

    /// Returns the place of the player that a name means: one who has this spelling, or whom a
    /// search for it finds; of several the one with the most games.
    pub fn player(&self, name: &str, fide_id: Option<u32>) -> Option<usize> {
        let told = fide_id.and_then(|_| self.owner(name, fide_id));
        let spelled = || self.owner(name, None).or_else(|| self.namesakes(name).min());
        let found = || self.roster.found(&SoughtPlayer::read(name)).first().copied();
        told.or_else(spelled).or_else(found)
    }

    /// Returns the condition that one of the players has a spelling of this player's name.
    pub fn condition(&self, at: usize, side: &str) -> String {
        let player = self.roster.players().get(at);
        let spellings = player.iter().flat_map(|player| &player.spellings);
        let quoted = spellings.map(|spelling| format!("'{}'", spelling.0.replace('\'', "''")));
        format!("{side} IN ({})", quoted.collect::<Vec<_>>().join(", "))
    }

    /// Returns the names of which each typed word begins a word, those with the most games first.
    fn completions(&self, kind: Kind, part: &str, limit: usize) -> Vec<(&str, u64)> {
        match kind {
            Kind::Player => {
                let players = self.roster.players();
                let fits = |at: usize, fits: &dyn Fn(&str) -> bool| {
                    let player = players.get(at)?;
                    let is_found = player.spellings.iter().any(|spelling| fits(&spelling.0));
                    is_found.then(|| (player.name(), player.career.games))
                };
                self.beginnings[0].complete(part, limit, &fits)
            }
            Kind::Event => {
                let fits = |at: usize, fits: &dyn Fn(&str) -> bool| {
                    let (name, games) = self.events.get(at)?;
                    fits(name).then_some((name.as_str(), *games))
                };
                self.beginnings[1].complete(part, limit, &fits)
            }
        }
    }
}

fn spelled(roster: &Roster, (player, spelling): (u32, u32)) -> &str {
    let player = roster.players().get(player as usize);
    let spelling = player.and_then(|player| player.spellings.get(spelling as usize));
    spelling.map_or("", |spelling| &spelling.0)
}

/// Kinds of names.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Player,
    Event,
}

/// The words of names with the names' places, sorted, so that words are found by their beginnings.
#[derive(Debug)]
struct Beginnings(Vec<(Box<str>, u32)>);

/// Whether a name fits what was typed, and which it is, by its place.
type Fit<'f, 'n> = dyn Fn(usize, &dyn Fn(&str) -> bool) -> Option<(&'n str, u64)> + 'f;

impl Beginnings {
    fn of<'n>(names: impl Iterator<Item = (u32, &'n str)>) -> Self {
        let mut all: Vec<(Box<str>, u32)> = Vec::new();
        for (place, name) in names {
            for [plain, wide] in words(name) {
                if wide != plain {
                    all.push((wide.into(), place));
                }
                all.push((plain.into(), place));
            }
        }
        all.sort_unstable();
        all.dedup();
        all.shrink_to_fit();
        Self(all)
    }

    /// Returns the places of the names that have a word with this beginning.
    fn with(&self, start: &str) -> impl Iterator<Item = u32> {
        let from = self.0.partition_point(|word| &*word.0 < start);
        let rest = self.0.get(from..).unwrap_or_default();
        rest.iter().take_while(move |word| word.0.starts_with(start)).map(|word| word.1)
    }

    fn complete<'n>(&self, part: &str, limit: usize, fit: &Fit<'_, 'n>) -> Vec<(&'n str, u64)> {
        let typed = words(part);
        let Some(longest) = typed.iter().max_by_key(|word| word[0].len()) else {
            return Vec::new();
        };
        let mut places: Vec<u32> = longest.iter().flat_map(|start| self.with(start)).collect();
        places.sort_unstable();
        places.dedup();
        let fits = |name: &str| {
            let own = words(name);
            let begins = |typed: &[String; 2]| {
                let mut all = own.iter().flatten();
                all.any(|word| typed.iter().any(|start| word.starts_with(start)))
            };
            typed.iter().all(begins)
        };
        let found = places.into_iter().filter_map(|at| fit(at as usize, &fits));
        found.take(limit).collect()
    }
}

/// Returns the names that complete what is typed.
///
/// # Errors
/// Returns an error if the query is invalid, or a file cannot be read.
pub fn completions(database: &Database, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    let kind = match query.text("kind") {
        None | Some("player") => Kind::Player,
        Some("event") => Kind::Event,
        Some(other) => {
            return Err(Refusal::asked(format!("`kind` must be player or event, not `{other}`")));
        }
    };
    let limit = query.number("limit", COMPLETIONS_MAX)?.unwrap_or(COMPLETIONS_USUAL);
    let names = database.names(stop)?;
    let part = query.text("part").unwrap_or_default();
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let found = names.completions(kind, part, limit);
    let found = found.into_iter().map(|(name, games)| json!({ "name": name, "games": games }));
    Ok(Answer::json(&json!({ "names": found.collect::<Vec<Value>>() })))
}

/// Returns the condition of a quoted name, if it is one: exactly this, not what contains it.
pub fn quoted(text: &str) -> Option<&str> {
    text.strip_prefix('"')?.strip_suffix('"').filter(|name| !name.is_empty())
}

/// Parses a condition that was made of names.
///
/// # Errors
/// Returns an error if there are too many of them.
pub fn condition(text: &str) -> Result<Condition, Refusal> {
    Condition::parse(text).map_err(Refusal::asked)
}
