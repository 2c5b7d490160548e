//! A whole game in a link.

use plypack_games::link::Link as Inner;

use crate::error::Error;
use crate::game::Game;
use crate::moves::{Moves, Notation};

/// A game for the part of an address behind `#`, which browsers send to no server: the start, the
/// moves, the ply to show, and a check that finds damage. It says by which codec it was written, so
/// that nothing has to be kept beside it.
#[derive(Clone, Debug)]
pub struct Link(Inner);

impl Link {
    /// A game from `start`, or from where the game usually begins, with moves in any notation. It
    /// will be shown at its end.
    ///
    /// # Errors
    /// [`Error::Position`], [`Error::Move`].
    pub fn new<'m>(
        game: Game,
        start: Option<&str>,
        moves: impl IntoIterator<Item = &'m str>,
    ) -> Result<Self, Error> {
        Inner::new(game.0, start, &mut moves.into_iter()).map(Self).map_err(Error::link)
    }

    /// Reads a link as people paste it: an address, or what stands behind its `#`. HullQin's links
    /// to games of xiangqi are read, too.
    ///
    /// # Errors
    /// [`Error::Link`] if it is none, or damaged; [`Error::Newer`].
    pub fn read(text: &str) -> Result<Self, Error> {
        Inner::read(text).map(Self).map_err(Error::link)
    }

    /// The text for behind the `#`, by the codec that makes it shortest.
    ///
    /// # Errors
    /// [`Error::Link`] if it would have more than 131,072 characters.
    pub fn to_text(&self) -> Result<String, Error> {
        let codec = self.0.shortest_codec();
        codec.and_then(|codec| self.0.write(codec)).map_err(Error::link)
    }

    /// The same game, to be shown after so many plies, or at its end if it has fewer.
    #[must_use]
    pub fn shown_at(mut self, ply: u32) -> Self {
        self.0.shown = ply.min(self.0.plies());
        self
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> Game {
        Game(self.0.game)
    }

    /// The position that the line starts from, in its canonical spelling; `None`: where the game
    /// usually begins.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.0.start.as_deref()
    }

    /// How many plies the line has.
    #[must_use]
    pub fn plies(&self) -> u32 {
        self.0.plies()
    }

    /// The ply after which the board is to be shown.
    #[must_use]
    pub fn ply(&self) -> u32 {
        self.0.shown
    }

    /// The moves.
    ///
    /// # Errors
    /// None that is known of: a link's moves were played when it was made.
    pub fn moves(&self, notation: Notation) -> Result<Moves, Error> {
        self.0.moves(notation.inner()).map(Moves).map_err(Error::coding)
    }

    /// The position that is to be shown, in its canonical spelling.
    ///
    /// # Errors
    /// None that is known of: a link's moves were played when it was made.
    pub fn position(&self) -> Result<String, Error> {
        self.0.position().map_err(Error::coding)
    }
}
