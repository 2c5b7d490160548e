//! Mixes guesses with adaptive weights, as [`mixing`](crate::bits::mixing) does, but in 32-bit
//! arithmetic only: a block asks some hundred questions a position.

use crate::bits::mixing::squash;
use plypack_kernels::sums::{steer, weigh};

/// Limit of log odds in either direction, in 256ths.
pub const FAR: i32 = 12 * 256;

/// The weights of `N` guesses.
#[derive(Clone, Copy, Debug)]
pub struct Weights<const N: usize> {
    /// In 65,536ths.
    pub weights: [i32; N],
    /// Number of answers they have followed, up to where it matters.
    pub answers: u16,
}

/// The largest weight: just below 8, so that a sixteenth of it fits into 16 bits.
pub const WEIGHT_MAX: i32 = (8 << 16) - 16;

/// The learning rate stops falling after this many answers.
pub const ANSWERS_MAX: u16 = 400;

/// The learning rate, by the number of answers divided by 16.
static RATES: [i32; ANSWERS_MAX as usize / 16 + 1] = {
    let mut rates = [0; _];
    let (mut place, mut answers) = (0, 1);
    while place < rates.len() {
        let rate = 480 / answers;
        rates[place] = if rate < 20 { 20 } else { rate };
        place += 1;
        answers += 1;
    }
    rates
};

/// Returns the mixed odds of the guesses for each of several sets.
pub fn mix<const N: usize, const SETS: usize>(
    guesses: &[i32; N],
    sets: [&Weights<N>; SETS],
) -> [i32; SETS] {
    let sums = weigh(guesses, sets.map(|set| &set.weights));
    sums.map(|sum| (sum >> 12).clamp(-FAR, FAR))
}

/// Moves the weights of sets after an answer, given the odds that each had mixed.
pub fn learn<const N: usize, const SETS: usize>(
    guesses: &[i32; N],
    sets: [&mut Weights<N>; SETS],
    odds: [i32; SETS],
    answer: bool,
) {
    let target = if answer { 65_535 } else { 0 };
    let mut steps = [0; SETS];
    for ((step, set), odds) in steps.iter_mut().zip(&sets).zip(odds) {
        let rate = RATES.get(usize::from(set.answers / 16)).copied().unwrap_or(20);
        *step = ((target - squash(odds).cast_signed()) * rate) >> 6;
    }
    let weights = sets.map(|set| {
        set.answers = (set.answers + 1).min(ANSWERS_MAX);
        &mut set.weights
    });
    steer(guesses, weights, steps, WEIGHT_MAX);
}
