//! Reads packed files.

pub mod branches;
pub mod collection;
pub mod dedup;
pub mod delete;
pub mod extract;
pub mod game;
pub mod index;
pub mod listing;
pub mod merge;
pub mod opening_tree;
pub mod pack;
pub mod players;
pub mod positions;
pub mod query;
pub mod repertoire;
pub mod scan;
pub mod source;
pub mod summary;
pub mod synth;
pub mod tags;
pub mod unpack;
pub mod variation;
pub mod verify;
mod walk;
mod work;

use std::iter::FusedIterator;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::find;
use crate::store::games::Rows;
use crate::store::index::Indices;
use crate::store::input::opening::is_same_file;
use crate::store::{Completeness, PackedFile as Inner, Wanted};
use plypack_records::Content;

use self::delete::Deleter;
use self::game::Game;
use self::index::Indexer;
use self::positions::Positions;
use self::source::{Served, Source};
use self::summary::Summary;
use self::unpack::Unpacker;
use self::verify::Verifier;
use self::walk::Walk;
use self::work::Working;
use crate::error::Error;
use crate::line::LineCodec;

/// A packed file, open for reading.
#[derive(Debug)]
pub struct PackedFile {
    pub(crate) inner: Inner,
    pub(crate) path: Arc<Path>,
}

/// What the records of a packed file are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Contents {
    /// Games: [`PackedFile::games`].
    #[default]
    Games,
    /// Positions, one per line: [`PackedFile::positions`].
    Positions,
}

impl Contents {
    fn of(content: Content) -> Self {
        match content {
            Content::Games => Self::Games,
            Content::Positions => Self::Positions,
        }
    }
}

/// How far the work has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Records so far.
    pub records: u64,
    /// Bytes so far, of the records before packing; 0 where only records are counted, as in
    /// indexing and queries.
    pub bytes: u64,
    /// Bytes of the inputs that were read so far, before decompression; 0 unless inputs are packed.
    pub read: u64,
    /// How many bytes the inputs have in all, before decompression; `None` if that is unknown, as
    /// it is for pipes, or no inputs are packed.
    pub size: Option<u64>,
}

/// Receives progress, and may stop the work.
type Watcher<'a> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a>;

/// Checks that a file does not overwrite its own input.
fn check_apart(input: &Path, output: &Path) -> Result<(), Error> {
    if is_same_file(input, output) {
        let why = "it is also the input and would be overwritten";
        return Err(Error::io(output)(std::io::Error::other(why)));
    }
    Ok(())
}

/// Returns the packed files in a folder: its `*.parquet` files, without hidden ones, in order of
/// name. They are not opened.
///
/// # Errors
/// Returns [`Error::Io`] if the folder cannot be read, or [`Error::File`] if it has none.
pub fn packed_files(folder: impl AsRef<Path>) -> Result<Vec<PathBuf>, Error> {
    find::packed_files(folder.as_ref()).map_err(Error::file)
}

