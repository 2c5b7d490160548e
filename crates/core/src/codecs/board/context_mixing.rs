//! Context mixing for boards of three symbols: predicts each cell from the earlier ones, and codes
//! only the surprise. `ternary.model` and `board.model` of go are its codes.
//!
//! A cell is two questions: is it occupied, and by which of two symbols? Counters, each selected by
//! some of the neighbours, record earlier answers in that context; another follows the longest
//! repetition; mixers weigh their guesses. Whole rows that occurred before are copied, so that
//! stripes cost next to nothing. In a pile of boards of one size, the previous board and the last
//! one that began alike also serve as contexts.
//!
//! Everything is learnt from the board itself, in the same order by encoder and decoder, without a
//! table. `docs/FORMAT.md` has the numbers.

use std::collections::BTreeMap;

use crate::bits::adaptive::{Chance, Numbers};
use crate::bits::mixing::{self, Counter, Mixer};
use crate::bits::range::{Decoder, Encoder};

/// The numbers of rows and columns of a board.
#[derive(Clone, Copy, Debug)]
pub struct Sides {
    /// The number of rows, at least 1.
    pub rows: u32,
    /// The number of columns, at least 1.
    pub columns: u32,
}

/// Returns the code of a board's cells, row by row, 0 to 2 each: the output of the range coder, and
/// nothing else.
pub fn encode(sides: Sides, cells: &[u8]) -> Vec<u8> {
    let rows: Vec<&[u8]> = cells.chunks_exact(sides.columns as usize).collect();
    let mut writer = Writer(Encoder::new());
    pass(sides, &copies(&rows), cells, &mut writer);
    writer.0.finish()
}

/// Returns the cells of a board; `None` if the bytes are not a code that [`encode`] writes.
pub fn decode(sides: Sides, code: &[u8]) -> Option<Vec<u8>> {
    let mut reader = Reader { decoder: Decoder::new(code), again: Encoder::new() };
    let cells = pass(sides, &[], &[], &mut reader);
    // The range decoder reads any bytes as some board, but only one byte string is its code.
    (reader.again.finish() == code).then_some(cells)
}

/// Encodes the given cells, or decodes as many. Returns the cells.
fn pass(sides: Sides, copies: &[u32], given: &[u8], coder: &mut impl Coder) -> Vec<u8> {
    match pile_of(sides) {
        0 => Pass::<PLAIN>::new(sides, 0).code(copies, given, coder),
        pile => Pass::<PILED>::new(sides, pile).code(copies, given, coder),
    }
}

/// Boards with rows up to this long may be piles of square boards.
pub const PILE_COLUMNS: u32 = 64;

/// Returns the number of rows of each board if this board looks like a pile, otherwise 0. Short
/// rows are taken for square boards stacked on each other.
fn pile_of(Sides { rows, columns }: Sides) -> usize {
    let piled = columns <= PILE_COLUMNS && rows > columns && rows.is_multiple_of(columns);
    if piled { columns as usize } else { 0 }
}

/// Answers questions: from the board when encoding, from the code when decoding. Only an encoder
/// uses the answer passed to it.
trait Coder {
    /// Codes the answer to a question whose chance of yes is `yes` in [`mixing::ONE`].
    fn answer(&mut self, answer: bool, yes: u32) -> bool;

    /// Codes the answer to a question that learns its own chance.
    fn ask(&mut self, chance: &mut Chance, answer: bool) -> bool;

    /// Codes a number.
    fn number(&mut self, numbers: &mut Numbers, number: u32) -> u32;
}

/// Encodes a board.
struct Writer(Encoder);

impl Coder for Writer {
    fn answer(&mut self, answer: bool, yes: u32) -> bool {
        write_answer(&mut self.0, answer, yes);
        answer
    }

    fn ask(&mut self, chance: &mut Chance, answer: bool) -> bool {
        chance.encode(answer, &mut self.0);
        answer
    }

    fn number(&mut self, numbers: &mut Numbers, number: u32) -> u32 {
        numbers.encode(number, &mut self.0);
        number
    }
}

fn write_answer(encoder: &mut Encoder, answer: bool, yes: u32) {
    match answer {
        true => encoder.encode(0, yes, mixing::ONE),
        false => encoder.encode(yes, mixing::ONE - yes, mixing::ONE),
    }
}

