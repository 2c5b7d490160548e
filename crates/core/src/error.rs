//! Errors in positions, lines and codes, in words that help to fix them.

use thiserror::Error;

/// Why a move text could not be resolved at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MoveFault {
    /// The text is not spelt as a move in any notation of the game.
    #[error("is not a move in any notation of this game")]
    Unreadable,
    /// The text is spelt as a move, but no candidate matches it.
    #[error("is not a legal move here")]
    Illegal,
    /// More than one candidate matches.
    #[error("fits several legal moves here; name the square that it comes from")]
    Ambiguous,
}

/// Why coding or decoding failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The text is not a position of the game, or not a valid one.
    #[error("`{text}` is not a {game} position: {why}")]
    Position {
        /// The game's name.
        game: &'static str,
        /// The text as given, cut to a readable length.
        text: String,
        /// What is wrong, and where.
        why: String,
    },
    /// A codec cannot represent a position.
    #[error("this codec cannot represent the position: {why}")]
    Board {
        /// What it cannot represent.
        why: &'static str,
    },
    /// A move of a line could not be resolved.
    #[error("ply {ply}: `{text}` {fault}")]
    Move {
        /// The number of the ply, from 1.
        ply: u32,
        /// The text of the move.
        text: String,
        /// Why.
        fault: MoveFault,
    },
    /// A code continues after the end of the game.
    #[error("the code has {plies} plies, but the game is over after {ply}: the cell is damaged")]
    Over {
        /// The number of plies to be decoded.
        plies: u32,
        /// The number of plies after which there are no candidates.
        ply: u32,
    },
    /// A line is longer than [`crate::limits::PLIES_MAX`].
    #[error("the line has {plies} plies; at most {max} can be coded")]
    TooLong {
        /// The number of plies.
        plies: u32,
        /// The limit.
        max: u32,
    },
    /// A candidate index is out of range.
    #[error("ply {ply}: no candidate {index}: there are {candidates}, counted from 0")]
    Index {
        /// The number of the ply, from 1.
        ply: u32,
        /// The index given.
        index: u16,
        /// Number of candidates of the position.
        candidates: usize,
    },
    /// A text is not a readable link.
    #[error("this link cannot be read: {why}")]
    Link {
        /// What is wrong, and where.
        why: String,
    },
    /// A cell's bytes are not what its codec writes.
    #[error("byte {at} of the cell: {why}")]
    Cell {
        /// The offset of the first byte that is wrong.
        at: usize,
        /// What is wrong.
        why: &'static str,
    },
    /// The program was built without required tables.
    #[error(
        "this program was built without the tables for clock readings and evaluations of {game} \
    games: use one built with the feature `full` of plypack-games"
    )]
    NoHints {
        /// The game's name.
        game: &'static str,
    },
    /// A ternary board cannot have this size.
    #[cfg(feature = "ternary")]
    #[error("a board has 1 to 16,777,215 rows and as many columns, not {rows} by {columns}")]
    Sides {
        /// The rows asked for.
        rows: u32,
        /// The columns asked for.
        columns: u32,
    },
    /// The system does not have the memory for a board.
    #[cfg(feature = "ternary")]
    #[error("there is not enough memory for a board of {cells} cells")]
    Memory {
        /// The number of its cells.
        cells: u64,
    },
    /// A ternary board is too large to be coded in one piece.
    #[cfg(feature = "ternary")]
    #[error("the board has {cells} cells; at most {max} can be coded in one piece")]
    TooManyCells {
        /// The number of its cells.
        cells: u64,
        /// The limit.
        max: u64,
    },
    /// Bytes are not a ternary board's.
    #[cfg(feature = "ternary")]
    #[error("byte {at}: {why}")]
    Ternary {
        /// The offset of the first byte that is wrong, or of the end.
        at: u64,
        /// What is wrong.
        why: &'static str,
    },
}

impl Error {
    /// Returns an [`Error::Position`], with the text cut to a readable length.
    pub fn position(game: &'static str, text: &str, why: impl Into<String>) -> Self {
        Self::Position { game, text: readable(text, 100), why: why.into() }
    }
}

#[cfg(feature = "ternary")]
impl Error {
    /// Returns an [`Error::Ternary`].
    pub(crate) fn ternary(at: usize, why: &'static str) -> Self {
        Self::Ternary { at: at as u64, why }
    }

    /// Returns the error with the offset of an [`Error::Ternary`] increased by `bytes`, for a board
    /// within something larger.
    #[must_use]
    pub fn moved(self, bytes: u64) -> Self {
        match self {
            Self::Ternary { at, why } => Self::Ternary { at: at.saturating_add(bytes), why },
            other => other,
        }
    }
}

/// Returns the beginning of a text for a message, with control characters replaced, since a
/// terminal would obey them.
pub(crate) fn readable(text: &str, characters: usize) -> String {
    let harmless = |character: char| if character.is_control() { '\u{fffd}' } else { character };
    text.chars().take(characters).map(harmless).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_hold_no_control_characters() {
        let error = Error::position("chess", "\x1b[31mred\x07", "it is red").to_string();
        assert_eq!(error, "`\u{fffd}[31mred\u{fffd}` is not a chess position: it is red");
    }
}
