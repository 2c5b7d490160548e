//! Packed files: reading them.

pub mod collection;
pub mod index;
pub mod pack;
pub mod played;
pub mod positions;
pub mod query;
pub mod record;
pub mod tags;
pub mod tree;
pub mod unpack;
mod walk;
mod watch;

use std::iter::FusedIterator;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use plypack_records::Content;
use plypack_store::games::Rows;
use plypack_store::{PackedFile as Inner, Wanted};

use self::index::Indexer;
use self::positions::Positions;
use self::record::Record;
use self::unpack::Unpacker;
use self::walk::Walk;
use crate::error::Error;

/// A packed file that is open for reading.
#[derive(Debug)]
pub struct PackedFile {
    pub(crate) inner: Inner,
    pub(crate) path: Arc<Path>,
}

/// What the records of a packed file are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Contents {
    /// Games: [`PackedFile::games`].
    Games,
    /// Positions, one a line: [`PackedFile::positions`].
    Positions,
}

/// How far a work is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Records so far.
    pub records: u64,
    /// Bytes so far, of records as they were before they were packed; 0 where only records are
    /// counted: when a file is indexed or asked.
    pub bytes: u64,
}

/// Who is told of it, and may stop the work.
type Watcher<'a> = Box<dyn FnMut(&Progress) -> ControlFlow<()> + Send + 'a>;

/// That a file is not written over while it is read.
fn check_apart(input: &Path, output: &Path) -> Result<(), Error> {
    let [input, place] = [input, output].map(|path| path.canonicalize().ok());
    if input.is_some() && input == place {
        let why = "it is the input, and would be written over";
        return Err(Error::io(output)(std::io::Error::other(why)));
    }
    Ok(())
}

/// Opens a packed file.
///
/// # Errors
/// [`Error::Io`], or [`Error::File`] if it is not a packed file, is damaged, or needs another
/// version.
pub fn open(path: impl AsRef<Path>) -> Result<PackedFile, Error> {
    let path = path.as_ref();
    let inner = Inner::open(path).map_err(Error::file)?;
    Ok(PackedFile { inner, path: path.into() })
}

impl PackedFile {
    /// Where it was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What its records are.
    #[must_use]
    pub fn contents(&self) -> Contents {
        match self.inner.kind() {
            Content::Games => Contents::Games,
            Content::Positions => Contents::Positions,
        }
    }

    /// How many records it has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.inner.records()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the inputs that were packed into it, in order.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::File`].
    pub fn inputs(&self) -> Result<Vec<String>, Error> {
        self.inner.sources().map_err(Error::file)
    }

    /// Its games, in order. They are read some thousands at a time; what `skip` and `nth` leave out
    /// is not read where that can be helped.
    ///
    /// The iterator ends behind an error: [`Error::Io`], or [`Error::File`] if the file is damaged
    /// or holds positions.
    pub fn games(&self) -> Games<'_> {
        let read = |file: &Self, group| {
            let rows = file.inner.read_group(group).map_err(Error::file)?;
            Ok((rows.len(), rows))
        };
        Games(Walk::new(self, Contents::Games, read))
    }

    /// Its positions, in order, as [`games`](Self::games) gives games.
    pub fn positions(&self) -> Positions<'_> {
        Positions::new(self)
    }

    /// The game of this number, from 1. Reads little more than this game.
    ///
    /// # Errors
    /// [`Error::Record`] if there is no such record, [`Error::Io`], or [`Error::File`] if the file
    /// is damaged or holds positions.
    pub fn game(&self, number: u64) -> Result<Record, Error> {
        let Some(row) = number.checked_sub(1) else {
            return Err(Error::record(&self.path, number, "records are counted from 1"));
        };
        let run = row..number;
        let rows = self.inner.read_rows(std::slice::from_ref(&run), Wanted::All);
        let rows = rows.map_err(Error::file)?;
        Ok(Record::new(self.path.clone(), Arc::new(rows), 0, number))
    }

    /// Decodes every record and compares checksums.
    ///
    /// # Errors
    /// The first that is found: [`Error::Record`] if a record does not come back to its original
    /// bytes, [`Error::Io`], [`Error::File`].
    pub fn verify(&self) -> Result<(), Error> {
        self.unpacker().for_each(|_, _| Ok(()))
    }

    /// Whether it has all records of each of its inputs, in order, as it was packed; false, too,
    /// if that cannot be told. What another tool cut or sorted gives back other bytes than were
    /// packed.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::File`].
    pub fn is_whole(&self) -> Result<bool, Error> {
        let coverage = self.inner.coverage().map_err(Error::file)?;
        Ok(coverage.is_some_and(|coverage| coverage.is_whole()))
    }

    /// What gives the original bytes back.
    pub fn unpacker(&self) -> Unpacker<'_> {
        Unpacker::new(self)
    }

    /// What builds the index of positions beside it.
    pub fn indexer(&self) -> Indexer<'_> {
        Indexer::new(self)
    }

    /// That it holds something else.
    pub(crate) fn misfit(&self, message: &str) -> Error {
        let message = format!("{}: {message}", self.path.display());
        Error::File { path: self.path.to_path_buf(), message, source: None }
    }
}

/// The games of a file: [`PackedFile::games`].
#[derive(Debug)]
pub struct Games<'f>(Walk<'f, Rows>);

impl Iterator for Games<'_> {
    type Item = Result<Record, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let row = self.0.next()?;
        let path = || self.0.file.path.clone();
        Some(row.map(|(rows, row, number)| Record::new(path(), rows, row, number)))
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
