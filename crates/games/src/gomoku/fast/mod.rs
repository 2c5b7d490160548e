//! `line.fast` of gomoku: points are weighed by the stones on the four lines through them and by
//! the last moves.
//!
//! The features ([`features`]) cost a few look-ups per point. [`Fast`] takes short cuts: the
//! weights of the lines through a point are kept from ply to ply, and changed for the 32 points on
//! the lines of a new stone; the weights of the last moves are added up by rows of points.

pub mod features;

use std::sync::LazyLock;

use plypack_core::policy::Gate;
use plypack_core::{MoveModel, Ply, Work, natively};
use plypack_tables::gomoku::FAST_GATE;

use super::link::patterns::{CLASSES, Patterns};
use super::position::size_class;
use super::{Gomoku, Position, Rule, Variant};
use crate::common::weights::{Glance, Weighing, Weights, weigh_at_a_glance};
use features::{
    AGO, FIRST, PHASES, Past, STAGES, STEPS, Times, WINDOW, best, cell, follow, moved, near, pair,
    slot,
};

/// The gate of `line.fast`.
pub static GATE: LazyLock<Gate> = LazyLock::new(|| Gate::read(FAST_GATE).unwrap_or_default());

/// The model.
#[derive(Debug)]
pub struct Fast;

/// The state of a line's model, and scratch memory.
#[derive(Clone, Debug)]
pub struct State {
    ledger: Box<Ledger>,
    past: Past,
    /// By candidate.
    sums: Vec<i16>,
}

/// Number of codes of windows of four points on either side.
const CODES: usize = 6561;

/// Three to the power of a place in a window.
const POWERS: [u16; 8] = [1, 3, 9, 27, 81, 243, 729, 2187];

/// The largest number of rows of a board.
const ROWS: usize = 20;

/// Places per row of points: two blocks of 16, so that rows are added up without a remainder.
const WIDTH: usize = 32;

/// Number of points added up at once.
const BLOCK: usize = 16;

/// Number of places of a board, rounded up to a power of two, so that indices need no check.
const PLACES: usize = (ROWS * WIDTH).next_power_of_two();

/// A row of weights by the column difference from the last move, which is in the middle.
type Span = [i8; ROWS + WIDTH];

/// A window from a colour's point of view in one number, for a single look-up: its weight if the
/// colour is to move and if it is not, each plus [`BIAS`], in 12 bits each, and its class above
/// them.
type Window = u32;

/// Keeps weights above 0; sums of four lines still fit 12 bits.
const BIAS: i16 = 128;

/// The bits of a weight, or of a sum of four.
const WEIGHT: u32 = 0xfff;

/// The gate's weights, arranged for look-ups.
struct Tables {
    /// By rule, then by code.
    windows: [Box<[Window; CODES]>; 2],
    /// By four classes: the best two, as one of 45 numbers.
    pairs: Box<[u8; CODES]>,
    /// By the pair of the side to move, then by the other side's.
    both: Box<[[i16; 64]; 64]>,
    /// By the move's age and stage: by difference of rows, then of columns.
    near: Vec<[Span; 2 * ROWS - 1]>,
    /// By class of the size and phase: by place.
    cells: [Vec<[i8; PLACES]>; 3],
    weights: Weights,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables::of(&GATE));

