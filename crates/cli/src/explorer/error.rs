//! Refused requests.

use plypack::store::Error;

/// Why a request is refused: a sentence for people, and a status for programs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The problem, and the remedy.
    pub why: String,
}

impl Refusal {
    /// The request is invalid.
    pub fn asked(why: impl ToString) -> Self {
        Self { status: 400, why: why.to_string() }
    }

    /// Nothing has this name.
    pub fn missing(why: impl ToString) -> Self {
        Self { status: 404, why: why.to_string() }
    }

    /// The answer takes too long, or too many requests are waiting.
    pub fn busy(why: impl ToString) -> Self {
        Self { status: 503, why: why.to_string() }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Stopped => Self::busy(
                "the answer took too long: ask for fewer games, or index the file with \
                 `plypack index`",
            ),
            // The file is damaged or missing.
            error => Self { status: 500, why: error.to_string() },
        }
    }
}
