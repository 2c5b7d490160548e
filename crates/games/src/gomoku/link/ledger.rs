//! `line.link` of gomoku: the gate's sums. The parts that depend on a point's surroundings are
//! kept from ply to ply; a stone changes them only for the 32 points on its lines.
//!
//! The weights equal those that the gate gives to the features of [`Eyes`](super::Eyes); the
//! trainer uses those, and a test compares the two.

use std::sync::LazyLock;

use plypack_core::policy::weigh_scores;
use plypack_core::{MoveModel, Ply, Work, natively};

use super::GATE;
use super::features::{first, light};
use super::patterns::{CLASSES, FIVE, FOUR, OPEN_FOUR, OPEN_THREE, OPEN_TWO, PATTERNS, Patterns};
use super::scene::{KEYS, PHASES, triangle};
use crate::common::spread;
use crate::gomoku::order::{NEAR, TABLES, logarithm};
use crate::gomoku::position::{POINTS_MAX, size_class};
use crate::gomoku::{Gomoku, Position, Rule, Variant};

/// The model.
#[derive(Debug)]
pub struct Link;

/// The state of a line's model.
#[derive(Clone, Debug)]
pub struct State {
    ledger: Box<Ledger>,
    /// The last four points, the latest first.
    past: [Option<u16>; 4],
    scores: Vec<i32>,
}

/// Number of codes of windows of four points on either side (`patterns`).
const CODES: usize = 6561;

/// Three to the power of a place in a window, without the point itself.
const POWERS: [u16; 8] = [1, 3, 9, 27, 81, 243, 729, 2187];

/// The four directions of lines, in columns and rows.
const STEPS: [(i32, i32); 4] = [(1, 0), (0, 1), (1, 1), (1, -1)];

/// The largest number of rows of a board.
const ROWS: usize = 20;

/// Number of differences of two places on a board, from -19 to 19.
const SPAN: usize = 2 * ROWS - 1;

/// What a window means to a colour, and its weights.
#[derive(Clone, Copy, Debug, Default)]
struct Window {
    /// The worth of its fives if the colour is to move, and if it is not.
    worth: [u32; 2],
    /// The gate's weight if the colour is to move, and if it is not.
    weight: [i8; 2],
    class: u8,
}

/// A summary of the four classes of a point.
#[derive(Clone, Copy, Debug, Default)]
struct Classes {
    best: u8,
    /// The best two: below 45.
    pair: u8,
    /// The numbers of classes of at least 2, and of open ones: below 25.
    count: u8,
}

/// The gate's weights, arranged for look-ups.
struct Tables {
    /// By rule, then by code.
    windows: [Box<[Window; CODES]>; 2],
    /// By four classes.
    classes: Vec<Classes>,
    /// By the counts of both sides.
    counts: Vec<i8>,
    /// By need, then by pairs.
    both: Vec<[i8; 45 * 45]>,
    /// By the best classes, then by a point's own.
    situation: Vec<[i8; 81]>,
    /// By table, then by the number of greater keys.
    rank: Vec<[i8; 48]>,
    /// By phase and urgency, then by the difference of keys.
    below: Vec<[i8; 32]>,
    /// By stage, then by the numbers of neighbouring stones.
    beside: [[i8; 36]; 4],
    /// For the last two points, by stage: the distance, then a point's own classes.
    near: [[Box<[[i8; 81]; 45]>; 4]; 2],
    /// For the two points before, by stage: by difference of rows, then of columns.
    far: [[Box<[[i8; SPAN]; SPAN]>; 4]; 2],
    /// By size and phase: by point.
    cells: [Vec<[i8; POINTS_MAX]>; 3],
    /// Distances, by difference of rows, then of columns.
    distances: Box<[[u8; SPAN]; SPAN]>,
}

static TABLES_OF_GATE: LazyLock<Tables> = LazyLock::new(Tables::new);

/// Returns the weight of a feature within its slot.
fn weight(slot: usize, feature: usize) -> i8 {
    GATE.weight(first(slot) + feature)
}

