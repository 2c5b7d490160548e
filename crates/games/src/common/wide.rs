//! 192-bit numbers: ranks of positions have up to 160 bits, and Rust's integers end at 128.

/// An unsigned number in three limbs. Overflow wraps; callers avoid it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct U192 {
    high: u64,
    middle: u64,
    low: u64,
}

impl From<u64> for U192 {
    fn from(low: u64) -> Self {
        Self { high: 0, middle: 0, low }
    }
}

impl From<u128> for U192 {
    fn from(number: u128) -> Self {
        Self::new(0, number)
    }
}

impl U192 {
    /// Creates a number from its bits from 128 up, and those below.
    pub fn new(high: u64, low: u128) -> Self {
        Self { high, middle: upper(low), low: lower(low) }
    }

    /// Reads 20 big-endian bytes.
    pub fn from_bytes(bytes: &[u8; 20]) -> Self {
        let number = |bytes: &[u8]| bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let (high, rest) = bytes.split_at(4);
        let (middle, low) = rest.split_at(8);
        Self { high: number(high), middle: number(middle), low: number(low) }
    }

    /// Returns the lowest 160 bits as big-endian bytes.
    pub fn to_bytes(self) -> [u8; 20] {
        let mut bytes = [0; 20];
        let (high, rest) = bytes.split_at_mut(4);
        let (middle, low) = rest.split_at_mut(8);
        high.copy_from_slice(&self.high.to_be_bytes()[4..]);
        middle.copy_from_slice(&self.middle.to_be_bytes());
        low.copy_from_slice(&self.low.to_be_bytes());
        bytes
    }

    /// Returns the lowest 64 bits.
    pub fn low(self) -> u64 {
        self.low
    }

    /// Returns the lowest 128 bits.
    pub fn low_half(self) -> u128 {
        join(self.middle, self.low)
    }

    /// Returns the bits from 128 up, and those below.
    pub fn parts(self) -> (u64, u128) {
        (self.high, self.low_half())
    }

    /// Whether this is the smaller number, without branches, for binary searches.
    pub fn is_below(self, other: Self) -> bool {
        let ((high, low), (_, other_low)) = (self.parts(), other.parts());
        let (_, borrow) = low.overflowing_sub(other_low);
        u128::from(high) < u128::from(other.high) + u128::from(borrow)
    }

    pub fn plus(self, other: Self) -> Self {
        let (low, carry) = self.low_half().overflowing_add(other.low_half());
        let high = self.high.wrapping_add(other.high).wrapping_add(u64::from(carry));
        Self::new(high, low)
    }

    pub fn minus(self, other: Self) -> Self {
        let (low, borrow) = self.low_half().overflowing_sub(other.low_half());
        let high = self.high.wrapping_sub(other.high).wrapping_sub(u64::from(borrow));
        Self::new(high, low)
    }

    pub fn times(self, factor: u64) -> Self {
        let low = u128::from(self.low) * u128::from(factor);
        // A product of two limbs has room to add one more limb.
        let middle = u128::from(self.middle) * u128::from(factor) + u128::from(upper(low));
        let high = self.high.wrapping_mul(factor).wrapping_add(upper(middle));
        Self { high, middle: lower(middle), low: lower(low) }
    }

    /// Returns quotient and remainder. `divisor` must not be 0.
    pub fn divide(self, divisor: u64) -> (Self, u64) {
        let (high, rest) = (self.high / divisor, self.high % divisor);
        let (middle, rest) = divide_limb(rest, self.middle, divisor);
        let (low, rest) = divide_limb(rest, self.low, divisor);
        (Self { high, middle, low }, rest)
    }
}

/// Divides a number of two limbs by a divisor larger than its upper limb.
fn divide_limb(above: u64, limb: u64, divisor: u64) -> (u64, u64) {
    if above == 0 {
        return (limb / divisor, limb % divisor);
    }
    let quotient = lower(join(above, limb) / u128::from(divisor));
    (quotient, limb.wrapping_sub(quotient.wrapping_mul(divisor)))
}

fn join(upper: u64, lower: u64) -> u128 {
    u128::from(upper) << 64 | u128::from(lower)
}

/// Returns the lowest 64 bits of 128.
#[allow(clippy::cast_possible_truncation, reason = "this is what cuts numbers into limbs")]
pub fn lower(number: u128) -> u64 {
    number as u64
}

#[allow(clippy::cast_possible_truncation, reason = "the upper half has 64 bits")]
fn upper(number: u128) -> u64 {
    (number >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::testkit::Random;

    #[test]
    fn arithmetic_agrees_with_u128() {
        let mut random = Random::new(1);
        for _ in 0..10_000 {
            let (a, b) = (random.next_u64(), random.next_u64() | 1);
            let wide = join(a, b) >> (random.next_u64() % 128);
            let number = U192::from(wide);
            let (quotient, rest) = number.divide(b);
            assert_eq!(quotient.low_half(), wide / u128::from(b));
            assert_eq!(u128::from(rest), wide % u128::from(b));
            assert_eq!(number.plus(U192::from(a)).minus(U192::from(a)), number);
            assert_eq!(number.is_below(U192::from(a)), wide < u128::from(a));
            assert!(!number.is_below(number));
        }
    }

    #[test]
    fn all_three_limbs_are_used() {
        let mut random = Random::new(2);
        for _ in 0..10_000 {
            let [a, b, c] = [(); 3].map(|()| random.next_u64() | 1);
            let wide = U192::from(join(a, b)).times(c);
            let rest = random.next_u64() % c;
            let sum = wide.plus(U192::from(rest));
            assert_eq!(sum.divide(c), (U192::from(join(a, b)), rest));
            assert!(!sum.is_below(wide));
            assert!(wide.is_below(sum.plus(U192::from(1u64))));
            assert_eq!(sum.minus(wide), U192::from(rest));
        }
    }

    #[test]
    fn carries_and_borrows() {
        let most = U192::from(u128::MAX);
        let sum = most.plus(U192::from(2u64));
        assert_eq!(sum, U192::new(1, 1));
        assert_eq!(sum.minus(U192::from(2u64)), most);
        assert!(most < sum && U192::new(1, 0) > most);
    }

    #[test]
    fn bytes_come_back() {
        let bytes = std::array::from_fn(|place| u8::try_from(place * 13).expect("a byte"));
        assert_eq!(U192::from_bytes(&bytes).to_bytes(), bytes);
        assert_eq!(U192::from(0x0102u64).to_bytes()[17..], [0, 1, 2]);
    }
}
