//! What can be wrong with an index.

/// Why bytes are no part of an index.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file is something else.
    #[error("this is not an index of positions; make one with `plypack index`")]
    Foreign,
    /// Another version wrote it.
    #[error(
        "its format is version {found}, and this plypack reads version {read}; build it anew \
         with `plypack index`",
        read = crate::footer::VERSION
    )]
    Version {
        /// The version that it names.
        found: u32,
    },
    /// Bytes of it are damaged.
    #[error("the index is damaged: {part}; build it anew with `plypack index -f`")]
    Damaged {
        /// Which part, and what is wrong with it.
        part: &'static str,
    },
}

/// That a part is damaged.
pub(crate) fn damaged(part: &'static str) -> Error {
    Error::Damaged { part }
}