impl Tables {
    fn of(gate: &Gate) -> Self {
        let weight = |slot: usize, feature: usize| gate.weight(usize::from(FIRST[slot]) + feature);
        let windows = |rule: Rule| {
            let patterns = Patterns::of(rule);
            let mut windows = Box::new([0; CODES]);
            for (code, window) in windows.iter_mut().enumerate() {
                let pattern = patterns.of_code(code);
                let number = pattern.number.into();
                let [ours, theirs] = [slot::OURS, slot::THEIRS]
                    .map(|slot| u32::from((i16::from(weight(slot, number)) + BIAS).unsigned_abs()));
                *window = ours | theirs << 12 | u32::from(pattern.class) << 24;
            }
            windows
        };
        let classes = |number: usize| [1, 9, 81, 729].map(|place| number / place % CLASSES);
        let mut both = Box::new([[0; 64]; 64]);
        for number in 0..45 * 45 {
            let (ours, theirs) = (number / 45, number % 45);
            both[ours][theirs] = i16::from(weight(slot::BOTH, number))
                + i16::from(weight(slot::BEST, best(ours) * CLASSES + best(theirs)));
        }
        let spans = |number: usize| {
            let (ago, stage) = (number / STAGES, number % STAGES);
            std::array::from_fn(|rows| {
                std::array::from_fn(|columns| {
                    let apart = [rows, columns].map(|off| off.abs_diff(ROWS - 1));
                    weight(slot::LAST + ago, near(apart) * STAGES + stage)
                })
            })
        };
        let cells = |size: usize, phase: usize| {
            let mut cells = [0; PLACES];
            for point in 0..size * size {
                let [row, column] = [point / size, point % size];
                cells[row * WIDTH + column] =
                    weight(slot::CELL, cell(size, [row, column]) * PHASES + phase);
            }
            cells
        };
        let of_size = |size: usize| (0..PHASES).map(|phase| cells(size, phase)).collect();
        Self {
            windows: [Rule::Freestyle, Rule::Standard].map(windows),
            pairs: Box::new(std::array::from_fn(|number| {
                u8::try_from(pair(classes(number))).unwrap_or(0)
            })),
            both,
            near: (0..AGO * STAGES).map(spans).collect(),
            cells: [15, 19, 20].map(of_size),
            weights: Weights::of(gate),
        }
    }
}

/// The state of a point, empty or not.
#[derive(Clone, Copy, Debug, Default)]
struct Point {
    /// By line, the codes of its window for Black and for White.
    codes: [[u16; 2]; 4],
    /// The classes of the four lines for Black and for White, as digits.
    classes: [u16; 2],
    /// The weights of the lines for Black and for White, as in a window.
    lines: [u32; 2],
}

/// A board, and the weights of the lines through each of its points.
#[derive(Clone, Debug)]
struct Ledger {
    size: usize,
    /// The rule's index in the tables.
    rule: usize,
    stones: usize,
    /// By place.
    points: [Point; PLACES],
    /// If Black is to move, and if White is: by place, the weights of lines and classes.
    views: [[i16; PLACES]; 2],
    /// By point, its place.
    places: [u16; ROWS * ROWS],
}

/// Empty boards, in the order of [`Variant::ALL`].
static EMPTY: LazyLock<[Ledger; 6]> = LazyLock::new(|| Variant::ALL.map(Ledger::empty));

impl Ledger {
    fn empty(variant: Variant) -> Self {
        let tables = &*TABLES;
        let size = usize::from(variant.size());
        let place = |point: usize| u16::try_from(point / size * WIDTH + point % size).unwrap_or(0);
        let mut ledger = Self {
            size,
            rule: usize::from(variant.rule() == Rule::Standard),
            stones: 0,
            points: [Point::default(); PLACES],
            views: [[0; PLACES]; 2],
            places: std::array::from_fn(place),
        };
        for at in (0..PLACES).filter(|at| at / WIDTH < size && at % WIDTH < size) {
            // Lines without stones or edges have a weight, too.
            let nothing = tables.windows[ledger.rule][0];
            (0..4).for_each(|line| ledger.points[at].tell(line, [0; 2], [nothing; 2]));
            for (line, step) in STEPS.into_iter().enumerate() {
                for (steps, power) in WINDOW.into_iter().zip(POWERS) {
                    if moved([at % WIDTH, at / WIDTH], step, steps, size).is_none() {
                        // Points beyond the edge are closed to both.
                        ledger.show(tables, at, line, [2 * power; 2]);
                    }
                }
            }
            ledger.view(tables, at);
        }
        ledger
    }

