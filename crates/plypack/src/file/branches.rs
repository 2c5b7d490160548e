//! The lines that games play from a position on.

use crate::store::find::{self, Target};

use super::opening_tree::Tally;
use crate::error::Error;
use crate::moves::Notation;
use crate::rules::Rules;

/// The lines that games play from a position on: [`Query::branches`](crate::Query::branches).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Branches {
    /// The rules by which the position was read.
    pub rules: Rules,
    /// The position, in canonical spelling.
    pub position: String,
    /// The moves of the query that lead to it, with their numbers; empty if the query has none.
    pub line: String,
    /// How many games reach it.
    pub games: u64,
    /// The moves, the most frequent first. A game that comes back to the position counts once for
    /// each different move that it plays there.
    pub moves: Vec<Branch>,
    /// How many moves are left out, because too few games play them or there are too many.
    pub left_out: usize,
    /// The games that end there.
    pub ended: Tally,
    /// The same as a game in PGN; `None` for go, which PGN does not have.
    pgn: Option<String>,
}

/// A move, and how the games that play it go on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Branch {
    /// The move, in the notation of the query.
    pub text: String,
    /// The move as coordinates.
    pub coordinates: String,
    /// The number of the move, with its dots: [`Rules::move_number`].
    pub number: String,
    /// The results of the games that play it.
    pub tally: Tally,
    /// The moves after it, the most frequent first; none at the last ply that was asked for.
    pub moves: Vec<Branch>,
    /// How many moves after it are left out.
    pub left_out: usize,
    /// The games that end after it; none at the last ply that was asked for.
    pub ended: Tally,
}

impl Branches {
    pub(crate) fn of(
        found: &find::Branches,
        target: &Target,
        notation: Notation,
    ) -> Result<Self, Error> {
        let (start, mut line) = (target.line().0, target.line().1.to_vec());
        let texts = target.game().write_moves(start, &line, notation.inner());
        let texts = texts.map_err(Error::coding)?;
        Ok(Self {
            rules: Rules(target.game()),
            line: Rules(target.game()).numbered(start, texts.iter()),
            left_out: found.left_out,
            position: target.text().to_owned(),
            games: found.records,
            moves: below(&found.moves, target, &mut line, notation)?,
            ended: Tally::of(&found.ended),
            pgn: found.pgn(target).map_err(Error::coding)?,
        })
    }

    /// Returns the lines as a game in PGN: the moves of the query, then the most frequent moves as
    /// the main line and the others as variations, each with its games and their results as a
    /// comment. `None` for go, which PGN does not have.
    #[must_use]
    pub fn to_pgn(&self) -> Option<&str> {
        self.pgn.as_deref()
    }
}

fn below(
    branches: &[find::Branch],
    target: &Target,
    line: &mut Vec<u16>,
    notation: Notation,
) -> Result<Vec<Branch>, Error> {
    let one = |branch: &find::Branch| {
        let ply = u32::try_from(line.len()).unwrap_or(u32::MAX);
        let number = Rules(target.game()).move_number(target.line().0, ply);
        line.push(branch.candidate);
        let text = |notation: Notation| {
            find::move_text(target, line, notation.inner()).map_err(Error::coding)
        };
        let (text, coordinates) = (text(notation)?, text(Notation::Coordinate)?);
        let moves = below(&branch.moves, target, line, notation)?;
        line.pop();
        let (tally, ended) = (Tally::of(&branch.sum), Tally::of(&branch.ended));
        let left_out = branch.left_out;
        Ok(Branch { text, coordinates, number, tally, moves, left_out, ended })
    };
    branches.iter().map(one).collect()
}
