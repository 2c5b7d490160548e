//! Errors about files, with remedies.

use std::path::PathBuf;

use parquet::errors::ParquetError;
use thiserror::Error;

use crate::rows::RowError;
use crate::store::condition::ConditionError;
use crate::store::record_id::RecordId;

/// Why packing or unpacking failed. A message ends in that of its cause, so print it without those
/// of its [`source`](std::error::Error::source).
#[derive(Debug, Error)]
pub enum Error {
    /// Reading or writing failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// The Parquet layer failed.
    #[error("{}: {source}", path.display())]
    Parquet {
        /// The file.
        path: PathBuf,
        /// The Parquet library's error.
        source: ParquetError,
    },
    /// The file is not a packed file, or a newer version wrote it.
    #[error("{}: {why}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is missing or wrong, and the remedy.
        why: String,
    },
    /// A record cannot be written back.
    #[error("{}: record {record}: {source}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The number of the record, counted from 1.
        record: u64,
        /// What is wrong with it.
        source: RowError,
    },
    /// The file exists, and is not overwritten.
    #[error("{} exists{}", path.display(), if *meanwhile { ": created meanwhile" } else { "" })]
    Exists {
        /// The file.
        path: PathBuf,
        /// Whether it did not exist at first.
        meanwhile: bool,
    },
    /// A page of a column is damaged, so its records cannot be read.
    #[error(
        "{}: a page of column `{column}` is damaged: records {first} to {last} cannot be read; \
         use an undamaged copy of the file, or pack the games again",
        path.display()
    )]
    Page {
        /// The file.
        path: PathBuf,
        /// The column of the Parquet file.
        column: String,
        /// The first record that may be affected, counted from 1.
        first: u64,
        /// The last record that may be affected.
        last: u64,
    },
    /// An index is damaged. Its file can be searched without it.
    #[error("{}: {why}; rebuild it with `plypack index -f`", path.display())]
    Index {
        /// The index.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// A record is no longer where its id says.
    #[error(
        "{}: record {} is no longer {id}: rows were moved or changed since",
        path.display(),
        id.record
    )]
    Gone {
        /// The file.
        path: PathBuf,
        /// The id.
        id: RecordId,
    },
    /// The file is complete, but the index beside it could not be brought up to date.
    #[error(
        "{source}; {} was changed as asked, but will be searched without an index until `plypack \
         index` builds one",
        path.display()
    )]
    Unindexed {
        /// The file.
        path: PathBuf,
        /// Why it could not.
        source: Box<Error>,
    },
    /// A condition names something that no game has.
    #[error("{0}")]
    Condition(#[from] ConditionError),
    /// The caller asked to stop.
    #[error("interrupted")]
    Stopped,
}

impl Error {
    /// Makes an [`Error::Io`] about `path`.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }

    /// Makes an [`Error::Record`] about a row of the file at `path`, counted from 0.
    pub fn record<W: Into<RowError>>(path: impl Into<PathBuf>, row: u64) -> impl FnOnce(W) -> Self {
        let (path, record) = (path.into(), row.saturating_add(1));
        move |why| Self::Record { path, record, source: why.into() }
    }

    /// Makes an error about an input of this name, or about what an input says of itself.
    pub(crate) fn input(name: &str) -> impl FnOnce(std::io::Error) -> Self {
        let path = PathBuf::from(name);
        move |error| error.downcast().unwrap_or_else(|source| Self::Io { path, source })
    }

    /// Makes an [`Error::Parquet`] about `path`; an [`Error::Io`] if the operating system failed.
    pub fn parquet(path: impl Into<PathBuf>) -> impl FnOnce(ParquetError) -> Self {
        let path = path.into();
        move |error| match error {
            ParquetError::External(cause) => match cause.downcast() {
                Ok(source) => Self::Io { path, source: *source },
                Err(cause) => Self::Parquet { path, source: ParquetError::External(cause) },
            },
            source => Self::Parquet { path, source },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;
    use std::io::{Error as IoError, ErrorKind};

    use super::*;

    #[test]
    fn an_error_has_its_cause() {
        let cause = |error: Error| error.source().map(ToString::to_string);
        let missing = Error::io("a.pgn")(ErrorKind::NotFound.into());
        assert_eq!(cause(missing).as_deref(), Some("entity not found"));
        let cut = Error::parquet("a.parquet")(ParquetError::EOF("cut".into()));
        assert_eq!(cause(cut).as_deref(), Some("EOF: cut"));
        let full = ParquetError::External(Box::new(IoError::from(ErrorKind::StorageFull)));
        let full = Error::parquet("a.parquet")(full);
        assert!(matches!(&full, Error::Io { .. }), "{full}");
        assert_eq!(cause(full).as_deref(), Some("no storage space"));
        assert!(Error::Stopped.source().is_none());
    }
}
