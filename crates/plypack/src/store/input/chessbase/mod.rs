//! Games in a database of ChessBase, version 6 to 16: an index (`.cbh`), moves and guiding texts
//! (`.cbg`), annotations (`.cba`), players (`.cbp`), tournaments (`.cbt`), annotators (`.cbc`),
//! sources (`.cbs`), and perhaps teams (`.cbe`) and more facts about games (`.cbj`).
//!
//! The format is that which the documents of the open-source project Morphy describe. Memory is
//! bounded for any database: one game, and a page of each file.

mod annotations;
mod archive;
mod blocks;
mod countries;
mod files;
mod game;
mod guiding;
mod header;
mod men;
mod moves;
mod names;
mod page;
mod start;
mod tables;
#[cfg(test)]
mod tests;
mod unpack;

use std::fs::File;
use std::io;
use std::path::Path;

use self::annotations::Annotations;
use self::blocks::{Blocks, Bytes};
use self::files::Files;
pub(super) use self::files::{begins, extensions_of_files, is_companion, look};
use self::game::Game;
use self::guiding::Text;
use self::header::{ENTRY_BYTES, Entry, date};
use self::names::{Entities, Tournament};
use self::page::{Guess, Page};
use super::database::Games;
use super::database::game::{Player, Tag};
use super::database::losses::Losses;
use crate::store::error::Error;

/// The length of the head of moves: flags, and the length with it.
const HEAD_BYTES: usize = 4;

/// The length of the header of the file with more facts.
const MORE_HEADER_BYTES: usize = 32;

/// The bytes of it before the places of annotations and of moves, of eight bytes each.
const ANNOTATIONS_PLACE: usize = 12;
const MOVES_PLACE: usize = 30;

/// The bytes of annotations and the entries that are looked at to guess their code page.
const SAMPLE_BYTES: usize = 1 << 20;
const SAMPLE_ENTRIES: u32 = 2000;

/// What is lost besides annotations, by kind.
const DELETIONS: &str = "marks of deletion, kept as the tag ChessBaseFlags";
const TEXTS: &str = "damaged guiding texts";
const FORMATS: &str = "formats of guiding texts";
const NAMES: &str = "names that are not there";
const COUNTRIES: &str = "countries of an unknown number";

/// A database, whose games are read one after another.
pub(super) struct Database {
    /// The name under which losses are counted, and which messages about games have.
    name: String,
    losses: Losses,
    index: Blocks,
    entries: u32,
    /// The number of entries read.
    number: u32,
    moves: Blocks,
    annotations: Blocks,
    players: Entities,
    tournaments: Entities,
    annotators: Entities,
    sources: Entities,
    /// The teams, and more facts about each game, its teams among them.
    teams: Option<Entities>,
    more: Option<More>,
    names_page: Page,
    texts_page: Page,
    player: Player,
}

/// More facts about games: records of equal length, whose numbers have their highest byte first,
/// and a header, whose numbers have it last.
struct More {
    blocks: Blocks,
    record_bytes: u32,
}

impl More {
    /// Reads the file.
    fn read(mut blocks: Blocks) -> Result<Self, Error> {
        let path = blocks.path.clone();
        let mut header = Vec::new();
        let is_read = blocks.read(0, MORE_HEADER_BYTES, &mut header).map_err(Error::io(&path))?;
        let record = header.get(4..).and_then(|bytes| Bytes(bytes).little(4));
        let record = record.filter(|bytes| is_read && (8..=1 << 16).contains(bytes));
        let record_bytes = record.ok_or_else(|| Error::Format {
            path,
            why: "its header is not that of a ChessBase database's .cbj".into(),
        })?;
        Ok(Self { blocks, record_bytes })
    }

