//! Games by their names.

use std::fmt;
use std::str::FromStr;

use plypack_core::ErasedGame;

use crate::error::Error;
use crate::line::LineCodec;
use crate::position::PositionCodec;
use crate::steps::Steps;

/// A game with its rules: `chess`, `xiangqi`, `go`, `othello`, `gomoku` or `tictactoe`. Chess960 is
/// chess from a start of its own, and so are other sizes of the boards of go and gomoku.
#[derive(Clone, Copy)]
pub struct Game(pub(crate) &'static dyn ErasedGame);

/// The game of this name, such as `chess`.
///
/// # Errors
/// [`Error::UnknownGame`].
pub fn game(name: &str) -> Result<Game, Error> {
    plypack_games::game(name)
        .map(Game)
        .ok_or_else(|| Error::UnknownGame { name: name.into(), known: list(Game::all()) })
}

impl Game {
    /// Every game of this build.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        plypack_games::GAMES.iter().copied().map(Self)
    }

    /// Its name: lower case, without spaces.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.info().name
    }

    /// Its name as people write it.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.0.info().title
    }

    /// The codec that its lines are stored with unless another is named: the smallest.
    ///
    /// # Errors
    /// [`Error::UnknownCodec`] if this build has none.
    pub fn default_line_codec(self) -> Result<LineCodec, Error> {
        plypack_games::usual_line_codec(self.name())
            .map(LineCodec)
            .ok_or_else(|| unknown("default", self.line_codecs()))
    }

    /// A codec of its lines: see [`line_codec`].
    ///
    /// # Errors
    /// [`Error::UnknownCodec`].
    pub fn line_codec(self, name: &str) -> Result<LineCodec, Error> {
        plypack_games::tier(self.name(), name)
            .or_else(|| plypack_games::line_codec(self.name(), name))
            .map(LineCodec)
            .ok_or_else(|| unknown(name, self.line_codecs()))
    }

    /// A codec of its positions: see [`position_codec`].
    ///
    /// # Errors
    /// [`Error::UnknownCodec`].
    pub fn position_codec(self, name: &str) -> Result<PositionCodec, Error> {
        plypack_games::position_codec(self.name(), name)
            .map(PositionCodec)
            .ok_or_else(|| unknown(name, self.position_codecs()))
    }

    /// Every codec of its lines that this build has.
    pub fn line_codecs(self) -> impl Iterator<Item = LineCodec> + Clone {
        plypack_games::line_codecs(self.name()).map(LineCodec)
    }

    /// Every codec of its positions that this build has.
    pub fn position_codecs(self) -> impl Iterator<Item = PositionCodec> + Clone {
        plypack_games::position_codecs(self.name()).map(PositionCodec)
    }

    /// A position in its one canonical spelling, from any dialect of the game's notation: FEN for
    /// chess, with or without counters.
    ///
    /// # Errors
    /// [`Error::Position`].
    pub fn canonical_position(self, position: &str) -> Result<String, Error> {
        self.0.position_after(Some(position), &[]).map_err(Error::coding)
    }

    /// Steps from `start`, or from where the game usually begins, along moves of one's own: see
    /// [`Steps::play`].
    ///
    /// # Errors
    /// [`Error::Position`].
    pub fn steps(self, start: Option<&str>) -> Result<Steps<'static>, Error> {
        self.0.cursor(start).map(Steps).map_err(Error::coding)
    }
}

/// The codec of lines of the game `game` that `name` names: a tier, `default` or `small`; a codec
/// by name, `line.ranked`, of which the newest is taken; or by name and number, `line.default/5`,
/// which never changes.
///
/// # Errors
/// [`Error::UnknownGame`], [`Error::UnknownCodec`].
pub fn line_codec(game: &str, name: &str) -> Result<LineCodec, Error> {
    self::game(game)?.line_codec(name)
}

/// The codec of positions of the game `game` that `name` names, by name, `chess.rank`, or by name
/// and number, `board.combination/25`.
///
/// # Errors
/// [`Error::UnknownGame`], [`Error::UnknownCodec`].
pub fn position_codec(game: &str, name: &str) -> Result<PositionCodec, Error> {
    self::game(game)?.position_codec(name)
}

fn unknown(name: &str, known: impl Iterator<Item = impl fmt::Display>) -> Error {
    Error::UnknownCodec { name: name.into(), known: list(known) }
}

fn list(names: impl Iterator<Item = impl fmt::Display>) -> String {
    names.map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

/// Its name.
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.name()).finish()
    }
}

impl FromStr for Game {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        game(name)
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.0.info().id == other.0.info().id
    }
}

impl Eq for Game {}
