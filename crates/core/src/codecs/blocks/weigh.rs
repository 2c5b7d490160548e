//! Guesses become one by weights that answers move, as in [`mixing`](plypack_bits::mixing), in
//! numbers of 32 bits alone: a block asks some hundred questions a position.

use plypack_bits::mixing::squash;

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
    let mut place = 0;
    while place < rates.len() {
        let rate = 480 / (1 + place as i32);
        rates[place] = if rate < 20 { 20 } else { rate };
        place += 1;
    }
    rates
};

impl<const N: usize> Weights<N> {
    /// The odds that the guesses add up to.
    pub fn mix(&self, guesses: &[i32; N]) -> i32 {
        let mut sum = 0i32;
        for (&guess, &weight) in guesses.iter().zip(&self.weights) {
            sum = sum.wrapping_add(guess.wrapping_mul(weight >> 4));
        }
        (sum >> 12).clamp(-FAR, FAR)
    }

    /// Moves the weights after an answer, given the odds that they had mixed.
    pub fn learn(&mut self, guesses: &[i32; N], odds: i32, answer: bool) {
        let target = if answer { 65_535 } else { 0 };
        let rate = RATES.get(usize::from(self.answers / 16)).copied().unwrap_or(20);
        let step = ((target - squash(odds).cast_signed()) * rate) >> 6;
        for (weight, &guess) in self.weights.iter_mut().zip(guesses) {
            let moved = *weight + ((guess.wrapping_mul(step) + 8_192) >> 14);
            *weight = moved.clamp(-WEIGHT_MAX, WEIGHT_MAX);
        }
        self.answers = (self.answers + 1).min(ANSWERS_MAX);
    }
}