    /// The record of a game, as much of it as is there.
    fn record(&mut self, game: u32) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let place = u64::from(game - 1) * u64::from(self.record_bytes) + MORE_HEADER_BYTES as u64;
        let length = usize::try_from(self.record_bytes).map_err(io::Error::other)?;
        self.blocks.read(place, length, &mut bytes)?;
        Ok(bytes)
    }

    /// The numbers of the teams of a game, of which the greatest is none; `None` if the file ends
    /// before it.
    fn teams(&mut self, game: u32) -> io::Result<Option<[u32; 2]>> {
        let record = self.record(game)?;
        let mut bytes = Bytes(&record);
        Ok(bytes.big(4).zip(bytes.big(4)).map(<[u32; 2]>::from))
    }

    /// Replaces the places of a game's moves and annotations, of which an index has the lower four
    /// bytes, by whole ones. An older file has none.
    fn widen(&mut self, game: u32, entry: &mut Entry) -> io::Result<()> {
        let record = self.record(game)?;
        for (from, place) in
            [(ANNOTATIONS_PLACE, &mut entry.annotations), (MOVES_PLACE, &mut entry.moves)]
        {
            let mut bytes = Bytes(record.get(from..).unwrap_or_default());
            let Some((high, low)) = bytes.big(4).zip(bytes.big(4)) else { continue };
            if u64::from(low) == *place {
                *place |= u64::from(high) << 32;
            }
        }
        Ok(())
    }
}

impl Database {
    /// Opens a database by a file with these first bytes, its index or an archive with it; `None`
    /// if the file is neither. It is called `name` in counts and messages about games.
    ///
    /// # Errors
    /// Returns an error if files of it are missing, cannot be read or are damaged.
    pub fn open(
        path: &Path,
        name: &Path,
        head: &[u8],
        losses: &Losses,
    ) -> Result<Option<Self>, Error> {
        let files = Files::of(path, head)?;
        files.map(|files| Self::read(files, name, losses)).transpose()
    }

    /// Opens the database in an open archive, which is called `path` in messages.
    ///
    /// # Errors
    /// Returns an error if the archive or a file in it is damaged.
    pub fn in_archive(path: &Path, archive: File, losses: &Losses) -> Result<Self, Error> {
        Self::read(Files::in_archive(path, archive)?, path, losses)
    }

    fn read(mut files: Files, name: &Path, losses: &Losses) -> Result<Self, Error> {
        let name = name.display().to_string();
        let mut index = files.needed(files::INDEX)?;
        let mut header = Vec::new();
        index.read(0, ENTRY_BYTES, &mut header).map_err(Error::io(&index.path))?;
        let entries = header::entries(&header).ok_or_else(|| Error::Format {
            path: index.path.clone(),
            why: "it is not the index of a ChessBase database".into(),
        })?;
        let mut named = |extension, least| Entities::read(files.needed(extension)?, least);
        let (players, tournaments) = (named("cbp", 58)?, named("cbt", 90)?);
        let (annotators, sources) = (named("cbc", 53)?, named("cbs", 59)?);
        let teams = files.open("cbe")?.map(|file| Entities::read(file, 63)).transpose()?;
        let more = files.open("cbj")?.map(More::read).transpose()?;
        let page = Guess::default().of_names();
        losses.begin(&name);
        let mut database = Self {
            name,
            losses: losses.clone(),
            index,
            entries,
            number: 0,
            moves: files.needed("cbg")?,
            annotations: files.needed("cba")?,
            players,
            tournaments,
            annotators,
            sources,
            teams,
            more,
            names_page: page,
            texts_page: page,
            player: Player::default(),
        };
        let guessed = database.guess_pages();
        guessed.map_err(Error::io(&database.index.path))?;
        Ok(database)
    }

    /// Guesses the code pages of names and of texts from the first of them.
    fn guess_pages(&mut self) -> io::Result<()> {
        let mut names = Guess::default();
        self.players.sample(&[30, 20], &mut names)?;
        self.tournaments.sample(&[40, 30], &mut names)?;
        self.names_page = names.of_names();
        let mut texts = Guess::default();
        let mut seen = 0;
        for number in 1..=self.entries.min(SAMPLE_ENTRIES) {
            let entry = self.entry(number)?;
            let Some(entry) = entry.filter(|_| seen < SAMPLE_BYTES) else { break };
            if let Ok(Some(record)) = self.read_annotations(&entry, number) {
                seen += record.len();
                annotations::texts(&record, |text| texts.see(text));
            }
        }
        self.texts_page = texts.of_texts();
        Ok(())
    }

    /// An entry of the index; `None` if the index ends before it.
    fn entry(&mut self, number: u32) -> io::Result<Option<Entry>> {
        let mut bytes = Vec::with_capacity(ENTRY_BYTES);
        let place = u64::from(number) * ENTRY_BYTES as u64;
        self.index.read(place, ENTRY_BYTES, &mut bytes)?;
        let mut entry = Entry::read(&bytes);
        let is_large = self.moves.length.max(self.annotations.length) > u64::from(u32::MAX);
        if let (Some(entry), Some(more), true) = (&mut entry, &mut self.more, is_large) {
            more.widen(number, entry)?;
        }
        Ok(entry)
    }

