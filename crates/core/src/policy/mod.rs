//! Policies: models trained to predict which candidate a player chooses.
//!
//! A game defines the features of its positions and moves ([`Features`]). Trained tables turn them
//! into the candidates' weights, in integers only, in two steps. A first look ([`FirstLook`])
//! weighs every candidate: either a [`Gate`], which adds up small weights, or a model of the game's
//! own. A [`Judge`], a small net, examines the heaviest candidates and redistributes their weights;
//! a [`Book`] may help it. `cargo xtask train` makes the tables, in floats, from the same features.
//!
//! A table is part of the format: a codec's number stands for one table, for ever.

pub mod book;
mod gate;
pub mod groups;
mod judge;
mod planes;
pub(crate) mod power;
mod reader;
mod sight;
mod tower;

use std::fmt::Debug;
use std::sync::LazyLock;

// For nets of games that are not policies.
pub use book::Book;
pub use gate::{Gate, write as write_gate};
pub use judge::{Judge, Scales, Scratch, Shape, write as write_judge};
pub use plypack_kernels::{narrow, sums};

pub use plypack_kernels::convolution::Size as BoardSize;
pub use power::{STEPS, halvings, weight};
pub use sight::Sight;
pub use tower::{Boards, Tower};

use crate::game::Rules;
use crate::line::Ply;
use crate::model::MoveModel;
use plypack_kernels::{Work, natively};

/// A game's features for a policy.
pub trait Features<G: Rules>: Debug + Send + Sync + 'static {
    /// The features' memory of the line so far.
    type State: Clone + Debug;

    /// Data computed once for a position and used for all its candidates.
    type Scene: Debug;

    /// The numbers of slots, features and inputs.
    const SIZES: Sizes;

    /// Returns the state at the start of a line.
    fn begin(&self, start: &G::Position) -> Self::State;

    /// Records the move that was played.
    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>);

    /// Returns the key ([`Rules::key`]) of a position that may be in the book; `None` beyond the
    /// opening, or without a book.
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
    /// and the phase. Without a judge there is nothing to do.
    fn look(
        &self,
        _state: &Self::State,
        _scene: &Self::Scene,
        _position: &G::Position,
        _candidates: &[G::Move],
        _sight: &mut Sight,
    ) {
    }
}

/// The numbers of slots, features and inputs of a game's policy.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Light slots of a candidate.
    pub light: usize,
    /// Heavy slots of a candidate.
    pub heavy: usize,
    /// Number of slots, from the first light one or, if there are none, the first heavy one, whose
    /// features have no rows in the judge's layer.
    pub shallow: usize,
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

impl Sizes {
    /// Sizes for features that only choose.
    pub const NONE: Self = Self {
        light: 0,
        shallow: 0,
        heavy: 0,
        gate: 0,
        deep: 0,
        features: 0,
        inputs: 0,
        rows: 0,
        phases: 1,
        book: (0, 0),
    };
}

/// The first look of a policy at a position: weighs all candidates.
pub trait FirstLook<G: Rules, F: Features<G>>: Debug + Send + Sync + 'static {
    /// Its memory of the line, and scratch memory.
    type State: Clone + Debug;

    /// Returns the state at the start of a line.
    fn begin(&self, game: &G, start: &G::Position) -> Self::State;

    /// Fills `weights`, which is empty, with the candidates' weights, the heaviest 2^22, and the
    /// light slots of `sight`, which is empty, if `features` have any.
    fn weigh(
        &self,
        state: &mut Self::State,
        features: (&F, &F::State),
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
        sight: &mut Sight,
    ) -> F::Scene;

    /// Records the move that was played.
    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>);
}

