//! The prediction of the next symbol from the earlier positions of a block.
//!
//! Fifteen contexts of a cell, and a game's own guess, estimate the probability of an answer; two
//! sets of weights mix the estimates. After M. Mahoney's PAQ, like `ternary.model`.

use crate::bits::mixing::{Counter, squash};

use super::coder::Answers;
use super::start::{HABITS, Start};
use super::tree::{NODES_MAX, Tree};
use super::weigh::{FAR, Weights, learn, mix};
use crate::position::Counters;

/// The maximum number of positions in a block.
pub const BLOCK_MAX: usize = 256;

/// Number of contexts of a cell.
pub const CONTEXTS: usize = 15;

/// Number of guesses: the game's own, then one for each context.
pub const GUESSES: usize = CONTEXTS + 1;

/// Number of counters of each context of a cell, as a power of two.
pub const CELL_BITS: u32 = 14;

/// Number of contexts of a question.
pub const ASPECTS: usize = 3;

/// Number of counters of each context of a question, as a power of two.
pub const QUESTION_BITS: u32 = 11;

/// Number of sets of weights for questions.
pub const QUESTION_SETS: usize = 256;

/// Number of sets of weights of each node, by the agreement with a similar board.
pub const AGREEMENTS: usize = 32;

/// The symbol beyond the edge, and on boards that do not exist.
const NOTHING: u8 = 31;

/// The state of a model within one block.
#[derive(Debug)]
pub struct Model {
    tree: Tree,
    counters: Vec<Counter>,
    question_counters: Vec<Counter>,
    by_agreement: Vec<Weights<GUESSES>>,
    by_cell: Vec<Weights<GUESSES>>,
    by_question: Vec<Weights<{ ASPECTS + 1 }>>,
    /// By cell: its symbol on each board so far.
    boards: Vec<[u8; BLOCK_MAX]>,
    /// Number of positions so far.
    seen: usize,
    /// By earlier board: its similarity with the current one.
    scores: [u16; BLOCK_MAX],
    known: Counters,
    before: Counters,
    /// By question: 0, or the last answer: 1 for no, 2 for yes.
    answers: Vec<u8>,
    cells: Cells,
}

/// The current board so far.
#[derive(Debug, Default)]
struct Cells {
    symbols: Vec<u8>,
    width: usize,
    height: usize,
    scene: u64,
    /// Number of men of the first group and of the other.
    men: [u64; 2],
    /// Number of cells that differ from the previous board.
    differences: u64,
    /// The board that has most in common with the current one.
    similar: usize,
    /// Whether it differed at the last symbol.
    missed: bool,
    /// The men on this row: as a set, as a list, and their number.
    row_set: u64,
    row_list: u64,
    row_men: u64,
    /// The last men on each column.
    columns: Vec<u64>,
}

const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
const SPREAD_AGAIN: u64 = 0xbf58_476d_1ce4_e5b9;

/// Hashes a context, before the question is added.
fn spread(context: u64, number: u64) -> u64 {
    let spread = context.wrapping_mul(16).wrapping_add(number).wrapping_mul(SPREAD);
    spread ^ spread >> 32
}

/// Returns which of 2^`bits` counters belongs to a context and a question.
fn place(spread: u64, question: u64, bits: u32) -> usize {
    let place = spread.wrapping_add(question).wrapping_mul(SPREAD_AGAIN) >> (64 - bits);
    usize::try_from(place).unwrap_or(0)
}

/// Joins numbers of these widths in bits into one.
fn join<const N: usize>(parts: [(u64, u32); N]) -> u64 {
    parts.iter().fold(0, |whole, &(part, bits)| whole << bits | part)
}

/// Returns 256 times the base-2 logarithm of a number, linear between powers of two.
fn logarithm(number: u32) -> i32 {
    let number = number.max(1);
    let length = number.ilog2();
    let part = (u64::from(number) << 8 >> length).cast_signed();
    i32::try_from(part).unwrap_or(0) + (256 * length).cast_signed() - 256
}

/// Returns the log odds of `yes` out of `all`, which includes it.
fn odds(yes: u32, all: u32) -> i32 {
    let doublings = logarithm(yes) - logarithm(all.saturating_sub(yes));
    ((doublings * 177) >> 8).clamp(-FAR, FAR)
}

