//! Whole numbers of any size, with the operations needed to rank boards.

use std::cmp::Ordering;

use crate::bits::bitstring::{BitReader, BitWriter};

/// A whole number of any size.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Natural {
    /// Least significant first; the last limb is not 0.
    limbs: Vec<u32>,
}

impl From<u32> for Natural {
    fn from(value: u32) -> Self {
        let mut number = Self::default();
        number.multiply_add(0, value);
        number
    }
}

impl Natural {
    /// Multiplies by `factor` and adds `addend`.
    pub fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for limb in &mut self.limbs {
            let sum = u64::from(*limb) * u64::from(factor) + carry;
            *limb = (sum & 0xffff_ffff) as u32;
            carry = sum >> 32;
        }
        if carry > 0 {
            self.limbs.push((carry & 0xffff_ffff) as u32);
        }
        self.trim();
    }

    /// Divides by `divisor`, which must not be 0, and returns the remainder.
    pub fn divide(&mut self, divisor: u32) -> u32 {
        let divisor = u64::from(divisor.max(1));
        let mut remainder = 0u64;
        for limb in self.limbs.iter_mut().rev() {
            let dividend = remainder << 32 | u64::from(*limb);
            *limb = ((dividend / divisor) & 0xffff_ffff) as u32;
            remainder = dividend % divisor;
        }
        self.trim();
        (remainder & 0xffff_ffff) as u32
    }

    /// Adds another number.
    pub fn add(&mut self, other: &Self) {
        let length = self.limbs.len().max(other.limbs.len());
        self.limbs.resize(length, 0);
        let mut carry = 0;
        let addends = other.limbs.iter().copied().chain(std::iter::repeat(0));
        for (limb, addend) in self.limbs.iter_mut().zip(addends) {
            let sum = u64::from(*limb) + u64::from(addend) + carry;
            *limb = (sum & 0xffff_ffff) as u32;
            carry = sum >> 32;
        }
        if carry > 0 {
            self.limbs.push(1);
        }
    }

    /// Subtracts another number unless it is larger; returns whether it did.
    pub fn subtract(&mut self, other: &Self) -> bool {
        if *self < *other {
            return false;
        }
        let mut borrow = false;
        let subtrahends = other.limbs.iter().copied().chain(std::iter::repeat(0));
        for (limb, subtrahend) in self.limbs.iter_mut().zip(subtrahends) {
            let (less, first) = limb.overflowing_sub(subtrahend);
            let (less, second) = less.overflowing_sub(borrow.into());
            (*limb, borrow) = (less, first || second);
        }
        self.trim();
        true
    }

    /// Returns whether the number is 0.
    pub fn is_zero(&self) -> bool {
        self.limbs.is_empty()
    }

    /// Returns the number of bits; 0 has none.
    pub fn bits(&self) -> u32 {
        let Some(top) = self.limbs.last() else { return 0 };
        let below = u32::try_from(self.limbs.len() - 1).unwrap_or(u32::MAX);
        below.saturating_mul(32).saturating_add(32 - top.leading_zeros())
    }

    /// Appends the low `width` bits, the most significant first.
    pub fn write(&self, writer: &mut BitWriter, width: u32) {
        for place in (0..width).rev() {
            let limb = self.limbs.get(place as usize / 32).copied().unwrap_or(0);
            writer.write_bit(limb >> (place % 32) & 1 == 1);
        }
    }

    /// Takes a number of `width` bits. Returns `None` if there are fewer.
    pub fn read(reader: &mut BitReader<'_>, width: u32) -> Option<Self> {
        if reader.left() < width as usize {
            return None;
        }
        let mut limbs = vec![0u32; width.div_ceil(32) as usize];
        for place in (0..width).rev() {
            if let (true, Some(limb)) = (reader.read_bit()?, limbs.get_mut(place as usize / 32)) {
                *limb |= 1 << (place % 32);
            }
        }
        let mut number = Self { limbs };
        number.trim();
        Some(number)
    }

    fn trim(&mut self) {
        while self.limbs.last() == Some(&0) {
            self.limbs.pop();
        }
    }
}

impl PartialOrd for Natural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Natural {
    fn cmp(&self, other: &Self) -> Ordering {
        let lengths = self.limbs.len().cmp(&other.limbs.len());
        lengths.then_with(|| self.limbs.iter().rev().cmp(other.limbs.iter().rev()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn natural(value: u128) -> Natural {
        let mut number = Natural::default();
        for place in (0..4).rev() {
            number.multiply_add(1 << 31, 0);
            number.multiply_add(2, ((value >> (32 * place)) & 0xffff_ffff) as u32);
        }
        number
    }

    #[test]
    fn zero_has_no_bits() {
        assert!(Natural::from(0).is_zero());
        assert_eq!((Natural::from(0).bits(), Natural::from(1).bits()), (0, 1));
        assert_eq!(natural(1 << 32).bits(), 33);
        let mut number = natural(5);
        assert!(number.subtract(&natural(5)) && number.is_zero());
        assert!(!number.subtract(&natural(1)) && number.is_zero());
    }

    proptest! {
        #[test]
        fn it_counts_as_numbers_of_the_machine(
            a in 0..u128::MAX >> 33, b in 0..u128::MAX >> 33, c in 1..u32::MAX,
        ) {
            let mut sum = natural(a);
            sum.add(&natural(b));
            prop_assert_eq!(&sum, &natural(a + b));
            prop_assert!(sum.subtract(&natural(b)));
            prop_assert_eq!(&sum, &natural(a));
            prop_assert_eq!(natural(a).cmp(&natural(b)), a.cmp(&b));
            let mut product = natural(a);
            product.multiply_add(c, c - 1);
            prop_assert_eq!(&product, &natural(a * u128::from(c) + u128::from(c - 1)));
            prop_assert_eq!(product.divide(c), c - 1);
            prop_assert_eq!(&product, &natural(a));
            prop_assert_eq!(natural(a).bits(), 128 - a.leading_zeros());
            let mut writer = BitWriter::new();
            natural(a).write(&mut writer, 100);
            let bytes = writer.into_bytes();
            prop_assert_eq!(Natural::read(&mut BitReader::new(&bytes), 100), Some(natural(a)));
            prop_assert_eq!(Natural::read(&mut BitReader::new(&bytes), 105), None);
        }
    }
}
