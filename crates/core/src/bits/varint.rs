//! Unsigned numbers in as few bytes as they need, seven bits a byte, least significant first.
//!
//! This is LEB128, restricted to the shortest encoding, so that each number has exactly one.

/// Appends `value` to `out` in 1 to 5 bytes.
pub fn write_u32(value: u32, out: &mut Vec<u8>) {
    write_u64(value.into(), out);
}

/// Appends `value` to `out` in 1 to 10 bytes.
pub fn write_u64(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push((value & 0x7f) as u8);
}

/// Reads a number from the front of `bytes`; returns it and the number of bytes it took.
///
/// Returns `None` if the bytes end inside the number, if it exceeds 32 bits, or if a shorter
/// encoding exists.
pub fn read_u32(bytes: &[u8]) -> Option<(u32, usize)> {
    let (value, length) = read_u64(bytes)?;
    u32::try_from(value).ok().map(|value| (value, length))
}

/// Reads a number of up to 64 bits from the front of `bytes`, as [`read_u32`] does.
pub fn read_u64(bytes: &[u8]) -> Option<(u64, usize)> {
    let mut value = 0u64;
    for (i, &byte) in bytes.iter().take(10).enumerate() {
        let part = u64::from(byte & 0x7f);
        // The tenth byte has one bit left.
        value |= part.checked_shl(7 * u32::try_from(i).ok()?).filter(|_| i < 9 || part < 2)?;
        if byte < 0x80 {
            let shortest = i == 0 || byte != 0;
            return shortest.then_some((value, i + 1));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn known_numbers() {
        for (value, bytes) in [(0, &[0u8][..]), (127, &[127]), (128, &[0x80, 1]), (300, &[0xac, 2])]
        {
            let mut out = Vec::new();
            write_u32(value, &mut out);
            assert_eq!(out, bytes);
        }
        assert_eq!(read_u32(&[]), None);
        assert_eq!(read_u32(&[0x80]), None, "cut");
        assert_eq!(read_u32(&[0x80, 0]), None, "longer than necessary");
        assert_eq!(read_u32(&[0xff, 0xff, 0xff, 0xff, 0x7f]), None, "more than 32 bits");
        let most = [&[0xff; 9][..], &[1]].concat();
        assert_eq!(read_u64(&most), Some((u64::MAX, 10)));
        assert_eq!(read_u64(&[&[0xff; 9][..], &[3]].concat()), None, "more than 64 bits");
        assert_eq!(read_u64(&[0x80; 11]), None, "it does not end");
    }

    proptest! {
        #[test]
        fn wide_numbers_come_back(value: u64, tail: Vec<u8>) {
            let mut bytes = Vec::new();
            write_u64(value, &mut bytes);
            let length = bytes.len();
            bytes.extend(tail);
            prop_assert_eq!(read_u64(&bytes), Some((value, length)));
        }

        #[test]
        fn round_trip(value: u32, tail: Vec<u8>) {
            let mut bytes = Vec::new();
            write_u32(value, &mut bytes);
            let length = bytes.len();
            bytes.extend(tail);
            prop_assert_eq!(read_u32(&bytes), Some((value, length)));
        }
    }
}