impl Tables {
    fn new() -> Self {
        let near = |slot: usize| {
            std::array::from_fn(|stage| {
                let row = |near: usize| {
                    std::array::from_fn(|own: usize| {
                        let most = (own / CLASSES).max(own % CLASSES);
                        weight(slot, (near * 9 + most) * 4 + stage)
                    })
                };
                Box::new(std::array::from_fn(row))
            })
        };
        let far = |slot: usize| {
            std::array::from_fn(|stage| {
                spanning(|rows, columns| weight(slot, distance(rows, columns) * 4 + stage))
            })
        };
        let cells = |board: usize| {
            let size = [15, 19, 20][board];
            let at = |phase: usize| {
                std::array::from_fn(|point| {
                    let edge = |at: usize| at.min((size - 1usize).saturating_sub(at));
                    let cell = triangle(edge(point % size), edge(point / size));
                    weight(light::CELL, (cell * 3 + board) * 12 + phase)
                })
            };
            (0..12).map(at).collect()
        };
        let row = |slot: usize, from: usize, step: usize| {
            move |place: usize| weight(slot, from + place * step)
        };
        Self {
            windows: [Rule::Freestyle, Rule::Standard].map(windows),
            classes: (0..CLASSES.pow(4)).map(Classes::of).collect(),
            counts: (0..625).map(row(light::COUNTS, 0, 1)).collect(),
            both: (0..6)
                .map(|need| std::array::from_fn(row(light::BOTH, need * 2025, 1)))
                .collect(),
            situation: (0..81)
                .map(|best| std::array::from_fn(row(light::SITUATION, best * 81, 1)))
                .collect(),
            rank: (0..TABLES)
                .map(|table| std::array::from_fn(row(light::RANK, table, TABLES)))
                .collect(),
            below: (0..24).map(|rest| std::array::from_fn(row(light::BELOW, rest, 24))).collect(),
            beside: std::array::from_fn(|stage| std::array::from_fn(row(light::BESIDE, stage, 4))),
            near: [near(light::NEAR_LAST), near(light::NEAR_OWN)],
            far: [far(light::NEAR_THIRD), far(light::NEAR_FOURTH)],
            cells: std::array::from_fn(cells),
            distances: spanning(|rows, columns| u8::try_from(distance(rows, columns)).unwrap_or(0)),
        }
    }
}

/// Builds a table by the differences of rows and columns, from -19 to 19.
fn spanning<T>(entry: impl Fn(usize, usize) -> T) -> Box<[[T; SPAN]; SPAN]> {
    let off = |place: usize| place.abs_diff(ROWS - 1);
    Box::new(std::array::from_fn(|rows| {
        std::array::from_fn(|columns| entry(off(rows), off(columns)))
    }))
}

/// Returns the number of a distance in rows and columns: below 45.
fn distance(rows: usize, columns: usize) -> usize {
    triangle(rows.min(8), columns.min(8))
}

/// Builds the windows of a rule.
fn windows(rule: Rule) -> Box<[Window; CODES]> {
    let patterns = Patterns::of(rule);
    let mut windows = Box::new([Window::default(); CODES]);
    for (code, window) in windows.iter_mut().enumerate() {
        let pattern = patterns.of_code(code);
        debug_assert!(usize::from(pattern.number) < PATTERNS);
        let weight = |slot: usize| weight(slot, pattern.number.into());
        *window = Window {
            worth: [pattern.ours, pattern.theirs],
            weight: [weight(light::OURS), weight(light::THEIRS)],
            class: pattern.class,
        };
    }
    windows
}

impl Classes {
    /// Summarises four classes, given as digits.
    fn of(number: usize) -> Self {
        let mut classes: [usize; 4] = [729, 81, 9, 1].map(|place| number / place % CLASSES);
        classes.sort_unstable_by(|a, b| b.cmp(a));
        let some = classes.iter().filter(|&&class| class >= 2).count();
        let [open_two, open_three] = [OPEN_TWO, OPEN_THREE].map(usize::from);
        let open = classes.iter().filter(|&&class| class == open_two || class >= open_three);
        let narrow = |number: usize| u8::try_from(number).unwrap_or(0);
        Self {
            best: narrow(classes[0]),
            pair: narrow(triangle(classes[0], classes[1])),
            count: narrow(some * 5 + open.count()),
        }
    }
}

