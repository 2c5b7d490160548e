//! A reader of numbers from the front of a table's bytes.

use plypack_kernels::sums::{Row, SUMS};

/// The remaining bytes.
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, bytes: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes)?;
        self.0 = rest;
        Some(taken)
    }

    /// Takes bytes.
    pub fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        self.take(count)
    }

    /// Takes signed bytes.
    pub fn weights(&mut self, count: usize) -> Option<Vec<i8>> {
        self.take(count).map(|bytes| bytes.iter().map(|byte| byte.cast_signed()).collect())
    }

    /// Takes 16 bits, little-endian.
    pub fn number(&mut self) -> Option<u16> {
        self.take(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
    }

    /// Takes 32 bits, little-endian.
    pub fn scale(&mut self) -> Option<u32> {
        self.take(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]]))
    }

    /// Takes signed bytes, one for each of the first features.
    pub fn features(&mut self, count: usize) -> Option<Weights> {
        let mut weights = no_weights();
        if count > weights.len() {
            return None;
        }
        for (weight, byte) in weights.iter_mut().zip(self.take(count)?) {
            *weight = byte.cast_signed();
        }
        Some(weights)
    }

    /// Takes rows of signed bytes.
    pub fn rows(&mut self, count: usize) -> Option<impl Iterator<Item = Row> + use<'a>> {
        let bytes = self.take(count * SUMS)?;
        let row = |bytes: &[u8; SUMS]| Row(bytes.map(u8::cast_signed));
        Some(bytes.as_chunks::<SUMS>().0.iter().map(row))
    }

    /// Takes signed 16-bit numbers, little-endian.
    pub fn wide_weights(&mut self, count: usize) -> Option<Vec<i16>> {
        let bytes = self.take(2 * count)?;
        Some(bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect())
    }
}

/// A weight for every 16-bit number, so that no bounds checks are needed. Those in use should fit
/// in the L1 cache.
pub type Weights = Box<[i8; 1 << 16]>;

/// Returns weights that are all zero. The lengths agree, so it never recurses.
pub fn no_weights() -> Weights {
    let zeros = vec![0; 1 << 16].into_boxed_slice();
    zeros.try_into().unwrap_or_else(|_| no_weights())
}
