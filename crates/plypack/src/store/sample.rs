//! Reads lines and positions of a packed or unpacked file, for measuring codecs on them.

use std::fmt::Write;
use std::path::Path;

use plypack_core::{Cursor, ErasedRules, Notation, Turn};
use plypack_records::{Content, epd};

use crate::reading::identify::Decoded;
use crate::reading::record::parse;
use crate::rows::RowError;
use crate::store::error::Error;
use crate::store::file::{PackedFile, Records};
use crate::store::input::Groups;
use crate::store::input::opening::{self, BytesRead, looks_packed};
use crate::store::positions::row::StoredPosition;

/// One line with everything that a codec needs.
#[derive(Debug)]
pub struct Line {
    /// The set-up position, if not the usual start.
    pub start: Option<String>,
    /// The moves as candidate indices.
    pub indices: Vec<u16>,
    /// The moves as numbered text, without tags and result.
    pub text: String,
}

/// Lines of one game.
#[derive(Debug)]
pub struct Lines {
    /// The game.
    pub game: &'static dyn ErasedRules,
    /// The lines, each of at least one move.
    pub lines: Vec<Line>,
}

impl Lines {
    fn push(&mut self, start: Option<&str>, moves: &mut dyn Iterator<Item = &str>) {
        self.lines.extend(line(self.game, start, moves));
    }
}

/// Reads up to `lines_max` lines with at least one move, as far as their moves are understood. They
/// are of the first of `games`, or, if there are several, of the first record's game if it is one
/// of them.
///
/// # Errors
/// Returns an error if the file cannot be read.
pub fn read_lines(
    path: &Path,
    games: Vec<&'static dyn ErasedRules>,
    lines_max: usize,
) -> Result<Option<Lines>, Error> {
    let Some(&game) = games.first() else { return Ok(None) };
    let detect = games.len() > 1;
    let mut lines = Lines { game, lines: Vec::new() };
    match open(path, games)? {
        Input::Packed(file) => read_packed(&file, &mut lines, detect, lines_max)?,
        Input::Records(groups) => read_records(groups, &mut lines, detect, lines_max)?,
    }
    Ok(Some(lines))
}

/// A packed file, or one that could be packed.
enum Input {
    Packed(PackedFile),
    Records(Groups),
}

fn open(path: &Path, games: Vec<&'static dyn ErasedRules>) -> Result<Input, Error> {
    if looks_packed(path) {
        return Ok(Input::Packed(PackedFile::open(path)?));
    }
    let input = opening::Input::look(path)?;
    let opened = opening::open(vec![input], &BytesRead::default())?;
    Ok(Input::Records(Groups::new(opened.sources, games)))
}

fn read_records(
    mut groups: Groups,
    lines: &mut Lines,
    mut detect: bool,
    lines_max: usize,
) -> Result<(), Error> {
    while let Some(group) = groups.next_group()? {
        for span in &group.records {
            let (bytes, identity) = (group.bytes(span), group.origin(span).identity);
            let first = std::mem::take(&mut detect);
            let Decoded { game, text, .. } = identity.decode(bytes, lines.game, first);
            lines.game = game;
            let record = parse(game, &text, identity.format);
            let start = record.tag(crate::store::schema::START_TAG);
            lines.push(start, &mut record.moves.iter().copied());
            if lines.lines.len() >= lines_max {
                return Ok(());
            }
        }
    }
    Ok(())
}