/// Decodes a board.
struct Reader<'a> {
    decoder: Decoder<'a>,
    /// Encodes what has been decoded.
    again: Encoder,
}

impl Coder for Reader<'_> {
    fn answer(&mut self, _: bool, yes: u32) -> bool {
        let answer = self.decoder.peek(mixing::ONE) < yes;
        match answer {
            true => self.decoder.consume(0, yes, mixing::ONE),
            false => self.decoder.consume(yes, mixing::ONE - yes, mixing::ONE),
        }
        write_answer(&mut self.again, answer, yes);
        answer
    }

    fn ask(&mut self, chance: &mut Chance, _: bool) -> bool {
        let answer = { *chance }.decode(&mut self.decoder);
        chance.encode(answer, &mut self.again);
        answer
    }

    fn number(&mut self, numbers: &mut Numbers, _: u32) -> u32 {
        let number = numbers.clone().decode(&mut self.decoder);
        numbers.encode(number, &mut self.again);
        number
    }
}

/// The minimum number of rows, and of cells, copied at once: fewer are as cheap cell by cell.
const COPIED_ROWS: usize = 4;
const COPIED_CELLS: usize = 512;

/// Returns for each row the distance up to its original; 0 if its cells are to be coded.
fn copies(rows: &[&[u8]]) -> Vec<u32> {
    // The first and the last occurrence of each pair of rows.
    let mut first = BTreeMap::new();
    let mut last = BTreeMap::new();
    let mut copies = Vec::with_capacity(rows.len());
    let mut distance = 0;
    while copies.len() < rows.len() {
        let here = copies.len();
        let pair = |at: usize| (rows.get(at), rows.get(at + 1));
        let length = |from: &usize| {
            let pairs = rows.iter().skip(*from).zip(rows.iter().skip(here));
            pairs.take_while(|(a, b)| a == b).count()
        };
        let same_distance = here.checked_sub(distance).filter(|_| distance > 0);
        let sources = [last.get(&pair(here)).copied(), first.get(&pair(here)).copied()];
        let sources = sources.into_iter().chain([same_distance]).flatten();
        let longest = sources.map(|from| (length(&from), from)).max();
        let worth = |&(rows_copied, _): &(usize, usize)| {
            let columns = rows.first().map_or(0, |row| row.len());
            rows_copied >= COPIED_ROWS && rows_copied * columns >= COPIED_CELLS
        };
        let (end, step) = match longest.filter(worth) {
            Some((length, from)) => (here + length, here - from),
            None => (here + 1, 0),
        };
        if step > 0 {
            distance = step;
        }
        for at in here..end {
            first.entry(pair(at)).or_insert(at);
            last.insert(pair(at), at);
            copies.push(u32::try_from(step).unwrap_or(0));
        }
        // A row separates two copies; otherwise the second would continue the first.
        if step > 0 && end < rows.len() {
            copies.push(0);
        }
    }
    copies
}

/// Number of guesses for a cell of a plain board, and of a pile: one for each context, one by
/// repetition, and a constant one.
const PLAIN: usize = 8;
const PILED: usize = 16;

/// The symbol beyond the edges.
const OUTSIDE: u8 = 3;

/// Number of cells beyond the ends of a row that serve as contexts, and number of rows above.
const BESIDE: usize = 2;
const ABOVE: usize = 5;

/// One pass over a board, to encode or decode it.
struct Pass<const N: usize> {
    sides: Sides,
    /// Number of rows of each board of the pile; 0 without a pile.
    pile: usize,
    /// [`ABOVE`] rows of [`OUTSIDE`], then the rows so far, padded with it on both sides.
    padded: Vec<u8>,
    /// The cells so far.
    cells: Vec<u8>,
    guesser: Guesser<N>,
    repetition: Repetition,
    in_pile: InPile,
    twin: Twin,
    start_copy: Chance,
    go_on_copying: Chance,
    distances: Numbers,
}

