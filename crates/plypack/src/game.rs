//! Finds games by name.

use std::fmt;
use std::str::FromStr;

use plypack_core::ErasedGame;

use crate::error::Error;
use crate::line::LineCodec;
use crate::position::PositionCodec;
use crate::steps::Steps;

/// A game with its rules: `chess`, `xiangqi`, `go`, `othello`, `gomoku` or `tictactoe`. Chess960 is
/// chess from another start; so are other board sizes of go and gomoku.
#[derive(Clone, Copy)]
pub struct Game(pub(crate) &'static dyn ErasedGame);

/// Returns the game of this name, such as `chess`.
///
/// # Errors
/// Returns [`Error::UnknownGame`] if this build has no such game.
pub fn game(name: &str) -> Result<Game, Error> {
    plypack_games::game(name)
        .map(Game)
        .ok_or_else(|| Error::UnknownGame { name: name.into(), known: list(Game::all()) })
}

impl Game {
    /// Returns every game of this build.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        plypack_games::GAMES.iter().copied().map(Self)
    }

    /// Returns its name: lower case, without spaces.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.0.info().name
    }

    /// Returns its name as people write it.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.0.info().title
    }

    /// Returns the default codec of its lines: the smallest.
    ///
    /// # Errors
    /// Returns [`Error::UnknownCodec`] if this build has none.
    pub fn default_line_codec(self) -> Result<LineCodec, Error> {
        plypack_games::usual_line_codec(self.name())
            .map(LineCodec)
            .ok_or_else(|| unknown("default", self.line_codecs()))
    }

    /// Returns a codec of its lines: see [`line_codec`].
    ///
    /// # Errors
    /// Returns [`Error::UnknownCodec`] if this build has no such codec.
    pub fn line_codec(self, name: &str) -> Result<LineCodec, Error> {
        plypack_games::tier(self.name(), name)
            .or_else(|| plypack_games::line_codec(self.name(), name))
            .map(LineCodec)
            .ok_or_else(|| unknown(name, self.line_codecs()))
    }

    /// Returns a codec of its positions: see [`position_codec`].
    ///
    /// # Errors
    /// Returns [`Error::UnknownCodec`] if this build has no such codec.
    pub fn position_codec(self, name: &str) -> Result<PositionCodec, Error> {
        plypack_games::position_codec(self.name(), name)
            .map(PositionCodec)
            .ok_or_else(|| unknown(name, self.position_codecs()))
    }

    /// Returns every codec of its lines in this build.
    pub fn line_codecs(self) -> impl Iterator<Item = LineCodec> + Clone {
        plypack_games::line_codecs(self.name()).map(LineCodec)
    }

    /// Returns every codec of its positions in this build.
    pub fn position_codecs(self) -> impl Iterator<Item = PositionCodec> + Clone {
        plypack_games::position_codecs(self.name()).map(PositionCodec)
    }

    /// Returns a position in its canonical spelling, from any dialect of the game's notation: FEN
    /// for chess, with or without counters.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the text is not a position.
    pub fn canonical_position(self, position: &str) -> Result<String, Error> {
        self.0.position_after(Some(position), &[]).map_err(Error::coding)
    }

    /// Returns steps from `start`, or from the usual start, along the caller's own moves: see
    /// [`Steps::play`].
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` is not a position.
    pub fn steps(self, start: Option<&str>) -> Result<Steps<'static>, Error> {
        self.0.cursor(start).map(Steps).map_err(Error::coding)
    }
}

/// Returns the line codec of `game` that `name` identifies: a tier, `default` or `small`; a codec
/// by name, `line.ranked`, which takes the newest; or by name and number, `line.default/5`, which
/// never changes.
///
/// # Errors
/// Returns [`Error::UnknownGame`] or [`Error::UnknownCodec`].
pub fn line_codec(game: &str, name: &str) -> Result<LineCodec, Error> {
    self::game(game)?.line_codec(name)
}

/// Returns the position codec of `game` that `name` identifies: by name, `chess.rank`, or by name
/// and number, `board.combination/25`.
///
/// # Errors
/// Returns [`Error::UnknownGame`] or [`Error::UnknownCodec`].
pub fn position_codec(game: &str, name: &str) -> Result<PositionCodec, Error> {
    self::game(game)?.position_codec(name)
}

fn unknown(name: &str, known: impl Iterator<Item = impl fmt::Display>) -> Error {
    Error::UnknownCodec { name: name.into(), known: list(known) }
}

fn list(names: impl Iterator<Item = impl fmt::Display>) -> String {
    names.map(|name| name.to_string()).collect::<Vec<_>>().join(", ")
}

/// Writes its name.
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