    /// Puts a stone of a colour on a point.
    #[inline(always)]
    fn put(&mut self, point: u16, white: bool) {
        let tables = &*TABLES;
        let at = usize::from(self.places.get(usize::from(point)).copied().unwrap_or(0));
        let (row, column) = (at / WIDTH, at % WIDTH);
        let [left, below] = [column.min(4), row.min(4)];
        let [right, above] = [column, row].map(|at| self.size.saturating_sub(at + 1).min(4));
        self.stones += 1;
        // By line, the step to the next place, and the number of points before the stone and after
        // it. The falling line goes down to the right.
        let lines = [
            (1, left, right),
            (WIDTH, below, above),
            (WIDTH + 1, left.min(below), right.min(above)),
            (1usize.wrapping_sub(WIDTH), left.min(above), right.min(below)),
        ];
        for (line, (step, before, behind)) in lines.into_iter().enumerate() {
            let shown = |power: u16| if white { [2 * power, power] } else { [power, 2 * power] };
            // For the point just before the stone, the stone is the first place after it.
            for far in 1..=before {
                let near = at.wrapping_sub(far.wrapping_mul(step));
                self.show(tables, near, line, shown(POWERS[3 + far]));
            }
            for far in 1..=behind {
                let near = at.wrapping_add(far.wrapping_mul(step));
                self.show(tables, near, line, shown(POWERS[4 - far]));
            }
        }
    }

    /// Adds to the codes of a line through a point.
    #[inline(always)]
    fn show(&mut self, tables: &Tables, at: usize, line: usize, added: [u16; 2]) {
        let windows = &tables.windows[self.rule % 2];
        let window = |code: u16| windows.get(usize::from(code)).copied().unwrap_or_default();
        let point = &mut self.points[at % PLACES];
        let old = point.codes[line];
        let new = [old[0] + added[0], old[1] + added[1]];
        point.codes[line] = new;
        point.tell(line, old.map(window), new.map(window));
        self.view(tables, at);
    }

    /// Computes the weight of a point.
    #[inline(always)]
    fn view(&mut self, tables: &Tables, at: usize) {
        let point = self.points[at % PLACES];
        let pair = |classes: u16| tables.pairs.get(usize::from(classes)).copied().unwrap_or(0);
        let [black, white] = point.classes.map(|classes| usize::from(pair(classes) % 64));
        // The bias of eight lines is the same for all points, so it changes nothing.
        let ours = point.lines.map(|lines| (lines & WEIGHT) as i16);
        let theirs = point.lines.map(|lines| (lines >> 12 & WEIGHT) as i16);
        self.views[0][at % PLACES] = ours[0] + theirs[1] + tables.both[black][white];
        self.views[1][at % PLACES] = ours[1] + theirs[0] + tables.both[white][black];
    }
}

impl Point {
    /// Replaces what a line means to Black and to White.
    #[inline(always)]
    fn tell(&mut self, line: usize, old: [Window; 2], new: [Window; 2]) {
        let digit = [1, 9, 81, 729][line];
        for side in 0..2 {
            let (old, new) = (old[side], new[side]);
            // Below 16.
            let [classed, before] = [new, old].map(|window| digit * (window >> 24) as u16);
            // Negative only between the two operations.
            self.classes[side] = self.classes[side].wrapping_add(classed).wrapping_sub(before);
            let [weighs, weighed] = [new, old].map(|window| window & 0xff_ffff);
            self.lines[side] = self.lines[side].wrapping_add(weighs).wrapping_sub(weighed);
        }
    }
}

impl MoveModel<Gomoku> for Fast {
    type State = State;

    fn begin(&self, _: &Gomoku, start: &Position) -> State {
        let place = Variant::ALL.iter().position(|&variant| variant == start.variant());
        let mut ledger = Box::new(EMPTY[place.unwrap_or(0)].clone());
        for (point, &stone) in (0..).zip(start.points()) {
            if stone != 0 {
                ledger.put(point, stone == 2);
            }
        }
        State { ledger, past: [None; AGO], sums: Vec::with_capacity(ROWS * ROWS) }
    }

    weigh_at_a_glance!(Gomoku);

    fn update(&self, state: &mut State, ply: &Ply<'_, Gomoku>) {
        follow(&mut state.past, ply);
        natively(Putting {
            ledger: &mut state.ledger,
            point: ply.mv(),
            white: ply.before.white_to_move(),
        });
    }
}

/// A stone to be put on a point.
struct Putting<'a> {
    ledger: &'a mut Ledger,
    point: u16,
    white: bool,
}

impl Work for Putting<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        self.ledger.put(self.point, self.white);
    }
}

impl Glance<Gomoku> for Fast {
    type Memory = State;

