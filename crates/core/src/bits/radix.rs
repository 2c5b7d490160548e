//! Digits of mixed radices as one whole number, in the fewest bits that hold every such number.
//!
//! Shields calls it variable base coding. The first digit is the most significant. Time grows with
//! the square of the number of digits; this suits boards of a few hundred cells.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::natural::Natural;

/// Returns the number of bits that hold any number with digits of these radices.
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
    number.write(writer, width(digits.map(|(_, radix)| radix)));
}

/// Takes digits of `radices`. Returns `None` if the bits end, or if the number is too large.
pub fn read(
    reader: &mut BitReader<'_>,
    radices: impl DoubleEndedIterator<Item = u32> + Clone,
) -> Option<Vec<u32>> {
    let mut number = Natural::read(reader, width(radices.clone()))?;
    let mut digits: Vec<u32> = radices.rev().map(|radix| number.divide(radix)).collect();
    digits.reverse();
    number.is_zero().then_some(digits)
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
