//! Adaptive coding of numbers, with statistics that are learnt while coding.
//!
//! A number becomes a series of yes-or-no questions: is it zero, how many bits does it have, what
//! are they? Each question has its own probability, which follows the answers.

use crate::bits::range::{Decoder, Encoder};

/// The denominator of probabilities.
const ONE: u32 = 1 << 16;

/// The probability that the answer to a question is yes.
///
/// It moves towards each answer: quickly at first, slowly after many.
#[derive(Clone, Copy, Debug)]
pub struct Chance {
    /// Out of 65,536; never 0 or 65,536.
    yes: u16,
    /// Number of answers seen, up to [`SEEN_MAX`].
    seen: u8,
}

/// The adaptation rate stops falling after this many answers.
const SEEN_MAX: u8 = 30;

/// The lowest probability of either answer.
const LEAST: u32 = 64;

impl Chance {
    /// Returns a probability of `yes` in 65,536, with the inertia of `seen` answers: the more, the
    /// slower it moves.
    pub const fn new(yes: u16, seen: u8) -> Self {
        Self { yes, seen: if seen > SEEN_MAX { SEEN_MAX } else { seen } }
    }

    fn split(self) -> u32 {
        u32::from(self.yes).clamp(LEAST, ONE - LEAST)
    }

    fn learn(&mut self, answer: bool) {
        let target = if answer { ONE - 1 } else { 0 };
        let pace = i64::from(self.seen) + 2;
        let step = (i64::from(target) - i64::from(self.yes)) / pace;
        self.yes = u16::try_from(i64::from(self.yes) + step).unwrap_or(self.yes);
        self.seen = (self.seen + 1).min(SEEN_MAX);
    }

    /// Codes an answer and learns from it.
    pub fn encode(&mut self, answer: bool, coder: &mut Encoder) {
        let split = self.split();
        if answer {
            coder.encode(0, split, ONE);
        } else {
            coder.encode(split, ONE - split, ONE);
        }
        self.learn(answer);
    }

    /// Reads an answer and learns from it.
    pub fn decode(&mut self, coder: &mut Decoder<'_>) -> bool {
        let split = self.split();
        let answer = coder.peek(ONE) < split;
        if answer {
            coder.consume(0, split, ONE);
        } else {
            coder.consume(split, ONE - split, ONE);
        }
        self.learn(answer);
        answer
    }
}

/// The maximum number of bits of a number, minus one.
const BITS_MAX: usize = 31;

/// Number of bits after the leading one that have statistics; the others cost one bit each.
const LEARNT_BITS: usize = 2;

/// The statistics of numbers from 0 to 2^31 - 2.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// By number of bits: whether the number plus one is longer.
    longer: [Chance; BITS_MAX],
    /// The bits after the leading one, by length and by the bits before them.
    below: [[Chance; 1 << LEARNT_BITS]; BITS_MAX],
}

impl Default for Numbers {
    fn default() -> Self {
        let even = Chance::new(1 << 15, 0);
        Self { longer: [even; BITS_MAX], below: [[even; 1 << LEARNT_BITS]; BITS_MAX] }
    }
}

impl Numbers {
    /// The largest number that can be coded.
    pub const MAX: u32 = (1 << BITS_MAX) - 2;

    /// Codes a number, at most [`Numbers::MAX`], and learns from it.
    pub fn encode(&mut self, number: u32, coder: &mut Encoder) {
        let shifted = number.min(Self::MAX) + 1;
        let length = shifted.ilog2() as usize;
        for (bits, longer) in self.longer.iter_mut().enumerate().take(BITS_MAX - 1) {
            longer.encode(bits < length, coder);
            if bits == length {
                break;
            }
        }
        let mut prefix = 1;
        for below in (0..length).rev() {
            let bit = shifted >> below & 1;
            if length - below <= LEARNT_BITS {
                self.below[length][prefix].encode(bit == 1, coder);
                prefix = prefix << 1 | usize::from(bit == 1);
            } else {
                coder.encode(bit, 1, 2);
            }
        }
    }

    /// Reads a number and learns from it.
    pub fn decode(&mut self, coder: &mut Decoder<'_>) -> u32 {
        let mut length = 0;
        while length < BITS_MAX - 1 && self.longer[length].decode(coder) {
            length += 1;
        }
        let mut shifted = 1u32;
        let mut prefix = 1;
        for below in (0..length).rev() {
            let bit = if length - below <= LEARNT_BITS {
                let bit = self.below[length][prefix].decode(coder);
                prefix = prefix << 1 | usize::from(bit);
                u32::from(bit)
            } else {
                let bit = coder.peek(2);
                coder.consume(bit, 1, 2);
                bit
            };
            shifted = shifted << 1 | bit;
        }
        shifted - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(numbers: &[u32]) -> Vec<u8> {
        let mut coder = Encoder::new();
        let mut statistics = Numbers::default();
        for &number in numbers {
            statistics.encode(number, &mut coder);
        }
        coder.finish()
    }

    fn decode(code: &[u8], count: usize) -> Vec<u32> {
        let mut coder = Decoder::new(code);
        let mut statistics = Numbers::default();
        (0..count).map(|_| statistics.decode(&mut coder)).collect()
    }

    proptest! {
        #[test]
        fn round_trip(
            numbers in prop::collection::vec(prop_oneof![0u32..9, 0..=Numbers::MAX], 0..99)
        ) {
            prop_assert_eq!(decode(&encode(&numbers), numbers.len()), numbers);
        }

        #[test]
        fn any_bytes_decode(code: Vec<u8>) {
            decode(&code, 100);
        }
    }

    #[test]
    fn the_largest_number() {
        assert_eq!(decode(&encode(&[Numbers::MAX, 0]), 2), [Numbers::MAX, 0]);
    }

    #[test]
    fn what_repeats_becomes_cheap() {
        let once = encode(&[5; 10]).len();
        let often = encode(&[5; 1000]).len();
        assert!(once >= 2 && often < 25, "{once} {often}");
    }
}
