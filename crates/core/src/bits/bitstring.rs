//! Strings of bits, packed into bytes with the most significant bit first.

/// Appends numbers of any width to a string of bits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BitWriter {
    bytes: Vec<u8>,
    bits: u32,
}

impl BitWriter {
    /// Creates an empty string.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of bits written.
    pub fn bits(&self) -> u32 {
        self.bits
    }

    /// Appends the low `width` bits of `value`; `width` is at most 64.
    pub fn write(&mut self, value: u64, width: u32) {
        if width > 56 {
            self.write(value >> 32, width.min(64) - 32);
            self.write(value, 32);
            return;
        }
        // The last byte and the new bits fit into a word.
        let used = self.bits % 8;
        let end = used + width;
        let value = value & ((1 << width) - 1);
        let word = value.checked_shl(64 - end).unwrap_or(0).to_be_bytes();
        let mut new = word.into_iter().take(end.div_ceil(8) as usize);
        if let (true, Some(last)) = (used > 0, self.bytes.last_mut()) {
            *last |= new.next().unwrap_or(0);
        }
        self.bytes.extend(new);
        self.bits += width;
    }

    /// Appends one bit.
    pub fn write_bit(&mut self, bit: bool) {
        if self.bits.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let (true, Some(last)) = (bit, self.bytes.last_mut()) {
            *last |= 0x80 >> (self.bits % 8);
        }
        self.bits += 1;
    }

    /// Appends whole bytes.
    pub fn write_bytes(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write(byte.into(), 8);
        }
    }

    /// Appends another string.
    pub fn append(&mut self, other: &Self) {
        let mut left = other.bits;
        for &byte in &other.bytes {
            let width = left.min(8);
            self.write(u64::from(byte) >> (8 - width), width);
            left -= width;
        }
    }

    /// Returns the string in bytes, the last one padded with zeros.
    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// Returns the string in bytes, the last one padded with ones.
    pub fn into_bytes_filled_with_ones(mut self) -> Vec<u8> {
        while !self.bits.is_multiple_of(8) {
            self.write_bit(true);
        }
        self.bytes
    }
}