impl<const N: usize> Pass<N> {
    fn new(sides: Sides, pile: usize) -> Self {
        let cells = u64::from(sides.rows) * u64::from(sides.columns);
        let bits = (cells.ilog2() + 2).clamp(10, 18);
        let stride = sides.columns as usize + 2 * BESIDE;
        Self {
            sides,
            pile,
            padded: vec![OUTSIDE; ABOVE * stride],
            cells: Vec::new(),
            guesser: Guesser::new(bits),
            repetition: Repetition { places: vec![0; 1 << bits], next: 0, length: 0, last: 0 },
            in_pile: InPile::default(),
            twin: Twin::new(if pile > 0 { bits + 2 } else { 0 }),
            start_copy: Chance::new(2_000, 4),
            go_on_copying: Chance::new(60_000, 4),
            distances: Numbers::default(),
        }
    }

    /// Codes all rows.
    fn code(mut self, copies: &[u32], given: &[u8], coder: &mut impl Coder) -> Vec<u8> {
        let columns = self.sides.columns as usize;
        let mut given = given.chunks_exact(columns);
        let mut copied = 0;
        for row in 0..self.sides.rows as usize {
            let given = given.next().unwrap_or_default();
            let wanted = copies.get(row).copied().unwrap_or(0);
            copied = self.copied(row, copied, wanted, coder);
            if self.pile > 0 && row % self.pile == 0 {
                self.in_pile.next_board();
                self.twin.next_board(&self.cells);
            }
            let here = self.padded.len();
            self.padded.resize(here + columns + 2 * BESIDE, OUTSIDE);
            let rows = Rows::around(row, self.pile, here, columns + 2 * BESIDE);
            if copied == 0 {
                self.code_row(&rows, given, coder);
                continue;
            }
            for column in 0..columns {
                let symbol = self.cells[self.cells.len() - copied * columns];
                self.put(&rows, column, symbol);
                self.repetition.pass(symbol);
            }
        }
        self.cells
    }

    /// Codes the distance up to the original of this row, given that of the previous row; 0 if its
    /// cells are coded.
    fn copied(&mut self, row: usize, before: usize, wanted: u32, coder: &mut impl Coder) -> usize {
        if row == 0 {
            return 0;
        }
        if before > 0 {
            let goes_on = coder.ask(&mut self.go_on_copying, wanted > 0);
            return if goes_on { before } else { 0 };
        }
        if !coder.ask(&mut self.start_copy, wanted > 0) {
            return 0;
        }
        let distance = coder.number(&mut self.distances, wanted.saturating_sub(1));
        (distance as usize + 1).min(row)
    }

    /// Appends a cell.
    fn put(&mut self, rows: &Rows, column: usize, symbol: u8) {
        self.cells.push(symbol);
        if self.pile > 0 {
            let before = self.padded[rows.before + BESIDE + column];
            self.in_pile.see(symbol, before);
            self.twin.follow(&self.cells, symbol);
        }
        self.padded[rows.here + BESIDE + column] = symbol;
    }

    fn code_row(&mut self, rows: &Rows, given: &[u8], coder: &mut impl Coder) {
        let mut near = Near::first(&self.padded, rows);
        for column in 0..self.sides.columns as usize {
            let mut contexts = [0; N];
            contexts[..6].copy_from_slice(&near.contexts());
            let expected = self.repetition.expected(&self.cells);
            let mut sets = Sets {
                certainty: expected.certainty,
                neighbours: near.west() | near.north() << 2,
                changes: 0,
            };
            if N == PILED {
                let place = rows.in_pile * self.sides.columns as usize + column;
                let place = u32::try_from(place).unwrap_or(0);
                let before = Before::new(&self.padded, rows, BESIDE + column, &near);
                let pile = &self.in_pile;
                contexts[6..13].copy_from_slice(&before.contexts(place, &near, pile));
                contexts[13] = self.twin.context(pile.more());
                sets.neighbours |= (before.same.count_ones() / 2) << 4;
                sets.changes = pile.changes() | before.center << 3;
            }
            let given = given.get(column).copied().unwrap_or(0);
            let symbol = self.guesser.code(&contexts, &expected, &sets, given, coder);
            self.put(rows, column, symbol);
            self.repetition.follow(&self.cells, symbol, expected.symbol == symbol);
            near.step(&self.padded, rows, BESIDE + column + 1, symbol);
        }
    }
}

/// The offsets of rows in the padded cells. Rows that do not exist are the padding at the
/// beginning.
struct Rows {
    here: usize,
    /// The number of the row within its board of the pile.
    in_pile: usize,
    /// The rows above, from the nearest.
    above: [usize; ABOVE],
    /// The same row of the previous board in the pile, and the rows above and below it.
    before: usize,
    above_before: usize,
    below_before: usize,
}

