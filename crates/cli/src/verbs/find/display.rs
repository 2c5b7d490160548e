//! The games that `find` found, as lines or as JSON, in batches.

use std::io::{BufWriter, Stdout, Write, stdout};

use indicatif::ProgressBar;
use plypack::store::find::{Asked, CandidateTexts, Found, Hit, Target, game_of, records, spoken};
use plypack::store::repertoire::{Leaving, Left, Repertoire, players};
use plypack::store::row::StoredRecord;
use plypack::store::{Error, RecordId, Wanted};
use plypack_core::ErasedRules;
use plypack_records::START_TAG;
use serde_json::{Map, Value};

use super::Arguments;
use super::games::Games;
use crate::failure::Failure;
use crate::repertoire::{answers, told};
use crate::terminal;

/// Number of games in the first batch; each batch is twice as large as the last. Sorted games lie
/// scattered over a file, and those of one page are decoded together.
const SHOWN: usize = 256;

/// The most games in a batch.
const SHOWN_MOST: usize = 16_384;

/// The most games in a batch whose bytes are all in memory.
const WRITTEN_MOST: usize = 2048;

/// Printed widths of a player's name, and of the move played.
const NAME_WIDTH: usize = 20;
const PLACE_WIDTH: usize = 12;

/// Printed width of where a game leaves a repertoire.
const LEFT_WIDTH: usize = 44;

/// Where games go: to standard output, into a file, or both.
pub(super) struct Display<'a> {
    asked: &'a [Asked],
    /// For each file, the tags of its game's players, the first one first.
    players: Vec<[&'static str; 2]>,
    target: Option<&'a Target>,
    pub(super) repertoire: Option<&'a Repertoire>,
    /// Texts of the candidate moves at the position, in customary notation and as coordinates.
    candidates: CandidateTexts,
    pub(super) games: Option<Games>,
    json: bool,
    tags: bool,
    out: BufWriter<Stdout>,
    pub(super) bar: ProgressBar,
    /// Number of games to skip before the first one shown.
    pub(super) skip: u64,
    /// The waiting games, each with where it leaves the repertoire, if there is one.
    waiting: Vec<(Found, Option<Leaving>)>,
    /// Number of waiting games at which they are shown.
    batch: usize,
    /// Why nothing more can be shown.
    failed: Option<Failure>,
}

impl<'a> Display<'a> {
    pub(super) fn new(
        arguments: &Arguments,
        asked: &'a [Asked],
        target: Option<&'a Target>,
        games: Option<Games>,
    ) -> Result<Self, Failure> {
        let candidates = target.map(Target::texts).transpose().map_err(Failure::new)?;
        let players = |asked: &Asked| Ok(game_of(&asked.file)?.map_or(["White", "Black"], players));
        Ok(Self {
            asked,
            players: asked.iter().map(players).collect::<Result<_, Failure>>()?,
            target,
            repertoire: None,
            candidates: candidates.unwrap_or_default(),
            games,
            json: arguments.json,
            tags: arguments.tags,
            out: BufWriter::new(stdout()),
            bar: ProgressBar::hidden(),
            skip: 0,
            waiting: Vec::new(),
            batch: SHOWN,
            failed: None,
        })
    }