/// An empty point from the point of view of one side to move.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// The weights of its windows and counts.
    sum: i16,
    key: u16,
    /// The pairs of best classes, ours and theirs.
    both: u16,
    /// The best classes, ours and theirs.
    own: u8,
    /// The numbers of neighbouring stones, ours and theirs.
    beside: u8,
}

/// A board, and the weight of each of its empty points.
#[derive(Clone, Debug)]
struct Ledger {
    size: usize,
    /// The indices of the size and of the rule in their tables.
    board: usize,
    rule: usize,
    stones: usize,
    taken: [bool; POINTS_MAX],
    /// By point and colour, the codes of the windows on the four lines.
    codes: [[[u16; 4]; 2]; POINTS_MAX],
    /// By point and colour, the number of neighbouring stones.
    beside: [[u8; 2]; POINTS_MAX],
    /// By the colour to move.
    sides: [Side; 2],
    /// By colour, the number of empty points with each best class.
    best: [[u16; CLASSES]; 2],
}

/// The board from the point of view of one side to move.
#[derive(Clone, Debug)]
struct Side {
    cells: [Cell; POINTS_MAX],
    /// The number of points with each key, and the set of keys in use.
    keys: [u16; KEYS],
    some: [u64; KEYS.div_ceil(64)],
}

/// Empty boards, in the order of [`Variant::ALL`].
static EMPTY: LazyLock<[Ledger; 6]> = LazyLock::new(|| Variant::ALL.map(Ledger::empty));

impl Ledger {
    fn empty(variant: Variant) -> Self {
        let size = usize::from(variant.size());
        let side = Side {
            cells: [Cell::default(); POINTS_MAX],
            keys: [0; KEYS],
            some: [0; KEYS.div_ceil(64)],
        };
        let mut ledger = Self {
            size,
            board: size_class(size),
            rule: usize::from(variant.rule() == Rule::Standard),
            stones: 0,
            taken: [true; POINTS_MAX],
            codes: [[[0; 4]; 2]; POINTS_MAX],
            beside: [[0; 2]; POINTS_MAX],
            sides: [side.clone(), side],
            best: [[0; CLASSES]; 2],
        };
        for point in 0..size * size {
            ledger.taken[point] = false;
            for (direction, step) in STEPS.into_iter().enumerate() {
                for off in 0..8 {
                    // Points beyond the edge are closed to both.
                    if ledger.neighbour(point, step, WINDOW[off]).is_none() {
                        for codes in &mut ledger.codes[point] {
                            codes[direction] += 2 * POWERS[off];
                        }
                    }
                }
            }
            ledger.enter(point);
        }
        ledger
    }

    /// Returns the point some steps away, if it is on the board.
    #[inline(always)]
    fn neighbour(&self, point: usize, (right, up): (i32, i32), steps: i32) -> Option<usize> {
        let place = |at: usize, step: i32| {
            let at = i32::try_from(at).unwrap_or(0) + step * steps;
            usize::try_from(at).ok().filter(|&at| at < self.size)
        };
        Some(place(point / self.size, up)? * self.size + place(point % self.size, right)?)
    }

    /// Puts a stone of a colour on an empty point.
    #[inline(always)]
    fn put(&mut self, point: usize, colour: usize) {
        if self.taken.get(point).is_none_or(|&taken| taken) {
            return;
        }
        self.leave(point);
        self.taken[point] = true;
        self.stones += 1;
        for (direction, step) in STEPS.into_iter().enumerate() {
            for off in 0..8 {
                // The stone is at place `off` of the window around this point.
                let Some(near) = self.neighbour(point, step, -WINDOW[off]) else { continue };
                let taken = self.taken[near];
                if !taken {
                    self.leave(near);
                }
                self.codes[near][colour][direction] += POWERS[off];
                self.codes[near][colour ^ 1][direction] += 2 * POWERS[off];
                self.beside[near][colour] += u8::from(WINDOW[off].abs() == 1);
                if !taken {
                    self.enter(near);
                }
            }
        }
    }