/// A first look by a gate, whose table is read at first use.
#[derive(Clone, Copy, Debug)]
pub struct ByGate(pub &'static LazyLock<Gate>);

impl<G: Rules, F: Features<G>> FirstLook<G, F> for ByGate {
    type State = Vec<i32>;

    fn begin(&self, _: &G, _: &G::Position) -> Vec<i32> {
        Vec::new()
    }

    fn weigh(
        &self,
        scores: &mut Vec<i32>,
        (features, state): (&F, &F::State),
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
        sight: &mut Sight,
    ) -> F::Scene {
        scores.clear();
        let scene = features.see(state, position, candidates, sight);
        self.0.score(&sight.light, F::SIZES.light, scores);
        weigh_scores(scores, weights);
        scene
    }

    fn update(&self, _: &mut Vec<i32>, _: &Ply<'_, G>) {}
}

/// A first look by another model.
#[derive(Debug)]
pub struct ByModel<M>(pub M);

impl<G: Rules, F: Features<G>, M: MoveModel<G>> FirstLook<G, F> for ByModel<M> {
    type State = M::State;

    fn begin(&self, game: &G, start: &G::Position) -> M::State {
        self.0.begin(game, start)
    }

    #[inline(always)]
    fn weigh(
        &self,
        own: &mut M::State,
        (features, state): (&F, &F::State),
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
        sight: &mut Sight,
    ) -> F::Scene {
        self.0.weigh(own, position, candidates, weights);
        features.see(state, position, candidates, sight)
    }

    fn update(&self, own: &mut M::State, ply: &Ply<'_, G>) {
        self.0.update(own, ply);
    }
}

/// A policy that consists of a first look by a gate.
#[derive(Debug)]
pub struct Gated<F: 'static> {
    /// The features.
    pub features: F,
    /// Scores every candidate.
    pub gate: ByGate,
}

/// Its memory of the line, and scratch memory.
#[derive(Clone, Debug)]
pub struct GatedState<S> {
    features: S,
    sight: Sight,
    scores: Vec<i32>,
}

/// A policy of two looks.
#[derive(Debug)]
pub struct Judged<L, F: 'static> {
    /// Weighs every candidate.
    pub first: L,
    /// The features.
    pub features: F,
    /// Re-weighs the heaviest.
    pub judge: &'static LazyLock<Judge>,
    /// The minimum weight of candidates for the judge; the heaviest weighs 2^22.
    pub least: u32,
    /// The opening book, if it has one.
    pub book: Option<&'static LazyLock<Book>>,
}

/// Its memory of the line, and scratch memory.
#[derive(Clone, Debug)]
pub struct JudgedState<L, S> {
    first: L,
    features: S,
    sight: Sight,
    scratch: Scratch,
    judged: Vec<i32>,
    /// The weights for these scores.
    own: Vec<u32>,
    known: Vec<(u16, u16)>,
    strayed: Strayed,
}

/// The number of consecutive positions of a line that were not in the book.
#[derive(Clone, Copy, Debug, Default)]
pub struct Strayed(u8);

/// A line with this many such positions has left the book: further look-ups cost more than they
/// gain.
const LEFT: u8 = 4;

impl Strayed {
    /// Looks up the next position of the line in the book ([`Book::look`]), unless the line has
    /// left the book.
    #[inline(always)]
    pub fn look(
        &mut self,
        book: &Book,
        key: impl FnOnce() -> Option<u64>,
        candidates: usize,
        known: &mut Vec<(u16, u16)>,
    ) -> Option<u16> {
        if self.0 >= LEFT {
            return None;
        }
        let unplayed = key().and_then(|key| book.look(key, candidates, known));
        self.0 = if unplayed.is_some() { 0 } else { self.0 + 1 };
        unplayed
    }
}

/// Chooses the candidates for a closer look: those that weigh at least `least`, and those in the
/// book. `known` holds the candidates in the book, by ascending index, and their features.
#[inline(always)]
pub fn choose(weights: &[u32], least: u32, known: &[(u16, u16)], chosen: &mut Vec<u16>) {
    // Every index is written, and overwritten by the next unless it was chosen: a branch here would
    // be hard to predict.
    chosen.resize(weights.len(), 0);
    let mut count = 0;
    for (index, &weight) in (0..).zip(weights) {
        if let Some(place) = chosen.get_mut(count) {
            *place = index;
        }
        count += usize::from(weight >= least);
    }
    chosen.truncate(count);
    let far = |index: u16| weights.get(usize::from(index)).is_some_and(|&weight| weight < least);
    chosen.extend(known.iter().map(|&(index, _)| index).filter(|&index| far(index)));
    if chosen.len() > count {
        chosen.sort_unstable();
    }
}

/// Fills the book's slot of the chosen candidates: with its feature if the book has the move,
/// otherwise with the feature of unplayed moves.
#[inline(always)]
pub fn fill_book(sizes: Sizes, unplayed: u16, known: &[(u16, u16)], sight: &mut Sight) {
    let (slot, first) = sizes.book;
    for (&index, slots) in sight.chosen.iter().zip(sight.heavy.chunks_exact_mut(sizes.heavy)) {
        let feature = known.iter().find(|&&(at, _)| at == index);
        if let Some(place) = slots.get_mut(slot) {
            *place = first + feature.map_or(unplayed, |&(_, feature)| feature);
        }
    }
}

