//! A small random number generator: the same numbers everywhere for the same seed.

use plypack_core::SplitMix;
use plypack_core::key::mix;

/// A generator.
#[derive(Clone, Debug)]
pub struct Random(SplitMix);

impl Random {
    /// Creates the generator of one of many independent things: its numbers depend on the seed and
    /// on the thing, not on the thread that makes it.
    pub fn of(seed: u64, thing: u64) -> Self {
        Self(SplitMix::seeded(mix(seed) ^ thing))
    }

    /// Returns the next number.
    pub fn next(&mut self) -> u64 {
        self.0.number()
    }

    /// Returns a number below `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The high half of the product: biased by less than one in 2^64 / end.
        let product = u128::from(self.next()) * end as u128;
        usize::try_from(product >> 64).unwrap_or(0)
    }

    /// Returns this many bytes.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            bytes.extend(self.next().to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_splitmix() {
        // The published generator, seeded with 0.
        let mut random = Random(SplitMix::seeded(0));
        let numbers = [random.next(), random.next()];
        assert_eq!(numbers, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4]);
        assert_eq!(random.bytes(11).len(), 11);
    }

    #[test]
    fn everything_below_an_end_is_drawn() {
        let mut random = Random::of(1, 2);
        let drawn: std::collections::BTreeSet<usize> = (0..200).map(|_| random.below(7)).collect();
        assert!(drawn.into_iter().eq(0..7));
        assert_eq!(random.below(0), 0);
        assert_ne!(Random::of(1, 2).next(), Random::of(1, 3).next());
    }
}
