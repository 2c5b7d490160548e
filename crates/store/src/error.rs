//! What can go wrong with a file, said so that a person can mend it.

use std::path::PathBuf;

use thiserror::Error;

/// Everything that packing and unpacking can refuse.
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
        error: parquet::errors::ParquetError,
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
    /// The caller asked to stop.
    #[error("interrupted; nothing was written")]
    Interrupted,
}

impl Error {
    /// An [`Error::Io`] about `path`.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |error| Self::Io { path, error }
    }

    /// An [`Error::Parquet`] about `path`.
    pub fn parquet(path: impl Into<PathBuf>) -> impl FnOnce(parquet::errors::ParquetError) -> Self {
        let path = path.into();
        move |error| Self::Parquet { path, error }
    }
}