    /// Removes an empty point from the counts.
    #[inline(always)]
    fn leave(&mut self, point: usize) {
        for (colour, side) in self.sides.iter_mut().enumerate() {
            let cell = side.cells[point];
            let key = usize::from(cell.key) % KEYS;
            side.keys[key] -= 1;
            side.some[key / 64] &= !(u64::from(side.keys[key] == 0) << (key % 64));
            self.best[colour][usize::from(cell.own) / CLASSES] -= 1;
        }
    }

    /// Computes the weight of an empty point, and counts it.
    #[inline(always)]
    fn enter(&mut self, point: usize) {
        let tables = &*TABLES_OF_GATE;
        let windows = &tables.windows[self.rule];
        let looks = self.codes[point].map(|codes| {
            codes.map(|code| windows.get(usize::from(code)).copied().unwrap_or_default())
        });
        let classes = looks.each_ref().map(|look| {
            let number =
                look.iter().fold(0, |all, window| all * CLASSES + usize::from(window.class));
            tables.classes.get(number).copied().unwrap_or_default()
        });
        let beside = self.beside[point].map(|stones| stones.min(5));
        for colour in 0..2 {
            let other = colour ^ 1;
            let pairs = looks[colour].iter().zip(&looks[other]);
            let (mut worth, mut sum) = (0, 0i16);
            for (ours, theirs) in pairs {
                worth += ours.worth[0] + theirs.worth[1];
                sum += i16::from(ours.weight[0]) + i16::from(theirs.weight[1]);
            }
            let (ours, theirs) = (classes[colour], classes[other]);
            let counts = usize::from(ours.count) * 25 + usize::from(theirs.count);
            sum += i16::from(tables.counts.get(counts).copied().unwrap_or(0));
            let key = usize::try_from(logarithm(worth)).unwrap_or(0).min(KEYS - 1);
            let side = &mut self.sides[colour];
            side.cells[point] = Cell {
                sum,
                key: u16::try_from(key).unwrap_or(0),
                both: u16::from(ours.pair) * 45 + u16::from(theirs.pair),
                own: ours.best * 9 + theirs.best,
                beside: beside[colour] * 6 + beside[other],
            };
            side.keys[key] += 1;
            side.some[key / 64] |= 1 << (key % 64);
            self.best[colour][usize::from(ours.best) % CLASSES] += 1;
        }
    }

    /// Returns the best class of a colour on any empty point.
    fn best_of(&self, colour: usize) -> usize {
        self.best[colour].iter().rposition(|&count| count > 0).unwrap_or(0)
    }

    /// Fills `scores`, which is empty, with the scores of the empty points in order.
    #[inline(always)]
    fn score(&self, colour: usize, past: [Option<u16>; 4], points: &[u16], scores: &mut Vec<i32>) {
        let (gate, tables) = (&*GATE, &*TABLES_OF_GATE);
        let phase = PHASES.iter().filter(|&&least| self.stones >= least).count();
        let stage = phase / 3;
        let best = [self.best_of(colour), self.best_of(colour ^ 1)];
        let side = &self.sides[colour];
        let keys = side.weigh_keys(phase, best.iter().any(|&class| class >= usize::from(FOUR)));
        let both = &tables.both[need(best)];
        let situation = &tables.situation[best[0] * CLASSES + best[1]];
        let beside = &tables.beside[stage];
        let mut places = [0i16; POINTS_MAX];
        let cells = &tables.cells[self.board][phase];
        for (place, &cell) in places.iter_mut().zip(cells) {
            *place = cell.into();
        }
        for (table, past) in tables.far.iter().zip(&past[2..]) {
            self.add_far(&table[stage], *past, &mut places);
        }
        let distances = [0, 1].map(|place| self.distances(past[place]));
        static NONE: [[i8; 81]; 45] = [[0; 81]; 45];
        let near = [0, 1]
            .map(|place| if past[place].is_some() { &*tables.near[place][stage] } else { &NONE });
        // Written in place: the callees of `extend` would not be inlined.
        scores.resize(points.len(), 0);
        for (score, &point) in scores.iter_mut().zip(points) {
            let point = usize::from(point).min(POINTS_MAX - 1);
            let cell = side.cells[point];
            let own = usize::from(cell.own) % 81;
            let at = |place: usize| {
                let distance = usize::from(distances[place][point]) % 45;
                i32::from(near[place][distance][own])
            };
            let sum = i32::from(cell.sum)
                + i32::from(places[point])
                + i32::from(keys[usize::from(cell.key) % KEYS])
                + i32::from(both[usize::from(cell.both) % (45 * 45)])
                + i32::from(situation[own])
                + i32::from(beside[usize::from(cell.beside) % 36])
                + at(0)
                + at(1);
            *score = gate.scaled(sum);
        }
    }