impl Rows {
    fn around(row: usize, pile: usize, here: usize, stride: usize) -> Self {
        let in_pile = if pile > 0 { row % pile } else { row };
        let above = [1, 2, 3, 4, 5].map(|up| if up <= in_pile { here - up * stride } else { 0 });
        let last = pile > 0 && row >= pile;
        let before = if last { here - pile * stride } else { 0 };
        let above_before = if last && in_pile > 0 { before - stride } else { 0 };
        let below_before = if last && in_pile + 1 < pile { before + stride } else { 0 };
        Self { here, in_pile, above, before, above_before, below_before }
    }
}

/// The earlier neighbours of a cell, two bits each.
struct Near {
    /// Six in the same row, the nearest lowest.
    west: u32,
    /// Five in the row above, the rightmost lowest.
    above: u32,
    /// Three in the row above that.
    above_that: u32,
    /// Five in the same column, the nearest lowest.
    column: u32,
}

impl Near {
    /// Returns the neighbours of the first cell of a row.
    fn first(padded: &[u8], rows: &Rows) -> Self {
        let join = |row: usize, cells: usize| {
            let from = row + BESIDE - cells / 2;
            padded[from..from + cells].iter().fold(0, |sum, &cell| sum << 2 | u32::from(cell))
        };
        let [above, above_that, ..] = rows.above;
        Self {
            west: (1 << 12) - 1,
            above: join(above, 5),
            above_that: join(above_that, 3),
            column: column(padded, rows, BESIDE),
        }
    }

    /// Moves on to the cell at the offset `at` of its row, past one that holds `symbol`.
    fn step(&mut self, padded: &[u8], rows: &Rows, at: usize, symbol: u8) {
        // Nothing follows the last cell of a row.
        let see = |at: usize| padded.get(at).map_or(OUTSIDE.into(), |&cell| u32::from(cell));
        let [above, above_that, ..] = rows.above;
        self.west = (self.west << 2 | u32::from(symbol)) & ((1 << 12) - 1);
        self.above = (self.above << 2 | see(above + at + 2)) & ((1 << 10) - 1);
        self.above_that = (self.above_that << 2 | see(above_that + at + 1)) & ((1 << 6) - 1);
        self.column = column(padded, rows, at);
    }

    fn west(&self) -> u32 {
        self.west & 3
    }

    fn north(&self) -> u32 {
        self.above >> 4 & 3
    }

    fn north_west(&self) -> u32 {
        self.above >> 6 & 3
    }

    fn north_east(&self) -> u32 {
        self.above >> 2 & 3
    }

    /// Returns the four nearest.
    fn four(&self) -> u32 {
        self.west() | self.north() << 2 | self.north_west() << 4 | self.north_east() << 6
    }

    fn contexts(&self) -> [u32; 6] {
        let north_2 = self.column >> 2 & 3;
        let north_3 = self.column >> 4 & 3;
        [
            self.west() | self.north() << 2,
            self.four() | (self.west >> 2 & 3) << 8 | north_2 << 10,
            self.above | (self.west & 15) << 10 | north_2 << 14,
            self.above | (self.west & 63) << 10 | self.above_that << 16 | north_3 << 22,
            self.west,
            self.column,
        ]
    }
}

/// Returns five cells up from the offset `at` of a row.
fn column(padded: &[u8], rows: &Rows, at: usize) -> u32 {
    let cells = rows.above.iter().rev().map(|row| padded.get(row + at));
    cells.fold(0, |sum, cell| sum << 2 | u32::from(*cell.unwrap_or(&OUTSIDE)))
}

/// The same cell on the previous board of the pile, and its neighbours.
struct Before {
    center: u32,
    /// The cell, and its neighbours to the right, below, to the left and above.
    five: u32,
    below_left: u32,
    below_right: u32,
    /// Which of the four nearest cells are the same there.
    same: u32,
}

