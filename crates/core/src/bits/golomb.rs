//! Exponential Golomb codes: whole numbers of any size, with few bits for small ones.
//!
//! After J. Teuhola, "A compression method for clustered bit-vectors" (1978). With order `k`, the
//! numbers below 2^k take `k + 1` bits, the next 2^(k+1) numbers two bits more, and so on.

use crate::bits::bitstring::{BitReader, BitWriter};

/// Appends `value` in an exponential Golomb code of order `order`, at most 31.
pub fn write(writer: &mut BitWriter, value: u32, order: u32) {
    let shifted = u64::from(value) + (1 << order.min(31));
    let width = shifted.ilog2();
    let ones = width - order.min(31);
    writer.write((1 << (ones + 1)) - 2, ones + 1);
    writer.write(shifted, width);
}

/// Takes a number in an exponential Golomb code of order `order`, at most 31. Returns `None` if the
/// bits end inside it or it exceeds 32 bits.
pub fn read(reader: &mut BitReader<'_>, order: u32) -> Option<u32> {
    let order = order.min(31);
    let mut width = order;
    while reader.read_bit()? {
        width += 1;
        if width > 32 {
            return None;
        }
    }
    let shifted = reader.read(width)? | 1 << width;
    u32::try_from(shifted - (1 << order)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_the_stated_width() {
        for (value, order, bits) in [
            (0, 0, 1),
            (1, 0, 3),
            (2, 0, 3),
            (3, 0, 5),
            (7, 3, 4),
            (8, 3, 6),
            (u32::MAX, 0, 65),
            (u32::MAX, 5, 60),
        ] {
            let mut writer = BitWriter::new();
            write(&mut writer, value, order);
            assert_eq!(writer.bits(), bits, "{value} {order}");
            assert_eq!(read(&mut BitReader::new(&writer.into_bytes()), order), Some(value));
        }
    }

    #[test]
    fn too_large_a_number_is_refused() {
        assert_eq!(read(&mut BitReader::new(&[0xff; 12]), 3), None);
        assert_eq!(read(&mut BitReader::new(&[]), 3), None);
    }
}
