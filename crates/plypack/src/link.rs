//! Codes a whole game as a link.

use plypack_games::link::Link as Inner;

use crate::error::Error;
use crate::game::Game;
use crate::moves::{Moves, Notation};

/// A game as a URL fragment, which browsers do not send to servers: the start, the moves, the ply
/// to show, and a check that finds damage. It names its codec, so nothing has to be stored with it.
#[derive(Clone, Debug)]
pub struct Link(Inner);

impl Link {
    /// Makes a link of a game from `start`, or from the usual start, with moves in any notation. It
    /// will be shown at its end.
    ///
    /// # Errors
    /// Returns [`Error::Position`] or [`Error::Move`].
    pub fn new<'m>(
        game: Game,
        start: Option<&str>,
        moves: impl IntoIterator<Item = &'m str>,
    ) -> Result<Self, Error> {
        Inner::new(game.0, start, &mut moves.into_iter()).map(Self).map_err(Error::link)
    }

    /// Reads a pasted link: a URL, or its fragment. HullQin's links to xiangqi games are read, too.
    ///
    /// # Errors
    /// Returns [`Error::Link`] if the text is not a link or is damaged; [`Error::Newer`].
    pub fn read(text: &str) -> Result<Self, Error> {
        Inner::read(text).map(Self).map_err(Error::link)
    }

    /// Returns the URL fragment, written by the codec that makes it shortest.
    ///
    /// # Errors
    /// Returns [`Error::Link`] if it would have more than 131,072 characters.
    pub fn to_text(&self) -> Result<String, Error> {
        let codec = self.0.shortest_codec();
        codec.and_then(|codec| self.0.write(codec)).map_err(Error::link)
    }

    /// Sets the number of plies to show; the whole line if it has fewer.
    #[must_use]
    pub fn shown_at(mut self, ply: u32) -> Self {
        self.0.shown = ply.min(self.0.plies());
        self
    }

    /// Returns the game.
    #[must_use]
    pub fn game(&self) -> Game {
        Game(self.0.game)
    }

    /// Returns the position that the line starts from, in its canonical spelling; `None` for the
    /// usual start.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.0.start.as_deref()
    }

    /// Returns the number of plies in the line.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.0.plies()
    }

    /// Returns the ply after which the board is shown.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.0.shown
    }

    /// Returns the moves.
    ///
    /// # Errors
    /// None known: a link's moves were played when it was made.
    pub fn moves(&self, notation: Notation) -> Result<Moves, Error> {
        self.0.moves(notation.inner()).map(Moves).map_err(Error::coding)
    }

    /// Returns the position to show, in its canonical spelling.
    ///
    /// # Errors
    /// None known: a link's moves were played when it was made.
    pub fn position(&self) -> Result<String, Error> {
        self.0.position().map_err(Error::coding)
    }
}