impl Before {
    fn new(padded: &[u8], rows: &Rows, at: usize, near: &Near) -> Self {
        let cell = |row: usize, at: usize| u32::from(padded[row + at]);
        let (center, west) = (cell(rows.before, at), cell(rows.before, at - 1));
        let north = cell(rows.above_before, at);
        let sides = [cell(rows.before, at + 1), cell(rows.below_before, at), west, north];
        let same = u32::from(west == near.west())
            | u32::from(north == near.north()) << 1
            | u32::from(cell(rows.above_before, at - 1) == near.north_west()) << 2
            | u32::from(cell(rows.above_before, at + 1) == near.north_east()) << 3;
        Self {
            center,
            five: sides.iter().rev().fold(0, |sum, cell| sum << 2 | cell) << 2 | center,
            below_left: cell(rows.below_before, at - 1),
            below_right: cell(rows.below_before, at + 1),
            same,
        }
    }

    /// Returns the contexts of the cell at `place` on its board.
    fn contexts(&self, place: u32, near: &Near, pile: &InPile) -> [u32; 7] {
        let around = self.five | self.same << 10;
        [
            place << 8 | near.four(),
            around,
            place << 6 | self.center << 4 | self.same,
            around | self.below_right << 14 | self.below_left << 16 | near.four() << 18,
            place << 8 | (pile.stones / 2).min(255),
            self.center
                | self.same << 2
                | pile.changed.min(3) << 6
                | pile.turn << 8
                | (near.north() | near.west() << 2) << 12,
            self.center | self.same << 2 | pile.changed.min(3) << 6 | pile.more() << 8,
        ]
    }
}

/// Statistics of a board of a pile.
#[derive(Default)]
struct InPile {
    /// Number of non-empty cells so far.
    stones: u32,
    /// Number of cells that differ from the previous board.
    changed: u32,
    /// Number of cells that hold 1 minus those that hold 2.
    balance: i32,
    /// The changes in the numbers of cells that hold 1, and 2, from the same cells of the previous
    /// board.
    more: [i32; 2],
    /// The balance of the previous board, from -3 to 3, plus 4: a hint of the side to move.
    turn: u32,
}

impl InPile {
    fn next_board(&mut self) {
        let turn = u32::try_from(self.balance.clamp(-3, 3) + 4).unwrap_or(0);
        *self = Self { turn, ..Self::default() };
    }

    /// Returns the changes in the numbers of cells of either colour since the previous board, from
    /// -3 to 3.
    fn more(&self) -> u32 {
        let [a, b] = self.more.map(|more| u32::try_from(more.clamp(-3, 3) + 3).unwrap_or(0));
        a | b << 3
    }

    /// Returns how many cells differ from the previous board, and whether the numbers of stones do.
    fn changes(&self) -> u32 {
        self.changed.min(3) | u32::from(self.more != [0; 2]) << 2
    }

    /// Counts a cell that held `before` on the previous board.
    fn see(&mut self, symbol: u8, before: u8) {
        self.stones += u32::from(symbol != 0);
        self.changed += u32::from(symbol != before);
        for (more, colour) in self.more.iter_mut().zip([1, 2]) {
            *more += i32::from(symbol == colour) - i32::from(before == colour);
        }
        self.balance += [0, 1, -1][usize::from(symbol.min(2))];
    }
}

/// The last board of a pile that began like the current one.
struct Twin {
    /// By a hash of a board's cells so far: the hash, and the number of cells of the pile when it
    /// last occurred; 0 if never.
    places: Vec<(u32, u32)>,
    /// The hash of the cells so far.
    so_far: u32,
    /// The expected next cell.
    next: usize,
    /// Its symbol.
    expected: u8,
    /// Number of cells that have differed since the boards last began alike.
    misses: u32,
    /// Number of cells that have agreed since the last difference.
    hits: u32,
}

impl Twin {
    /// Creates a table of 2^`bits` places.
    fn new(bits: u32) -> Self {
        let places = vec![(0, 0); 1 << bits];
        Self { places, so_far: 0, next: 0, expected: OUTSIDE, misses: 0, hits: 0 }
    }

    /// Moves on to the first cell of the next board.
    fn next_board(&mut self, cells: &[u8]) {
        (self.so_far, self.misses, self.hits) = (0, 0, 0);
        self.look_up(cells);
    }