impl Model {
    /// Creates a model at the beginning of a block with this habit.
    pub fn new(start: &Start, habit: usize) -> Self {
        let habit = habit % HABITS;
        Self {
            tree: start.tree,
            counters: start.counters.clone(),
            question_counters: start.question_counters.clone(),
            by_agreement: start.by_agreement[habit].clone(),
            by_cell: start.by_cell[habit].clone(),
            by_question: start.by_question.clone(),
            boards: Vec::new(),
            seen: 0,
            scores: [0; BLOCK_MAX],
            known: [None; 2],
            before: [None; 2],
            answers: vec![0; 1 << QUESTION_BITS],
            cells: Cells::default(),
        }
    }

    /// Stores what this model has learnt in `start`, under its habit.
    pub fn teach(self, start: &mut Start, habit: usize) {
        let habit = habit % HABITS;
        start.counters = self.counters;
        start.question_counters = self.question_counters;
        start.by_agreement[habit] = self.by_agreement;
        start.by_cell[habit] = self.by_cell;
        start.by_question = self.by_question;
    }

    /// Begins a position.
    pub fn begin(&mut self, known: Counters) {
        self.before = std::mem::replace(&mut self.known, known);
    }

    /// Codes a yes-or-no question about the state. `chance` is its chance of yes out of 65,536, if
    /// the game knows it.
    pub fn question<A: Answers>(
        &mut self,
        coder: &mut A,
        question: u32,
        chance: Option<u32>,
        told: bool,
    ) -> bool {
        let number = u64::from(question);
        let last = place(0, number, QUESTION_BITS);
        let answered = self.answers.get(last).copied().unwrap_or(0);
        let contexts = [
            0,
            join([(answered.into(), 2), (self.step(), 5)]),
            join(
                self.known.map(|known| (known.map_or(0, |known| u64::from(known.min(62)) + 1), 6)),
            ),
        ];
        let mut guesses = [0; ASPECTS + 1];
        let mut places = [0; ASPECTS];
        guesses[0] = chance.map_or(0, |chance| odds(chance, 1 << 16));
        for (kind, &context) in contexts.iter().enumerate() {
            let spread = spread(context, kind as u64);
            places[kind] = kind << QUESTION_BITS | place(spread, number, QUESTION_BITS);
            guesses[kind + 1] = self.question_counters[places[kind]].guess();
        }
        let set = question as usize % QUESTION_SETS;
        let weights = &mut self.by_question[set];
        let [odds] = mix(&guesses, [weights]);
        let answer = coder.answer(squash(odds), told);
        learn(&guesses, [weights], [odds], answer);
        for place in places {
            self.question_counters[place].learn(answer);
        }
        if let Some(answered) = self.answers.get_mut(last) {
            *answered = 1 + u8::from(answer);
        }
        answer
    }

    /// Describes the change of the known counters since the previous position.
    fn step(&self) -> u64 {
        let [clock, number] = self.known;
        let [clock_before, number_before] = self.before;
        let number = match (number_before, number) {
            (Some(before), Some(number)) if number == before => 1,
            (Some(before), Some(number)) if number == before.saturating_add(1) => 2,
            (Some(before), Some(number)) if number < before => 3,
            (Some(_), Some(_)) => 4,
            _ => 0,
        };
        let clock = match (clock_before, clock) {
            (Some(before), Some(clock)) if clock == before.saturating_add(1) => 1,
            (Some(_), Some(0)) => 2,
            (Some(_), Some(_)) => 3,
            _ => 0,
        };
        number << 2 | clock
    }

    /// Begins a board of this many cells; `scene` is known about it, below 2.
    pub fn board(&mut self, cells: usize, scene: u64) {
        // Square boards, and boards one row higher than wide.
        let width = cells.isqrt().max(1);
        let number = self.known[1].map_or(0, |number| u64::from(number.min(31)));
        self.boards.resize(self.boards.len().max(cells), [NOTHING; BLOCK_MAX]);
        for (score, board) in self.scores.iter_mut().zip(0u16..) {
            *score = board / 64;
        }
        self.cells = Cells {
            symbols: Vec::with_capacity(cells),
            width,
            height: cells.div_ceil(width),
            scene: number << 1 | scene & 1,
            columns: vec![0; width],
            similar: self.seen.saturating_sub(1),
            ..Cells::default()
        };
    }