    /// Takes a game, and shows the waiting games once there are enough.
    pub(super) fn push(&mut self, game: Found) -> Result<(), Error> {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(());
        }
        self.take(game, None)
    }

    /// Takes a game, and where it leaves the repertoire, if there is one.
    pub(super) fn take(&mut self, game: Found, leaving: Option<Leaving>) -> Result<(), Error> {
        self.waiting.push((game, leaving));
        if self.waiting.len() >= self.batch {
            if let Err(failure) = self.show() {
                self.failed = Some(failure);
                return Err(Error::Stopped);
            }
            let has_bytes = self.games.as_ref().is_some_and(|games| !games.is_packed());
            self.batch = (2 * self.batch).min(if has_bytes { WRITTEN_MOST } else { SHOWN_MOST });
        }
        Ok(())
    }

    /// Shows the waiting games, or returns an earlier failure.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        match self.failed.take() {
            Some(failure) => Err(failure),
            None => self.show(),
        }
    }

    fn show(&mut self) -> Result<(), Failure> {
        let waiting = std::mem::take(&mut self.waiting);
        for games in waiting.chunk_by(|(one, _), (other, _)| one.file == other.file) {
            let Some(file) = games.first().map(|(game, _)| game.file) else { continue };
            let Some(asked) = self.asked.get(file) else { continue };
            let rows: Vec<u64> = games.iter().map(|(game, _)| game.row).collect();
            if let Some(games) = &mut self.games
                && games.copies(file, &rows)
                && !self.json
            {
                continue;
            }
            let wanted = match (&self.games, self.json) {
                (Some(games), _) if !games.is_packed() => Wanted::All,
                (_, true) => Wanted::TAGS_AND_CHECKSUM,
                (_, false) => Wanted::TAGS,
            };
            records(asked, &rows, wanted, |place, record, checksum| {
                let Some((game, leaving)) = games.get(place) else { return Ok(()) };
                let leaving = self.repertoire.zip(leaving.as_ref());
                if self.json {
                    let object = self.object(asked, game, leaving, &record, checksum)?;
                    writeln!(self.out, "{}", terminal::lines(&object.to_string()))?;
                } else if self.games.is_none() {
                    let line = self.line(asked, game, leaving, &record)?;
                    writeln!(self.out, "{}", terminal::lines(&line))?;
                }
                match &mut self.games {
                    Some(games) => games.write(asked, game.row, &record, checksum),
                    None => Ok(()),
                }
            })?;
        }
        // Keeps the bar out of the lines.
        let out = &mut self.out;
        Ok(self.bar.suspend(|| out.flush())?)
    }

    fn object(
        &self,
        asked: &Asked,
        game: &Found,
        leaving: Option<(&Repertoire, &Leaving)>,
        record: &StoredRecord<'_>,
        checksum: Option<u32>,
    ) -> Result<Value, Failure> {
        let mut object = Map::new();
        if self.asked.len() > 1 {
            object.insert("file".into(), asked.file.path().to_string_lossy().into());
        }
        object.insert("record".into(), (game.row + 1).into());
        if let Some(checksum) = checksum {
            let id = RecordId { record: game.row + 1, checksum };
            object.insert("id".into(), id.to_string().into());
        }
        if let Some(first) = game.hits.first() {
            let plies = |variation: bool| -> Vec<u32> {
                let hits = game.hits.iter().filter(|hit| hit.variation == variation);
                hits.map(|hit| hit.ply).collect()
            };
            object.insert("ply".into(), first.ply.into());
            if let Some((repertoire, leaving)) = leaving {
                object.extend(told(repertoire, leaving)?);
            } else {
                object.insert("plies".into(), plies(false).into());
            }
            if self.target.is_some() {
                object.insert("variations".into(), plies(true).into());
                object.insert("move".into(), self.candidates.customary(first.candidate).into());
                object.insert(
                    "coordinates".into(),
                    self.candidates.coordinates(first.candidate).into(),
                );
            }
        }
        for (name, value) in &record.tags {
            object.entry(*name).or_insert_with(|| value.as_ref().into());
        }
        Ok(object.into())
    }

    fn line(
        &self,
        asked: &Asked,
        game: &Found,
        leaving: Option<(&Repertoire, &Leaving)>,
        record: &StoredRecord<'_>,
    ) -> Result<String, Failure> {
        let tag = |name: &str| {
            let tag = record.tags.iter().find(|tag| tag.0 == name);
            terminal::part(tag.map(|tag| tag.1.as_ref()).unwrap_or_default())
        };
        let player = |side: &'static str| {
            let name = match side {
                // Games of xiangqi call their first player either.
                "White" | "Red" => {
                    [tag("White"), tag("Red")].into_iter().find(|name| !name.is_empty())
                }
                side => Some(tag(side)),
            };
            let rating = if side == "Black" { tag("BlackElo") } else { tag("WhiteElo") };
            format!("{} {rating:>4}", cut(&name.unwrap_or_default(), NAME_WIDTH))
        };
        let [first, second] = self.players.get(game.file).copied().unwrap_or(["White", "Black"]);
        let width = asked.file.records().to_string().len();
        let mut line = format!(
            "{:>width$}  {}  {}  {:<7}  {:<10}  ",
            game.row + 1,
            player(first),
            player(second),
            tag("Result"),
            tag("Date"),
        );
        if let Some((repertoire, leaving)) = leaving {
            line += &format!("{:<LEFT_WIDTH$}  ", left(repertoire, leaving, record)?);
        } else if let Some((first, others)) = game.hits.split_first() {
            let mut place = match self.target {
                Some(_) => self.place(*first, record),
                None => format!("ply {}", first.ply),
            };
            let others: Vec<String> = others.iter().map(|hit| hit.ply.to_string()).collect();
            if !others.is_empty() {
                place += &format!(", plies {}", others.join(" "));
            }
            line += &format!("{place:<PLACE_WIDTH$}  ");
        }
        line += &tag("Event");
        if self.asked.len() > 1 {
            line += &format!("  {}", asked.file.path().display());
        }
        if self.tags {
            for (name, value) in &record.tags {
                let value = terminal::part(value).replace('\\', "\\\\").replace('"', "\\\"");
                line += &format!("\n[{name} \"{value}\"]");
            }
            line += "\n";
        }
        Ok(line)
    }

    /// Returns the number and text of the move played at a hit.
    fn place(&self, hit: Hit, record: &StoredRecord<'_>) -> String {
        let notation = self.target.map(|target| spoken(target.game())).unwrap_or_default();
        let text = self.candidates.of(notation, hit.candidate);
        let number = self.target.map(|target| number(target.game(), hit.ply, record));
        let number = number.unwrap_or_default();
        let played = text.map_or("end".to_owned(), |text| format!("{number}{text}"));
        if hit.variation { format!("({played})") } else { played }
    }
}