    #[inline(always)]
    fn glance(
        State { ledger, past, sums }: &mut State,
        position: &Position,
        candidates: &[u16],
        weights: &mut Vec<u32>,
    ) {
        let tables = &*TABLES;
        let all = ledger.sums(tables, past, position.white_to_move());
        // Written in place: `extend` would not be inlined.
        sums.clear();
        sums.resize(candidates.len(), 0);
        for (&point, sum) in candidates.iter().zip(sums.iter_mut()) {
            let place = ledger.places.get(usize::from(point)).copied().unwrap_or(0);
            *sum = all[usize::from(place) % PLACES];
        }
        tables.weights.weigh(sums.iter().copied(), candidates.len(), weights);
    }
}

/// No weights, for missing moves.
static NONE: [Span; 2 * ROWS - 1] = [[0; ROWS + WIDTH]; 2 * ROWS - 1];

impl Ledger {
    /// Returns the weights of all points, by place.
    #[inline(always)]
    fn sums(&self, tables: &Tables, past: &Past, white: bool) -> [i16; PLACES] {
        let Times { phase, stage } = Times::new(self.stones);
        let mut sums = [0; PLACES];
        let view = &self.views[usize::from(white)];
        let Some(cells) = tables.cells[size_class(self.size)].get(phase) else { return sums };
        let spans: [(&[Span; 2 * ROWS - 1], usize, usize); AGO] = std::array::from_fn(|ago| {
            let Some(past) = past[ago].map(usize::from) else { return (&NONE, 0, 0) };
            let spans = tables.near.get(ago * STAGES + stage).unwrap_or(&NONE);
            (spans, (past / self.size).min(ROWS - 1), past % self.size)
        });
        for row in 0..self.size.min(ROWS) {
            let from = row * WIDTH;
            let rows = spans.map(|(spans, past, column)| {
                let row = &spans[(ROWS - 1 + row - past) % (2 * ROWS - 1)];
                &row[ROWS - 1 - column % ROWS..]
            });
            for block in (0..self.size).step_by(BLOCK) {
                let at = (from + block) % PLACES;
                let sum = &mut sums[at..at + BLOCK];
                let (view, cells) = (&view[at..at + BLOCK], &cells[at..at + BLOCK]);
                let [last, own, third, fourth] = rows.map(|row| &row[block..block + BLOCK]);
                for lane in 0..BLOCK {
                    sum[lane] = view[lane]
                        + i16::from(cells[lane])
                        + i16::from(last[lane])
                        + i16::from(own[lane])
                        + i16::from(third[lane])
                        + i16::from(fourth[lane]);
                }
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common::checksum::fnv1a;
    use crate::common::weights::plain;
    use plypack_core::testkit::Random;
    use plypack_core::{Candidates, Rules};

    #[test]
    fn the_table_is_whole_and_unchanged() {
        assert!(Gate::read(FAST_GATE).is_some() && FAST_GATE.len() <= 50_000);
        assert_eq!(fnv1a(*FAST_GATE), 0x1455_a3c5_9f9a_0279);
    }

    /// Plays random games, with and without stones at the beginning; most moves are the likeliest
    /// ones.
    #[test]
    fn short_cuts_lead_to_the_same_weights() {
        let mut random = Random::new(6);
        let mut below = |bound: usize| {
            usize::try_from(random.next_u64() % bound as u64).expect("a small number")
        };
        for game in 0..60 {
            let mut position = Position::empty(Variant::ALL[game % 6], game % 4 == 3);
            for _ in 0..game / 6 * 3 {
                let point = u16::try_from(below(225)).expect("a point");
                position.set(point, u8::try_from(below(3)).expect("a stone"));
            }
            let mut fast = Fast.begin(&Gomoku, &position);
            for _ in 0..80 {
                let (mut candidates, mut weights) = (Vec::new(), Vec::new());
                Gomoku.candidates(&position, &mut candidates);
                Fast.weigh(&mut fast, &position, &candidates, &mut weights);
                assert_eq!(
                    weights,
                    plain((&features::Eyes, &GATE), &fast.past, &position, &candidates),
                    "game {game}"
                );
                let likely = (0..candidates.len()).max_by_key(|&index| (weights[index], index));
                let other = below(candidates.len());
                let index = if below(3) > 0 { likely.expect("a point") } else { other };
                let before = position;
                position.play(candidates[index]);
                let listed = Candidates::listed(&before, &candidates);
                Fast.update(&mut fast, &Ply::new(listed, candidates[index], &position));
            }
        }
    }
}
