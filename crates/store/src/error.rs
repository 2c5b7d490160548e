//! What can go wrong with a file, in words that help to fix it.

use std::path::PathBuf;

use parquet::errors::ParquetError;
use thiserror::Error;

/// Why packing or unpacking failed.
#[derive(Debug, Error)]
pub enum Error {
    /// Reading or writing failed.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The Parquet layer failed.
    #[error("{}: {error}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// What the Parquet library said.
        error: ParquetError,
    },
    /// The file is not one of ours, or a newer version wrote it.
    #[error("{}: {why}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is missing or wrong, and the cure.
        why: String,
    },
    /// A record cannot be written back.
    #[error("{}: record {record}: {why}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The number of the record, from 1.
        record: u64,
        /// What is wrong with it.
        why: String,
    },
    /// There is a file of this name, which is not written over.
    #[error("{} exists{}", path.display(), if *meanwhile { ": it was made meanwhile" } else { "" })]
    Exists {
        /// The file.
        path: PathBuf,
        /// Whether it was not there at first.
        meanwhile: bool,
    },
    /// A page of a column is damaged, so that records cannot be read.
    #[error(
        "{}: a page of column `{column}` is damaged: records {first} to {last} cannot be read; \
         take a copy of the file that is whole, or pack the games again",
        path.display()
    )]
    Page {
        /// The file.
        path: PathBuf,
        /// The column of the Parquet file.
        column: String,
        /// The first of the records that it may be one of, from 1.
        first: u64,
        /// The last of them.
        last: u64,
    },
    /// An index is damaged. The file that it is of can be searched without it.
    #[error("{}: {why}", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong, and the cure.
        why: String,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Error {
    /// An [`Error::Io`] about `path`.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { path, error }
    }

    /// An error about an input of this name, or what an input says of itself.
    pub(crate) fn input(name: &str) -> impl FnOnce(std::io::Error) -> Self {
        let path = PathBuf::from(name);
        move |error| error.downcast().unwrap_or_else(|error| Self::Io { path, error })
    }

    /// An [`Error::Parquet`] about `path`; an [`Error::Io`] if it is the system that refused.
    pub fn parquet(path: impl Into<PathBuf>) -> impl FnOnce(ParquetError) -> Self {
        let path = path.into();
        move |error| match error {
            ParquetError::External(cause) => match cause.downcast() {
                Ok(error) => Self::Io { path, error: *error },
                Err(cause) => Self::Parquet { path, error: ParquetError::External(cause) },
            },
            error => Self::Parquet { path, error },
        }
    }
}
