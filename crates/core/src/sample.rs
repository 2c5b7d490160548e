//! Lines drawn from a model: to sample it is to decode random bytes.
//!
//! A range decoder gives a symbol as often as its model says if all codes are equally likely, so
//! that a codec whose every code is a line needs nothing else to draw one.

use crate::candidates::Candidates;
use crate::error::Error;
use crate::game::{Game, Outcome};
use crate::line::{MoveSource, Ply};
use crate::texts::Texts;

/// How often a move is drawn anew that only records have.
const TRIES: usize = 8;

/// The most bytes that a ply takes: two numbers below 2^32, one for the candidates and one for
/// those behind the escape.
const PLY_BYTES: usize = 8;

/// How many random bytes a decoder needs for so many plies; without more it would read zeros.
pub(crate) fn bytes_for(plies: u32) -> usize {
    // As long as redrawn moves do not take all that usual ones leave over.
    usize::try_from(plies).unwrap_or(usize::MAX).saturating_mul(PLY_BYTES).saturating_add(64)
}

/// A line that was drawn.
#[derive(Debug)]
pub struct Sample {
    /// The texts of its moves.
    pub texts: Texts,
    /// How it ended, if the game was over by its rules.
    pub outcome: Option<Outcome>,
    /// What the first player has more than the second at its end ([`Game::material`]).
    pub material: i32,
}

/// The moves of a decoder of random bytes, up to where players would end the game.
#[derive(Debug)]
pub(crate) struct Sampling<'a, G: Game, S> {
    game: &'a G,
    source: S,
    last: Option<G::Move>,
    over: bool,
}

impl<'a, G: Game, S> Sampling<'a, G, S> {
    pub fn new(game: &'a G, source: S) -> Self {
        Self { game, source, last: None, over: false }
    }
}

impl<G: Game, S: MoveSource<G>> MoveSource<G> for Sampling<'_, G, S> {
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error> {
        if self.over {
            return Ok(None);
        }
        for _ in 0..TRIES {
            let mv = match self.source.next(ply, candidates) {
                Ok(Some(mv)) => mv,
                Err(Error::Over { .. }) => return Ok(None),
                ended => return ended,
            };
            let rare = self.game.rare(candidates);
            if rare == 0 || !candidates.iter().rev().take(rare).any(|&other| other == mv) {
                return Ok(Some(mv));
            }
        }
        Ok(None)
    }

    fn played(&mut self, ply: &Ply<'_, G>) {
        self.source.played(ply);
        self.over = self.game.ends(ply, self.last);
        self.last = Some(ply.mv());
    }
}