    /// Codes the symbol of the next cell, one of `fitting` (a bit set). `weights` are the game's
    /// guess.
    pub fn cell<A: Answers>(
        &mut self,
        coder: &mut A,
        fitting: u32,
        weights: Option<&[u32]>,
        told: u8,
    ) -> u8 {
        let (spreads, agreement) = self.contexts();
        let at = self.cells.symbols.len();
        let (mut left, mut node) = (fitting, 0);
        // The game's weights of the remaining symbols.
        let mut all = weights.map_or(0, |weights| sum_of(weights, left));
        while left & left.wrapping_sub(1) != 0 && node < NODES_MAX {
            let yes = self.tree.yes(node) & left;
            let part = weights.map_or(0, |weights| sum_of(weights, yes));
            let answer = if yes == 0 || yes == left {
                yes != 0
            } else {
                let own = weights.map_or(0, |_| odds(part, all));
                let told = yes & 1u32.checked_shl(told.into()).unwrap_or(0) != 0;
                self.ask(coder, (node, at), (&spreads, agreement), own, told)
            };
            left = if answer { yes } else { left & !yes };
            all = if answer { part } else { all.saturating_sub(part) };
            node = self.tree.next(node, answer);
        }
        let symbol = (left.trailing_zeros() % 32) as u8;
        self.push(symbol);
        symbol
    }

    fn ask<A: Answers>(
        &mut self,
        coder: &mut A,
        (node, at): (usize, usize),
        (spreads, agreement): (&[u64; CONTEXTS], usize),
        own: i32,
        told: bool,
    ) -> bool {
        let mut guesses = [0; GUESSES];
        let mut places = [0; CONTEXTS];
        guesses[0] = own;
        for (kind, &spread) in spreads.iter().enumerate() {
            places[kind] = kind << CELL_BITS | place(spread, node as u64, CELL_BITS);
            guesses[kind + 1] = self.counters[places[kind]].guess();
        }
        let (first, second) = (node * AGREEMENTS + agreement, at * NODES_MAX + node);
        if second >= self.by_cell.len() {
            self.by_cell.resize(second + 1, Start::weights());
        }
        let (first, second) = (&mut self.by_agreement[first], &mut self.by_cell[second]);
        let odds = mix(&guesses, [first, second]);
        let answer = coder.answer(squash((odds[0] + odds[1]) >> 1), told);
        learn(&guesses, [first, second], odds, answer);
        for place in places {
            self.counters[place].learn(answer);
        }
        answer
    }

