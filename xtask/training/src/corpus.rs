//! Games and positions for training, read from files.

use std::path::Path;

use plypack_core::line::TextSource;
use plypack_core::{MoveSink, Ply, Rules, walk};
use plypack_games::chess::{Chess, Position};
use plypack_games::gomoku::{self, Rule, Variant};
use plypack_records::pgn::{self, PgnSplitter};
use plypack_records::{Splitter, charset};

/// A game: its start and the texts of its moves.
pub struct Line {
    /// The text of its start, if it is not the usual one.
    pub start: Option<String>,
    moves: Vec<String>,
}

impl Line {
    /// Returns the start, or `None` if it is not a valid position.
    pub fn start_position<G: Rules>(&self, game: &G) -> Option<G::Position> {
        match &self.start {
            None => Some(game.start()),
            Some(text) => game.read_position(text).ok(),
        }
    }

    /// Plays it from `start`, as far as it is legal.
    pub fn walk<G: Rules>(&self, game: &G, start: G::Position, sink: &mut impl MoveSink<G>) {
        let mut source = TextSource::new(game, self.moves.iter().map(String::as_str));
        walk(game, start, &mut source, sink);
    }
}

/// Reads every `every`th of the games that have moves. The file is PGN or, with the extension
/// `.tsv`, has lines whose second tab-separated field holds the moves, separated or as a transcript
/// of othello; or lines of gomoku, as [`read_gomoku`] takes them.
pub fn read_lines(path: &str, every: usize) -> Result<Vec<Line>, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let lines = if path.ends_with(".tsv") { read_tsv(&bytes) } else { read_pgn(&bytes) };
    Ok(lines.into_iter().skip(every - 1).step_by(every).collect())
}

fn read_tsv(file: &[u8]) -> Vec<Line> {
    let text = String::from_utf8_lossy(file);
    let read = |line: &str| {
        if let Some((start, moves)) = read_gomoku(line) {
            let mut text = String::new();
            start.write(&mut text);
            let moves = moves.into_iter().map(str::to_owned).collect();
            return Some(Line { start: Some(text), moves });
        }
        let moves = line.split('\t').nth(1)?;
        Some(Line { start: None, moves: words(moves) })
    };
    text.lines().filter_map(read).collect()
}

/// Returns the start and the moves of a line of gomoku: the size of the board, a tab, the rule, a
/// tab and a transcript (`h8i9`); further fields are ignored.
pub fn read_gomoku(line: &str) -> Option<(gomoku::Position, Vec<&str>)> {
    let mut fields = line.split('\t');
    let size = Variant::read_size(fields.next()?)?;
    let rule = Rule::of_word(fields.next()?)?;
    let variant = Variant::ALL
        .into_iter()
        .find(|variant| variant.size() == size && variant.rule() == rule)?;
    let moves = fields.next()?;
    let letter = |&(at, symbol): &(usize, char)| at > 0 && symbol.is_ascii_alphabetic();
    let mut ends: Vec<usize> = moves.char_indices().filter(letter).map(|(at, _)| at).collect();
    ends.push(moves.len());
    let mut begin = 0;
    let cut = |end| moves.get(std::mem::replace(&mut begin, end)..end);
    Some((gomoku::Position::empty(variant, false), ends.into_iter().map_while(cut).collect()))
}

/// Returns the moves of a field: its words or, if it is one word longer than a move, the pairs of
/// characters of a transcript of othello.
fn words(field: &str) -> Vec<String> {
    if field.len() < TRANSCRIPT_LEAST || field.contains(char::is_whitespace) {
        return field.split_whitespace().map(str::to_owned).collect();
    }
    let pairs = (0..field.len() / 2).map_while(|ply| field.get(2 * ply..2 * ply + 2));
    pairs.map(str::to_owned).collect()
}

/// The least length of a transcript: longer than any single move.
const TRANSCRIPT_LEAST: usize = 12;

fn read_pgn(file: &[u8]) -> Vec<Line> {
    let lines = records(file).into_iter().filter_map(|record| {
        let text = charset::decode(record, "").1;
        let record = pgn::parse(&text);
        let moves: Vec<String> = record.moves.iter().map(ToString::to_string).collect();
        let start = record.tag("FEN").map(str::to_owned);
        (!moves.is_empty()).then_some(Line { start, moves })
    });
    lines.collect()
}

/// Splits a file into the bytes of its records.
pub fn records(file: &[u8]) -> Vec<&[u8]> {
    PgnSplitter::new(b'\n').records(file)
}

/// The number of plies between two sampled positions of a game.
pub const PLIES: u32 = 8;

/// Reads positions of chess from every `every`th game of a PGN file, one after each [`PLIES`]
/// plies, or from every `every`th line of any other file: FEN or EPD, each read up to a `;`.
pub fn read_positions(path: &str, every: usize) -> Result<Vec<Position>, String> {
    read(path, every, |_| 0)
}

/// Reads the same, but with the first position after 1, 2, … and [`PLIES`] plies in successive
/// games, so that either side is to move.
pub fn read_mixed_positions(path: &str, every: usize) -> Result<Vec<Position>, String> {
    read(path, every, |game| PLIES - 1 - game % PLIES)
}

/// Reads positions; `ahead` gives the number of plies before its start at which a game's count
/// begins.
fn read(path: &str, every: usize, ahead: impl Fn(u32) -> u32) -> Result<Vec<Position>, String> {
    let mut positions = Positions::default();
    if Path::new(path).extension().is_some_and(|extension| extension == "pgn") {
        for (game, number) in read_lines(path, every)?.into_iter().zip(0..) {
            let Some(start) = game.start_position(&Chess) else { continue };
            positions.plies = ahead(number);
            game.walk(&Chess, start, &mut positions);
        }
        return Ok(positions.list);
    }
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    for (line, number) in text.lines().zip(1usize..).skip(every - 1).step_by(every) {
        let fen = line.split(';').next().unwrap_or_default();
        let position = Chess.read_position(fen);
        positions.list.push(position.map_err(|error| format!("{path}, line {number}: {error}"))?);
    }
    Ok(positions.list)
}

/// Collects some positions of games.
#[derive(Default)]
struct Positions {
    plies: u32,
    list: Vec<Position>,
}

impl MoveSink<Chess> for Positions {
    fn push(&mut self, ply: &Ply<'_, Chess>) {
        self.plies += 1;
        if self.plies.is_multiple_of(PLIES) {
            self.list.push(ply.after.clone());
        }
    }
}

/// Returns the last part of a path.
pub fn file_name(path: &str) -> &str {
    Path::new(path).file_name().and_then(|name| name.to_str()).unwrap_or(path)
}