/// Reads a string of bits from its beginning.
#[derive(Clone, Debug)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    /// Creates a reader of `bytes`.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Returns the next `width` bits, at most 56, as a number, without taking them. Returns `None`
    /// if fewer than eight bytes are left, including the current one; use [`read`](Self::read)
    /// then.
    #[inline(always)]
    pub fn peek(&self, width: u32) -> Option<u64> {
        let bytes = self.bytes.get(self.at / 8..)?.first_chunk()?;
        let used = self.at % 8;
        Some((u64::from_be_bytes(*bytes) << used).checked_shr(64 - width.min(56)).unwrap_or(0))
    }

    /// Skips `width` bits that [`peek`](Self::peek) has returned.
    #[inline(always)]
    pub fn skip(&mut self, width: u32) {
        self.at += width as usize;
    }

    /// Takes `width` bits, at most 64, as a number. Returns `None`, and takes the rest, if there
    /// are fewer.
    pub fn read(&mut self, width: u32) -> Option<u64> {
        if let Some(value) = self.peek(width).filter(|_| width <= 56) {
            self.skip(width);
            return Some(value);
        }
        let mut left = width.min(64);
        let mut value = 0;
        while left > 0 {
            let byte = *self.bytes.get(self.at / 8)?;
            let used = u32::try_from(self.at % 8).unwrap_or(0);
            let taken = left.min(8 - used);
            let part = byte << used >> (8 - taken);
            value = value << taken | u64::from(part);
            self.at += taken as usize;
            left -= taken;
        }
        Some(value)
    }

    /// Takes one bit. Returns `None` at the end.
    pub fn read_bit(&mut self) -> Option<bool> {
        let byte = self.bytes.get(self.at / 8)?;
        let bit = byte & 0x80 >> (self.at % 8) != 0;
        self.at += 1;
        Some(bit)
    }

    /// Returns the offset of the byte that holds the next bit.
    pub fn byte(&self) -> usize {
        self.at / 8
    }

    /// Returns the number of bits left, including the padding of the last byte.
    pub fn left(&self) -> usize {
        self.bytes.len() * 8 - self.at
    }

    /// Returns whether only padding is left: less than a byte, all zeros.
    pub fn is_at_end(&self) -> bool {
        self.is_filled_with(false)
    }

    /// Returns whether only padding is left: less than a byte, all ones.
    pub fn is_at_end_of_ones(&self) -> bool {
        self.is_filled_with(true)
    }

    fn is_filled_with(&self, filling: bool) -> bool {
        let mut rest = self.clone();
        self.left() < 8 && std::iter::from_fn(|| rest.read_bit()).all(|bit| bit == filling)
    }

    /// Takes the remaining whole bytes. Returns `None` if the bits before the next byte boundary
    /// are not all zeros.
    pub fn rest_bytes(&mut self) -> Option<&'a [u8]> {
        while !self.at.is_multiple_of(8) {
            if self.read_bit()? {
                return None;
            }
        }
        let rest = self.bytes.get(self.at / 8..)?;
        self.at = self.bytes.len() * 8;
        Some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_bit_is_the_most_significant() {
        let mut writer = BitWriter::new();
        writer.write(0b101, 3);
        writer.write(0b1_1111_1111, 9);
        assert_eq!((writer.bits(), writer.into_bytes()), (12, vec![0b1011_1111, 0b1111_0000]));
    }

    #[test]
    fn peeking_takes_nothing() {
        let mut reader = BitReader::new(&[0xab, 0xcd, 0, 0, 0, 0, 0, 1, 2]);
        assert_eq!((reader.peek(0), reader.peek(12)), (Some(0), Some(0xabc)));
        reader.skip(4);
        assert_eq!((reader.peek(8), reader.read(56)), (Some(0xbc), Some(0xbc_d000_0000_0000)));
        assert_eq!((reader.peek(1), reader.read(12)), (None, Some(0x102)));
    }

    #[test]
    fn the_end_is_less_than_a_byte_of_zeros() {
        let mut reader = BitReader::new(&[0b1110_0000, 0]);
        assert_eq!(reader.read(3), Some(7));
        assert!(!reader.is_at_end());
        assert_eq!(reader.read(8), Some(0));
        assert!(reader.is_at_end());
        assert_eq!(reader.read(6), None);
        let mut reader = BitReader::new(&[0b1110_0100]);
        assert_eq!(reader.read(3), Some(7));
        assert!(!reader.is_at_end());
    }

    #[test]
    fn the_filling_may_be_ones() {
        let mut writer = BitWriter::new();
        writer.write(0b010, 3);
        let bytes = writer.clone().into_bytes_filled_with_ones();
        assert_eq!(bytes, [0b0101_1111]);
        let mut reader = BitReader::new(&bytes);
        assert_eq!(reader.read(2), Some(0b01));
        assert!(!reader.is_at_end_of_ones());
        assert_eq!(reader.read(1), Some(0));
        assert!(reader.is_at_end_of_ones() && !reader.is_at_end());
        writer.write(0b1_1111, 5);
        assert_eq!(writer.into_bytes_filled_with_ones(), bytes);
        assert!(!BitReader::new(&[0xff]).is_at_end_of_ones());
        assert!(BitReader::new(&[]).is_at_end_of_ones());
    }

    proptest! {
        #[test]
        fn numbers_come_back(numbers: Vec<(u64, u32)>) {
            let numbers: Vec<(u64, u32)> = numbers
                .into_iter()
                .map(|(value, width)| (value, width % 65))
                .map(|(value, width)| {
                    (value & u64::MAX.checked_shr(64 - width).unwrap_or(0), width)
                })
                .collect();
            let mut writer = BitWriter::new();
            for &(value, width) in &numbers {
                writer.write(value, width);
            }
            let bytes = writer.into_bytes();
            let mut reader = BitReader::new(&bytes);
            for &(value, width) in &numbers {
                prop_assert_eq!(reader.read(width), Some(value));
            }
            prop_assert!(reader.is_at_end());
        }
    }
}
