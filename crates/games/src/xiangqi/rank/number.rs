//! Whole numbers a little larger than 128 bits: there are more placements than those hold.

/// A number below 2^192.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    high: u64,
    low: u128,
}

impl Number {
    pub fn new(high: u64, low: u128) -> Self {
        Self { high, low }
    }

    /// The bits from 128 up, and those below.
    pub fn parts(self) -> (u64, u128) {
        (self.high, self.low)
    }

    pub fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        let high = self.high.wrapping_add(other.high).wrapping_add(u64::from(carry));
        Self { high, low }
    }

    /// The difference from a number that is not larger.
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

/// The lower half of 128 bits.
#[allow(clippy::cast_possible_truncation, reason = "the upper half is left out on purpose")]
pub fn low_half(number: u128) -> u64 {
    number as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn carries_and_borrows() {
        let most = Number::from(u128::MAX);
        let sum = most.plus(Number::from(2));
        assert_eq!(sum, Number::new(1, 1));
        assert_eq!(sum.minus(Number::from(2)), most);
        assert!(most < sum && Number::new(1, 0) > most);
    }
}
