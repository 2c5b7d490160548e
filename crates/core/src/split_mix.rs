//! Reproducible random numbers: the same on every machine and in every version.

use crate::key::{STEP, mix};

/// SplitMix64 (G. Steele, D. Lea, C. Flood: "Fast splittable pseudorandom number generators",
/// 2014).
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Creates the generator with this seed, whose numbers are those of other implementations.
    #[must_use]
    pub const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    /// Creates generator `number` of a seed. The generators of a seed are unrelated, so that draws
    /// for different purposes are independent.
    pub const fn new(seed: u64, number: u64) -> Self {
        Self(mix(mix(seed) ^ number))
    }

    /// Returns the next number.
    pub const fn number(&mut self) -> u64 {
        let number = mix(self.0);
        self.0 = self.0.wrapping_add(STEP);
        number
    }

    /// Returns a number below `end`, or 0 if that is 0: the upper half of the next number times
    /// `end`, without its lower half.
    pub fn below(&mut self, end: u32) -> u32 {
        let product = (self.number() >> 32) * u64::from(end);
        u32::try_from(product >> 32).unwrap_or(0)
    }

    /// Returns at least `count` bytes, eight of each number, most significant first.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count.next_multiple_of(8));
        while bytes.len() < count {
            bytes.extend(self.number().to_be_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_paper() {
        // The first numbers of SplitMix64 with the seed 0, according to other implementations.
        let mut random = SplitMix::seeded(0);
        assert_eq!(
            [random.number(), random.number(), random.number()],
            [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]
        );
        assert_eq!(
            SplitMix::seeded(0).bytes(9)[..9],
            [0xe2, 0x20, 0xa8, 0x39, 0x7b, 0x1d, 0xcd, 0xaf, 0x6e]
        );
    }

    #[test]
    fn numbers_stay_below_their_end() {
        let mut random = SplitMix::new(1, 2);
        let mut seen = [0; 6];
        (0..600).for_each(|_| seen[random.below(6) as usize] += 1);
        assert!(seen.iter().all(|&count| count > 60), "{seen:?}");
        assert_eq!((random.below(0), random.below(1)), (0, 0));
    }
}
