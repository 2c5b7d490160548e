//! Guesses become one by weights that answers move, as in [`mixing`](plypack_bits::mixing), in
//! numbers of 32 bits alone: a block asks some hundred questions a position.

use plypack_bits::mixing::squash;
use plypack_kernels::sums::{steer, weigh};

/// How far the logarithm of odds goes to either side, in 256ths.
pub const FAR: i32 = 12 * 256;

/// The weights of `N` guesses.
#[derive(Clone, Copy, Debug)]
pub struct Weights<const N: usize> {
    /// In 65,536ths.
    pub weights: [i32; N],
    /// How many answers they have followed, as far as that makes a difference.
    pub answers: u16,
}

/// The largest weight: 8, less what makes a sixteenth of it fit into 16 bits.
pub const WEIGHT_MAX: i32 = (8 << 16) - 16;

/// From this many answers on the rate stays as it is.
pub const ANSWERS_MAX: u16 = 400;

/// How quickly weights move, by the number of answers divided by 16.
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

/// The odds that guesses add up to by each of several sets.
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
