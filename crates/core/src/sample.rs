//! Lines drawn from a model by decoding random bytes.
//!
//! If all codes are equally likely, a range decoder returns each symbol with its probability in the
//! model. So a codec whose every code is a line needs nothing else to draw one.

use crate::candidates::Candidates;
use crate::error::Error;
use crate::game::{Rules, Verdict};
use crate::line::{MoveSource, Ply};
use crate::texts::Texts;

/// The maximum number of draws for a ply, as long as they are moves that only records have.
const TRIES: usize = 8;

/// The maximum number of bytes of a ply: two numbers below 2^32, one for the candidates and one for
/// the rare ones.
const PLY_BYTES: usize = 8;

/// Returns the number of random bytes for `plies` plies; with fewer, a decoder would read zeros.
pub(crate) fn bytes_for(plies: u32) -> usize {
    // Enough unless redrawn moves use up all that usual ones leave.
    usize::try_from(plies).unwrap_or(usize::MAX).saturating_mul(PLY_BYTES).saturating_add(64)
}

/// A line that was drawn.
#[derive(Debug)]
pub struct Sample {
    /// The texts of its moves.
    pub texts: Texts,
    /// How it ended, if the game was over by its rules.
    pub outcome: Option<Verdict>,
    /// The first player's material advantage at its end ([`Rules::material`]).
    pub material: i32,
}

/// The moves of a decoder of random bytes, up to where players would end the game.
#[derive(Debug)]
pub(crate) struct Sampling<'a, G: Rules, S> {
    game: &'a G,
    source: S,
    last: Option<G::Move>,
    over: bool,
}

impl<'a, G: Rules, S> Sampling<'a, G, S> {
    pub fn new(game: &'a G, source: S) -> Self {
        Self { game, source, last: None, over: false }
    }
}

impl<G: Rules, S: MoveSource<G>> MoveSource<G> for Sampling<'_, G, S> {
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
