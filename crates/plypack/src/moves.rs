//! The texts of a line's moves.

use std::fmt;

use plypack_core::{Notation as Inner, Texts};

/// How moves are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// The notation that the game's records use: SAN for chess.
    #[default]
    Customary,
    /// Squares only, as engines use: UCI for chess.
    Coordinate,
}

impl Notation {
    pub(crate) fn inner(self) -> Inner {
        match self {
            Self::Customary => Inner::Customary,
            Self::Coordinate => Inner::Coordinate,
        }
    }

    /// Returns how games that are converted write their moves.
    #[cfg(feature = "file")]
    pub(crate) fn converted(self) -> crate::store::Moves {
        match self {
            Self::Customary => crate::store::Moves::Customary,
            Self::Coordinate => crate::store::Moves::Coordinates,
        }
    }
}

/// The texts of a line's moves, in few allocations.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveTexts(pub(crate) Texts);

impl MoveTexts {
    /// Returns the number of moves.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an iterator over the moves in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a MoveTexts {
    type Item = &'a str;
    type IntoIter = Box<dyn Iterator<Item = &'a str> + 'a>;

    fn into_iter(self) -> Self::IntoIter {
        Box::new(self.iter())
    }
}

/// Writes the moves, separated by spaces.
impl fmt::Display for MoveTexts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, mv) in self.iter().enumerate() {
            f.write_str(if place == 0 { "" } else { " " })?;
            f.write_str(mv)?;
        }
        Ok(())
    }
}
