//! The crate's own error types.

#[cfg(feature = "file")]
use std::path::{Path, PathBuf};

use plypack_core::{Error as Inner, LinkError, MoveFault as InnerFault};

/// An error of this crate. Messages name the place and, where possible, the remedy. They end in the
/// message of their cause, if there is one, so print them without those of their
/// [`source`](std::error::Error::source).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No game has this name.
    #[error("unknown game `{name}`; known games: {}", known.join(", "))]
    #[non_exhaustive]
    UnknownGame {
        /// The requested name.
        name: String,
        /// The names of this build's games.
        known: Vec<String>,
    },
    /// The game has no codec of this name.
    #[error("unknown codec `{name}`; known codecs: {}", known.join(", "))]
    #[non_exhaustive]
    UnknownCodec {
        /// The requested name.
        name: String,
        /// The names of this build's codecs.
        known: Vec<String>,
    },
    /// A text is not a position of the game, or breaks its rules.
    #[error("{message}")]
    #[non_exhaustive]
    Position {
        /// What is wrong, and where.
        message: String,
    },
    /// A text is not a playable move.
    #[error("{message}")]
    #[non_exhaustive]
    Move {
        /// The number of the ply, counted from 1.
        ply: u32,
        /// The text of the move.
        text: String,
        /// What is wrong with the move.
        fault: MoveFault,
        /// The same as a message.
        message: String,
    },
    /// Bytes are not a code of the codec that decodes them.
    #[error("{message}")]
    #[non_exhaustive]
    Decode {
        /// What is wrong, and where.
        message: String,
    },
    /// A position or a line cannot be encoded by this codec, or is too long.
    #[error("{message}")]
    #[non_exhaustive]
    TooLarge {
        /// Why it cannot be encoded.
        message: String,
    },
    /// A text is not a readable link.
    #[error("{message}")]
    #[non_exhaustive]
    Link {
        /// What is wrong, and where.
        message: String,
    },
    /// The data was made by a newer version.
    #[error("{message}")]
    #[non_exhaustive]
    NewerVersion {
        /// What this version does not know.
        message: String,
    },
    /// Reading or writing failed.
    #[cfg(feature = "file")]
    #[error("{}: {source}", path.display())]
    #[non_exhaustive]
    Io {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: std::io::Error,
    },
    /// A file is not a packed file, is damaged, or needs another version.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    File {
        /// The file.
        path: PathBuf,
        /// What is missing or wrong, with the file's name.
        message: String,
        /// The underlying library error, if any. Its type may change with any version.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// A record cannot be read, or does not match its original bytes.
    #[cfg(feature = "file")]
    #[error("{}: record {record}: {message}", path.display())]
    #[non_exhaustive]
    Record {
        /// The file.
        path: PathBuf,
        /// The number of the record, counted from 1.
        record: u64,
        /// What is wrong with the record.
        message: String,
        /// The underlying error. Its type may change with any version.
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A page of a column is damaged, so that its records cannot be read. Whatever reads a packed
    /// file may return it, where the file is damaged.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Page {
        /// The file.
        path: PathBuf,
        /// The column of the Parquet file.
        column: String,
        /// The first record that may be affected, counted from 1.
        first: u64,
        /// The last record that may be affected.
        last: u64,
        /// The same as a message, with the file's name and the remedy.
        message: String,
    },
    /// The output exists, and is not to be overwritten.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Exists {
        /// The output.
        path: PathBuf,
        /// The same as a message.
        message: String,
    },
    /// A record is no longer where its id says, because rows were moved or changed since.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Gone {
        /// The file.
        path: PathBuf,
        /// The number that the record had, counted from 1.
        record: u64,
        /// The same as a message, with the file's name.
        message: String,
    },
    /// The file is complete, but the index beside it could not be brought up to date:
    /// [`Indexer`](crate::Indexer) does so.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Unindexed {
        /// The file.
        path: PathBuf,
        /// Why the index could not be brought up to date.
        source: Box<Error>,
        /// The same as a message, with the file's name.
        message: String,
    },
    /// A codec has no model to draw moves from.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Model {
        /// The codec, and what would do.
        message: String,
    },
    /// A text is not a value of a tag, or not the id of a record.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Parse {
        /// What the text is not.
        message: String,
    },
    /// A text is not a condition on games, or names something that no game has.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Condition {
        /// What was not understood, where, and what is allowed.
        message: String,
    },
    /// A text is not a pattern, or asks for something that the game does not have.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Pattern {
        /// What was not understood, and what is allowed.
        message: String,
    },
    /// The caller asked to stop. No file was written.
    #[cfg(feature = "file")]
    #[error("stopped before the end, as requested")]
    Stopped,
}

