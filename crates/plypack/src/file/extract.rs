//! Writes some games of a collection to a new file.

use std::borrow::Cow;
use std::io::{BufWriter, IntoInnerError, Write};
use std::path::Path;
use std::sync::atomic::Ordering;

use crate::rows::RowError;
use crate::store::find::{Separator, records};
use crate::store::revision::select;
use crate::store::row::StoredRecord;
use crate::store::{Compressed, Conversion, Error as Inner, Existing, Output, Wanted, Work};

use super::check_apart;
use super::collection::Collection;
use super::work::{Working, overwriting, working};
use crate::error::Error;
use crate::moves::Notation;

/// The most games whose bytes are in memory at once.
const BATCH: usize = 2_048;

/// Writes some games of a collection to a new file, with options: [`Collection::extractor`].
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// use plypack::{Collection, Packer};
///
/// let folder = std::env::temp_dir();
/// let packed = folder.join("plypack-extracted.parquet");
/// Packer::new().reader("a.pgn", &b"1. e4 e5 *\n\n1. d4 *\n\n1. e4 c5 *\n"[..]).pack(&packed)?;
/// let games = Collection::open([&packed])?;
/// let found = games.query().moves("1. e4").find()?;
/// let wanted: Vec<_> = found.places().map(|place| (place.file, place.number)).collect();
///
/// let mut pgn = Vec::new();
/// let extractor = games.extractor().games(wanted.iter().copied());
/// assert_eq!(extractor.to_writer(&mut pgn)?.games, 2);
/// assert_eq!(pgn, b"1. e4 e5 *\n\n1. e4 c5 *\n");
///
/// let copy = folder.join("plypack-extracted-copy.parquet");
/// assert_eq!(games.extractor().games(wanted).to_file(copy)?.games, 2);
/// # Ok(())
/// # }
/// ```
#[must_use = "call `to_file` or `to_writer` to write the games"]
#[derive(Debug)]
pub struct Extractor<'a> {
    collection: &'a Collection,
    games: Vec<(usize, u64)>,
    form: Option<Notation>,
    existing: Existing,
    work: Working<'a>,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExtractReport {
    /// The number of games.
    pub games: u64,
    /// Games of which something became a comment, because PGN has no place for it.
    pub changed: u64,
    /// Records that were left out, because no game in them was understood to convert.
    pub left_out: u64,
    /// Games of go that were written in SGF, because PGN does not have go.
    pub sgf: u64,
}

impl<'a> Extractor<'a> {
    pub(crate) fn new(collection: &'a Collection) -> Self {
        let (existing, work) = (Existing::default(), Working::default());
        Self { collection, games: Vec::new(), form: None, existing, work }
    }

    /// Adds games, each by the place of its file in the collection, counted from 0, and its number
    /// there, counted from 1: [`Place`](crate::Place).
    pub fn games(mut self, games: impl IntoIterator<Item = (usize, u64)>) -> Self {
        self.games.extend(games);
        self
    }

    /// Writes the games as PGN, whatever they were packed from, and those of go in SGF.
    pub fn as_pgn(mut self, notation: Notation) -> Self {
        self.form = Some(notation);
        self
    }

    overwriting! {}

    working! {
        /// Calls `progress` as games are written; it may stop the work.
    }

    /// Writes the games to a file at `output`. One whose name ends in `.parquet` is packed: the
    /// games are copied as they are coded, each once, in the order of the files. Others get the
    /// games as they were packed, in the order in which they were added, and are compressed if the
    /// name ends in `.zst`, `.gz` or `.xz`. The file gets its name once all of it is on disk.
    ///
    /// # Errors
    /// Returns [`Error::Io`]; [`Error::File`], also if games are to be packed as PGN; and
    /// [`Error::Record`], if there is no such game or it does not match its original bytes;
    /// [`Error::Exists`]; [`Error::Stopped`].
    pub fn to_file(self, output: impl AsRef<Path>) -> Result<ExtractReport, Error> {
        let output = output.as_ref();
        for path in &self.collection.paths {
            check_apart(path, output)?;
        }
        let is_packed = output.extension().is_some_and(|ending| ending == "parquet");
        if is_packed && self.form.is_some() {
            let message = format!(
                "{}: games are written as texts, so name a file that does not end in .parquet",
                output.display()
            );
            return Err(Error::File { path: output.into(), message, source: None });
        }
        self.check()?;
        let mut file = Output::begin(output, self.existing).map_err(Error::file)?;
        let report = if is_packed {
            self.copy(&mut file, output)?
        } else {
            let compressed = Compressed::new(&mut file, output).map_err(Error::io(output))?;
            let mut writer = BufWriter::new(compressed);
            let report = self.write(&mut writer, output)?;
            let compressed = writer.into_inner().map_err(IntoInnerError::into_error);
            compressed.and_then(Compressed::finish).map_err(Error::io(output))?;
            report
        };
        file.publish().map_err(Error::file)?;
        Ok(report)
    }

