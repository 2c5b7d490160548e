//! The features of `line.small` of othello.
//!
//! The board is rotated so that the first move of the line was f5. The features (`scene.rs`) count
//! what a move changes.

use plypack_core::policy::{Features, Sight, Sizes, groups};
use plypack_core::{Ply, Work, natively};

use super::patterns;
use super::scene::{Comparison, Scene, cell_turned, squares, turned};
use super::sums::Sums;
use crate::common::summed::Summed;
use crate::othello::rules::moves;
use crate::othello::{Othello, Position};

/// The groups of features, each a name and a size: none, then one group per slot. The slots of both
/// lines share their features.
pub const GROUPS: [(&str, usize); 1 + LIGHT] = [
    ("none", 1),
    ("line", patterns::LINES),
    ("column", 0),
    ("time", 60 * 64),
    ("reply", 64 * 64),
    ("cell", 64 * 5),
    ("turned", 14 * 15),
    ("inner", 12 * 15),
    ("frontier", 16 * 15),
    ("theirs", 18 * 15),
    ("ours", 18 * 15),
    ("theirs-below", 10 * 8 * 5),
    ("balance-below", 12 * 15),
    ("opened", 8 * 15),
    ("safe", 12 * 15),
    ("corner", 9 * 3 * 2 * 2 * 5),
    ("corners", 3 * 2 * 3 * 3 * 5),
    ("region", 13 * 4 * 2 * 5),
    ("new", 2 * 2 * 9 * 5),
    ("age", 8 * 9 * 5),
    ("near-last", 225 * 5),
    ("near-before", 225 * 3),
    ("pass", 3 * 2 * 15),
    ("late", 2 * 17 * 13),
    ("room", 9 * 9 * 5),
    ("directions", 9 * 15),
];

/// Number of light slots of a candidate.
pub const LIGHT: usize = 25;

/// The number of each slot's first feature.
const FIRST: [u16; LIGHT] = groups::firsts(&GROUPS);

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

/// The features of `line.small`.
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

    fn look(&self, _: &State, _: &Scene, _: &Position, _: &[u8], _: &mut Sight) {}

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

/// The light slots, in the order of their groups.
#[expect(missing_docs, reason = "the names are those of the groups")]
pub mod light {
    use super::{FIRST, GROUPS, LIGHT, groups};

    pub const ROW: usize = 0;
    pub const COLUMN: usize = 1;
    pub const TIME: usize = 2;
    pub const REPLY: usize = 3;
    pub const CELL: usize = 4;
    pub const TURNED: usize = 5;
    pub const INNER: usize = 6;
    pub const FRONTIER: usize = 7;
    pub const THEIRS: usize = 8;
    pub const OURS: usize = 9;
    pub const THEIRS_BELOW: usize = 10;
    pub const BALANCE_BELOW: usize = 11;
    pub const OPENED: usize = 12;
    pub const SAFE: usize = 13;
    pub const CORNER: usize = 14;
    pub const CORNERS: usize = 15;
    pub const REGION: usize = 16;
    pub const NEW: usize = 17;
    pub const AGE: usize = 18;
    pub const NEAR_LAST: usize = 19;
    pub const NEAR_BEFORE: usize = 20;
    pub const PASS: usize = 21;
    pub const LATE: usize = 22;
    pub const ROOM: usize = 23;
    pub const DIRECTIONS: usize = 24;

    /// Sets a slot to a feature of its group.
    #[inline(always)]
    pub fn set(slots: &mut [u16; LIGHT], slot: usize, feature: usize) {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    }
}
