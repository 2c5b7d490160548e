//! The numbers in a header by which the rest of a file is hidden.

use crate::layout::{read_hexadecimal, write_hexadecimal};

/// The last version that hides nothing.
const PLAIN_MAX: u8 = 10;

/// The text from which the bytes behind the header are hidden.
const PHRASE: &[u8; 32] = b"[(C) Copyright Mr. Dong Shiwei.]";

/// The numbers, as they stand in the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keys {
    /// The version of the format.
    pub version: u8,
    /// A mask of the four sums below.
    pub mask: u8,
    /// What is added to the masked sums, bit by bit.
    pub bits: [u8; 4],
    /// A number that makes the sum of all four 0, and those of the men's squares, of origins and of
    /// destinations.
    pub sums: [u8; 4],
}

/// The numbers that hide bytes, made of [`Keys`]: they were added to what is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cipher {
    /// Added to squares of men.
    pub men: u8,
    /// Added to origins and to destinations.
    pub squares: [u8; 2],
    /// Added to the lengths of comments.
    pub length: u32,
    /// Added to every byte behind the header, by its place in the file.
    pub stream: [u8; 32],
}

impl Keys {
    /// Whether the moves are written as version 10 writes them.
    pub(super) fn is_plain(self) -> bool {
        self.version <= PLAIN_MAX
    }

    /// Whether the list of men is turned.
    pub(super) fn turns_men(self) -> bool {
        self.version >= 12
    }

    /// The numbers that hide bytes.
    pub(super) fn cipher(self) -> Cipher {
        if self.is_plain() {
            return Cipher { men: 0, squares: [0; 2], length: 0, stream: [0; 32] };
        }
        let mixed = |key: u8| {
            let mut mixed = key.wrapping_mul(key);
            for (factor, more) in [(3, 9), (3, 8), (2, 1), (3, 8)] {
                mixed = mixed.wrapping_mul(factor).wrapping_add(more);
            }
            mixed
        };
        let [sum, men, from, to] = self.sums;
        let hidden = mixed(men).wrapping_mul(men);
        let first = mixed(from).wrapping_mul(hidden);
        let second = mixed(to).wrapping_mul(first);
        let mut stream = *PHRASE;
        let mut masks = self.sums;
        for (mask, bits) in masks.iter_mut().zip(self.bits) {
            *mask = *mask & self.mask | bits;
        }
        for (byte, mask) in stream.iter_mut().zip(masks.iter().cycle()) {
            *byte &= mask;
        }
        let length = (u32::from(sum) * 256 + u32::from(men)) % 32_000 + 767;
        Cipher { men: hidden, squares: [first, second], length, stream }
    }

    /// All numbers but the version, in hexadecimal.
    pub(super) fn hexadecimal(self) -> String {
        write_hexadecimal(&[&[self.mask], &self.bits[..], &self.sums].concat())
    }

    /// Reads the numbers that [`Self::hexadecimal`] writes.
    pub(super) fn set_hexadecimal(&mut self, text: &str) -> Option<()> {
        let &[mask, a, b, c, d, sum, men, from, to] = &read_hexadecimal(text)?[..] else {
            return None;
        };
        (self.mask, self.bits, self.sums) = (mask, [a, b, c, d], [sum, men, from, to]);
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a file of version 18, and what two independent readers make of them.
    #[test]
    fn keys_make_a_cipher() {
        let mut keys = Keys { version: 18, ..Keys::default() };
        keys.set_hexadecimal("ab5b2e45321fa251ee").expect("nine bytes");
        assert_eq!(keys.hexadecimal(), "ab5b2e45321fa251ee");
        let cipher = keys.cipher();
        assert_eq!((cipher.men, cipher.squares, cipher.length), (138, [190, 86], 8865));
        assert_eq!(&cipher.stream[..4], [0x5b & b'[', 0xae & b'(', 0x45 & b'C', 0xba & b')']);
        let plain = Keys { version: 10, ..keys }.cipher();
        assert_eq!((plain.men, plain.length, plain.stream), (0, 0, [0; 32]));
        for odd in ["", "ab", "ab5b2e45321fa251e", "ab5b2e45321fa251eg", "AB5b2e45321fa251ee"] {
            assert_eq!(keys.set_hexadecimal(odd), None, "{odd}");
        }
    }
}