/// Why a text is not a playable move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveFault {
    /// It is not a move in any notation of the game.
    Unreadable,
    /// It is not a legal move in this position.
    Illegal,
    /// It matches several moves.
    Ambiguous,
}

impl Error {
    /// Converts an error from coding a line or a position.
    pub(crate) fn coding(inner: Inner) -> Self {
        let message = inner.to_string();
        match inner {
            Inner::Position { .. } => Self::Position { message },
            Inner::Move { ply, text, fault } => {
                let fault = match fault {
                    InnerFault::Unreadable => MoveFault::Unreadable,
                    InnerFault::Illegal => MoveFault::Illegal,
                    InnerFault::Ambiguous => MoveFault::Ambiguous,
                };
                Self::Move { ply, text, fault, message }
            }
            Inner::Board { .. } | Inner::TooLong { .. } => Self::TooLarge { message },
            Inner::Link { .. } => Self::Link { message },
            _ => Self::Decode { message },
        }
    }

    /// Converts an error of the store.
    #[cfg(feature = "file")]
    pub(crate) fn file(inner: crate::store::Error) -> Self {
        use crate::store::Error as Inner;
        let message = inner.to_string();
        match inner {
            Inner::Io { path, source } => Self::Io { path, source },
            Inner::Parquet { path, source } => {
                Self::File { path, message, source: Some(Box::new(source)) }
            }
            Inner::Format { path, .. } | Inner::Index { path, .. } => {
                Self::File { path, message, source: None }
            }
            Inner::Record { path, record, source } => {
                let message = source.to_string();
                Self::Record { path, record, message, source: Box::new(source) }
            }
            Inner::Page { path, column, first, last } => {
                Self::Page { path, column, first, last, message }
            }
            Inner::Exists { path, .. } => Self::Exists { path, message },
            Inner::Gone { path, id } => Self::Gone { path, record: id.record, message },
            Inner::Unindexed { path, source } => {
                Self::Unindexed { path, source: Box::new(Self::file(*source)), message }
            }
            Inner::Condition(inner) => Self::condition(inner),
            Inner::Stopped => Self::Stopped,
        }
    }

    /// Converts an error about a codec without a model.
    #[cfg(feature = "file")]
    pub(crate) fn model(inner: crate::store::synth::SynthError) -> Self {
        Self::Model { message: inner.to_string() }
    }

    /// Wraps an error message about a pattern.
    #[cfg(feature = "file")]
    pub(crate) fn pattern(message: String) -> Self {
        Self::Pattern { message }
    }

    /// Converts an error about a condition.
    #[cfg(feature = "file")]
    pub(crate) fn condition(inner: crate::store::ConditionError) -> Self {
        Self::Condition { message: inner.to_string() }
    }

    /// Makes an error about a record of a file.
    #[cfg(feature = "file")]
    pub(crate) fn record(path: &Path, record: u64, why: impl Into<crate::rows::RowError>) -> Self {
        let (path, source) = (path.to_path_buf(), why.into());
        Self::file(crate::store::Error::Record { path, record, source })
    }

    /// Wraps an I/O error on `path`.
    #[cfg(feature = "file")]
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }

    /// Converts an error about a link.
    pub(crate) fn link(inner: LinkError) -> Self {
        let message = inner.to_string();
        match inner {
            LinkError::Line(inner) => Self::coding(inner),
            LinkError::Newer { .. } => Self::NewerVersion { message },
            _ => Self::Link { message },
        }
    }
}
