//! Converts sums of a gate's weights to weights of candidates, for the models of `line.fast`: they
//! add in 16 bits and look up the weight of each sum.

use plypack_core::policy::{Gate, weight};
use plypack_core::{Rules, Work};

/// A strict upper bound on the difference of two candidates' sums: at most 16 weights of a byte
/// each.
const SPREAD: usize = 4096;

/// The weight of a candidate, by how far its sum lies below the best.
pub struct Weights(Box<[u32; SPREAD]>);

impl Weights {
    /// Computes the weights for the sums of a gate.
    pub fn of(gate: &Gate) -> Self {
        let mut weights = Box::new([1; SPREAD]);
        for (below, place) in (0..).zip(weights.iter_mut()) {
            *place = weight(gate.scaled(below));
        }
        Self(weights)
    }

    /// Fills `weights`, which is empty, with the weights of `count` sums.
    #[inline(always)]
    pub fn weigh(
        &self,
        sums: impl Iterator<Item = i16> + Clone,
        count: usize,
        weights: &mut Vec<u32>,
    ) {
        let best = sums.clone().max().unwrap_or(0);
        // In place: extending a vector is not inlined.
        weights.resize(count, 1);
        for (sum, weight) in sums.zip(weights.iter_mut()) {
            let below = usize::try_from(best - sum).unwrap_or(0);
            *weight = self.0[below % SPREAD];
        }
    }
}

/// A model whose weighing is compiled for the processor at hand.
pub trait Glance<G: Rules> {
    /// State of a line, and scratch memory.
    type Memory;

    /// Fills `weights`, which is empty, with the candidates' weights.
    fn glance(
        memory: &mut Self::Memory,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    );
}

/// A position that such a model weighs.
pub struct Weighing<'a, G: Rules, M: Glance<G>> {
    /// The model's state.
    pub memory: &'a mut M::Memory,
    /// The position.
    pub position: &'a G::Position,
    /// Its candidates.
    pub candidates: &'a [G::Move],
    /// Buffer for their weights.
    pub weights: &'a mut Vec<u32>,
}

impl<G: Rules, M: Glance<G>> Work for Weighing<'_, G, M> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        M::glance(self.memory, self.position, self.candidates, self.weights);
    }
}

/// The method [`MoveModel::weigh`](plypack_core::MoveModel::weigh) of a model with a [`Glance`], of
/// a game whose `Position` and `Move` are in scope.
macro_rules! weigh_at_a_glance {
    ($game:ty) => {
        fn weigh(
            &self,
            state: &mut State,
            position: &Position,
            candidates: &[<$game as plypack_core::Rules>::Move],
            weights: &mut Vec<u32>,
        ) {
            natively(Weighing::<$game, Self> { memory: state, position, candidates, weights });
        }
    };
}

pub(crate) use weigh_at_a_glance;

/// Returns the weights that a gate gives, without short cuts.
#[cfg(test)]
pub fn plain<G: Rules, F: plypack_core::policy::Features<G>>(
    (features, gate): (&F, &Gate),
    state: &F::State,
    position: &G::Position,
    candidates: &[G::Move],
) -> Vec<u32> {
    use plypack_core::policy::{Sight, halvings};
    let mut sight = Sight::default();
    features.see(state, position, candidates, &mut sight);
    let weigh = |&feature: &u16| i32::from(gate.weight(feature.into()));
    let sums = sight.light.chunks(F::SIZES.light).map(|slots| slots.iter().map(weigh).sum());
    let sums: Vec<i32> = sums.collect();
    let best = sums.iter().copied().max().unwrap_or(0);
    let halved = halvings(sums.len());
    let weights = sums.iter().map(|sum| weight(gate.scaled(best - sum)) >> halved);
    weights.map(|weight| weight.max(1)).collect()
}