    /// Writes the games to `writer`, as they were packed or as PGN.
    ///
    /// # Errors
    /// As [`to_file`](Self::to_file). Some games may then be written.
    pub fn to_writer(self, mut writer: impl Write + Send) -> Result<ExtractReport, Error> {
        self.check()?;
        let name = Path::new("output");
        let report = self.write(&mut writer, name)?;
        writer.flush().map_err(Error::io(name))?;
        Ok(report)
    }

    /// Checks that there are such games.
    fn check(&self) -> Result<(), Error> {
        for &(file, number) in &self.games {
            let (asked, path) = (self.collection.asked.get(file), self.collection.paths.get(file));
            let Some((asked, path)) = asked.zip(path) else {
                let message = format!("the collection has no file {file}, counted from 0");
                return Err(Error::File { path: Path::new("").into(), message, source: None });
            };
            if number == 0 || number > asked.file.records() {
                return Err(Error::record(path, number, "there is no such game"));
            }
        }
        Ok(())
    }

    /// Copies the games in coded form.
    fn copy(self, output: &mut (dyn Write + Send), name: &Path) -> Result<ExtractReport, Error> {
        let Self { collection, games, work, .. } = self;
        let mut rows: Vec<Vec<u64>> = vec![Vec::new(); collection.asked.len()];
        for (file, number) in games {
            rows.get_mut(file).into_iter().for_each(|rows| rows.push(number - 1));
        }
        for rows in &mut rows {
            rows.sort_unstable();
            rows.dedup();
        }
        let files = collection.asked.iter().zip(&rows);
        let files: Vec<_> = files.map(|(asked, rows)| (&asked.file, &rows[..])).collect();
        let games = work.run(|work| select(&files, output, name, work))?;
        Ok(ExtractReport { games, ..ExtractReport::default() })
    }

    /// Writes the games as texts to `writer`, which is called `name` in messages.
    fn write(self, writer: &mut (dyn Write + Send), name: &Path) -> Result<ExtractReport, Error> {
        let Self { collection, games, form, work, .. } = self;
        let conversion = form.map(|notation| Conversion::new(notation.converted()));
        let mut texts = Texts { conversion: conversion.as_ref(), separator: Separator::default() };
        work.run(|work| {
            for batch in games.chunks(BATCH) {
                for games in batch.chunk_by(|one, other| one.0 == other.0) {
                    texts.write(collection, games, work, &mut |bytes| {
                        writer.write_all(bytes).map_err(Inner::io(name))
                    })?;
                }
            }
            Ok(())
        })?;
        let mut report = ExtractReport { games: games.len() as u64, ..ExtractReport::default() };
        if let Some(conversion) = conversion {
            report.changed = conversion.changed.load(Ordering::Relaxed);
            report.left_out = conversion.nothing.load(Ordering::Relaxed);
            report.sgf = conversion.sgf.load(Ordering::Relaxed);
        }
        Ok(report)
    }
}

/// The texts of games, one after another.
struct Texts<'c> {
    /// How games are converted, if they are.
    conversion: Option<&'c Conversion>,
    separator: Separator,
}

impl Texts<'_> {
    /// Writes some games of one file.
    fn write(
        &mut self,
        collection: &Collection,
        games: &[(usize, u64)],
        work: &Work<'_>,
        write: &mut dyn FnMut(&[u8]) -> Result<(), Inner>,
    ) -> Result<(), Inner> {
        work.check()?;
        let file = games.first().map_or(0, |game| game.0);
        let Some(asked) = collection.asked.get(file) else { return Ok(()) };
        let rows: Vec<u64> = games.iter().map(|game| game.1 - 1).collect();
        records(asked, &rows, Wanted::All, |place, record, checksum| {
            let row = rows.get(place).copied().unwrap_or_default();
            let bytes = self.bytes(&record, checksum);
            let (gap, bytes) = bytes.map_err(Inner::record(asked.file.path(), row))?;
            write(gap)?;
            write(&bytes)
        })?;
        work.done(rows.len() as u64);
        Ok(())
    }

    /// Returns the bytes of a game, and those before it.
    fn bytes<'r>(
        &mut self,
        record: &'r StoredRecord<'_>,
        checksum: Option<u32>,
    ) -> Result<(&'static [u8], Cow<'r, [u8]>), RowError> {
        match self.conversion {
            None => {
                let bytes = record.original(checksum)?;
                Ok((self.separator.before(record, &bytes), bytes))
            }
            // Converted games end with a blank line.
            Some(conversion) => {
                let converted = record.convert(conversion.moves, checksum)?;
                conversion.count(converted.fate);
                Ok((&[], converted.bytes))
            }
        }
    }
}