/// Fills `weights`, which is empty, with the weights for scores (logits). The best has 2^22, or
/// less if there are so many that their sum might not fit in 32 bits: with 2^n times 1,024 scores
/// or more, all weights are halved n + 1 times.
#[inline(always)]
pub fn weigh_scores(scores: &[i32], weights: &mut Vec<u32>) {
    let best = scores.iter().copied().max().unwrap_or(0);
    let halved = halvings(scores.len());
    let weight = |score: i32| (weight(best.saturating_sub(score)) >> halved).max(1);
    weights.extend(scores.iter().map(|&score| weight(score)));
}

/// Redistributes the chosen candidates' total weight among them, in proportion to `own`.
#[inline(always)]
pub fn share(chosen: &[u16], own: &[u32], weights: &mut [u32]) {
    let of = |weights: &[u32], index: u16| weights.get(usize::from(index)).copied().unwrap_or(0);
    let given: u64 = chosen.iter().map(|&index| u64::from(of(weights, index))).sum();
    let total: u64 = own.iter().map(|&own| u64::from(own)).sum();
    // In 2^-32. Both sums are below 2^32, and no weight is above the total: nothing overflows.
    let factor = (given << 32) / total.max(1);
    for (&index, &own) in chosen.iter().zip(own) {
        // Rounded down: the total does not increase, except for weights raised to 1.
        let weight = (u64::from(own) * factor) >> 32;
        if let Some(place) = weights.get_mut(usize::from(index)) {
            *place = u32::try_from(weight).unwrap_or(u32::MAX).max(1);
        }
    }
}

impl<G: Rules, F: Features<G>> MoveModel<G> for Gated<F> {
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
        let GatedState { features, sight, scores } = state;
        sight.clear();
        let eyes = (&self.features, &*features);
        self.gate.weigh(scores, eyes, position, candidates, weights, sight);
    }

    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>) {
        self.features.update(&mut state.features, ply);
    }
}

impl<G: Rules, F: Features<G>, L: FirstLook<G, F>> MoveModel<G> for Judged<L, F> {
    type State = JudgedState<L::State, F::State>;

    fn begin(&self, game: &G, start: &G::Position) -> Self::State {
        JudgedState {
            first: self.first.begin(game, start),
            features: self.features.begin(start),
            sight: Sight::default(),
            scratch: Scratch::default(),
            judged: Vec::new(),
            own: Vec::new(),
            known: Vec::new(),
            strayed: Strayed::default(),
        }
    }

    fn weigh(
        &self,
        state: &mut Self::State,
        position: &G::Position,
        candidates: &[G::Move],
        weights: &mut Vec<u32>,
    ) {
        natively(Weighing { policy: self, state, position, candidates, weights });
    }

    fn update(&self, state: &mut Self::State, ply: &Ply<'_, G>) {
        self.first.update(&mut state.first, ply);
        self.features.update(&mut state.features, ply);
    }
}

/// A position being weighed by a policy of two looks.
struct Weighing<'a, G: Rules, F: Features<G>, L: FirstLook<G, F>> {
    policy: &'a Judged<L, F>,
    state: &'a mut JudgedState<L::State, F::State>,
    position: &'a G::Position,
    candidates: &'a [G::Move],
    weights: &'a mut Vec<u32>,
}

impl<G: Rules, F: Features<G>, L: FirstLook<G, F>> Work for Weighing<'_, G, F, L> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let Self { policy, state, position, candidates, weights } = self;
        let JudgedState { first, features, sight, scratch, judged, own, known, strayed } = state;
        sight.clear();
        let eyes = (&policy.features, &*features);
        let scene = policy.first.weigh(first, eyes, position, candidates, weights, sight);
        known.clear();
        let unplayed = policy.book.and_then(|book| {
            let key = || policy.features.key(position);
            strayed.look(book, key, candidates.len(), known)
        });
        choose(weights, policy.least, known, &mut sight.chosen);
        if let [_] = sight.chosen[..] {
            // A single candidate would get its own weight back.
            return;
        }
        policy.features.look(features, &scene, position, candidates, sight);
        if let Some(unplayed) = unplayed {
            fill_book(F::SIZES, unplayed, known, sight);
        }
        judged.clear();
        policy.judge.score(sight, F::SIZES, scratch, judged);
        own.clear();
        weigh_scores(judged, own);
        share(&sight.chosen, own, weights);
    }
}
