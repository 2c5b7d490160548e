//! Digits of mixed radices as one whole number, in the fewest bits that hold every such number.
//!
//! Shields calls it variable base coding. The first digit is the most significant. The cost is
//! the square of the number of digits: meant for boards of a few hundred cells.

use crate::bitstring::{BitReader, BitWriter};

/// A whole number of any size, least significant limb first.
#[derive(Clone, Debug, Default)]
struct Natural(Vec<u32>);

impl Natural {
    fn multiply_add(&mut self, factor: u32, addend: u32) {
        let mut carry = u64::from(addend);
        for limb in &mut self.0 {
            let sum = u64::from(*limb) * u64::from(factor) + carry;
            *limb = (sum & 0xffff_ffff) as u32;
            carry = sum >> 32;
        }
        if carry > 0 {
            self.0.push((carry & 0xffff_ffff) as u32);
        }
    }

    /// Divides by `divisor` and gives the remainder.
    fn divide(&mut self, divisor: u32) -> u32 {
        let mut remainder = 0u64;
        for limb in self.0.iter_mut().rev() {
            let dividend = remainder << 32 | u64::from(*limb);
            let quotient = dividend / u64::from(divisor.max(1));
            *limb = (quotient & 0xffff_ffff) as u32;
            remainder = dividend % u64::from(divisor.max(1));
        }
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
        (remainder & 0xffff_ffff) as u32
    }

    /// How many bits the number has.
    fn bits(&self) -> u32 {
        let Some(top) = self.0.last() else { return 0 };
        let below = u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX);
        below.saturating_mul(32) + (32 - top.leading_zeros())
    }
}

/// The bits that hold any number with digits of these radices.
#[must_use]
pub fn width(radices: impl Iterator<Item = u32>) -> u32 {
    let mut largest = Natural::default();
    for radix in radices {
        largest.multiply_add(radix, radix.saturating_sub(1));
    }
    largest.bits()
}

/// Appends `digits`, pairs of a digit and its radix, as one number.
///
/// Digits must lie below their radices.
pub fn write(writer: &mut BitWriter, digits: impl Iterator<Item = (u32, u32)> + Clone) {
    let mut number = Natural::default();
    for (digit, radix) in digits.clone() {
        number.multiply_add(radix, digit);
    }
    let bits = width(digits.map(|(_, radix)| radix));
    for place in (0..bits).rev() {
        let limb = number.0.get(place as usize / 32).copied().unwrap_or(0);
        writer.write_bit(limb >> (place % 32) & 1 == 1);
    }
}

/// Takes digits of `radices` back. `None` if the bits end, or if the number is too large.
pub fn read(
    reader: &mut BitReader<'_>,
    radices: impl DoubleEndedIterator<Item = u32> + Clone,
) -> Option<Vec<u32>> {
    let bits = width(radices.clone());
    if reader.left() < bits as usize {
        return None;
    }
    let mut number = Natural(vec![0; bits.div_ceil(32) as usize]);
    for place in (0..bits).rev() {
        if let (true, Some(limb)) = (reader.read_bit()?, number.0.get_mut(place as usize / 32)) {
            *limb |= 1 << (place % 32);
        }
    }
    let mut digits: Vec<u32> = radices.rev().map(|radix| number.divide(radix)).collect();
    digits.reverse();
    number.0.is_empty().then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn chess_boards_take_the_bits_that_shields_says() {
        assert_eq!(width(std::iter::repeat_n(13, 64)), 237);
        let by_rank = (0..64).map(|square| if (8..56).contains(&square) { 13 } else { 11 });
        assert_eq!(width(by_rank), 233);
        assert_eq!(width(std::iter::repeat_n(3, 361)), 573);
    }

    #[test]
    fn too_large_a_number_is_refused() {
        assert_eq!(width([3, 3].into_iter()), 4);
        assert_eq!(read(&mut BitReader::new(&[0x80]), [3, 3].into_iter()), Some(vec![2, 2]));
        assert_eq!(read(&mut BitReader::new(&[0x90]), [3, 3].into_iter()), None);
        assert_eq!(read(&mut BitReader::new(&[]), [3, 3].into_iter()), None);
    }

    proptest! {
        #[test]
        fn digits_come_back(digits: Vec<(u32, u32)>) {
            let digits: Vec<(u32, u32)> =
                digits.into_iter().map(|(a, b)| (a % b.max(1), b.max(1))).collect();
            let mut writer = BitWriter::new();
            write(&mut writer, digits.iter().copied());
            let bytes = writer.into_bytes();
            let mut reader = BitReader::new(&bytes);
            let back = read(&mut reader, digits.iter().map(|digit| digit.1));
            prop_assert_eq!(back, Some(digits.iter().map(|digit| digit.0).collect::<Vec<_>>()));
            prop_assert!(reader.is_at_end());
        }
    }
}
