//! `line.link` without lists of features: a game sums the gate's weights where it computes the
//! features.

use std::fmt::Debug;

use plypack_core::policy::{Features, weigh_scores};
use plypack_core::{MoveModel, Ply, Rules};

/// Features whose weights can be added up without listing them.
pub trait Summed<G: Rules>: Features<G> {
    /// Fills `scores`, which is empty, with the scores of all candidates.
    fn score(
        &self,
        state: &Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        scores: &mut Vec<i32>,
    );
}

/// The model of `line.link`.
#[derive(Debug)]
pub struct Link<F: 'static>(pub F);

/// State of a line, and scratch memory.
#[derive(Clone, Debug)]
pub struct State<S> {
    features: S,
    scores: Vec<i32>,
}

impl<G: Rules, F: Summed<G>> MoveModel<G> for Link<F> {
    type State = State<F::State>;

    fn begin(&self, _: &G, start: &G::Position) -> Self::State {
        State { features: self.0.begin(start), scores: Vec::with_capacity(64) }
    }

    fn weigh(
        &self,
        State { features, scores }: &mut Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    ) {
        scores.clear();
        self.0.score(features, position, candidates, scores);
        weigh_scores(scores, weights);
    }

    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>) {
        self.0.update(&mut state.features, ply);
    }
}

#[cfg(test)]
pub mod tests {
    use std::sync::LazyLock;

    use plypack_core::Candidates;
    use plypack_core::policy::{ByGate, Gate, Gated};
    use plypack_core::testkit::Random;

    use super::*;

    /// Plays at random and checks that the weights equal those of listed features.
    pub fn assert_same<G: Rules, F: Summed<G>>(
        game: &G,
        features: [F; 2],
        gate: &'static LazyLock<Gate>,
    ) {
        let [features, listed] = features;
        let (link, gated) = (Link(features), Gated { features: listed, gate: ByGate(gate) });
        let mut random = Random::new(5);
        let mut below = |bound: usize| {
            usize::try_from(random.next_u64() % bound as u64).expect("a small number")
        };
        for line in 0..100 {
            let mut position = game.start();
            let mut states = (
                MoveModel::<G>::begin(&link, game, &position),
                MoveModel::<G>::begin(&gated, game, &position),
            );
            for ply in 0..120 {
                let mut candidates = Vec::new();
                game.candidates(&position, &mut candidates);
                if candidates.is_empty() {
                    break;
                }
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                link.weigh(&mut states.0, &position, &candidates, &mut ours);
                gated.weigh(&mut states.1, &position, &candidates, &mut theirs);
                assert_eq!(ours, theirs, "line {line}, ply {ply}");
                let likely = (0..candidates.len()).max_by_key(|&index| (ours[index], index));
                let other = below(candidates.len());
                let index = if below(3) > 0 { likely.expect("a move") } else { other };
                let before = position.clone();
                game.play(&mut position, candidates[index]);
                let listed = Candidates::listed(&before, &candidates);
                let ply = Ply::new(listed, candidates[index], &position);
                MoveModel::<G>::update(&link, &mut states.0, &ply);
                MoveModel::<G>::update(&gated, &mut states.1, &ply);
            }
        }
    }
}
