//! Searches several packed files as one.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::store::find::{self, Asked};
use crate::store::index::{Indices, Refused};
use crate::store::players::nearest_names;
use crate::store::{PackedFile as Inner, Work};

use super::extract::Extractor;
use super::query::Query;
use super::{Contents, PackedFile, expanded};
use crate::error::Error;
use crate::rules::Rules;

/// Packed files, opened with the indices beside them and searched as one.
///
/// An index built later is used only by a collection opened after that.
pub struct Collection {
    pub(crate) asked: Vec<Asked>,
    pub(crate) paths: Vec<Arc<Path>>,
}

/// How much of a packed file is indexed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coverage {
    /// The packed file.
    pub path: PathBuf,
    /// The number of its games.
    pub games: u64,
    /// The number of games that an index covers. Queries decode all others, which takes longer.
    pub indexed: u64,
    /// Indices beside the file that are not used.
    pub refused: Vec<RefusedIndex>,
    /// An index that a query found to be damaged. Queries decode all games instead since.
    pub damaged: Option<RefusedIndex>,
}

/// An unused index. [`Indexer::build`](crate::Indexer::build) makes a new one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedIndex {
    /// The index.
    pub path: PathBuf,
    /// Why it is not used: it is stale, damaged, or of another version.
    pub message: String,
    /// Whether it is merely stale: the file has changed since it was built.
    pub is_stale: bool,
}

impl RefusedIndex {
    pub(crate) fn of(refused: &Refused) -> Self {
        let Refused { path, why, is_stale } = refused;
        Self { path: path.clone(), message: why.clone(), is_stale: *is_stale }
    }
}

impl Collection {
    /// Opens packed files, and the indices beside them. A folder stands for its `*.parquet` files,
    /// in order of name.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if a path is not a packed file, is damaged, holds
    /// positions, or needs another version. An unusable index is not an error: see
    /// [`coverage`](Self::coverage).
    pub fn open(paths: impl IntoIterator<Item: AsRef<Path>>) -> Result<Self, Error> {
        let mut collection = Self { asked: Vec::new(), paths: Vec::new() };
        for path in paths {
            for path in expanded([path.as_ref().to_path_buf()])? {
                collection.add(PackedFile::open(path)?)?;
            }
        }
        Ok(collection)
    }

    /// Searches files that are open already, with the indices beside them.
    ///
    /// # Errors
    /// Returns [`Error::File`] if a file holds positions.
    pub fn of(files: impl IntoIterator<Item = PackedFile>) -> Result<Self, Error> {
        let mut collection = Self { asked: Vec::new(), paths: Vec::new() };
        files.into_iter().try_for_each(|file| collection.add(file))?;
        Ok(collection)
    }

    fn add(&mut self, file: PackedFile) -> Result<(), Error> {
        if file.contents() != Contents::Games {
            return Err(file.misfit("it holds positions, not games; pack games to search them"));
        }
        let indices = Indices::open(&file.inner);
        self.asked.push(Asked { file: file.inner, indices, known: None });
        self.paths.push(file.path);
        Ok(())
    }

    /// Returns the number of records in all files.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.asked.iter().map(|asked| asked.file.records()).fold(0, u64::saturating_add)
    }

    /// Returns whether there are no records.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns how much of each file is indexed.
    #[must_use]
    pub fn coverage(&self) -> Vec<Coverage> {
        let of = |(asked, path): (&Asked, &Arc<Path>)| {
            let uncovered = asked.indices.uncovered().iter();
            let uncovered: u64 = uncovered.map(|&group| asked.file.group_records(group)).sum();
            let refused = asked.indices.refused().iter().map(RefusedIndex::of);
            let games = asked.file.records();
            Coverage {
                path: path.to_path_buf(),
                games,
                indexed: games.saturating_sub(uncovered),
                refused: refused.collect(),
                damaged: asked.indices.damaged().map(RefusedIndex::of),
            }
        };
        self.asked.iter().zip(&self.paths).map(of).collect()
    }

    /// Returns the paths of the files, in order.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.paths.iter().map(|path| &**path)
    }

    /// Returns the rules of each file's first game that has moves; `None` for a file without moves.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if a file is damaged or needs another version.
    pub fn rules(&self) -> Result<Vec<Option<Rules>>, Error> {
        let of = |asked: &Asked| Ok(find::game_of(&asked.file).map_err(Error::file)?.map(Rules));
        self.asked.iter().map(of).collect()
    }

    /// Returns the names of players that are nearest to a misspelt one, at most so many: those of
    /// the fewest slips first, then those of the most games. None if
    /// [`Query::player`](crate::Query::player) finds the name as it is.
    ///
    /// # Errors
    /// Returns [`Error::Io`], or [`Error::File`] if a file is damaged.
    pub fn nearest_names(&self, name: &str, most: usize) -> Result<Vec<String>, Error> {
        let files: Vec<&Inner> = self.asked.iter().map(|asked| &asked.file).collect();
        nearest_names(&files, name, most, &Work::on(0)).map_err(Error::file)
    }

    /// Returns a builder that writes some of the games to a new file.
    pub fn extractor(&self) -> Extractor<'_> {
        Extractor::new(self)
    }

    /// Returns an empty query over all files.
    pub fn query(&self) -> Query<'_> {
        Query::new(self)
    }
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Collection").field(&self.paths).finish()
    }
}
