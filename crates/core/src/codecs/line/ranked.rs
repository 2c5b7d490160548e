//! `line.ranked`: the candidates are put in a heuristic order, and a move's weight depends only on
//! its rank in it.
//!
//! The idea is that of Buffett's sequel and of the Lichess archive; orders and tables are ours.

use std::array::from_fn;
use std::cmp::Reverse;
use std::fmt::Debug;

use crate::codec::CodecInfo;
use crate::codecs::line::modelled::Modelled;
use crate::game::Game;
use crate::line::Ply;
use crate::model::MoveModel;

/// The facts about `line.ranked`, the same for every game.
pub const RANKED_INFO: CodecInfo = CodecInfo {
    name: "line.ranked",
    id: 3,
    summary: "the rank of each move in a heuristic order, weighed by how often that rank is played",
    source: "Buffett's sequel (rank in a heuristic order)",
};

/// The codec for an order, ready to stand in a registry row.
pub const fn ranked<O>(order: O) -> Modelled<Ranked<O>> {
    Modelled { info: &RANKED_INFO, model: Ranked(order) }
}

/// A heuristic order of the candidates and how often each rank is played.
pub trait MoveOrder<G: Game>: Debug + Send + Sync + 'static {
    /// What the order remembers of the line so far.
    type State: Debug;

    /// The state at the start of a line.
    fn begin(&self, start: &G::Position) -> Self::State;

    /// Fills `keys`, which is empty, with one key for each candidate. The larger the key, the
    /// earlier the rank; of equal keys the candidate that comes first in canonical order ranks
    /// first.
    fn keys(
        &self,
        state: &Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        keys: &mut Vec<i32>,
    );

    /// The weights of the ranks at this position, heaviest first, each at least 1. Ranks beyond
    /// the slice weigh as much as its last entry. `keys` is what [`keys`](Self::keys) gave: how
    /// many there are, and how far the first stand apart, says how predictable the move is.
    fn weights(&self, position: &G::Position, keys: &[i32]) -> &[u16];

    /// Takes note of the move that was played.
    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>);
}

/// Weighs candidates by their rank in an order.
#[derive(Debug)]
pub struct Ranked<O>(pub O);

/// The order's state and room for ranking.
#[derive(Debug)]
pub struct RankedState<S> {
    order: S,
    keys: Vec<i32>,
    ranks: Vec<u32>,
}

impl<G: Game, O: MoveOrder<G>> MoveModel<G> for Ranked<O> {
    type State = RankedState<O::State>;

    fn begin(&self, _: &G, start: &G::Position) -> Self::State {
        RankedState { order: self.0.begin(start), keys: Vec::new(), ranks: Vec::new() }
    }

    fn weigh(
        &self,
        state: &mut Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    ) {
        state.keys.clear();
        self.0.keys(&state.order, position, candidates, &mut state.keys);
        let by_rank = self.0.weights(position, &state.keys);
        let last = by_rank.last().copied().unwrap_or(1);
        rank(&state.keys, &mut state.ranks);
        weights.extend(
            state
                .ranks
                .iter()
                .map(|&rank| u32::from(by_rank.get(rank as usize).copied().unwrap_or(last))),
        );
    }

    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>) {
        self.0.update(&mut state.order, ply);
    }
}

/// Fills `ranks` with the rank of each key: how many keys are larger, or as large and earlier.
fn rank(keys: &[i32], ranks: &mut Vec<u32>) {
    ranks.clear();
    ranks.resize(keys.len(), 0);
    // Few keys are compared all with all, because that goes 16 at a time without a branch: a
    // quarter of what sorting takes for the moves of a chess position.
    if keys.len() <= 64 {
        rank_by_counting(keys, ranks);
    } else {
        rank_by_sorting(keys, ranks);
    }
}

fn rank_by_counting(keys: &[i32], ranks: &mut [u32]) {
    let starts = (0..).step_by(LANES);
    for ((own, ranks), start) in keys.chunks(LANES).zip(ranks.chunks_mut(LANES)).zip(starts) {
        let (before, rest) = keys.split_at(start);
        let (among, after) = rest.split_at(own.len());
        let mut lanes = [i32::MAX; LANES];
        lanes[..own.len()].copy_from_slice(own);
        let mut larger = [0u32; LANES];
        for &key in before {
            larger = from_fn(|lane| larger[lane] + u32::from(key >= lanes[lane]));
        }
        for (place, &key) in among.iter().enumerate() {
            larger = from_fn(|lane| {
                let earlier = u32::from(key == lanes[lane]) & u32::from(place < lane);
                larger[lane] + (u32::from(key > lanes[lane]) | earlier)
            });
        }
        for &key in after {
            larger = from_fn(|lane| larger[lane] + u32::from(key > lanes[lane]));
        }
        ranks.copy_from_slice(&larger[..own.len()]);
    }
}

/// How many keys are ranked at a time.
const LANES: usize = 16;

fn rank_by_sorting(keys: &[i32], ranks: &mut [u32]) {
    let mut order: Vec<u32> = (0u32..).take(keys.len()).collect();
    order.sort_unstable_by_key(|&index| (Reverse(keys[index as usize]), index));
    for (rank, &index) in (0u32..).zip(&order) {
        ranks[index as usize] = rank;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_sorting_agree() {
        let mut keys = vec![i32::MAX, i32::MIN, 0, 0, -1];
        let mut noise = 1u32;
        for _ in 0..90 {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            keys.push((noise >> 27).cast_signed() - 16);
            let (mut counted, mut sorted) = (vec![0; keys.len()], vec![0; keys.len()]);
            rank_by_counting(&keys, &mut counted);
            rank_by_sorting(&keys, &mut sorted);
            assert_eq!(counted, sorted);
        }
    }

    #[test]
    fn equal_keys_rank_in_canonical_order() {
        let mut ranks = Vec::new();
        rank(&[5, 9, 5, -3, 9], &mut ranks);
        assert_eq!(ranks, [2, 0, 3, 4, 1]);
    }
}
