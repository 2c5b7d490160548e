//! Reads repertoires, and says where games leave them.

use std::path::Path;

use crate::store::repertoire::{self as inner, Leaving};
use crate::store::{Work, find};

use super::opening_tree::Tally;
use super::work::Working;
use crate::cursor::Side;
use crate::error::Error;
use crate::moves::Notation;
use crate::rules::Rules;
use crate::{Followers, Left};

/// The positions that one side prepares for, and the moves that it has in each:
/// [`Query::follow`](crate::Query::follow), [`Query::departures`](crate::Query::departures).
#[derive(Debug)]
pub struct Repertoire(inner::Repertoire);

/// A game that follows a repertoire. [`PackedFile::game`](crate::PackedFile::game) reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FollowedGame {
    /// The place of its file in the collection, counted from 0.
    pub file: usize,
    /// Its number there, counted from 1.
    pub number: u64,
    /// The number of plies from the start of the game to the last position that is in the
    /// repertoire.
    pub ply: u32,
    /// What it leaves the repertoire by.
    pub left: Left,
    /// The move played there, in the notation of the query; `None` if the game ends.
    pub next_move: Option<String>,
    /// The same as coordinates.
    pub coordinates: Option<String>,
    /// The moves that the repertoire has there; none where its line ends.
    pub answers: Vec<String>,
}

/// Where games leave a repertoire.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Departures {
    /// How many games follow it, by what they leave it by.
    pub followers: Followers,
    /// The moves by which they leave it, the most frequent first.
    pub moves: Vec<Departure>,
}

/// The games that leave a repertoire in one position by one move.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Departure {
    /// The position, in canonical spelling.
    pub position: String,
    /// A shortest line of the repertoire to it, in the notation of the query: customary with
    /// numbers, coordinates without. One from another start than the usual one begins with that
    /// position in brackets.
    pub line: String,
    /// The same line with the move by which the games leave.
    pub line_left: String,
    /// Why the games leave it.
    pub left: Left,
    /// The move, in the notation of the query; `None` for games that end.
    pub text: Option<String>,
    /// The same as coordinates.
    pub coordinates: Option<String>,
    /// The moves that the repertoire has there; none where its line ends.
    pub answers: Vec<String>,
    /// The results of the games.
    pub tally: Tally,
}

impl Repertoire {
    /// Reads the games of a file with their variations, such as a PGN; also any other input that
    /// is packed. Games that do not name their game are read by these rules.
    ///
    /// If no side is given, it must follow from the file: from the tag `Orientation` of its games,
    /// or because one side has a single move in nearly all positions, and the other does not. A
    /// move of the side that is marked as a mistake does not count, nor does what follows it or a
    /// null move.
    ///
    /// # Errors
    /// Returns [`Error::File`], with the line, if a move is illegal or a text is not understood;
    /// if there are no moves, or too many for a repertoire; or if the side does not follow. Returns
    /// [`Error::Io`] if the file cannot be read.
    pub fn read(path: impl AsRef<Path>, rules: Rules, side: Option<Side>) -> Result<Self, Error> {
        let second = side.map(|side| side == Side::Second);
        let read = |work: &Work<'_>| inner::Repertoire::read(path.as_ref(), rules.0, second, work);
        Working::default().run(read).map(Self)
    }

    /// Returns its rules.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules(self.0.game())
    }

    /// Returns the side that it is for.
    #[must_use]
    pub fn side(&self) -> Side {
        if self.0.second() { Side::Second } else { Side::First }
    }

    /// Returns how many positions it has.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.0.positions()
    }

    /// Returns in how many positions its lines end.
    #[must_use]
    pub fn lines(&self) -> usize {
        self.0.lines()
    }

    pub(crate) fn inner(&self) -> &inner::Repertoire {
        &self.0
    }

    /// Returns the tag that names the player of its side.
    pub(crate) fn side_tag(&self) -> &'static str {
        self.0.side()
    }

    pub(crate) fn followed(
        &self,
        game: &find::Followed,
        notation: Notation,
    ) -> Result<FollowedGame, Error> {
        let Told { left, text, coordinates, answers } = self.told(&game.leaving, notation)?;
        let (file, number, ply) = (game.file, game.row + 1, game.leaving.ply);
        Ok(FollowedGame { file, number, ply, left, next_move: text, coordinates, answers })
    }

    pub(crate) fn departures(
        &self,
        found: &[find::Departure],
        notation: Notation,
    ) -> Result<Departures, Error> {
        let one = |departure: &find::Departure| {
            let place = departure.place;
            let leaving = Leaving { ply: 0, place, candidate: departure.candidate };
            let Told { left, text, coordinates, answers } = self.told(&leaving, notation)?;
            let line =
                |with| self.0.line_text(place, with, notation.inner()).map_err(Error::coding);
            Ok(Departure {
                position: self.0.position_text(place).map_err(Error::coding)?,
                line: line(None)?,
                line_left: line(departure.candidate)?,
                left,
                text,
                coordinates,
                answers,
                tally: Tally::of(&departure.sum),
            })
        };
        let moves: Result<Vec<Departure>, Error> = found.iter().map(one).collect();
        let mut followers = Followers::default();
        let moves = moves?;
        moves.iter().for_each(|departure| followers.add(departure.left, departure.tally.games));
        Ok(Departures { followers, moves })
    }

    /// Returns why it is left, the move played, and those that it has there.
    fn told(&self, leaving: &Leaving, notation: Notation) -> Result<Told, Error> {
        let place = leaving.place;
        let text = |notation: Notation| {
            let text = |candidate| self.0.move_text(place, candidate, notation.inner());
            leaving.candidate.map(text).transpose().map_err(Error::coding)
        };
        Ok(Told {
            left: self.0.left(leaving),
            text: text(notation)?,
            coordinates: text(Notation::Coordinate)?,
            answers: self.0.replies(place, notation.inner()).map_err(Error::coding)?,
        })
    }
}

/// Why a repertoire is left, the move played in two notations, and those that it has there.
struct Told {
    left: Left,
    text: Option<String>,
    coordinates: Option<String>,
    answers: Vec<String>,
}
