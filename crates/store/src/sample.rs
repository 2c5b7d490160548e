//! The lines of a file, packed or not, for measuring codecs on them.

use std::fmt::Write;
use std::fs::File;
use std::io::{Read, Seek};
use std::path::Path;

use plypack_core::{ErasedGame, Notation, Turn};
use plypack_records::charset;

use crate::error::Error;
use crate::file::PackedFile;
use crate::input::{Groups, Source};

/// The first bytes of a Parquet file.
const PARQUET_MAGIC: [u8; 4] = *b"PAR1";

/// One line with all that a codec needs.
#[derive(Debug)]
pub struct Line {
    /// The set-up position, if not the usual one.
    pub start: Option<String>,
    /// The moves as candidate indices.
    pub indices: Vec<u16>,
    /// The moves as numbered text, without tags and result.
    pub text: String,
}

/// Reads up to `lines_max` lines of `game` that have at least one move, as far as their moves are
/// understood.
///
/// # Errors
/// If the file cannot be read.
pub fn read_lines(
    path: &Path,
    game: &dyn ErasedGame,
    lines_max: usize,
) -> Result<Vec<Line>, Error> {
    let mut file = File::open(path).map_err(Error::io(path))?;
    let mut magic = [0; 4];
    let read = file.by_ref().take(4).read(&mut magic).map_err(Error::io(path))?;
    file.rewind().map_err(Error::io(path))?;
    if read == magic.len() && magic == PARQUET_MAGIC {
        read_packed(&PackedFile::open(path)?, game, lines_max)
    } else {
        read_records(path, file, game, lines_max)
    }
}

fn read_records(
    path: &Path,
    file: File,
    game: &dyn ErasedGame,
    lines_max: usize,
) -> Result<Vec<Line>, Error> {
    let name = path.to_string_lossy().into_owned();
    let mut groups = Groups::new(vec![Source { name, reader: Box::new(file) }]);
    let mut lines = Vec::new();
    while let Some(group) = groups.next_group()? {
        for span in &group.records {
            let (_, text) = charset::decode(&group.bytes[span.bytes.clone()], game.info().signs);
            let record = plypack_records::parse(&text, game.info().notations);
            let start = record.tag(crate::schema::START_TAG);
            lines.extend(line(game, start, &mut record.moves.iter().copied()));
            if lines.len() >= lines_max {
                return Ok(lines);
            }
        }
    }
    Ok(lines)
}

fn read_packed(
    file: &PackedFile,
    game: &dyn ErasedGame,
    lines_max: usize,
) -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    let mut number = 0;
    for group in 0..file.groups() {
        let rows = file.read_group(group)?;
        for row in 0..rows.len() {
            number += 1;
            let Some((record, ..)) = rows.record(row) else { break };
            let (texts, _) = record.moves(Notation::Customary).map_err(|why| Error::Record {
                path: file.path().into(),
                record: number,
                why,
            })?;
            let start = record.line.and_then(|line| line.1);
            lines.extend(line(game, start, &mut texts.iter()));
            if lines.len() >= lines_max {
                return Ok(lines);
            }
        }
    }
    Ok(lines)
}

/// A line with moves, or nothing.
fn line(
    game: &dyn ErasedGame,
    start: Option<&str>,
    moves: &mut dyn Iterator<Item = &str>,
) -> Option<Line> {
    let Turn { mut number, mut second } = game.turn(start).ok()?;
    let mut text = String::new();
    // What is read is at the same time written down, numbered.
    let mut noted = moves.inspect(|mv| {
        // Writing to a string cannot fail.
        let _ = match (second, text.is_empty()) {
            (true, true) => write!(text, "{number}... {mv}"),
            (true, false) => write!(text, " {mv}"),
            (false, true) => write!(text, "{number}. {mv}"),
            (false, false) => write!(text, " {number}. {mv}"),
        };
        number += u32::from(second);
        second = !second;
    });
    let (indices, stopped) = game.read_moves(start, &mut noted).ok()?;
    drop(noted);
    if stopped.is_some() {
        // The text of the move that failed was noted, too.
        let last = text.rfind(' ').unwrap_or(0);
        text.truncate(last);
    }
    let start = start.map(str::to_owned);
    (!indices.is_empty()).then_some(Line { start, indices, text })
}
