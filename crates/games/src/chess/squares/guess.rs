//! The likelihood of each symbol on the next square.

use super::weights::{HIDDEN, TO_MOVE, bias, input, output_rows, outputs, rows_of};
use super::{SYMBOLS, Seen};
use plypack_core::policy::narrow::{LANES, add_rows};
use plypack_core::policy::sums::{SUMS, multiply_rows};
use plypack_core::policy::weight;
use plypack_core::{Work, natively};

/// The largest output of a hidden unit, in 64ths.
const UNIT_MAX: i16 = 255;

/// Predicts squares, one after the other.
#[derive(Clone, Debug)]
pub struct Guess {
    /// What the inputs add to the hidden units: 64 men at most, so 16 bits suffice.
    sums: [i16; HIDDEN],
}

impl Guess {
    /// A predictor before the first square.
    #[inline(always)]
    pub fn new(black: bool) -> Self {
        let mut guess = Self { sums: [0; HIDDEN] };
        if black {
            guess.add(TO_MOVE);
        }
        guess
    }

    /// Takes the symbol of the next square.
    #[inline(always)]
    pub fn see(&mut self, seen: &Seen, symbol: u8) {
        if let Some(man) = seen.man(symbol) {
            self.add(man);
        }
    }

    #[inline(always)]
    fn add(&mut self, man: usize) {
        for (sum, &weight) in self.sums.iter_mut().zip(input(man)) {
            *sum = sum.wrapping_add(weight.cast_signed().into());
        }
    }

    /// Returns the weights of the symbols on the next square: at least 1, at most 2^22, and 0 for a
    /// symbol that cannot stand there.
    pub fn weights(&self, seen: &Seen) -> [u32; SYMBOLS] {
        natively(Weighing { guess: self, seen })
    }

    /// The same, for callers that already run natively.
    #[inline(always)]
    pub fn weights_inlined(&self, seen: &Seen) -> [u32; SYMBOLS] {
        let square = seen.square();
        let mut units = [[0; SUMS]; HIDDEN / SUMS];
        let places = units.as_flattened_mut().iter_mut();
        for ((unit, &sum), &bias) in places.zip(&self.sums).zip(bias(square)) {
            *unit = sum.wrapping_add(bias.cast_signed().into()).clamp(0, UNIT_MAX);
        }
        let mut sums = [0; LANES];
        multiply_rows(&units, outputs(), &output_rows(square), &mut sums[..SYMBOLS]);
        let held = held(seen);
        // From 16ths and 4,096ths of a doubling to 256ths. Impossible symbols are far below all
        // others.
        let mut scores = [OUT; LANES];
        for symbol in 0..SYMBOLS {
            let score = (i32::from(held[symbol]) * 256 + sums[symbol]) >> 4;
            scores[symbol] = if seen.fits(symbol) { score } else { OUT };
        }
        let best = scores.iter().copied().fold(OUT, i32::max);
        std::array::from_fn(|symbol| {
            let score = scores[symbol];
            if score > OUT { weight(best - score) } else { 0 }
        })
    }
}

/// Below all scores.
const OUT: i32 = i32::MIN / 2;

/// Returns the sums of the rows that hold for the next square. Rows are read with what follows
/// them, as whole vectors; the lanes beyond the symbols have no meaning.
#[inline(always)]
fn held(seen: &Seen) -> [i16; LANES] {
    let (mut numbers, mut count) = ([0u16; ROWS_MAX], 0);
    seen.each_row(|row| {
        if let Some(number) = numbers.get_mut(count) {
            *number = u16::try_from(row).unwrap_or(u16::MAX);
            count += 1;
        }
    });
    // At most 19 rows and 63 men: the sums fit into 16 bits.
    let mut sums = [0; LANES];
    add_rows(&mut sums, rows_of(seen.square()), numbers.get(..count).unwrap_or_default());
    sums
}

/// A strict upper bound on the number of rows that hold for a square.
const ROWS_MAX: usize = 96;

/// Weighs the symbols of the next square.
struct Weighing<'a> {
    guess: &'a Guess,
    seen: &'a Seen,
}

impl Work for Weighing<'_> {
    type Outcome = [u32; SYMBOLS];

    #[inline(always)]
    fn run(self) -> [u32; SYMBOLS] {
        self.guess.weights_inlined(self.seen)
    }
}