    /// Returns the contexts of the next cell, and the agreement of a similar board with the cells
    /// so far.
    fn contexts(&mut self) -> ([u64; CONTEXTS], usize) {
        let cells = &mut self.cells;
        let at = cells.symbols.len();
        let (column, row) = (at % cells.width, at / cells.width);
        let boards = self.boards.get(at).unwrap_or(&[NOTHING; BLOCK_MAX]);
        let earlier = |steps: usize| {
            let board = self.seen.checked_sub(steps).and_then(|board| boards.get(board));
            u64::from(board.copied().unwrap_or(NOTHING))
        };
        let (last, last_but_one) = (earlier(1), earlier(2));
        if column == 0 || cells.missed {
            cells.similar = most(&self.scores[..self.seen.min(BLOCK_MAX)]);
        }
        let (similar, score) = match self.seen {
            0 => (u64::from(NOTHING), 0),
            _ => (u64::from(boards[cells.similar]), self.scores[cells.similar]),
        };
        let strength = u64::from((score / 16).min(15));
        let symbol = |back: usize, fits: bool| {
            let symbol = at.checked_sub(back).filter(|_| fits).and_then(|at| cells.symbols.get(at));
            u64::from(symbol.copied().unwrap_or(NOTHING))
        };
        let width = cells.width;
        let left = symbol(1, column > 0);
        let left_again = symbol(2, column > 1);
        let below = symbol(width, true);
        let below_left = symbol(width + 1, column > 0);
        let below_right = symbol(width - 1, column + 1 < width && width > 1);
        let mirrored = (cells.height - 1).saturating_sub(row);
        let mirror = symbol((row - mirrored.min(row)) * width, mirrored < row);
        let [men, others] = cells.men;
        let file = cells.columns.get(column).copied().unwrap_or(0);
        let (cell, row) = (at as u64, row as u64);
        let contexts = [
            cell,
            join([(cell, 16), (last, 5)]),
            join([(cell, 16), (similar, 5), (strength, 4)]),
            join([(last, 5), (last_but_one, 5), (cells.differences, 3)]),
            join([(cell, 16), (left, 5), (left_again, 5), (below_left, 5)]),
            join([(row, 16), (left, 5), (below, 5), (below_left, 5), (below_right, 5)]),
            join([(left, 5), (below, 5), (last, 5), (similar, 5)]),
            join([(cell, 16), (file, 24)]),
            join([(cell, 16), (last, 5), (similar, 5), (strength, 4), (cells.differences, 3)]),
            join([(cell, 16), (cells.row_set, 32)]),
            join([(cell, 16), (mirror, 5), (left, 5)]),
            join([(cell, 16), (below, 5), (cells.row_list, 32)]),
            join([(cell, 16), (men, 10), (others, 10), (cells.scene, 6)]),
            join([(cell, 16), (men, 10), (others, 10), (file, 24)]),
            join([(cell, 16), (cells.row_men, 10), (last, 5), (cells.scene, 6)]),
        ];
        let mut spreads = [0; CONTEXTS];
        for ((kind, context), out) in (0..).zip(contexts).zip(&mut spreads) {
            *out = spread(context, kind);
        }
        let agreement = usize::try_from(strength << 1).unwrap_or(0) | usize::from(last == similar);
        (spreads, agreement)
    }

    /// Appends the symbol of the next cell.
    fn push(&mut self, symbol: u8) {
        let cells = &mut self.cells;
        let at = cells.symbols.len();
        let column = at % cells.width;
        let seen = self.seen.min(BLOCK_MAX);
        if let Some(boards) = self.boards.get_mut(at) {
            let gain = if symbol == 0 { 4 } else { 8 };
            for (score, &other) in self.scores.iter_mut().zip(&*boards).take(seen) {
                *score = if other == symbol { *score + gain } else { *score - *score / 4 };
            }
            cells.missed = boards.get(cells.similar).is_some_and(|&other| other != symbol);
            let differs = seen > 0 && boards[seen - 1] != symbol;
            cells.differences = (cells.differences + u64::from(differs)).min(6);
            if let Some(place) = boards.get_mut(self.seen) {
                *place = symbol;
            }
        }
        let part = u64::from(symbol);
        let man = (part * 2 + (column as u64 & 1) + 1).wrapping_mul(SPREAD) >> 32;
        cells.row_set = (cells.row_set + man) & 0xffff_ffff;
        cells.row_list = (cells.row_list << 4 | part) & 0xffff_ffff;
        if symbol > 0 {
            cells.row_men = (cells.row_men + 1).min(1_023);
            let group = usize::from(!self.tree.is_first(symbol));
            cells.men[group] = (cells.men[group] + 1).min(1_023);
            if let Some(file) = cells.columns.get_mut(column) {
                *file = (*file << 4 | part) & 0xff_ffff;
            }
        }
        cells.symbols.push(symbol);
        if column + 1 == cells.width {
            (cells.row_set, cells.row_list, cells.row_men) = (0, 0, 0);
        }
    }

    /// Ends a position.
    pub fn end(&mut self) {
        self.seen = (self.seen + 1).min(BLOCK_MAX);
    }
}

/// Returns the last index of the maximum; 0 if there are no numbers.
fn most(scores: &[u16]) -> usize {
    let most = scores.iter().copied().max().unwrap_or(0);
    scores.iter().rposition(|&score| score == most).unwrap_or(0)
}

/// Returns the sum of the weights of these symbols, a bit set.
fn sum_of(weights: &[u32], mut symbols: u32) -> u32 {
    let mut sum = 0u32;
    while symbols != 0 {
        let symbol = symbols.trailing_zeros() as usize;
        sum = sum.saturating_add(weights.get(symbol).copied().unwrap_or(0));
        symbols &= symbols - 1;
    }
    sum
}
