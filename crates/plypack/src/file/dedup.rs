//! Finds duplicate games, and deletes them.

use std::fmt;
use std::path::{Path, PathBuf};

use super::open_each;
use super::tags::Outcome;
use super::work::{Working, working};
use crate::error::Error;
use crate::store::revision::{self, Copied, Sought, Stays, duplicates};
use crate::store::{PackedFile as Inner, RecordId, versions};

/// Finds games that packed files have more than once, with options, and deletes the copies.
///
/// A record is a copy of another if its bytes are the same; or if the same players made the same
/// moves, all of them or the first ones of a longer game, at least ten plies, and no tag gives
/// another day, round or result. All files are treated as one.
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// use plypack::{Deduplicator, PackedFile, Packer};
///
/// let packed = std::env::temp_dir().join("plypack-deduplicated.parquet");
/// let games = b"[White \"A\"]\n\n1. e4 e5 *\n\n[White \"A\"]\n\n1. e4 e5 *\n\n";
/// Packer::new().reader("a.pgn", &games[..]).pack(&packed)?;
/// let found = Deduplicator::new().file(&packed).find()?;
/// assert_eq!((found[0].number, found[0].of_number), (2, 1));
/// let deleted = Deduplicator::new().file(&packed).delete()?;
/// assert_eq!((deleted.len(), PackedFile::open(&packed)?.len()), (1, 1));
/// # Ok(())
/// # }
/// ```
#[must_use = "call `find` or `delete`"]
#[derive(Default)]
pub struct Deduplicator<'a> {
    files: Vec<PathBuf>,
    sought: Sought,
    work: Working<'a>,
}

/// Which copy of a game is kept. Ties go to one with a known day, then to the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kept {
    /// The one with the most plies, then with the most annotations.
    #[default]
    Longest,
    /// The one with the most annotations, clock readings and evaluations, then with the most plies.
    Annotated,
    /// The first.
    First,
}

/// In what a copy is like the game that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Likeness {
    /// The bytes of the record.
    Bytes,
    /// The players and all moves.
    Moves,
    /// The players, and the first moves: one game goes on where the other ends.
    FirstMoves,
}

/// A game that is a copy of one that is kept: [`Deduplicator::find`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Duplicate {
    /// The file of the copy.
    pub path: PathBuf,
    /// The number of the copy there, counted from 1.
    pub number: u64,
    /// The number and a checksum, by which `plypack delete --found` recognises the copy.
    pub id: String,
    /// The file of the game that is kept.
    pub of_path: PathBuf,
    /// The number of the game that is kept, counted from 1.
    pub of_number: u64,
    /// In what both are alike.
    pub likeness: Likeness,
    /// The plies of the copy.
    pub plies: u32,
    /// The plies of the game that is kept.
    pub of_plies: u32,
    /// The annotations of the copy; all clock readings count as one, and all evaluations.
    pub annotations: u32,
    /// The annotations of the game that is kept.
    pub of_annotations: u32,
    /// Whether the copy has annotations that differ from those of the game that is kept.
    pub is_annotated_otherwise: bool,
    /// The result of the copy.
    pub outcome: Option<Outcome>,
    /// The result of the game that is kept.
    pub of_outcome: Option<Outcome>,
    /// Whether it is kept as well, because the results differ.
    pub is_kept: bool,
}

impl<'a> Deduplicator<'a> {
    /// Returns a deduplicator without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a packed file of games, or a folder, which stands for its `*.parquet` files in order of
    /// name. A file that is added twice counts once.
    pub fn file(mut self, path: impl AsRef<Path>) -> Self {
        self.files.push(path.as_ref().to_path_buf());
        self
    }

    /// Sets which copy is kept; the default is the longest.
    pub fn keep(mut self, kept: Kept) -> Self {
        self.sought.stays = match kept {
            Kept::Longest => Stays::Longest,
            Kept::Annotated => Stays::Annotated,
            Kept::First => Stays::First,
        };
        self
    }

    /// Treats games of other days and rounds as copies, too.
    pub fn any_day(mut self, any_day: bool) -> Self {
        self.sought.any_day = any_day;
        self
    }

    /// Treats games with another result as copies, too.
    pub fn any_outcome(mut self, any_outcome: bool) -> Self {
        self.sought.any_result = any_outcome;
        self
    }

    working! {
        /// Calls `progress` as records are read, copied and indexed, counting each time; it may
        /// stop the work.
    }

    /// Finds the copies, in order of files and records, and changes nothing.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Record`], or [`Error::File`] if a file is damaged or holds
    /// positions; [`Error::Stopped`].
    pub fn find(self) -> Result<Vec<Duplicate>, Error> {
        let Self { files, sought, work } = self;
        let files = open_each(files)?;
        let found = work.run(|work| duplicates(&files, sought, work))?;
        Ok(found.iter().map(|found| Duplicate::of(found, &files)).collect())
    }

    /// Finds the copies as [`find`](Self::find) does, and deletes those that are not kept. What is
    /// left is copied as it is coded. A file is replaced once its new version is on disk, and its
    /// index is kept up to date.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::Record`], or [`Error::File`] if a file is damaged, holds
    /// positions, or another process changed it; [`Error::Stopped`]; [`Error::Unindexed`] if only
    /// the index of a file is out of date. Files that are already done stay without their copies.
    pub fn delete(self) -> Result<Vec<Duplicate>, Error> {
        let Self { files, sought, work } = self;
        let files = open_each(files)?;
        let found = work.run(|work| {
            let found = duplicates(&files, sought, work)?;
            for (number, file) in files.iter().enumerate() {
                let gone =
                    |found: &&revision::Duplicate| found.copy.0 == number && !found.contradicts;
                let rows: Vec<u64> = found.iter().filter(gone).map(|found| found.copy.1).collect();
                versions::delete_from(file, &rows, work)?;
            }
            Ok(found)
        })?;
        Ok(found.iter().map(|found| Duplicate::of(found, &files)).collect())
    }
}

impl Duplicate {
    fn of(found: &revision::Duplicate, files: &[Inner]) -> Self {
        let path = |(file, _): (usize, u64)| {
            files.get(file).map(|file| file.path().to_path_buf()).unwrap_or_default()
        };
        let [plies, of_plies] = found.plies;
        let [annotations, of_annotations] = found.annotations;
        let [outcome, of_outcome] = found.outcomes.map(|outcome| outcome.map(Outcome::of));
        Self {
            path: path(found.copy),
            number: found.copy.1 + 1,
            id: RecordId { record: found.copy.1 + 1, checksum: found.checksum }.to_string(),
            of_path: path(found.of),
            of_number: found.of.1 + 1,
            likeness: match found.why {
                Copied::Bytes => Likeness::Bytes,
                Copied::Moves => Likeness::Moves,
                Copied::Part => Likeness::FirstMoves,
            },
            plies,
            of_plies,
            annotations,
            of_annotations,
            is_annotated_otherwise: found.annotated_otherwise,
            outcome,
            of_outcome,
            is_kept: found.contradicts,
        }
    }
}

impl fmt::Debug for Deduplicator<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Deduplicator")
            .field("files", &self.files)
            .field("sought", &self.sought)
            .field("threads", &self.work.threads)
            .finish_non_exhaustive()
    }
}
