//! Packed files that are asked as one.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plypack_store::find::{Asked, packed_files};
use plypack_store::index::Indices;

use super::query::Query;
use super::{Contents, open};
use crate::error::Error;

/// Packed files that are open to be asked as one, with the indices beside them.
///
/// An index that is built later is used by a collection that is opened later.
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
    /// Its games.
    pub games: u64,
    /// Those that an index covers. Queries decode all others, which takes longer.
    pub indexed: u64,
    /// The indices beside it that are not used.
    pub refused: Vec<RefusedIndex>,
}

/// An index that is not used. [`Indexer::build`](crate::Indexer::build) makes another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefusedIndex {
    /// The index.
    pub path: PathBuf,
    /// What is wrong with it: it is stale, damaged, or of another version.
    pub message: String,
}

impl Collection {
    /// Opens packed files, and the indices beside them. A folder stands for the files in it that
    /// are called `*.parquet`, by their names.
    ///
    /// # Errors
    /// [`Error::Io`], or [`Error::File`] if one is no packed file, is damaged, holds positions, or
    /// needs another version. An index that cannot be used is none: see
    /// [`coverage`](Self::coverage).
    pub fn open(paths: impl IntoIterator<Item: AsRef<Path>>) -> Result<Self, Error> {
        let mut collection = Self { asked: Vec::new(), paths: Vec::new() };
        for path in paths {
            let path = path.as_ref();
            if !path.is_dir() {
                collection.add(path)?;
                continue;
            }
            for path in packed_files(path).map_err(Error::file)? {
                collection.add(&path)?;
            }
        }
        Ok(collection)
    }

    fn add(&mut self, path: &Path) -> Result<(), Error> {
        let file = open(path)?;
        if file.contents() != Contents::Games {
            return Err(file.misfit("it holds positions, not games; pack games to search them"));
        }
        let indices = Indices::open(&file.inner);
        self.asked.push(Asked { file: file.inner, indices, known: None });
        self.paths.push(file.path);
        Ok(())
    }

    /// How many records all of its files have.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.asked.iter().map(|asked| asked.file.records()).fold(0, u64::saturating_add)
    }

    /// Whether they have none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How much of each file is indexed.
    #[must_use]
    pub fn coverage(&self) -> Vec<Coverage> {
        let of = |(asked, path): (&Asked, &Arc<Path>)| {
            let uncovered = asked.indices.uncovered().iter();
            let uncovered: u64 = uncovered.map(|&group| asked.file.group_records(group)).sum();
            let refused = asked.indices.refused().iter().map(|refused| RefusedIndex {
                path: refused.path.clone(),
                message: refused.why.clone(),
            });
            let games = asked.file.records();
            Coverage {
                path: path.to_path_buf(),
                games,
                indexed: games.saturating_sub(uncovered),
                refused: refused.collect(),
            }
        };
        self.asked.iter().zip(&self.paths).map(of).collect()
    }

    /// A question to all of its files, yet without anything that is asked for.
    pub fn query(&self) -> Query<'_> {
        Query::new(self)
    }
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Collection").field(&self.paths).finish()
    }
}
