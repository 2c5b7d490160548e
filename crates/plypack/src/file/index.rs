//! Indexes which games of a packed file reach a position.

use std::path::Path;

use crate::store::index::{self as inner, Built};

use super::PackedFile;
use super::work::{Working, working};
use crate::error::Error;

/// Builds the position index beside a packed file, `games.plyindex` for `games.parquet`, so that a
/// [`Query`](crate::Query) is answered in milliseconds. Returns `None` if all games of the file are
/// already indexed.
///
/// [`PackedFile::indexer`] has options; [`Packer::index`](crate::Packer::index) packs and indexes
/// in one step.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::Record`] if a record is damaged, or [`Error::File`] if the file
/// is damaged or holds positions.
pub fn build_index(packed: impl AsRef<Path>) -> Result<Option<IndexReport>, Error> {
    PackedFile::open(packed)?.indexer().build()
}

/// What was indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexReport {
    /// Games, including those without moves.
    pub games: u64,
    /// Distinct positions; one that also occurs in variations counts twice.
    pub positions: u64,
    /// Pairs of a position and a game that reaches it.
    pub pairs: u64,
    /// Size of the index in bytes.
    pub bytes: u64,
}

impl IndexReport {
    pub(crate) fn of(built: Built) -> Self {
        let Built { games, positions, pairs, bytes } = built;
        Self { games, positions, pairs, bytes }
    }
}

/// Builds the position index beside a packed file, with options: [`PackedFile::indexer`].
///
/// The same file gives the same index on any number of threads.
#[must_use = "call `build` to index"]
#[derive(Debug)]
pub struct Indexer<'a> {
    file: &'a PackedFile,
    rebuild: bool,
    work: Working<'a>,
}

impl<'a> Indexer<'a> {
    pub(crate) fn new(file: &'a PackedFile) -> Self {
        Self { file, rebuild: false, work: Working::default() }
    }

    /// Indexes all games, even if an index exists. By default only games that no index beside the
    /// file covers are indexed, such as those added since.
    pub fn rebuild(mut self, rebuild: bool) -> Self {
        self.rebuild = rebuild;
        self
    }

    working! {
        /// Calls `progress` every few hundred games, from any thread; it may stop the work.
    }

    /// Builds the index, and gives it its name once all of it is on disk; an error leaves
    /// everything unchanged. Returns `None` if all games are already indexed.
    ///
    /// # Errors
    /// Returns [`Error::Io`]; [`Error::Record`] if a record is damaged; [`Error::File`] if the file
    /// is damaged or holds positions; [`Error::Stopped`] if the caller asks to stop.
    pub fn build(self) -> Result<Option<IndexReport>, Error> {
        let Self { file, rebuild, work } = self;
        let built = work.run(|work| inner::index(&file.inner, rebuild, work))?;
        Ok(built.map(IndexReport::of))
    }
}
