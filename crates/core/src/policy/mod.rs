//! Policies: models trained to predict which candidate a player chooses.
//!
//! A game names the features of its positions and moves ([`Features`]). Trained tables turn them
//! into the candidates' weights, in integers only, in two steps: a [`Gate`] adds up small weights
//! for every candidate; a [`Judge`], a small net, looks closer at those that the gate chooses, and
//! redistributes their weights. The gate alone is the tier `small`; both, with a [`Book`], are
//! `default`. `cargo xtask train` makes the tables, in floats, from the same features.
//!
//! A table is part of the format: a codec's number stands for one table, for ever.

pub mod book;
mod gate;
pub mod groups;
mod judge;
pub(crate) mod power;
mod reader;
mod sight;

use std::fmt::Debug;
use std::sync::LazyLock;

// For nets of games that are no policies.
pub use book::Book;
pub use gate::{Gate, REACH, write as write_gate};
pub use judge::{Judge, Scales, Scratch, Shape, write as write_judge};
pub use plypack_kernels::sums;
pub use power::{STEPS, weight};
pub use sight::Sight;

use crate::game::Game;
use crate::line::Ply;
use crate::model::MoveModel;

/// What a game tells a policy.
pub trait Features<G: Game>: Debug + Send + Sync + 'static {
    /// What the features remember of the line so far.
    type State: Clone + Debug;

    /// What is worked out once a position and serves all its candidates.
    type Scene: Debug;

    /// The numbers of slots, features and inputs.
    const SIZES: Sizes;

    /// The state at the start of a line.
    fn begin(&self, start: &G::Position) -> Self::State;

    /// Notes the move that was played.
    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>);

    /// The key ([`Game::key`]) of a position that may be in the book; `None` beyond the opening, or
    /// if there is no book.
    fn key(&self, _position: &G::Position) -> Option<u64> {
        None
    }

    /// Fills the light slots of all candidates in `sight`, which is empty.
    fn see(
        &self,
        state: &Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        sight: &mut Sight,
    ) -> Self::Scene;

    /// Fills the rest of `sight`: the heavy slots and the rows of the chosen candidates, the inputs
    /// and the phase.
    fn look(
        &self,
        state: &Self::State,
        scene: &Self::Scene,
        position: &G::Position,
        candidates: &[G::Move],
        sight: &mut Sight,
    );
}

/// The numbers of slots, features and inputs of a game's policy.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Light slots of a candidate.
    pub light: usize,
    /// How many of them, from the first, have features without rows in the judge's layer.
    pub shallow: usize,
    /// Heavy slots of a candidate.
    pub heavy: usize,
    /// Features of the light slots, feature 0 included: the gate's.
    pub gate: u16,
    /// The first feature with a row in the judge's layer of each move.
    pub deep: u16,
    /// All features.
    pub features: u16,
    /// Inputs of the net.
    pub inputs: u16,
    /// Rows of the net's output.
    pub rows: u16,
    /// Phases of the game.
    pub phases: u16,
    /// The heavy slot that the book fills, and the first of its features.
    pub book: (usize, u16),
}

/// The tier `small`: a game's features and its gate, whose table is read at first use.
#[derive(Debug)]
pub struct Gated<F: 'static> {
    /// The features.
    pub features: F,
    /// Scores every candidate.
    pub gate: &'static LazyLock<Gate>,
}

/// Its memory of the line, and its scratch memory.
#[derive(Clone, Debug)]
pub struct GatedState<S> {
    features: S,
    sight: Sight,
    scores: Vec<i32>,
}

/// The tier `default`: the same, then a closer look at the best candidates, and the book.
#[derive(Debug)]
pub struct Judged<F: 'static> {
    /// Scores every candidate.
    pub gated: Gated<F>,
    /// Looks closer at the best.
    pub judge: &'static LazyLock<Judge>,
    /// The opening book.
    pub book: &'static LazyLock<Book>,
}

/// Its memory of the line, and its scratch memory.
#[derive(Clone, Debug)]
pub struct JudgedState<S> {
    gated: GatedState<S>,
    scratch: Scratch,
    judged: Vec<i32>,
    /// The weights that these scores stand for.
    own: Vec<u32>,
    known: Vec<(u16, u16)>,
}

/// Chooses the candidates that are worth a closer look: those whose score is near the best, and
/// those in the book. `known` holds the candidates in the book, by ascending index, and their
/// features.
pub fn choose(scores: &[i32], known: &[(u16, u16)], chosen: &mut Vec<u16>) {
    let least = scores.iter().copied().max().unwrap_or(0).saturating_sub(REACH);
    // Every index is written, and overwritten by the next if it was not chosen: a branch here would
    // be hard to predict.
    chosen.resize(scores.len(), 0);
    let mut count = 0;
    for (index, &score) in (0..).zip(scores) {
        if let Some(place) = chosen.get_mut(count) {
            *place = index;
        }
        count += usize::from(score >= least);
    }
    chosen.truncate(count);
    let far = |index: u16| scores.get(usize::from(index)).is_some_and(|&score| score < least);
    chosen.extend(known.iter().map(|&(index, _)| index).filter(|&index| far(index)));
    if chosen.len() > count {
        chosen.sort_unstable();
    }
}

