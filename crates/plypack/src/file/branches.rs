//! The lines that games play from a position on.

use crate::store::find::{self, Target};

use super::opening_tree::Tally;
use crate::error::Error;
use crate::moves::Notation;

/// The lines that games play from a position on: [`Query::branches`](crate::Query::branches).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Branches {
    /// The position, in canonical spelling.
    pub position: String,
    /// How many games reach it.
    pub games: u64,
    /// The moves, the most frequent first. A game that comes back to the position counts once for
    /// each different move that it plays there.
    pub moves: Vec<Branch>,
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
    /// The results of the games that play it.
    pub tally: Tally,
    /// The moves after it, the most frequent first; none at the last ply that was asked for.
    pub moves: Vec<Branch>,
    /// The games that end after it; none at the last ply that was asked for.
    pub ended: Tally,
}

impl Branches {
    pub(crate) fn of(
        found: &find::Branches,
        target: &Target,
        notation: Notation,
    ) -> Result<Self, Error> {
        let mut line = target.line().1.to_vec();
        Ok(Self {
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
        line.push(branch.candidate);
        let text = find::move_text(target, line, notation.inner()).map_err(Error::coding)?;
        let moves = below(&branch.moves, target, line, notation)?;
        line.pop();
        let (tally, ended) = (Tally::of(&branch.sum), Tally::of(&branch.ended));
        Ok(Branch { text, tally, moves, ended })
    };
    branches.iter().map(one).collect()
}