fn read_packed(
    file: &PackedFile,
    lines: &mut Lines,
    mut detect: bool,
    lines_max: usize,
) -> Result<(), Error> {
    let mut number = 0;
    for group in 0..file.groups() {
        let rows = file.read_group(group)?;
        for row in 0..rows.len() {
            number += 1;
            let Some((record, ..)) = rows.record(row) else { break };
            let fault = |why: RowError| Error::record(file.path(), number - 1)(why);
            let Some((game, cursor)) = record.cursor().map_err(fault)? else { continue };
            if std::mem::take(&mut detect) {
                lines.game = game;
            }
            if game.info().id == lines.game.info().id {
                let start = record.line.and_then(|line| line.1);
                lines.lines.extend(coded_line(start, cursor).map_err(fault)?);
            }
            if lines.lines.len() >= lines_max {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Returns the line that a cursor follows, if it has moves.
fn coded_line(
    start: Option<&str>,
    mut cursor: Box<dyn Cursor<'_> + '_>,
) -> Result<Option<Line>, RowError> {
    let (mut text, mut indices) = (String::new(), Vec::new());
    let mut turn = cursor.turn();
    while let Some(index) = cursor.next()? {
        note_number(turn, &mut text);
        cursor.write_move(Notation::Customary, &mut text);
        indices.push(index);
        turn = cursor.turn();
    }
    let start = start.map(str::to_owned);
    Ok((!indices.is_empty()).then_some(Line { start, indices, text }))
}

/// Writes the text before a move in numbered movetext.
fn note_number(turn: Turn, text: &mut String) {
    let Turn { number, second } = turn;
    // Writing to a string cannot fail.
    let _ = match (second, text.is_empty()) {
        (true, true) => write!(text, "{number}... "),
        (true, false) => write!(text, " "),
        (false, true) => write!(text, "{number}. "),
        (false, false) => write!(text, " {number}. "),
    };
}

/// Returns the line of these moves, if there are any.
fn line(
    game: &'static dyn ErasedRules,
    start: Option<&str>,
    moves: &mut dyn Iterator<Item = &str>,
) -> Option<Line> {
    let mut cursor = game.cursor(start).ok()?;
    let (mut text, mut indices) = (String::new(), Vec::new());
    for mv in moves {
        let turn = cursor.turn();
        let Ok(index) = cursor.read(mv) else { break };
        note_number(turn, &mut text);
        text.push_str(mv);
        indices.push(index);
    }
    let start = start.map(str::to_owned);
    (!indices.is_empty()).then_some(Line { start, indices, text })
}

/// Positions of one game, spread evenly over a file.
#[derive(Debug)]
pub struct Positions {
    /// The game.
    pub game: &'static dyn ErasedRules,
    /// The positions in canonical spelling, with counters.
    pub texts: Vec<String>,
    /// How many positions the file has; `texts` holds every first, second, fourth and so on.
    pub all: u64,
}

/// Reads the positions of a position file, or those along the main lines of up to `games_max`
/// games, from before the first move, as far as they have moves. They are of the first of `games`,
/// or, if there are several, of the first record's game if it is one of them. Of more than
/// `positions_max`, every second is taken, or every fourth, and so on.
///
/// # Errors
/// Returns an error if the file cannot be read, or a record of a packed one is damaged.
pub fn read_positions(
    path: &Path,
    games: Vec<&'static dyn ErasedRules>,
    games_max: usize,
    positions_max: usize,
) -> Result<Option<Positions>, Error> {
    let Some(&game) = games.first() else { return Ok(None) };
    let mut sample = Sample { detect: games.len() > 1, ..Sample::new(game, positions_max) };
    match open(path, games)? {
        Input::Packed(file) => sample.add_packed(&file, games_max)?,
        Input::Records(groups) => sample.add_records(groups, games_max)?,
    }
    Ok(Some(Positions { game: sample.game, texts: sample.texts, all: sample.seen }))
}

/// Returns what a file holds, packed or not.
///
/// # Errors
/// Returns an error if it cannot be read.
pub fn kind_of(path: &Path, games: Vec<&'static dyn ErasedRules>) -> Result<Content, Error> {
    match open(path, games)? {
        Input::Packed(file) => Ok(file.kind()),
        Input::Records(mut groups) => groups.next_group().map(|_| groups.kind()),
    }
}

/// A systematic sample: every position whose number is a multiple of `step`, a power of two.
struct Sample {
    game: &'static dyn ErasedRules,
    /// Whether the first record still has to tell its game.
    detect: bool,
    texts: Vec<String>,
    max: usize,
    step: u64,
    seen: u64,
}

impl Sample {
    fn new(game: &'static dyn ErasedRules, max: usize) -> Self {
        Self { game, detect: false, texts: Vec::new(), max: max.max(1), step: 1, seen: 0 }
    }

    fn push(&mut self, canonical: &str) {
        if self.is_due() && self.texts.len() == self.max {
            let mut number = 0;
            self.texts.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.step *= 2;
        }
        if self.is_due() {
            self.texts.push(canonical.to_owned());
        }
        self.seen += 1;
    }

    fn is_due(&self) -> bool {
        self.seen.is_multiple_of(self.step)
    }

    fn push_line(&mut self, start: Option<&str>, moves: &mut dyn Iterator<Item = &str>) {
        let Ok(mut cursor) = self.game.cursor(start) else { return };
        let mut text = String::new();
        cursor.write_position(&mut text);
        for mv in moves {
            if cursor.read(mv).is_err() {
                return;
            }
            // The start counts only once a move is read: other text may not be a game.
            if cursor.ply() == 1 {
                self.push(&text);
            }
            text.clear();
            cursor.write_position(&mut text);
            self.push(&text);
        }
    }

    /// Adds the positions of a coded line, if it has moves.
    fn push_coded(&mut self, mut cursor: Box<dyn Cursor<'_> + '_>) -> Result<(), RowError> {
        let mut text = String::new();
        cursor.write_position(&mut text);
        while cursor.next()?.is_some() {
            if cursor.ply() == 1 {
                self.push(&text);
            }
            text.clear();
            cursor.write_position(&mut text);
            self.push(&text);
        }
        Ok(())
    }

    fn add_records(&mut self, mut groups: Groups, games_max: usize) -> Result<(), Error> {
        let mut games_left = games_max;
        while let Some(group) = groups.next_group()? {
            for span in &group.records {
                let (bytes, identity) = (group.bytes(span), group.origin(span).identity);
                let first = std::mem::take(&mut self.detect);
                let Decoded { game, charset, text } = identity.decode(bytes, self.game, first);
                self.game = game;
                if identity.content() == Content::Positions {
                    let read = |text: &str| self.game.position_after(Some(text), &[]).ok();
                    let words = &mut |text: &str| Some(epd::position_words(&read(text)?));
                    let line = epd::Line::read(&text, charset, words);
                    let text =
                        line.and_then(|line| read(&with_counters(line.position, line.counters)));
                    text.iter().for_each(|text| self.push(text));
                } else if games_left > 0 {
                    let record = parse(game, &text, identity.format);
                    let start = record.tag(crate::store::schema::START_TAG);
                    self.push_line(start, &mut record.moves.iter().copied());
                    games_left -= 1;
                } else {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn add_packed(&mut self, file: &PackedFile, games_max: usize) -> Result<(), Error> {
        let mut number = 0;
        for group in 0..file.groups() {
            let records = file.read_records(group)?;
            for row in 0..records.len() {
                number += 1;
                let fault = |why: RowError| Error::record(file.path(), number - 1)(why);
                match &records {
                    Records::Games(_) if number > games_max as u64 => return Ok(()),
                    Records::Games(rows) => {
                        let Some((record, ..)) = rows.record(row) else { break };
                        let Some((game, cursor)) = record.cursor().map_err(fault)? else {
                            continue;
                        };
                        if std::mem::take(&mut self.detect) {
                            self.game = game;
                        }
                        if game.info().id == self.game.info().id {
                            self.push_coded(cursor).map_err(fault)?;
                        }
                    }
                    Records::Positions(rows) => {
                        let Some((record, _)) = rows.record(row) else { break };
                        self.push_stored(&record).map_err(fault)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn push_stored(&mut self, record: &StoredPosition<'_>) -> Result<(), RowError> {
        let (Some((codec, _)), Some(text)) = (record.position, record.text()?) else {
            return Ok(());
        };
        let game = StoredPosition::codec(codec)?.game();
        if self.seen == 0 {
            self.game = game;
        }
        let read = self.game.position_after(Some(&text), &[]);
        read.iter().for_each(|text| self.push(text));
        Ok(())
    }
}

/// Appends counters to a position's text.
fn with_counters(position: &str, counters: [Option<u32>; 2]) -> String {
    let counters = counters.into_iter().flatten();
    counters.fold(position.to_owned(), |text, counter| format!("{text} {counter}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(max: usize, count: usize) -> Sample {
        let mut sample = Sample::new(plypack_games::GAMES[0], max);
        (0..count).for_each(|number| sample.push(&number.to_string()));
        sample
    }

    #[test]
    fn a_sample_is_spread_evenly() {
        for (max, count, expected) in [
            (4, 4, &["0", "1", "2", "3"][..]),
            (4, 5, &["0", "2", "4"]),
            (4, 8, &["0", "2", "4", "6"]),
            (4, 9, &["0", "4", "8"]),
            (1, 3, &["0"]),
            (0, 3, &["0"]),
            (3, 0, &[]),
        ] {
            let sample = sample(max, count);
            assert_eq!(sample.texts, expected, "{max} of {count}");
            assert_eq!(sample.seen, count as u64);
        }
    }
}
