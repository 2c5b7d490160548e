//! A range coder driven by a [`MoveModel`]: the engine of every range-coded line.

use std::ops::ControlFlow;

use crate::bits::range::{Decoder, Encoder};

use crate::candidates::Candidates;
use crate::codec::{CodecInfo, Excursion, Finish, LineCodec, replay_by_walk};
use crate::error::Error;
use crate::game::Rules;
use crate::limits::{PLIES_MAX, check_plies};
use crate::line::{MoveSink, MoveSource, Ply};
use crate::model::MoveModel;

/// Codes each move in about `log2(sum of weights / weight of the move)` bits. The only legal move
/// costs nothing.
///
/// A rare move ([`Rules::rare`]) costs an escape, which has weight 1, and its index among the rare
/// moves.
#[derive(Debug)]
pub struct Modelled<M> {
    /// The description of the codec.
    pub info: &'static CodecInfo,
    /// The model.
    pub model: M,
}

impl<G: Rules, M: MoveModel<G>> LineCodec<G> for Modelled<M> {
    const SAMPLES: bool = true;

    fn info(&self) -> &'static CodecInfo {
        self.info
    }

    fn encoder<'a>(
        &'a self,
        game: &'a G,
        start: &G::Position,
    ) -> impl MoveSink<G> + Excursion<G> + Finish + 'a {
        Modelling::new(game, &self.model, start, Encoder::new())
    }

    fn decoder<'a>(
        &'a self,
        game: &'a G,
        start: &G::Position,
        plies: u32,
        code: &'a [u8],
    ) -> Result<impl MoveSource<G> + Excursion<G> + 'a, Error> {
        check_plies(plies)?;
        let coder = Coded { coder: Decoder::new(code), plies };
        Ok(Modelling::new(game, &self.model, start, coder))
    }

    fn replay(
        &self,
        game: &G,
        start: G::Position,
        plies: u32,
        code: &[u8],
        seen: &mut impl FnMut(G::Move, &G::Position) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        if M::EVEN && plies <= PLIES_MAX {
            let mut coder = Decoder::new(code);
            let mut choose = |count| {
                if count < 2 {
                    return 0;
                }
                let index = coder.peek(count);
                coder.consume(index, 1, count);
                index
            };
            if let Some(done) = game.follow(&start, plies, &mut choose, seen) {
                return done;
            }
        }
        replay_by_walk(self, game, start, plies, code, seen)
    }
}

/// Converts an index for the coder. Games promise at most 65,535 candidates.
fn number(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// A line on its way through a model, into a coder or out of it.
struct Modelling<'a, G, M, S, C> {
    game: &'a G,
    model: &'a M,
    state: S,
    /// The state at the point where the branch began.
    left: Option<S>,
    /// The line's own next move, an unlikely first move of the branch.
    known: Option<usize>,
    weights: Vec<u32>,
    coder: C,
}

impl<'a, G: Rules, M: MoveModel<G>, C> Modelling<'a, G, M, M::State, C> {
    fn new(game: &'a G, model: &'a M, start: &G::Position, coder: C) -> Self {
        let state = model.begin(game, start);
        Self { game, model, state, left: None, known: None, weights: Vec::with_capacity(64), coder }
    }
}

impl<G: Rules, M: MoveModel<G>, C> Excursion<G> for Modelling<'_, G, M, M::State, C> {
    fn pass(&mut self, ply: &Ply<'_, G>) {
        self.model.update(&mut self.state, ply);
    }

    fn leave(&mut self, known: Option<usize>) {
        self.left = Some(self.state.clone());
        self.known = known;
    }

    fn doubt(&mut self, known: Option<usize>) {
        self.known = known;
    }

    fn come_back(&mut self) {
        self.known = None;
        if let Some(state) = self.left.take() {
            self.state = state;
        }
    }
}

impl<G: Rules, M: MoveModel<G>> MoveSink<G> for Modelling<'_, G, M, M::State, Encoder> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        let (candidates, played) = (ply.candidates.list(), ply.index());
        let rare = self.game.rare(candidates);
        let (usual, others) = candidates.split_at(candidates.len().saturating_sub(rare));
        let escapes = usize::from(!others.is_empty());
        let index = played.min(usual.len());
        if M::EVEN {
            self.coder.encode(number(index), 1, number(usual.len() + escapes));
        } else if usual.len() + escapes > 1 {
            self.weights.clear();
            self.model.weigh(&mut self.state, ply.before, usual, &mut self.weights);
            self.weights.resize(usual.len() + escapes, 1);
            disregard(self.known, &mut self.weights);
            let start = self.weights[..index].iter().sum();
            let total = self.weights[index..].iter().fold(start, |sum, weight| sum + weight);
            self.coder.encode(start, self.weights[index], total);
        }
        if played >= usual.len() && others.len() > 1 {
            self.coder.encode(number(played - usual.len()), 1, number(others.len()));
        }
        self.known = None;
        self.model.update(&mut self.state, ply);
    }
}

impl<G, M, S> Finish for Modelling<'_, G, M, S, Encoder> {
    fn finish(self) -> Vec<u8> {
        self.coder.finish()
    }
}

/// Gives the candidate with this index the minimum weight.
fn disregard(index: Option<usize>, weights: &mut [u32]) {
    if let Some(weight) = index.and_then(|index| weights.get_mut(index)) {
        *weight = 1;
    }
}

/// The code of a line of this many plies.
struct Coded<'a> {
    coder: Decoder<'a>,
    plies: u32,
}

impl Coded<'_> {
    /// Reads one of `count` equally likely numbers.
    fn number(&mut self, count: usize) -> usize {
        let count = number(count);
        let index = self.coder.peek(count);
        self.coder.consume(index, 1, count);
        usize::try_from(index).unwrap_or(0)
    }
}

impl<G: Rules, M: MoveModel<G>> MoveSource<G> for Modelling<'_, G, M, M::State, Coded<'_>> {
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error> {
        if ply > self.coder.plies {
            return Ok(None);
        }
        let (position, candidates) = (candidates.position(), candidates.list());
        let rare = self.game.rare(candidates);
        let (usual, others) = candidates.split_at(candidates.len().saturating_sub(rare));
        let escapes = usize::from(!others.is_empty());
        let index = match usual.len() + escapes {
            0 => return Err(Error::Over { plies: self.coder.plies, ply: ply - 1 }),
            1 => 0,
            count if M::EVEN => self.coder.number(count),
            count => {
                self.weights.clear();
                self.model.weigh(&mut self.state, position, usual, &mut self.weights);
                self.weights.resize(count, 1);
                disregard(self.known, &mut self.weights);
                let total = self.weights.iter().sum();
                let place = self.coder.coder.peek(total);
                let mut start = 0;
                let mut index = 0;
                while place - start >= self.weights[index] {
                    start += self.weights[index];
                    index += 1;
                }
                self.coder.coder.consume(start, self.weights[index], total);
                index
            }
        };
        if index < usual.len() || others.len() < 2 {
            return Ok(Some(candidates[index]));
        }
        Ok(Some(others[self.coder.number(others.len())]))
    }

    fn played(&mut self, ply: &Ply<'_, G>) {
        self.known = None;
        self.model.update(&mut self.state, ply);
    }
}