/// Fills the book's slot of the chosen candidates: with its feature if the book has the move, else
/// with the feature of unplayed moves.
pub fn fill_book(sizes: Sizes, unplayed: u16, known: &[(u16, u16)], sight: &mut Sight) {
    let (slot, first) = sizes.book;
    for (&index, slots) in sight.chosen.iter().zip(sight.heavy.chunks_exact_mut(sizes.heavy)) {
        let feature = known.iter().find(|&&(at, _)| at == index);
        if let Some(place) = slots.get_mut(slot) {
            *place = first + feature.map_or(unplayed, |&(_, feature)| feature);
        }
    }
}

/// Fills `weights`, which is empty, with the weights that scores (logits) stand for: the best has
/// 2^22.
#[inline(always)]
pub fn weigh_scores(scores: &[i32], weights: &mut Vec<u32>) {
    let best = scores.iter().copied().max().unwrap_or(0);
    weights.extend(scores.iter().map(|&score| weight(best.saturating_sub(score))));
}

/// Redistributes the chosen candidates' total weight among them, in proportion to `own`.
pub fn share(chosen: &[u16], own: &[u32], weights: &mut [u32]) {
    let of = |weights: &[u32], index: u16| weights.get(usize::from(index)).copied().unwrap_or(0);
    let given: u64 = chosen.iter().map(|&index| u64::from(of(weights, index))).sum();
    let total: u64 = own.iter().map(|&own| u64::from(own)).sum();
    for (&index, &own) in chosen.iter().zip(own) {
        // Rounded down: together they weigh no more than before, except for those raised to 1.
        let weight = u64::from(own) * given / total.max(1);
        if let Some(place) = weights.get_mut(usize::from(index)) {
            *place = u32::try_from(weight).unwrap_or(u32::MAX).max(1);
        }
    }
}

impl<F> Gated<F> {
    /// Fills the weights of all candidates, and what the closer look needs.
    fn gate<G: Game>(
        &self,
        state: &mut GatedState<F::State>,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    ) -> F::Scene
    where
        F: Features<G>,
    {
        let GatedState { features, sight, scores } = state;
        sight.clear();
        scores.clear();
        let scene = self.features.see(features, position, candidates, sight);
        self.gate.score(&sight.light, F::SIZES.light, scores);
        weigh_scores(scores, weights);
        scene
    }
}

impl<G: Game, F: Features<G>> MoveModel<G> for Gated<F> {
    type State = GatedState<F::State>;

    fn begin(&self, _: &G, start: &G::Position) -> Self::State {
        let features = self.features.begin(start);
        GatedState { features, sight: Sight::default(), scores: Vec::new() }
    }

    fn weigh(
        &self,
        state: &mut Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    ) {
        self.gate(state, position, candidates, weights);
    }

    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>) {
        self.features.update(&mut state.features, ply);
    }
}

impl<G: Game, F: Features<G>> MoveModel<G> for Judged<F> {
    type State = JudgedState<F::State>;

    fn begin(&self, game: &G, start: &G::Position) -> Self::State {
        JudgedState {
            gated: self.gated.begin(game, start),
            scratch: Scratch::default(),
            judged: Vec::new(),
            own: Vec::new(),
            known: Vec::new(),
        }
    }

    fn weigh(
        &self,
        state: &mut Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    ) {
        let JudgedState { gated, scratch, judged, own, known } = state;
        let scene = self.gated.gate(gated, position, candidates, weights);
        let (eyes, GatedState { features, sight, scores }) = (&self.gated.features, gated);
        known.clear();
        judged.clear();
        let key = eyes.key(position);
        let unplayed = key.and_then(|key| self.book.look(key, candidates.len(), known));
        choose(scores, known, &mut sight.chosen);
        if let [_] = sight.chosen[..] {
            // A single candidate would get back its own weight.
            return;
        }
        eyes.look(features, &scene, position, candidates, sight);
        if let Some(unplayed) = unplayed {
            fill_book(F::SIZES, unplayed, known, sight);
        }
        self.judge.score(sight, F::SIZES, scratch, judged);
        own.clear();
        weigh_scores(judged, own);
        share(&sight.chosen, own, weights);
    }

    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>) {
        self.gated.update(&mut state.gated, ply);
    }
}
