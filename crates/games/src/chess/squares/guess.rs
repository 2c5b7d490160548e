//! How likely each symbol is on the next square.

use super::weights::{HIDDEN, LANES, TO_MOVE, bias, input, output_rows, outputs, row};
use super::{SYMBOLS, Seen};
use plypack_core::policy::sums::{SUMS, multiply_rows};
use plypack_core::policy::weight;

/// The largest output of a hidden unit, in 64ths.
const UNIT_MAX: i32 = 255;

/// Predicts squares, one after the other.
#[derive(Clone, Debug)]
pub struct Guess {
    /// What the inputs add to the hidden units.
    sums: [i32; HIDDEN],
    /// The rows whose facts hold for the next square.
    rows: Vec<usize>,
}

impl Guess {
    /// A predictor before the first square.
    #[must_use]
    pub fn new(black: bool) -> Self {
        let mut guess = Self { sums: [0; HIDDEN], rows: Vec::with_capacity(96) };
        if black {
            guess.add(TO_MOVE);
        }
        guess
    }

    /// Takes the symbol of the next square.
    pub fn see(&mut self, seen: &Seen, symbol: u8) {
        if let Some(man) = seen.man(symbol) {
            self.add(man);
        }
    }

    fn add(&mut self, man: usize) {
        for (sum, &weight) in self.sums.iter_mut().zip(input(man)) {
            *sum += i32::from(weight.cast_signed());
        }
    }

    /// The weights of the symbols on the next square: at least 1, at most 2^22, and 0 for a symbol
    /// that cannot stand there.
    pub fn weights(&mut self, seen: &Seen) -> [u32; SYMBOLS] {
        let square = seen.square();
        seen.rows(&mut self.rows);
        // At most 19 rows and 63 men: the sums fit into 16 bits. Rows are read with what follows
        // them, as whole vectors; the lanes behind the symbols mean nothing.
        let mut sums = [0i16; LANES];
        for &held in &self.rows {
            for (sum, &weight) in sums.iter_mut().zip(row(held)) {
                *sum += i16::from(weight.cast_signed());
            }
        }
        let mut scores: [i32; SYMBOLS] = std::array::from_fn(|symbol| sums[symbol].into());
        let mut units = [[0; SUMS]; HIDDEN / SUMS];
        let places = units.as_flattened_mut().iter_mut();
        for ((unit, &sum), &bias) in places.zip(&self.sums).zip(bias(square)) {
            // At most 255, which 16 bits hold.
            *unit = i16::try_from((sum + i32::from(bias.cast_signed())).clamp(0, UNIT_MAX))
                .unwrap_or(0);
        }
        let mut sums = [0; SYMBOLS];
        multiply_rows(&units, outputs(), &output_rows(square), &mut sums);
        for (score, sum) in scores.iter_mut().zip(sums) {
            // From 16ths and 4,096ths of a doubling to 256ths.
            *score = (*score * 256 + sum) >> 4;
        }
        let fits: [bool; SYMBOLS] = std::array::from_fn(|symbol| seen.fits(symbol));
        let best = scores.iter().zip(fits).filter(|(_, fits)| *fits).map(|(&score, _)| score).max();
        let below = |score: i32| best.unwrap_or(0).abs_diff(score);
        std::array::from_fn(|symbol| {
            if fits[symbol] {
                weight(below(scores[symbol]).try_into().unwrap_or(i32::MAX))
            } else {
                0
            }
        })
    }
}
