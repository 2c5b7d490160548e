//! The errors of reading an index.

/// Why bytes are not a valid part of an index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is not an index.
    #[error("this is not a position index; make one with `plypack index`")]
    Foreign,
    /// Another version wrote it.
    #[error(
        "its format is version {found}, but this plypack reads version {read}; rebuild it \
         with `plypack index`",
        read = crate::footer::VERSION
    )]
    Version {
        /// Its version.
        found: u32,
    },
    /// The index is damaged.
    #[error("the index is damaged: {part}; rebuild it with `plypack index -f`")]
    Damaged {
        /// The part, and what is wrong with it.
        part: &'static str,
    },
}

/// Makes the error for a damaged part.
pub(crate) fn damaged(part: &'static str) -> Error {
    Error::Damaged { part }
}
