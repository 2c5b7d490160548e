//! The errors of reading an index.

/// Why bytes are not a valid part of an index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is not an index.
    #[error("it is not a position index, or lacks its end")]
    Foreign,
    /// Another version wrote it.
    #[error(
        "its format is version {found}, but this plypack reads version {read}",
        read = crate::footer::VERSION
    )]
    Version {
        /// Its version.
        found: u32,
    },
    /// The index is damaged.
    #[error("it is damaged: {part}")]
    Damaged {
        /// The part, and what is wrong with it.
        part: &'static str,
    },
}

/// Makes the error for a damaged part.
pub(crate) fn damaged(part: &'static str) -> Error {
    Error::Damaged { part }
}
