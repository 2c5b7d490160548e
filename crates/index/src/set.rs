//! A few games in ascending order, coded from the middle one outwards: none takes more bits than
//! its neighbours leave open (A. Moffat, L. Stuiver: "Binary interpolative coding for effective
//! index compression", 2000).

use std::ops::Range;

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::truncated::{self, Form};

/// Appends ascending numbers within a range; their number is known to the reader.
pub(crate) fn write(bits: &mut BitWriter, numbers: &[u32], within: Range<u32>) {
    let middle = numbers.len() / 2;
    let (before, rest) = numbers.split_at(middle);
    let Some((&number, behind)) = rest.split_first() else { return };
    let first = within.start + count(before);
    let choices = within.end - count(behind) - first;
    truncated::write(bits, number - first, choices, Form::Ascending);
    write(bits, before, within.start..number);
    write(bits, behind, number + 1..within.end);
}

/// Fills `numbers` with ascending numbers within a range; `None` if the bits have no such ones.
pub(crate) fn read(
    bits: &mut BitReader<'_>,
    numbers: &mut [u32],
    within: Range<u32>,
) -> Option<()> {
    let (before, rest) = numbers.split_at_mut(numbers.len() / 2);
    let Some((number, behind)) = rest.split_first_mut() else { return Some(()) };
    let first = within.start.checked_add(count(before))?;
    let choices = within.end.checked_sub(count(behind))?.checked_sub(first)?;
    if choices == 0 {
        return None;
    }
    let offset = truncated::read(bits, choices, Form::Ascending).filter(|&at| at < choices)?;
    *number = first + offset;
    let middle = *number;
    read(bits, before, within.start..middle)?;
    read(bits, behind, middle + 1..within.end)
}

fn count(numbers: &[u32]) -> u32 {
    u32::try_from(numbers.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn all_numbers_of_a_range_take_no_bits() {
        let mut bits = BitWriter::new();
        write(&mut bits, &[3, 4, 5, 6], 3..7);
        assert_eq!(bits.bits(), 0);
        let mut numbers = [0; 4];
        assert_eq!(read(&mut BitReader::new(&[]), &mut numbers, 3..7), Some(()));
        assert_eq!(numbers, [3, 4, 5, 6]);
        assert_eq!(read(&mut BitReader::new(&[0; 9]), &mut numbers, 3..6), None);
    }

    proptest! {
        #[test]
        fn numbers_come_back(
            numbers in proptest::collection::btree_set(0u32..5_000, 0..16),
            more in 0u32..9,
        ) {
            let numbers: Vec<u32> = numbers.into_iter().collect();
            let end = numbers.last().map_or(0, |last| last + 1) + more;
            let mut bits = BitWriter::new();
            write(&mut bits, &numbers, 0..end);
            let mut read_back = vec![0; numbers.len()];
            let bytes = bits.into_bytes();
            prop_assert_eq!(read(&mut BitReader::new(&bytes), &mut read_back, 0..end), Some(()));
            prop_assert_eq!(read_back, numbers);
        }

        #[test]
        fn hostile_bits_give_ascending_numbers_or_none(bytes: Vec<u8>, end: u32) {
            let mut numbers = [0; 7];
            if read(&mut BitReader::new(&bytes), &mut numbers, 0..end).is_some() {
                prop_assert!(numbers.is_sorted_by(|one, next| one < next) && numbers[6] < end);
            }
        }
    }
}
