//! Models: they give every candidate an integer weight, its probability for the range coder.

use std::fmt::Debug;

use crate::game::Rules;
use crate::line::Ply;

/// Predicts moves, in integer arithmetic only: weights decide coded bits, so they must be the same
/// on every machine.
pub trait MoveModel<G: Rules>: Debug + Send + Sync + 'static {
    /// The model's memory of the line so far, and its scratch memory.
    type State: Clone + Debug;

    /// Whether all candidates always have the same weight, so that `weigh` need not be called.
    const EVEN: bool = false;

    /// Returns the state at the start of a line.
    fn begin(&self, game: &G, start: &G::Position) -> Self::State;

    /// Fills `weights`, which is empty, with one weight for each candidate, at least 1: the
    /// likelier, the heavier. Their sum is at most [`crate::bits::range::TOTAL_MAX`].
    fn weigh(
        &self,
        state: &mut Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    );

    /// Records the move that was played.
    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>);
}
