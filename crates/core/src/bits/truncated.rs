//! Truncated binary codes: one of `count` equally likely numbers in the fewest whole bits.
//!
//! With `2^f` the largest power of two up to `count`, there are `2^(f + 1) - count` short words of
//! `f` bits, for the lowest numbers, and the others have one bit more. These are the lengths of a
//! Huffman code of equal frequencies.

use crate::bits::bitstring::{BitReader, BitWriter};

/// How words are assigned to numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Ascending, as usual: a long word is the number plus the count of the short words.
    Ascending,
    /// As in HullQin's article on the bits of a xiangqi board: a number below `2^f` is itself in
    /// `f` bits, then a 0; any other is the number `count - 2^f` below it in `f` bits, then a 1.
    Suffixed,
}

/// Appends `number`, which must be below `count`.
pub fn write(out: &mut BitWriter, number: u32, count: u32, form: Form) {
    let Lengths { floor, short } = Lengths::of(count);
    if number < short {
        out.write(number.into(), floor);
        return;
    }
    match form {
        Form::Ascending => out.write(u64::from(number) + u64::from(short), floor + 1),
        Form::Suffixed => {
            let beyond = u64::from(number) >> floor != 0;
            let below = if beyond { count - (1 << floor) } else { 0 };
            out.write((number - below).into(), floor);
            out.write_bit(beyond);
        }
    }
}

/// Takes a number below `count`. Returns `None` if the bits end inside it.
#[inline(always)]
pub fn read(bits: &mut BitReader<'_>, count: u32, form: Form) -> Option<u32> {
    let Lengths { floor, short } = Lengths::of(count);
    if let (Some(word), Form::Ascending) = (bits.peek(floor + 1), form) {
        // Branch-free, because which words are long is unpredictable.
        let word = u32::try_from(word).ok()?;
        let long = u32::from(word >> 1 >= short);
        bits.skip(floor + long);
        return Some((word >> (1 - long)) - long * short);
    }
    let head = u32::try_from(bits.read(floor)?).ok()?;
    if head < short {
        return Some(head);
    }
    let last = u32::from(bits.read_bit()?);
    Some(match form {
        // At most 2 (2^f - 1) + 1 - short, which is count - 1.
        Form::Ascending => head - short + head + last,
        Form::Suffixed => head + last * (count - (1 << floor)),
    })
}

/// The lengths of the words.
struct Lengths {
    /// Number of bits of a short word; the others have one more.
    floor: u32,
    /// Number of short words: all of them if `count` is a power of two.
    short: u32,
}

impl Lengths {
    fn of(count: u32) -> Self {
        let floor = count.max(1).ilog2();
        let beyond = count.max(1) - (1 << floor);
        Self { floor, short: (1 << floor) - beyond }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn word(number: u32, count: u32, form: Form) -> String {
        let mut out = BitWriter::new();
        write(&mut out, number, count, form);
        let bits = out.bits();
        let bytes = out.into_bytes();
        let mut reader = BitReader::new(&bytes);
        (0..bits).map(|_| if reader.read_bit() == Some(true) { '1' } else { '0' }).collect()
    }

    fn words(count: u32, form: Form) -> Vec<String> {
        (0..count).map(|number| word(number, count, form)).collect()
    }

    #[test]
    fn hullqins_ten_candidates() {
        assert_eq!(
            words(10, Form::Suffixed),
            ["000", "001", "010", "011", "100", "101", "1100", "1110", "1101", "1111"]
        );
        assert_eq!(
            words(10, Form::Ascending),
            ["000", "001", "010", "011", "100", "101", "1100", "1101", "1110", "1111"]
        );
    }

    #[test]
    fn hullqins_counts_have_the_bits_of_his_tables() {
        // From his tables of logarithms: 48 takes 5 to 6 bits, though his sum says 4 to 5.
        for (count, fewest, most) in [
            (1, 0, 0),
            (2, 1, 1),
            (3, 1, 2),
            (4, 2, 2),
            (6, 2, 3),
            (8, 3, 3),
            (10, 3, 4),
            (17, 4, 5),
            (48, 5, 6),
            (91, 6, 7),
        ] {
            for form in [Form::Ascending, Form::Suffixed] {
                let words = words(count, form);
                let lengths: Vec<usize> = words.iter().map(String::len).collect();
                assert!(lengths.is_sorted(), "{count}");
                assert_eq!((lengths[0], lengths[lengths.len() - 1]), (fewest, most), "{count}");
            }
        }
    }

    #[test]
    fn every_string_of_bits_has_a_meaning() {
        for count in 1..200 {
            for form in [Form::Ascending, Form::Suffixed] {
                let length = |word: &String| u32::try_from(word.len()).expect("a short word");
                let all: u32 = words(count, form).iter().map(|word| 1 << (8 - length(word))).sum();
                assert_eq!(all, 1 << 8, "{count}");
            }
        }
    }

    #[test]
    fn cut_words_are_refused() {
        for form in [Form::Ascending, Form::Suffixed] {
            assert_eq!(read(&mut BitReader::new(&[]), 2, form), None);
            assert_eq!(read(&mut BitReader::new(&[]), 1, form), Some(0));
            let mut bits = BitReader::new(&[0b0000_0110]);
            assert_eq!(bits.read(5), Some(0));
            assert_eq!(read(&mut bits, 10, form), None);
        }
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<(u32, u32)>) {
            for form in [Form::Ascending, Form::Suffixed] {
                let mut out = BitWriter::new();
                for &(number, count) in &numbers {
                    write(&mut out, number % count.max(1), count.max(1), form);
                }
                let bytes = out.into_bytes();
                let mut bits = BitReader::new(&bytes);
                for &(number, count) in &numbers {
                    let back = read(&mut bits, count.max(1), form);
                    prop_assert_eq!(back, Some(number % count.max(1)));
                }
                prop_assert!(bits.is_at_end());
            }
        }
    }
}