    /// Adds the weight of the distance to a point.
    #[inline(always)]
    fn add_far(
        &self,
        table: &[[i8; SPAN]; SPAN],
        past: Option<u16>,
        places: &mut [i16; POINTS_MAX],
    ) {
        let Some(past) = past.map(usize::from) else { return };
        let (row, column) = ((past / self.size).min(ROWS - 1), past % self.size);
        for (places, table) in places.chunks_exact_mut(self.size).zip(&table[ROWS - 1 - row..]) {
            for (place, &weight) in places.iter_mut().zip(&table[ROWS - 1 - column..]) {
                *place += i16::from(weight);
            }
        }
    }

    /// Returns the distances of all points to one.
    #[inline(always)]
    fn distances(&self, past: Option<u16>) -> [u8; POINTS_MAX] {
        let mut distances = [0; POINTS_MAX];
        let Some(past) = past.map(usize::from) else { return distances };
        let (row, column) = ((past / self.size).min(ROWS - 1), past % self.size);
        let table = &TABLES_OF_GATE.distances[ROWS - 1 - row..];
        for (distances, table) in distances.chunks_exact_mut(self.size).zip(table) {
            distances.copy_from_slice(&table[ROWS - 1 - column..][..self.size]);
        }
        distances
    }
}

/// The steps from a point to the places of its window.
const WINDOW: [i32; 8] = [-4, -3, -2, -1, 1, 2, 3, 4];

/// Returns the most urgent need of the position, by the best classes of both sides.
fn need(best: [usize; 2]) -> usize {
    let [four, open_four, five] = [FOUR, OPEN_FOUR, FIVE].map(usize::from);
    match best {
        [ours, _] if ours == five => 0,
        [_, theirs] if theirs == five => 1,
        [ours, _] if ours == open_four => 2,
        [_, theirs] if theirs == open_four => 3,
        [ours, _] if ours == four => 4,
        _ => 5,
    }
}

impl Side {
    /// Returns the weights of the keys.
    #[inline(always)]
    fn weigh_keys(&self, phase: usize, urgent: bool) -> [i16; KEYS] {
        let tables = &*TABLES_OF_GATE;
        let best = self.descending().next().unwrap_or(0);
        let counts = NEAR.map(|near| {
            let reach = usize::try_from(near).unwrap_or(0);
            let close = self.descending().take_while(|&key| key + reach >= best);
            close.map(|key| usize::from(self.keys[key])).sum()
        });
        let rank = &tables.rank[spread::table_of(counts)];
        let below = &tables.below[phase * 2 + usize::from(urgent)];
        let mut weights = [0; KEYS];
        let mut above = 0usize;
        for key in self.descending() {
            let distance = ((best - key) / 4).min(31);
            weights[key] = i16::from(rank[above.min(47)]) + i16::from(below[distance]);
            above += usize::from(self.keys[key]);
        }
        weights
    }

