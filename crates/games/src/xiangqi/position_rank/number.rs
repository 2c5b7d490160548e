//! Integers of a little more than 128 bits: there are more placements than 128 bits hold.

use super::BYTES;

/// A number below 2^192.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    high: u64,
    low: u128,
}

impl Number {
    /// Returns the bits from 128 up, and those below.
    pub fn parts(self) -> (u64, u128) {
        (self.high, self.low)
    }

    /// Returns the bits from 70 up of a number below 2^134, which are monotonic in the number.
    pub fn top(self) -> u64 {
        self.high << 58 | low_half(self.low >> 70)
    }

    /// Returns a number below 2^134 as 134 bits and two zeros.
    pub fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        let high = self.high << 2 | low_half(self.low >> 126);
        bytes[0] = (high & 0xff) as u8;
        bytes[1..].copy_from_slice(&(self.low << 2).to_be_bytes());
        bytes
    }

    /// Reads such a number; `None` if the last two bits are not zeros.
    pub fn from_bytes([first, rest @ ..]: [u8; BYTES]) -> Option<Self> {
        let rest = u128::from_be_bytes(rest);
        let low = u128::from(first & 3) << 126 | rest >> 2;
        (rest & 3 == 0).then_some(Self { high: u64::from(first >> 2), low })
    }

    pub fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.wrapping_add(other.high).wrapping_add(u64::from(carry));
        Self { high, low }
    }

    /// Returns the difference from a number that is not larger.
    pub fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.low.overflowing_sub(other.low);
        let high = self.high.wrapping_sub(other.high).wrapping_sub(u64::from(borrow));
        Self { high, low }
    }
}

impl From<u128> for Number {
    fn from(low: u128) -> Self {
        Self { high: 0, low }
    }
}

/// Returns the lower half of 128 bits.
#[allow(clippy::cast_possible_truncation, reason = "the upper half is left out on purpose")]
pub fn low_half(number: u128) -> u64 {
    number as u64
}

#[cfg(test)]
pub mod tests {
    use super::*;

    impl Number {
        /// Creates a number from its bits from 128 up, and those below.
        pub fn new(high: u64, low: u128) -> Self {
            Self { high, low }
        }
    }

    #[test]
    fn carries_and_borrows() {
        let most = Number::from(u128::MAX);
        let sum = most.plus(Number::from(2));
        assert_eq!(sum, Number::new(1, 1));
        assert_eq!(sum.minus(Number::from(2)), most);
        assert!(most < sum && Number::new(1, 0) > most);
    }

    #[test]
    fn bytes_come_back() {
        for number in [
            Number::default(),
            Number::from(1),
            Number::from(3 << 126),
            Number::new(1, 0),
            Number::new(0x3f, u128::MAX),
        ] {
            assert_eq!(Number::from_bytes(number.to_bytes()), Some(number));
        }
        assert_eq!(Number::new(1, 1).to_bytes()[..2], [4, 0]);
        assert_eq!(Number::new(1, 1).to_bytes()[16], 4);
        assert_eq!(Number::from_bytes([2; BYTES]), None);
    }
}