    /// The annotations of a game from their head on, empty if there are none; `None` if they are
    /// damaged.
    fn read_annotations(&mut self, entry: &Entry, number: u32) -> io::Result<Option<Vec<u8>>> {
        let mut record = Vec::new();
        if entry.annotations == 0 {
            return Ok(Some(record));
        }
        let place = entry.annotations;
        if !self.annotations.read(place, annotations::HEAD_BYTES, &mut record)? {
            return Ok(None);
        }
        let Some(length) = annotations::length(&record, number) else { return Ok(None) };
        record.clear();
        Ok(self.annotations.read(place, length, &mut record)?.then_some(record))
    }

    /// The first byte of a game or guiding text, and what lies behind its length; `None` if it is
    /// not there.
    fn read_moves(&mut self, entry: &Entry) -> io::Result<Option<(u8, Vec<u8>)>> {
        let (place, mut bytes) = (entry.moves, Vec::new());
        self.moves.read(place, HEAD_BYTES, &mut bytes)?;
        let mut head = Bytes(&bytes);
        let Some((flags, length)) = head.big(1).zip(head.big(3)) else { return Ok(None) };
        let own = usize::try_from(length).ok().and_then(|own| own.checked_sub(HEAD_BYTES));
        let Some(own) = own else { return Ok(None) };
        bytes.clear();
        let is_there = self.moves.read(place + HEAD_BYTES as u64, own, &mut bytes)?;
        let flags = u8::try_from(flags).unwrap_or_default();
        Ok(is_there.then_some((flags, bytes)))
    }

    /// The PGN of the entry with this number; `None` if it cannot be written.
    fn write(&mut self, entry: &Entry, number: u32) -> io::Result<Option<Vec<u8>>> {
        let mut lost = Vec::new();
        if entry.is_deleted {
            lost.push(DELETIONS);
        }
        let tags = self.tags(entry, number, &mut lost)?;
        let read = self.read_moves(entry)?;
        let written = if entry.is_text {
            let text = read.and_then(|(_, bytes)| Text::read(&bytes, self.texts_page));
            if text.is_none() {
                lost.push(TEXTS);
            }
            let text = text.unwrap_or_default();
            lost.extend(text.has_formats.then_some(FORMATS));
            game::write_text(tags, &text, &mut lost)
        } else {
            let mut game = match read {
                Some((flags, bytes)) => Game::read(flags, &bytes, &mut self.player),
                None => Game::damaged(),
            };
            lost.append(&mut game.lost);
            let mut annotations = match self.read_annotations(entry, number)? {
                Some(record) if record.is_empty() => Annotations::default(),
                Some(record) => Annotations::read(&record, &game.tree, self.texts_page),
                None => {
                    lost.push(annotations::DAMAGED);
                    Annotations::default()
                }
            };
            lost.append(&mut annotations.lost);
            game.write(tags, &annotations)
        };
        for kind in lost {
            self.losses.add(&self.name, kind, number);
        }
        Ok(written)
    }

    /// The teams of an entry, each with the number of its country; empty without.
    fn teams_of(
        &mut self,
        entry: &Entry,
        number: u32,
        lost: &mut Vec<&'static str>,
    ) -> io::Result<[(String, u8); 2]> {
        let mut teams = [(String::new(), 0), (String::new(), 0)];
        let both = self.teams.as_mut().zip(self.more.as_mut());
        let Some((entities, more)) = both.filter(|_| !entry.is_text) else { return Ok(teams) };
        let Some(numbers) = more.teams(number)? else {
            lost.push(NAMES);
            return Ok(teams);
        };
        for (team, number) in teams.iter_mut().zip(numbers) {
            if number != u32::MAX {
                let found = entities.team(number, self.names_page)?;
                let country = found.as_ref().map_or(0, |found| found.1);
                *team = (known(found.map(|found| found.0), lost), country);
            }
        }
        Ok(teams)
    }

