//! The features of `line.fast`, computed directly. The trainer uses them, and a test compares
//! [`Fast`](super::Fast) with them.

use plypack_core::Ply;
use plypack_core::policy::{Features, Sight, Sizes, groups};

use crate::common::slots::slots;
use crate::gomoku::link::patterns::{CLASSES, PATTERNS, Patterns};
use crate::gomoku::link::scene::{PHASES as FROM, triangle};
use crate::gomoku::{Gomoku, Position};

slots! {
    /// The slots of the four lines share their features.
    slot of SLOTS {
        OURS = ("ours-row", PATTERNS),
        OURS_COLUMN = ("ours-column", 0),
        OURS_RISING = ("ours-rising", 0),
        OURS_FALLING = ("ours-falling", 0),
        THEIRS = ("theirs-row", PATTERNS),
        THEIRS_COLUMN = ("theirs-column", 0),
        THEIRS_RISING = ("theirs-rising", 0),
        THEIRS_FALLING = ("theirs-falling", 0),
        BOTH = ("both", 45 * 45),
        BEST = ("best", CLASSES * CLASSES),
        CELL = ("cell", 55 * 3 * PHASES),
        LAST = ("near-last", 55 * STAGES),
        NEAR_OWN = ("near-own", 55 * STAGES),
        NEAR_THIRD = ("near-third", 55 * STAGES),
        NEAR_FOURTH = ("near-fourth", 55 * STAGES),
    }
}

/// Number of phases of a game, by the number of stones.
pub const PHASES: usize = FROM.len() + 1;

/// Number of stages.
pub const STAGES: usize = 4;

/// Number of last moves that count.
pub const AGO: usize = 4;

/// The steps from a point to the next on its lines, in columns and rows.
pub const STEPS: [[i16; 2]; 4] = [[1, 0], [0, 1], [1, 1], [1, -1]];

/// The steps from a point to the places of its window.
pub const WINDOW: [i16; 8] = [-4, -3, -2, -1, 1, 2, 3, 4];

/// The features of `line.fast`.
#[derive(Debug)]
pub struct Eyes;

/// The last points of a line, the latest first.
pub type Past = [Option<u16>; AGO];

/// Records a move.
#[inline(always)]
pub fn follow(past: &mut Past, ply: &Ply<'_, Gomoku>) {
    let [first, second, third, _] = *past;
    *past = [Some(ply.mv()), first, second, third];
}

/// How far the game has progressed.
#[derive(Clone, Copy, Debug)]
pub struct Times {
    /// Phase, one of twelve.
    pub phase: usize,
    /// Stage, one of four, of three phases each.
    pub stage: usize,
}

impl Times {
    /// Computes both from the number of stones.
    #[inline(always)]
    pub fn new(stones: usize) -> Self {
        let phase = FROM.iter().map(|&least| usize::from(stones >= least)).sum();
        Self { phase, stage: phase / 3 }
    }
}

/// Returns the column and row `steps` steps away, if it is on a board of `size` rows.
pub fn moved(from: [usize; 2], step: [i16; 2], steps: i16, size: usize) -> Option<[usize; 2]> {
    let place = |axis: usize| {
        let at = i16::try_from(from[axis]).ok()? + step[axis] * steps;
        usize::try_from(at).ok().filter(|&at| at < size)
    };
    Some([place(0)?, place(1)?])
}

/// Returns the two greatest of four classes, as one of 45 numbers.
pub fn pair(mut classes: [usize; 4]) -> usize {
    classes.sort_unstable();
    triangle(classes[3], classes[2])
}

/// Returns the greater class of a pair.
pub fn best(pair: usize) -> usize {
    (1..CLASSES).take_while(|&class| triangle(class, 0) <= pair).count()
}

/// Returns a point's place: its distances from the edges, and the class of the board.
pub fn cell(size: usize, place: [usize; 2]) -> usize {
    let [across, up] = place.map(|at| at.min(size - 1 - at));
    let board = usize::from(size > 15) + usize::from(size > 19);
    triangle(across, up) * 3 + board
}

/// Returns the distance between points, by columns and rows: one of 55 numbers.
pub fn near(apart: [usize; 2]) -> usize {
    let [across, up] = apart.map(|far| far.min(9));
    triangle(across, up)
}

impl Features<Gomoku> for Eyes {
    type State = Past;
    type Scene = ();

    const SIZES: Sizes = Sizes { light: SLOTS, gate: groups::count(&GROUPS), ..Sizes::NONE };

    fn begin(&self, _: &Position) -> Past {
        [None; AGO]
    }

    fn update(&self, past: &mut Past, ply: &Ply<'_, Gomoku>) {
        follow(past, ply);
    }

    fn see(&self, past: &Past, position: &Position, candidates: &[u16], sight: &mut Sight) {
        sight.light.resize(candidates.len() * SLOTS, 0);
        let slots = sight.light.as_chunks_mut::<SLOTS>().0;
        let stones = position.points().iter().filter(|&&stone| stone != 0).count();
        for (&point, slots) in candidates.iter().zip(slots) {
            see(past, position, Times::new(stones), point, slots);
        }
    }
}

/// Fills the slots of a candidate.
fn see(past: &Past, position: &Position, times: Times, point: u16, slots: &mut [u16; SLOTS]) {
    let mut set = |slot: usize, feature: usize| {
        groups::set(&mut slots[slot], &GROUPS, &FIRST, slot, feature);
    };
    let Times { phase, stage } = times;
    let size = usize::from(position.variant().size());
    let place = |point: u16| [usize::from(point) % size, usize::from(point) / size];
    let here = place(point);
    let patterns = Patterns::of(position.variant().rule());
    let own = 1 + u8::from(position.white_to_move());
    let mut classes = [[0; 4]; 2];
    for (line, step) in STEPS.into_iter().enumerate() {
        let mut codes = [0; 2];
        for steps in WINDOW.into_iter().rev() {
            let stone = moved(here, step, steps, size)
                .and_then(|[column, row]| position.points().get(row * size + column));
            let digits = match stone {
                Some(0) => [0, 0],
                Some(&stone) if stone == own => [1, 2],
                Some(_) => [2, 1],
                None => [2, 2],
            };
            codes = [codes[0] * 3 + digits[0], codes[1] * 3 + digits[1]];
        }
        for (side, code) in codes.into_iter().enumerate() {
            let pattern = patterns.of_code(code);
            set([slot::OURS, slot::THEIRS][side] + line, pattern.number.into());
            classes[side][line] = pattern.class.into();
        }
    }
    let [ours, theirs] = classes.map(pair);
    set(slot::BOTH, ours * 45 + theirs);
    set(slot::BEST, best(ours) * CLASSES + best(theirs));
    set(slot::CELL, cell(size, here) * PHASES + phase);
    for (past, slot) in past.iter().zip(slot::LAST..) {
        let Some(past) = past else { continue };
        let there = place(*past);
        let apart = [0, 1].map(|axis| here[axis].abs_diff(there[axis]));
        set(slot, near(apart) * STAGES + stage);
    }
}
