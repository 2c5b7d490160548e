//! Codes a whole game as a link.

use std::fmt;
use std::str::FromStr;

use plypack_core::LinkError;
use plypack_games::link::Link as Inner;

use crate::error::Error;
use crate::moves::{MoveTexts, Notation};
use crate::rules::Rules;

/// A game as a URL fragment, which browsers do not send to servers: the start, the moves, the ply
/// to show, and a check that finds damage. It names its codec, so nothing has to be stored with it.
///
/// [`Display`](fmt::Display) writes the fragment, by the codec that makes it shortest; [`FromStr`]
/// reads a URL or its fragment, and HullQin's links to xiangqi games.
#[derive(Clone, Debug)]
pub struct Link {
    inner: Inner,
    text: String,
}

impl Link {
    /// Makes a link of a game from `start`, or from the usual start, with moves in any notation. It
    /// will be shown at its end.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Move`]; [`Error::Link`] if the link would have more
    /// than 131,072 characters.
    pub fn new<'m>(
        rules: Rules,
        start: Option<&str>,
        moves: impl IntoIterator<Item = &'m str>,
    ) -> Result<Self, Error> {
        Inner::new(rules.0, start, &mut moves.into_iter()).and_then(Self::of).map_err(Error::link)
    }

    fn of(inner: Inner) -> Result<Self, LinkError> {
        let text = inner.write(inner.shortest_codec()?)?;
        Ok(Self { inner, text })
    }

    /// Sets the number of plies to show; the whole line if it has fewer.
    ///
    /// # Errors
    /// Returns [`Error::Link`] if the link would have more than 131,072 characters.
    pub fn shown_at(self, ply: u32) -> Result<Self, Error> {
        let shown = ply.min(self.inner.plies());
        Self::of(Inner { shown, ..self.inner }).map_err(Error::link)
    }

    /// Returns the rules of its game.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules(self.inner.game)
    }

    /// Returns the position that the line starts from, in its canonical spelling; `None` for the
    /// usual start.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.inner.start.as_deref()
    }

    /// Returns the number of plies in the line.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.inner.plies()
    }

    /// Returns the ply after which the board is shown.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.inner.shown
    }

    /// Returns the moves.
    ///
    /// # Errors
    /// None known: a link's moves were played when it was made.
    pub fn moves(&self, notation: Notation) -> Result<MoveTexts, Error> {
        self.inner.moves(notation.inner()).map(MoveTexts).map_err(Error::coding)
    }

    /// Returns the position to show, in its canonical spelling.
    ///
    /// # Errors
    /// None known: a link's moves were played when it was made.
    pub fn position(&self) -> Result<String, Error> {
        self.inner.position().map_err(Error::coding)
    }
}

/// Writes the URL fragment.
impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Reads a pasted link: a URL, or its fragment. HullQin's links to xiangqi games are read, too. The
/// error is [`Error::Link`] if the text is not a link or is damaged, or [`Error::NewerVersion`].
impl FromStr for Link {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Inner::read(text).and_then(Self::of).map_err(Error::link)
    }
}

/// Links are equal if they show the same game at the same ply.
impl PartialEq for Link {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Link {}