    /// The tags of an entry, in the order of ChessBase's own PGN.
    fn tags(
        &mut self,
        entry: &Entry,
        number: u32,
        lost: &mut Vec<&'static str>,
    ) -> io::Result<Vec<Tag>> {
        let page = self.names_page;
        let mut known = |found: Option<String>| known(found, lost);
        let tournament = self.tournaments.tournament(entry.tournament, page)?;
        let title = known(tournament.as_ref().map(|found| found.title.clone()));
        let tournament = tournament.unwrap_or_default();
        let [white, black] = match entry.players {
            Some([white, black]) => {
                [known(self.players.player(white, page)?), known(self.players.player(black, page)?)]
            }
            None => ["?".to_owned(), "?".to_owned()],
        };
        let annotator = known(self.annotators.name(entry.annotator, 45, page)?);
        let source = self.sources.source(entry.source, page)?;
        let source_title = known(source.as_ref().map(|found| found.title.clone()));
        let source = source.unwrap_or_default();
        let teams = self.teams_of(entry, number, lost)?;
        let mut country = |number: u8| {
            let code = countries::code(number);
            lost.extend((number != 0 && code.is_none()).then_some(COUNTRIES));
            code.unwrap_or_default().to_owned()
        };
        let [event_country, white_country, black_country] =
            [tournament.country, teams[0].1, teams[1].1].map(&mut country);
        let (result, termination) = entry.result();
        let place = Some(tournament.place.clone()).filter(|place| !place.is_empty());
        let mut tags: Vec<Tag> = vec![
            ("Event".into(), title),
            ("Site".into(), place.unwrap_or_else(|| "?".into())),
            ("Date".into(), date(entry.date).unwrap_or_else(|| "????.??.??".into())),
            ("Round".into(), entry.round()),
            ("White".into(), white),
            ("Black".into(), black),
            ("Result".into(), result.into()),
        ];
        let [white_rating, black_rating] = entry.ratings.map(|rating| rating.to_string());
        let rated = |rating: String| if rating == "0" { String::new() } else { rating };
        let [white_team, black_team] = teams.map(|team| team.0);
        let mut add = |name: &'static str, value: String| {
            if !value.is_empty() && value != "?" {
                tags.push((name.into(), value));
            }
        };
        add("WhiteElo", rated(white_rating));
        add("BlackElo", rated(black_rating));
        add("ECO", entry.eco().unwrap_or_default());
        add("Termination", termination.unwrap_or_default().into());
        add(
            "LineEvaluation",
            entry.judgement().map(|glyph| format!("${glyph}")).unwrap_or_default(),
        );
        add("Annotator", annotator);
        add_tournament(&tournament, event_country, &mut add);
        add("SourceTitle", source_title);
        add("Source", source.publisher);
        add("SourceDate", source.date.unwrap_or_default());
        add("WhiteTeam", white_team);
        add("BlackTeam", black_team);
        add("WhiteTeamCountry", white_country);
        add("BlackTeamCountry", black_country);
        add("Medals", entry.medals());
        add("ChessBaseFlags", if entry.is_deleted { "D".into() } else { String::new() });
        Ok(tags)
    }
}

/// Returns a name, `?` if it is empty; notes that it is lost if it is not there.
fn known(found: Option<String>, lost: &mut Vec<&'static str>) -> String {
    let name = found.unwrap_or_else(|| {
        lost.push(NAMES);
        String::new()
    });
    if name.is_empty() { "?".to_owned() } else { name }
}

/// Adds the tags of a tournament besides its name and place.
fn add_tournament(
    tournament: &Tournament,
    country: String,
    add: &mut impl FnMut(&'static str, String),
) {
    let number = |number: u8| if number == 0 { String::new() } else { number.to_string() };
    add("EventDate", tournament.date.clone().unwrap_or_default());
    add("EventType", tournament.kind.clone());
    add("EventRounds", number(tournament.rounds));
    add("EventCountry", country);
    add("EventCategory", number(tournament.category));
}

impl Games for Database {
    fn next_game(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        if self.number >= self.entries {
            return Ok(());
        }
        self.number += 1;
        let number = self.number;
        let name = self.name.clone();
        let fault = |why: &str| io::Error::other(format!("game {number} of {name}: {why}"));
        let entry = self.entry(number).map_err(|error| fault(&error.to_string()))?;
        let entry = entry.ok_or_else(|| fault("the index ends before it"))?;
        let written = self.write(&entry, number).map_err(|error| fault(&error.to_string()))?;
        *out = written.ok_or_else(|| fault("it cannot be written as PGN"))?;
        Ok(())
    }
}