/// Returns the number of the move played after so many plies of a game, with its dots and a space.
fn number(game: &dyn ErasedRules, ply: u32, record: &StoredRecord<'_>) -> String {
    let start = record.tags.iter().find(|tag| tag.0 == START_TAG).map(|tag| tag.1.as_ref());
    crate::verbs::number(game, start, ply)
}

/// Returns who or what ends that a game follows a repertoire, and by which move.
fn left(
    repertoire: &Repertoire,
    leaving: &Leaving,
    record: &StoredRecord<'_>,
) -> Result<String, Failure> {
    let number = number(repertoire.game(), leaving.ply, record);
    let text = |candidate| {
        repertoire
            .move_text(leaving.place, candidate, spoken(repertoire.game()))
            .map_err(Failure::new)
    };
    let played = leaving.candidate.map(text).transpose()?;
    let played = played.map_or("end".to_owned(), |text| format!("{number}{text}"));
    Ok(match repertoire.left(leaving) {
        Left::Own | Left::Opponent => {
            let own = repertoire.left(leaving) == Left::Own;
            let who = if own { repertoire.side() } else { repertoire.opponent() };
            format!("{who} leaves: {played}, not {}", answers(repertoire, leaving.place)?)
        }
        Left::LineEnd => format!("line ends: {played}"),
        Left::GameEnd => {
            format!("game ends before {number}{}", answers(repertoire, leaving.place)?)
        }
    })
}

/// Cuts or pads text to a width in characters.
fn cut(text: &str, width: usize) -> String {
    let cut = match text.chars().count() > width {
        true => text.chars().take(width - 1).chain(['…']).collect(),
        false => text.to_owned(),
    };
    format!("{cut:<width$}")
}