/// Returns the packed files at these paths, where a folder stands for its `*.parquet` files, in
/// order of name.
fn expanded(paths: impl IntoIterator<Item = PathBuf>) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(packed_files(&path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

/// Opens packed files, each once: games of a file that is opened twice would count twice.
fn open_each(paths: Vec<PathBuf>) -> Result<Vec<Inner>, Error> {
    let mut files: Vec<Inner> = Vec::new();
    for path in expanded(paths)? {
        if !files.iter().any(|file| is_same_file(file.path(), &path)) {
            files.push(Inner::open(&path).map_err(Error::file)?);
        }
    }
    Ok(files)
}

/// Returns the codec by which a file's own games are coded.
fn own_codec(file: &Inner) -> Result<Option<LineCodec>, Error> {
    match file.kind() {
        Content::Games => Ok(find::codec_of(file).map_err(Error::file)?.map(LineCodec)),
        Content::Positions => Ok(None),
    }
}

impl PackedFile {
    /// Opens a packed file.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if it is not a packed file, is damaged, or needs
    /// another version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let inner = Inner::open(path).map_err(Error::file)?;
        Ok(Self { inner, path: path.into() })
    }

    /// Opens a packed file from a source of bytes, such as a server. Only what is asked for is
    /// read, in ranges. `name` stands for its path in messages; no index is looked for beside it,
    /// and a builder that opens files by path cannot change it.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn from_source(
        name: impl AsRef<Path>,
        source: impl Source + 'static,
    ) -> Result<Self, Error> {
        let name = name.as_ref();
        let inner = Inner::open_ranges(name, Box::new(Served(source))).map_err(Error::file)?;
        Ok(Self { inner, path: name.into() })
    }

    /// Returns the path it was opened by.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns what its records are.
    #[must_use]
    pub fn contents(&self) -> Contents {
        Contents::of(self.inner.kind())
    }

    /// Returns the number of records.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.inner.records()
    }

    /// Returns whether it has no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of its row groups, the parts that [`Scan`](crate::Scan) reads.
    #[must_use]
    pub fn groups(&self) -> usize {
        self.inner.groups()
    }

    /// Returns how many records a row group has, counted from 0; 0 beyond the last.
    #[must_use]
    pub fn group_len(&self, group: usize) -> u64 {
        if group < self.groups() { self.inner.group_records(group) } else { 0 }
    }

    /// Returns the codec of the first of its games that has moves, by which
    /// [`Packer::append`](crate::Packer::append) codes new ones; `None` if no game has moves, or
    /// the file holds positions.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if the file is damaged or needs another version.
    pub fn line_codec(&self) -> Result<Option<LineCodec>, Error> {
        own_codec(&self.inner)
    }

    /// Returns the names of the inputs that were packed into it, in order.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::File`].
    pub fn inputs(&self) -> Result<Vec<String>, Error> {
        self.inner.sources().map_err(Error::file)
    }

    /// Returns its games, in order. They are read some thousands at a time; games passed over by
    /// `skip` and `nth` are not read where possible.
    ///
    /// The iterator ends after an error: [`Error::Io`], or [`Error::File`] if the file is damaged
    /// or holds positions.
    pub fn games(&self) -> Games<'_> {
        let read = |file: &Self, group| {
            let rows = file.inner.read_group(group).map_err(Error::file)?;
            Ok((rows.len(), rows))
        };
        Games(Walk::new(self, Contents::Games, read))
    }

    /// Returns its positions, in order, like [`games`](Self::games).
    pub fn positions(&self) -> Positions<'_> {
        Positions::new(self)
    }

    /// Returns the numbers of the records that have this position, of a file of positions, whatever
    /// the counters say. All records are decoded.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the position cannot be read, [`Error::Io`],
    /// [`Error::Record`], or [`Error::File`] if the file is damaged or holds games.
    pub fn find_position(&self, position: &str) -> Result<Vec<u64>, Error> {
        let game = find::game_of_positions(&self.inner).map_err(Error::file)?;
        let Some(game) = game else { return Ok(Vec::new()) };
        let target = find::Target::read(game, Some(position), "").map_err(Error::coding)?;
        let mut found = Vec::new();
        Working::default().run(|work| {
            find::find_positions(&self.inner, &target, work, &mut |row, _| {
                found.push(row + 1);
                Ok(ControlFlow::Continue(()))
            })
        })?;
        Ok(found)
    }

    /// Returns the game with this number, counted from 1. Reads little more than this game.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if there is no such record, [`Error::Io`], or [`Error::File`] if
    /// the file is damaged or holds positions.
    pub fn game(&self, number: u64) -> Result<Game, Error> {
        let Some(row) = number.checked_sub(1) else {
            return Err(Error::record(&self.path, number, "records are counted from 1"));
        };
        let run = row..number;
        let rows = self.inner.read_rows(std::slice::from_ref(&run), Wanted::All);
        let rows = rows.map_err(Error::file)?;
        Ok(Game::new(self.path.clone(), Arc::new(rows), 0, number))
    }

    /// Says what it holds. Reads its small columns, and decodes nothing.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if the file is damaged.
    pub fn summary(&self) -> Result<Summary, Error> {
        let summary = self.inner.summary().map_err(Error::file)?;
        Ok(Summary::of(&self.path, summary))
    }

    /// Decodes every record and compares checksums. [`verifier`](Self::verifier) has options.
    ///
    /// # Errors
    /// Returns the first fault found: [`Error::Record`] if a record does not match its original
    /// bytes, [`Error::Page`], [`Error::Io`], or [`Error::File`].
    pub fn verify(&self) -> Result<(), Error> {
        let faults = self.verifier().faults_max(1).verify()?;
        faults.into_iter().next().map_or(Ok(()), Err)
    }

    /// Returns how many records no checksum covers. In a copy that lacks some of the positions that
    /// were coded together, their common checksum says nothing about the others.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if the file is damaged.
    pub fn unchecked_records(&self) -> Result<u64, Error> {
        self.inner.unchecked_records().map_err(Error::file)
    }

    /// Returns the paths of the indices beside it that [queries](crate::Query) use. Others are
    /// stale, damaged, or of another version.
    #[must_use]
    pub fn indices(&self) -> Vec<PathBuf> {
        match self.contents() {
            Contents::Games => Indices::open(&self.inner).paths(&self.inner),
            Contents::Positions => Vec::new(),
        }
    }

    /// Returns how much of what was packed it still has; `None` if it does not say, as another tool
    /// left out columns. Reads its small columns.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::File`].
    pub fn completeness(&self) -> Result<Option<Completeness>, Error> {
        self.inner.completeness().map_err(Error::file)
    }

    /// Returns whether it has all records of each of its inputs, in order, as packed; also false if
    /// unknown. A file that another tool cut or sorted does not unpack to the bytes that were
    /// packed.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::File`].
    pub fn is_whole(&self) -> Result<bool, Error> {
        Ok(self.completeness()?.is_some_and(|completeness| completeness.is_whole()))
    }

    /// Returns a builder that restores the original bytes.
    pub fn unpacker(&self) -> Unpacker<'_> {
        Unpacker::new(self)
    }

    /// Returns a builder that verifies it.
    pub fn verifier(&self) -> Verifier<'_> {
        Verifier::new(self)
    }

    /// Returns a builder of its position index.
    pub fn indexer(&self) -> Indexer<'_> {
        Indexer::new(self)
    }

    /// Returns a builder to delete some of its records.
    pub fn deleter(&self) -> Deleter<'_> {
        Deleter::new(self)
    }

    /// Makes the error that the file holds something else.
    pub(crate) fn misfit(&self, message: &str) -> Error {
        let message = format!("{}: {message}", self.path.display());
        Error::File { path: self.path.to_path_buf(), message, source: None }
    }
}

/// The games of a file: [`PackedFile::games`].
#[derive(Debug)]
pub struct Games<'f>(Walk<'f, Rows>);

impl Iterator for Games<'_> {
    type Item = Result<Game, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.0.next()?;
        let path = || self.0.file.path.clone();
        Some(row.map(|(rows, row, number)| Game::new(path(), rows, row, number)))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.0.skip(n);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl FusedIterator for Games<'_> {}