    /// Moves on past the last of the cells.
    fn follow(&mut self, cells: &[u8], symbol: u8) {
        if symbol == self.expected {
            self.hits += 1;
        } else {
            (self.misses, self.hits) = (self.misses + 1, 0);
        }
        let joined = self.so_far ^ (u32::from(symbol) + 1);
        self.so_far = joined.wrapping_mul(2_654_435_761).rotate_left(7);
        self.next += 1;
        self.look_up(cells);
    }

    /// Finds the twin, if there is one, and stores the current board.
    fn look_up(&mut self, cells: &[u8]) {
        let slot = slot(self.so_far, self.places.len().ilog2());
        let here = u32::try_from(cells.len()).unwrap_or(0);
        let (so_far, place) = std::mem::replace(&mut self.places[slot], (self.so_far, here));
        if so_far == self.so_far && place > 0 {
            (self.next, self.misses) = (place as usize, 0);
        }
        self.expected = cells.get(self.next).copied().unwrap_or(OUTSIDE);
    }

    /// Returns the context of the next cell; `more` describes other differences of the boards.
    fn context(&self, more: u32) -> u32 {
        let certainty = u32::BITS - self.hits.leading_zeros();
        u32::from(self.expected) | self.misses.min(7) << 2 | certainty << 5 | more << 9
    }
}

/// The minimum number of equal cells that starts a repetition.
const REPEATED: usize = 20;

/// 3^[`REPEATED`]: the bound of the last cells as a number in base 3.
const REPEATED_VALUES: u64 = 3_486_784_401;

/// The earlier cells that the latest ones repeat.
struct Repetition {
    /// By a hash of the last [`REPEATED`] cells, the number of cells when it last occurred; 0 if
    /// never.
    places: Vec<u32>,
    /// The expected next cell, if `length` is not 0.
    next: usize,
    /// Number of cells that have been as expected.
    length: usize,
    /// The last [`REPEATED`] cells as a number.
    last: u64,
}

/// A repetition's guess at a cell.
struct Expected {
    /// [`OUTSIDE`] if there is none.
    symbol: u8,
    /// The number of bits of its length, at most 15.
    certainty: u32,
}

impl Repetition {
    fn expected(&self, cells: &[u8]) -> Expected {
        let symbol = match self.length {
            0 => OUTSIDE,
            _ => cells.get(self.next).copied().unwrap_or(OUTSIDE),
        };
        Expected { symbol, certainty: (usize::BITS - self.length.leading_zeros()).min(15) }
    }

    /// Takes a cell that was copied with its row, which ends a repetition.
    fn pass(&mut self, symbol: u8) {
        self.last = (3 * self.last + u64::from(symbol)) % REPEATED_VALUES;
        self.length = 0;
    }

    /// Moves on past the last of the cells; `right` is whether it was as expected.
    fn follow(&mut self, cells: &[u8], symbol: u8, right: bool) {
        let length = if right { self.length + 1 } else { 0 };
        self.pass(symbol);
        (self.next, self.length) = (self.next + 1, length);
        if cells.len() < REPEATED {
            return;
        }
        let slot = slot((self.last & 0xffff_ffff) as u32, self.places.len().ilog2());
        let here = u32::try_from(cells.len()).unwrap_or(0);
        let place = std::mem::replace(&mut self.places[slot], here);
        if self.length == 0 && place > 0 {
            let before = cells[..place as usize].iter().rev().zip(cells.iter().rev());
            let length = before.take(32).take_while(|(a, b)| a == b).count();
            if length >= REPEATED {
                (self.next, self.length) = (place as usize, length);
            }
        }
    }
}

/// Returns the slot of a key in a table of 2^`bits`.
fn slot(key: u32, bits: u32) -> usize {
    (key.wrapping_add(1).wrapping_mul(2_654_435_761) >> (32 - bits)) as usize
}

/// Predicts symbols, and learns.
struct Guesser<const N: usize> {
    /// By context, then by its hash; a pair for the two questions.
    counters: Vec<Vec<[Counter; 2]>>,
    /// Number of bits of hashes.
    bits: u32,
    /// By the guess of the repetition.
    repeated: Vec<[Counter; 2]>,
    by_repetition: Mixer<N>,
    by_neighbours: Mixer<N>,
    by_changes: Mixer<N>,
}

