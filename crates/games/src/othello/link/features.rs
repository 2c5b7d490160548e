//! The features of `line.link` of othello.
//!
//! The board is rotated so that the first move of the line was f5. The features (`scene.rs`) count
//! what a move changes.

use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Ply, Work, natively};

use super::patterns;
use super::scene::{Comparison, Scene, cell_turned, squares, turned};
use super::sums::Sums;
use crate::common::slots::slots;
use crate::common::summed::Summed;
use crate::othello::rules::moves;
use crate::othello::{Othello, Position};

slots! {
    /// The slots of both lines share their features.
    light of LIGHT {
        ROW = ("line", patterns::LINES),
        COLUMN = ("column", 0),
        TIME = ("time", 60 * 64),
        REPLY = ("reply", 64 * 64),
        CELL = ("cell", 64 * 5),
        TURNED = ("turned", 14 * 15),
        INNER = ("inner", 12 * 15),
        FRONTIER = ("frontier", 16 * 15),
        THEIRS = ("theirs", 18 * 15),
        OURS = ("ours", 18 * 15),
        THEIRS_BELOW = ("theirs-below", 10 * 8 * 5),
        BALANCE_BELOW = ("balance-below", 12 * 15),
        OPENED = ("opened", 8 * 15),
        SAFE = ("safe", 12 * 15),
        CORNER = ("corner", 9 * 3 * 2 * 2 * 5),
        CORNERS = ("corners", 3 * 2 * 3 * 3 * 5),
        REGION = ("region", 13 * 4 * 2 * 5),
        NEW = ("new", 2 * 2 * 9 * 5),
        AGE = ("age", 8 * 9 * 5),
        NEAR_LAST = ("near-last", 225 * 5),
        NEAR_BEFORE = ("near-before", 225 * 3),
        PASS = ("pass", 3 * 2 * 15),
        LATE = ("late", 2 * 17 * 13),
        ROOM = ("room", 9 * 9 * 5),
        DIRECTIONS = ("directions", 9 * 15),
    }
}

/// Returns the number of a slot's first feature.
pub(super) fn first(slot: usize) -> usize {
    FIRST[slot].into()
}

/// What the features remember of a line.
#[derive(Clone, Copy, Debug)]
pub struct State {
    /// The rotation of the board: see `turned`.
    pub turn: u8,
    /// The cells of the last move and of the one before, on the rotated board.
    pub past: [Option<u8>; 2],
    /// Where the side to move could have played before the last move, on the rotated board.
    pub earlier: u64,
    /// For Black and White, and each cell of the rotated board: the number of consecutive turns of
    /// the player on which it was a candidate that was not chosen.
    pub ages: [[u8; 64]; 2],
}

/// The features of `line.link`.
#[derive(Debug)]
pub struct Eyes;

impl Features<Othello> for Eyes {
    type State = State;
    type Scene = Scene;

    const SIZES: Sizes = Sizes { light: LIGHT, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, _: &Position) -> State {
        State { turn: 0, past: [None; 2], earlier: 0, ages: [[0; 64]; 2] }
    }

    fn see(
        &self,
        state: &State,
        position: &Position,
        candidates: &[u8],
        sight: &mut Sight,
    ) -> Scene {
        natively(Seeing { state, position, candidates, sight })
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Othello>) {
        let [black, white] = ply.before.discs();
        state.turn = turn_of(state.turn, ply);
        let seen = |set: u64| turned(set, state.turn);
        let cell = cell_turned(ply.mv(), state.turn);
        let ages = &mut state.ages[usize::from(ply.before.white_to_move())];
        let offered = seen(ply.before.moves()) & !(1 << cell);
        let mut next = [0; 64];
        for at in squares(offered) {
            next[at] = ages[at].saturating_add(1);
        }
        *ages = next;
        let sides = if ply.after.white_to_move() { [white, black] } else { [black, white] };
        let [own, other] = sides.map(seen);
        state.earlier = moves(own, other);
        state.past = [Some(cell), state.past[0]];
    }
}

/// The filling of the light slots.
struct Seeing<'a> {
    state: &'a State,
    position: &'a Position,
    candidates: &'a [u8],
    sight: &'a mut Sight,
}

impl Work for Seeing<'_> {
    type Outcome = Scene;

    #[inline(always)]
    fn run(self) -> Scene {
        let Self { state, position, candidates, sight } = self;
        let scene = Scene::new(state, position, candidates);
        sight.light.resize(candidates.len() * LIGHT, 0);
        let comparison = Comparison::new(&scene.outcomes);
        let slots = sight.light.as_chunks_mut::<LIGHT>().0;
        for (outcome, slots) in scene.outcomes.iter().zip(slots) {
            scene.see(state, &comparison, outcome, slots);
        }
        scene
    }
}

impl Summed<Othello> for Eyes {
    fn score(&self, state: &State, position: &Position, candidates: &[u8], scores: &mut Vec<i32>) {
        natively(Scoring { state, position, candidates, scores });
    }
}

/// The summing of the weights of the light features.
struct Scoring<'a> {
    state: &'a State,
    position: &'a Position,
    candidates: &'a [u8],
    scores: &'a mut Vec<i32>,
}

impl Work for Scoring<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let scene = Scene::new(self.state, self.position, self.candidates);
        let sums = Sums::new(&scene, self.state);
        // Written in place: the callees of `extend` would not be inlined.
        self.scores.resize(scene.outcomes.len(), 0);
        for (score, outcome) in self.scores.iter_mut().zip(&scene.outcomes) {
            *score = sums.score(outcome);
        }
    }
}

/// Returns the turn of the board after a move: it is set by the line's first move, if that was made
/// with four discs on the board.
#[inline(always)]
pub fn turn_of(turn: u8, ply: &Ply<'_, Othello>) -> u8 {
    let [black, white] = ply.before.discs();
    if (black | white).count_ones() != 4 {
        return turn;
    }
    let first = FIRST_MOVES.iter().position(|&cell| cell == ply.mv());
    first.map_or(0, |turn| u8::try_from(turn).unwrap_or(0))
}

/// The first moves that the turns of the board map to f5: f5, e6, c4, d3.
const FIRST_MOVES: [u8; 4] = [37, 44, 26, 19];
