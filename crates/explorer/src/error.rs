//! Why a request is not answered.

use plypack_store::Error;

/// Why a request is not answered, in a sentence for people, and the status that tells programs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// The status of HTTP.
    pub status: u16,
    /// What is wrong, and the cure.
    pub why: String,
}

impl Refusal {
    /// The request asks for what cannot be.
    pub fn asked(why: impl ToString) -> Self {
        Self { status: 400, why: why.to_string() }
    }

    /// There is nothing of this name.
    pub fn missing(why: impl ToString) -> Self {
        Self { status: 404, why: why.to_string() }
    }

    /// The answer takes too long, or too many wait for one.
    pub fn busy(why: impl ToString) -> Self {
        Self { status: 503, why: why.to_string() }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Interrupted => Self::busy(
                "the answer took too long: ask for fewer games, or index the file with \
                 `plypack index`",
            ),
            // The file is damaged, or gone.
            error => Self { status: 500, why: error.to_string() },
        }
    }
}