/// The sets of weights that the mixers use.
struct Sets {
    /// By the certainty of the repetition.
    certainty: u32,
    /// By the nearest cells, and in a pile by how many of them are as on the previous board.
    neighbours: u32,
    /// In a pile, by the changes since the previous board, and by its symbol here.
    changes: u32,
}

/// The odds of the constant guess: e to 1.
const ALWAYS: i32 = 256;

impl<const N: usize> Guesser<N> {
    fn new(bits: u32) -> Self {
        Self {
            counters: vec![vec![[Counter::default(); 2]; 1 << bits]; N - 2],
            bits,
            repeated: vec![[Counter::default(); 2]; 4 * 16],
            by_repetition: Mixer::new(2 * 16),
            by_neighbours: Mixer::new(2 * 48),
            by_changes: Mixer::new(2 * 32),
        }
    }

    /// Encodes or decodes a symbol, and returns it.
    fn code(
        &mut self,
        contexts: &[u32; N],
        expected: &Expected,
        sets: &Sets,
        given: u8,
        coder: &mut impl Coder,
    ) -> u8 {
        let mut slots = [0; N];
        for (slot, context) in slots.iter_mut().zip(contexts) {
            *slot = self::slot(*context, self.bits);
        }
        if !self.ask(0, given != 0, &slots, expected, sets, coder) {
            return 0;
        }
        1 + u8::from(self.ask(1, given == 2, &slots, expected, sets, coder))
    }

    /// Asks whether a cell is not empty (0), and if so, whether it holds 2 (1).
    fn ask(
        &mut self,
        question: usize,
        given: bool,
        slots: &[usize; N],
        expected: &Expected,
        sets: &Sets,
        coder: &mut impl Coder,
    ) -> bool {
        let mut guesses = [0; N];
        for ((guess, counters), slot) in guesses.iter_mut().zip(&self.counters).zip(slots) {
            *guess = counters[*slot][question].guess();
        }
        // A repetition that expects an empty cell says nothing about the colour.
        let says = expected.symbol != OUTSIDE && (question == 0 || expected.symbol != 0);
        let repeated = (expected.certainty * 4 + u32::from(expected.symbol)) as usize;
        if says {
            guesses[N - 2] = self.repeated[repeated][question].guess();
        }
        guesses[N - 1] = ALWAYS;
        let mut mixers = [
            (&mut self.by_repetition, 16 * question + sets.certainty as usize),
            (&mut self.by_neighbours, 48 * question + sets.neighbours as usize),
            (&mut self.by_changes, 32 * question + sets.changes as usize),
        ];
        let odds = mixers.each_ref().map(|(mixer, set)| mixer.mix(*set, &guesses));
        let [repetition, neighbours, changes] = odds;
        let yes = mixing::squash((repetition + neighbours + 2 * changes) >> 2);
        let answer = coder.answer(given, yes);
        for ((mixer, set), odds) in mixers.iter_mut().zip(odds) {
            mixer.learn(*set, &guesses, odds, answer);
        }
        for (counters, slot) in self.counters.iter_mut().zip(slots) {
            counters[*slot][question].learn(answer);
        }
        if says {
            self.repeated[repeated][question].learn(answer);
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_rows_are_piled() {
        let pile = |rows, columns| pile_of(Sides { rows, columns });
        assert_eq!([pile(16, 8), pile(8, 8), pile(20, 8), pile(8, 16)], [8, 0, 0, 0]);
        assert_eq!([pile(128, 64), pile(130, 65)], [64, 0]);
    }

    #[test]
    fn copies_are_found() {
        let (a, b, c) = ([1; 200], [2; 200], [0; 200]);
        let find = |text: &str| {
            let row = |letter| match letter {
                'a' => &a[..],
                'b' => &b[..],
                _ => &c[..],
            };
            copies(&text.chars().map(row).collect::<Vec<_>>())
        };
        assert_eq!(find("aaaaaa"), [0, 1, 1, 1, 1, 1]);
        assert_eq!(find("abcabcabc"), [0, 0, 0, 3, 3, 3, 3, 3, 3]);
        assert_eq!(find("abcab"), [0; 5]);
        // A row separates two copies.
        assert_eq!(find("aaaaabaaaa"), [0, 1, 1, 1, 1, 0, 6, 6, 6, 6]);
        assert_eq!(find("aaaaabbbbbb"), [0, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1]);
    }
}
