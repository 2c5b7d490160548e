//! The rules of games, found by name.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use plypack_core::ErasedRules;
#[cfg(feature = "records")]
use plypack_core::Turn;

use crate::cursor::Cursor;
use crate::error::Error;
use crate::line::LineCodec;
#[cfg(feature = "records")]
use crate::moves::Notation;
use crate::position::PositionCodec;
#[cfg(feature = "records")]
use crate::rows;

/// The rules of a game, read from its name: `chess`, `xiangqi`, `go` and so on. Chess960 is chess
/// from another start; so are other board sizes of go and gomoku.
#[derive(Clone, Copy)]
pub struct Rules(pub(crate) &'static dyn ErasedRules);

impl Rules {
    /// Returns the rules of every game of this build.
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

    /// Returns the letters of its men: the first player's, then as many of the second's; `KQRBNP`
    /// and `kqrbnp` in chess. [`Boards`](crate::Boards) counts men in this order.
    #[must_use]
    pub fn men(self) -> &'static str {
        self.0.diagram().map_or("", |diagram| diagram.men)
    }

    /// Returns how many numbers its moves have on a board with these columns and ranks, as
    /// [`Boards`](crate::Boards) numbers them.
    #[must_use]
    pub fn move_numbers(self, columns: u16, ranks: u16) -> u32 {
        let cells = u32::from(columns) * u32::from(ranks);
        match self.0.diagram() {
            Ok(diagram) if diagram.kinds => {
                let promotions = if self.name() == "chess" { 5 } else { 1 };
                cells.saturating_mul(cells).saturating_mul(promotions)
            }
            _ => cells + 1,
        }
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

    /// Returns the codec of its lines that `name` identifies: a tier, `default` or `small`; a codec
    /// by name, `line.ranked`, which takes the newest; or by name and number, `line.default/5`,
    /// which never changes.
    ///
    /// # Errors
    /// Returns [`Error::UnknownCodec`] if this build has no such codec.
    pub fn line_codec(self, name: &str) -> Result<LineCodec, Error> {
        plypack_games::tier(self.name(), name)
            .or_else(|| plypack_games::line_codec(self.name(), name))
            .map(LineCodec)
            .ok_or_else(|| unknown(name, self.line_codecs()))
    }

    /// Returns the codec of its positions that `name` identifies: by name, `chess.rank`, or by name
    /// and number, `board.combination/25`.
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

    /// Returns a cursor at `start`, or at the usual start, for the caller's own moves: see
    /// [`Cursor::play`].
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` is not a position.
    pub fn cursor(self, start: Option<&str>) -> Result<Cursor<'static>, Error> {
        self.0.cursor(start).map(Cursor).map_err(Error::coding)
    }
}

/// How people write moves.
#[cfg(feature = "records")]
impl Rules {
    /// Returns what its players are called, the first one first. The tags that name them are called
    /// the same.
    #[must_use]
    pub fn sides(self) -> [&'static str; 2] {
        rows::sides(self.0)
    }

    /// Returns the notation in which people speak of its moves: coordinates in go, else the
    /// customary one.
    #[must_use]
    pub fn spoken(self) -> Notation {
        match rows::spoken(self.0) {
            plypack_core::Notation::Coordinate => Notation::Coordinate,
            _ => Notation::Customary,
        }
    }

    /// Returns the number of the move after so many plies from `start`, or from the usual start,
    /// with its dots: `12.`, or `12...` for the second player; in go the number of the stone.
    #[must_use]
    pub fn move_number(self, start: Option<&str>, ply: u32) -> String {
        if self.name() == "go" {
            return rows::numbered(Turn { number: ply.saturating_add(1), second: false });
        }
        let turn = self.0.turn(start).ok();
        let before = turn.map_or(0, |Turn { number, second }| {
            u64::from(number.saturating_sub(1)) * 2 + u64::from(second)
        });
        let plies = before + u64::from(ply);
        let number = u32::try_from(plies / 2 + 1).unwrap_or(u32::MAX);
        rows::numbered(Turn { number, second: !plies.is_multiple_of(2) })
    }

    /// Writes moves from `start`, or from the usual start, with their numbers: `1. e4 e5 2. Nf3`.
    #[must_use]
    pub fn numbered<'m>(
        self,
        start: Option<&str>,
        moves: impl IntoIterator<Item = &'m str>,
    ) -> String {
        let mut line = String::new();
        for (text, ply) in moves.into_iter().zip(0..) {
            let number = self.move_number(start, ply);
            if !line.is_empty() {
                line.push(' ');
            }
            if line.is_empty() || !number.ends_with("...") {
                line += &number;
                line.push(' ');
            }
            line += text;
        }
        line
    }

    /// Returns what the text of a position leaves open, such as the side to move, in words; `None`
    /// if it leaves nothing open. [`canonical_position`](Self::canonical_position) assumes what is
    /// usual.
    #[must_use]
    pub fn left_open(self, position: &str) -> Option<&'static str> {
        self.0.lacks(position)
    }
}

fn unknown(name: &str, known: impl Iterator<Item = impl fmt::Display>) -> Error {
    Error::UnknownCodec { name: name.into(), known: list(known) }
}

fn list(names: impl Iterator<Item = impl fmt::Display>) -> Vec<String> {
    names.map(|name| name.to_string()).collect()
}

/// Writes its name.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rules").field(&self.name()).finish()
    }
}

/// Finds rules by their name, such as `chess`.
impl FromStr for Rules {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        plypack_games::game(name)
            .map(Self)
            .ok_or_else(|| Error::UnknownGame { name: name.into(), known: list(Self::all()) })
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        self.0.info().id == other.0.info().id
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.info().id.hash(state);
    }
}
