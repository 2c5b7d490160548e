//! What can go wrong, in types of this crate's own.

#[cfg(feature = "file")]
use std::path::{Path, PathBuf};

use plypack_core::{Error as Inner, LinkError, MoveFault as InnerFault};

/// Everything that this crate can refuse. Messages name the place and, where there is one, the
/// cure.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no game of this name.
    #[error("there is no game `{name}`; there are {known}")]
    #[non_exhaustive]
    UnknownGame {
        /// The name that was asked for.
        name: String,
        /// The names of the games that this build has.
        known: String,
    },
    /// A game has no codec of this name.
    #[error("there is no codec `{name}`; there are {known}")]
    #[non_exhaustive]
    UnknownCodec {
        /// The name that was asked for.
        name: String,
        /// The names of the codecs that this build has.
        known: String,
    },
    /// A text is not a position of the game, or not one that its rules can hold.
    #[error("{message}")]
    #[non_exhaustive]
    Position {
        /// What is wrong, and where.
        message: String,
    },
    /// A text is not a move that can be played.
    #[error("{message}")]
    #[non_exhaustive]
    Move {
        /// The number of the ply, from 1.
        ply: u32,
        /// The text of the move.
        text: String,
        /// What is wrong with it.
        fault: MoveFault,
        /// The same in words.
        message: String,
    },
    /// Bytes are not a code of the codec that was to decode them.
    #[error("{message}")]
    #[non_exhaustive]
    Code {
        /// What is wrong, and where.
        message: String,
    },
    /// A position or a line has no code by this codec, or is too long.
    #[error("{message}")]
    #[non_exhaustive]
    Unfit {
        /// What of it.
        message: String,
    },
    /// A text is not a link that can be read.
    #[error("{message}")]
    #[non_exhaustive]
    Link {
        /// What is wrong, and where.
        message: String,
    },
    /// A newer version made it.
    #[error("{message}")]
    #[non_exhaustive]
    Newer {
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
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is no packed file, is damaged, or needs another version.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    File {
        /// The file.
        path: PathBuf,
        /// What is missing or wrong, with the file's name.
        message: String,
        /// What a library beneath said, if one did. Which, may change with any version.
        source: Option<Box<dyn std::error::Error + Send + Sync>>,
    },
    /// A record cannot be read, or does not come back to its original bytes.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Record {
        /// The file.
        path: PathBuf,
        /// The number of the record, from 1.
        record: u64,
        /// What is wrong with it, with the file's name and the number.
        message: String,
    },
    /// A text is no condition on games, or one that names what no game has.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Condition {
        /// What was not understood, where, and what is allowed.
        message: String,
    },
    /// A text is no pattern, or asks for something that the game has not got.
    #[cfg(feature = "file")]
    #[error("{message}")]
    #[non_exhaustive]
    Pattern {
        /// What was not understood, and what is allowed.
        message: String,
    },
    /// The caller asked to stop. No file was written.
    #[cfg(feature = "file")]
    #[error("stopped before the end, as was asked")]
    Stopped,
}

/// Why a text is not a move that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MoveFault {
    /// It is a move in no notation of the game.
    Unreadable,
    /// It is no legal move in this position.
    Illegal,
    /// It could be any of several moves.
    Ambiguous,
}

impl Error {
    /// What coding a line or a position refused.
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
            Inner::Board { .. } | Inner::TooLong { .. } => Self::Unfit { message },
            Inner::Link { .. } => Self::Link { message },
            _ => Self::Code { message },
        }
    }

    /// What a file refused.
    #[cfg(feature = "file")]
    pub(crate) fn file(inner: plypack_store::Error) -> Self {
        use plypack_store::Error as Inner;
        let message = inner.to_string();
        match inner {
            Inner::Io { path, error } => Self::Io { path, source: error },
            Inner::Parquet { path, error } => {
                Self::File { path, message, source: Some(Box::new(error)) }
            }
            Inner::Format { path, .. } | Inner::Index { path, .. } | Inner::Page { path, .. } => {
                Self::File { path, message, source: None }
            }
            Inner::Record { path, record, .. } => Self::Record { path, record, message },
            Inner::Exists { path, .. } => {
                Self::Io { path, source: std::io::ErrorKind::AlreadyExists.into() }
            }
            Inner::Interrupted => Self::Stopped,
        }
    }

    /// What is wrong with a pattern.
    #[cfg(feature = "file")]
    pub(crate) fn pattern(message: String) -> Self {
        Self::Pattern { message }
    }

    /// What is wrong with a condition.
    #[cfg(feature = "file")]
    pub(crate) fn condition(inner: plypack_store::ConditionError) -> Self {
        Self::Condition { message: inner.to_string() }
    }

    /// What is wrong with a record of a file.
    #[cfg(feature = "file")]
    pub(crate) fn record(path: &Path, record: u64, why: &str) -> Self {
        let (path, why) = (path.to_path_buf(), why.to_owned());
        Self::file(plypack_store::Error::Record { path, record, why })
    }

    /// That reading or writing failed.
    #[cfg(feature = "file")]
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Io { path, source }
    }

    /// What a link refused.
    pub(crate) fn link(inner: LinkError) -> Self {
        let message = inner.to_string();
        match inner {
            LinkError::Line(inner) => Self::coding(inner),
            LinkError::Newer { .. } => Self::Newer { message },
            _ => Self::Link { message },
        }
    }
}
