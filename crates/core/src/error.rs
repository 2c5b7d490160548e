//! What can be wrong with a position, a line or a code, said so that a person can mend it.

use thiserror::Error;

/// Why a move text could not be resolved at a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MoveFault {
    /// The text does not have the form of a move in any notation of the game.
    #[error("is not a move in a notation of this game")]
    Unreadable,
    /// The text has the form of a move, but no candidate matches it.
    #[error("is not possible in this position")]
    Illegal,
    /// More than one candidate matches.
    #[error("could be any of several moves here; name the square it comes from")]
    Ambiguous,
}

/// Everything that coding and decoding lines can refuse.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Error {
    /// The text is not a position of the game, or not one that its rules can hold.
    #[error("`{text}` is not a {game} position: {why}")]
    Position {
        /// The game's name.
        game: &'static str,
        /// The text as given, cut to a readable length.
        text: String,
        /// What is wrong, and where.
        why: String,
    },
    /// A codec cannot hold a position.
    #[error("this codec cannot hold the position: {why}")]
    Board {
        /// What of it.
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
    /// A code was decoded past the end of the game.
    #[error("the code has {plies} plies, but the game is over after {ply}: the cell is damaged")]
    Over {
        /// The number of plies asked for.
        plies: u32,
        /// The number of plies after which no candidate is left.
        ply: u32,
    },
    /// A line is longer than [`crate::limits::PLIES_MAX`].
    #[error("the line has {plies} plies; at most {max} are coded")]
    TooLong {
        /// The number of plies asked for.
        plies: u32,
        /// The limit.
        max: u32,
    },
    /// A candidate index is out of range.
    #[error("ply {ply}: there is no candidate {index}, only {candidates}")]
    Index {
        /// The number of the ply, from 1.
        ply: u32,
        /// The index given.
        index: u16,
        /// How many candidates the position has.
        candidates: usize,
    },
    /// A text is not a link that can be read.
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
    /// The program was built without tables that are needed.
    #[error(
        "this program was built without what tells of {game} games' clock readings and \
         evaluations: use one that was built with the feature `full` of plypack-games"
    )]
    NoHints {
        /// The game's name.
        game: &'static str,
    },
    /// A ternary board cannot have this size.
    #[error("a board has 1 to 16,777,215 rows and as many columns, not {rows} by {columns}")]
    Sides {
        /// The rows asked for.
        rows: u32,
        /// The columns asked for.
        columns: u32,
    },
    /// The system has not the memory for a board.
    #[error("there is no memory for a board of {cells} cells")]
    Memory {
        /// The number of its cells.
        cells: u64,
    },
    /// A ternary board is too large to be coded in one piece.
    #[error("the board has {cells} cells; at most {max} are coded in one piece")]
    TooManyCells {
        /// The number of its cells.
        cells: u64,
        /// The limit.
        max: u64,
    },
    /// Bytes are not those of a ternary board.
    #[error("byte {at}: {why}")]
    Ternary {
        /// The offset of the first byte that is wrong, or of the end.
        at: u64,
        /// What is wrong.
        why: &'static str,
    },
}

impl Error {
    /// A [`Error::Position`], with the text cut to a readable length.
    #[must_use]
    pub fn position(game: &'static str, text: &str, why: impl Into<String>) -> Self {
        Self::Position { game, text: readable(text, 100), why: why.into() }
    }

    /// An [`Error::Ternary`].
    pub(crate) fn ternary(at: usize, why: &'static str) -> Self {
        Self::Ternary { at: at as u64, why }
    }

    /// The same with the place of an [`Error::Ternary`] so many bytes further on: what was read
    /// stands within something larger.
    #[must_use]
    pub fn moved(self, bytes: u64) -> Self {
        match self {
            Self::Ternary { at, why } => Self::Ternary { at: at.saturating_add(bytes), why },
            other => other,
        }
    }
}

/// The beginning of a text as a message may show it: no control character, which a terminal would
/// obey, is left in it.
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
