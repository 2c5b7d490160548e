//! Unsigned numbers in as few bytes as they need, seven bits a byte, least significant first.
//!
//! This is LEB128, but only the shortest spelling of a number is accepted, so that each number
//! has exactly one encoding.

/// Appends `value` to `out` in 1 to 5 bytes.
pub fn write_u32(mut value: u32, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push((value & 0x7f) as u8);
}

/// Reads a number from the front of `bytes`: the number and how many bytes it took.
///
/// `None` if the bytes end inside the number, if it exceeds 32 bits, or if a shorter spelling
/// exists.
#[must_use]
pub fn read_u32(bytes: &[u8]) -> Option<(u32, usize)> {
    let mut value = 0u64;
    for (i, &byte) in bytes.iter().take(5).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * i);
        if byte < 0x80 {
            let shortest = i == 0 || byte != 0;
            return u32::try_from(value).ok().filter(|_| shortest).map(|v| (v, i + 1));
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
        assert_eq!(read_u32(&[0x80, 0]), None, "longer than it need be");
        assert_eq!(read_u32(&[0xff, 0xff, 0xff, 0xff, 0x7f]), None, "more than 32 bits");
    }

    proptest! {
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