    /// Iterates over the keys in use, the greatest first.
    #[inline(always)]
    fn descending(&self) -> impl Iterator<Item = usize> {
        let words = self.some.iter().enumerate().rev();
        words.flat_map(|(place, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let highest = 63usize.checked_sub(left.leading_zeros() as usize)?;
                left &= !(1 << highest);
                Some(place * 64 + highest)
            })
        })
    }
}

impl MoveModel<Gomoku> for Link {
    type State = State;

    fn begin(&self, _: &Gomoku, start: &Position) -> State {
        let place = Variant::ALL.iter().position(|&variant| variant == start.variant());
        let mut ledger = Box::new(EMPTY[place.unwrap_or(0)].clone());
        for (point, &stone) in start.points().iter().enumerate() {
            if let Some(colour) = stone.checked_sub(1) {
                ledger.put(point, usize::from(colour & 1));
            }
        }
        State { ledger, past: [None; 4], scores: Vec::with_capacity(POINTS_MAX) }
    }

    fn weigh(
        &self,
        state: &mut State,
        position: &Position,
        candidates: &[u16],
        weights: &mut Vec<u32>,
    ) {
        natively(Weighing { state, white: position.white_to_move(), candidates, weights });
    }

    fn update(&self, state: &mut State, ply: &Ply<'_, Gomoku>) {
        let [first, second, third, _] = state.past;
        state.past = [Some(ply.mv()), first, second, third];
        natively(Putting {
            ledger: &mut state.ledger,
            point: ply.mv().into(),
            colour: ply.before.white_to_move().into(),
        });
    }
}

/// The weighing of all candidates.
struct Weighing<'a> {
    state: &'a mut State,
    white: bool,
    candidates: &'a [u16],
    weights: &'a mut Vec<u32>,
}

impl Work for Weighing<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let State { ledger, past, scores } = self.state;
        scores.clear();
        ledger.score(self.white.into(), *past, self.candidates, scores);
        weigh_scores(scores, self.weights);
    }
}

/// A stone to be put on a point.
struct Putting<'a> {
    ledger: &'a mut Ledger,
    point: usize,
    colour: usize,
}

impl Work for Putting<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        self.ledger.put(self.point, self.colour);
    }
}

#[cfg(test)]
mod tests {
    use plypack_core::policy::{ByGate, Gated};
    use plypack_core::testkit::Random;
    use plypack_core::{Candidates, Rules};

    use super::*;
    use crate::gomoku::link::Eyes;

    /// Plays random games, with and without stones at the beginning; most stones are near the last.
    #[test]
    fn weights_are_those_of_the_gate() {
        let gated = Gated { features: Eyes, gate: ByGate(&GATE) };
        let mut random = Random::new(5);
        let mut below = |bound: usize| {
            usize::try_from(random.next_u64() % bound as u64).expect("a small number")
        };
        for game in 0..60 {
            let mut position = Position::empty(Variant::ALL[game % 6], game % 4 == 3);
            for _ in 0..game / 6 * 3 {
                let point = u16::try_from(below(225)).expect("a point");
                position.set(point, u8::try_from(below(3)).expect("a stone"));
            }
            let mut ours = Link.begin(&Gomoku, &position);
            let mut slow = MoveModel::<Gomoku>::begin(&gated, &Gomoku, &position);
            for ply in 0..60 {
                let (mut candidates, mut weights) = (Vec::new(), [Vec::new(), Vec::new()]);
                Gomoku.candidates(&position, &mut candidates);
                let [fast, plain] = &mut weights;
                Link.weigh(&mut ours, &position, &candidates, fast);
                gated.weigh(&mut slow, &position, &candidates, plain);
                assert_eq!(fast, plain, "game {game}, ply {ply}");
                let likely = (0..candidates.len()).max_by_key(|&index| (plain[index], index));
                let other = below(candidates.len());
                let index = if below(3) > 0 { likely.expect("a point") } else { other };
                let before = position;
                position.play(candidates[index]);
                let listed = Candidates::listed(&before, &candidates);
                let ply = Ply::new(listed, candidates[index], &position);
                Link.update(&mut ours, &ply);
                gated.update(&mut slow, &ply);
            }
        }
    }
}
