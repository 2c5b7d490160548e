//! Errors about rows.

use plypack_core::{Error as CodeError, UnknownCodec};
use thiserror::Error;

/// Why a record cannot be restored from its row, or cannot be searched. A message ends in that of
/// its cause.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RowError {
    /// Another version wrote it by a codec that this one does not have.
    #[error("{0}")]
    Codec(#[from] UnknownCodec),
    /// A newer version wrote an annotation of a kind that this one does not know.
    #[error("annotation kind `{kind}` is unknown: a newer plypack wrote it")]
    Annotation {
        /// The name of the kind.
        kind: String,
    },
    /// A code cannot be decoded.
    #[error("{0}")]
    Code(#[from] CodeError),
    /// A column has a value that is not understood, or that does not fit the others.
    #[error("{0}")]
    Column(String),
    /// The bytes that were restored are not those that were packed.
    #[error("its original bytes cannot be restored: the file is damaged")]
    Checksum,
    /// It is in a copy that another tool made, which may be the reason.
    #[error("{source}, {remedy}")]
    Copy {
        /// What is wrong.
        source: Box<RowError>,
        /// What the copy may have lost, and the remedy.
        remedy: String,
    },
    /// The caller asked to stop.
    #[error("it was interrupted")]
    Stopped,
}

impl From<String> for RowError {
    fn from(why: String) -> Self {
        Self::Column(why)
    }
}

impl From<&str> for RowError {
    fn from(why: &str) -> Self {
        Self::Column(why.to_owned())
    }
}

/// For callers that only pass on the message.
impl From<RowError> for String {
    fn from(error: RowError) -> Self {
        error.to_string()
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn causes_are_kept() {
        let codec = "chess/line.default/60000".to_owned();
        let error = RowError::from(UnknownCodec::Newer { codec });
        assert_eq!(error.source().map(ToString::to_string), Some(error.to_string()));
        let remedy = "or a value in this copy was changed; make a new copy".to_owned();
        let copied = RowError::Copy { source: Box::new(error.clone()), remedy };
        assert_eq!(copied.source().map(ToString::to_string), Some(error.to_string()));
        assert!(copied.to_string().starts_with(&error.to_string()), "{copied}");
        assert!(RowError::from("it has no moves").source().is_none());
    }
}
