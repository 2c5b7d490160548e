//! A second implementation of the range coder of `docs/FORMAT.md`, 1.1, for tests that show its
//! steps.

/// The encoder.
#[derive(Clone, Debug)]
pub struct Coder {
    /// The lower end of the interval.
    pub low: u64,
    /// Its size.
    pub range: u64,
    /// The bytes written so far.
    pub out: Vec<u8>,
}

impl Default for Coder {
    fn default() -> Self {
        Self { low: 0, range: u64::MAX, out: Vec::new() }
    }
}

impl Coder {
    /// Codes the symbol that owns `[start, start + size)` of `[0, total)`.
    pub fn code(&mut self, start: u64, size: u64, total: u64) {
        let unit = self.range / total;
        self.add(unit * start);
        self.range = if start + size == total { self.range - unit * start } else { unit * size };
        while self.range < 1 << 56 {
            self.out.push(self.low.to_be_bytes()[0]);
            self.low <<= 8;
            self.range <<= 8;
        }
    }

    /// Adds to `low`, and carries into the bytes written so far.
    fn add(&mut self, number: u64) {
        let (sum, carry) = self.low.overflowing_add(number);
        self.low = sum;
        for byte in self.out.iter_mut().rev() {
            if !carry {
                break;
            }
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }

    /// Returns the code.
    ///
    /// # Panics
    /// Never: eight bytes are always enough.
    pub fn finish(mut self) -> Vec<u8> {
        let low = u128::from(self.low);
        for kept in 0..=8 {
            let step = 1u128 << (64 - 8 * kept);
            let rounded = low.next_multiple_of(step);
            if rounded < low + u128::from(self.range) {
                self.add(u64::try_from(rounded - low).unwrap_or(0));
                self.out.extend(&self.low.to_be_bytes()[..kept]);
                break;
            }
        }
        let end = self.out.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.out.truncate(end);
        self.out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_carry_reaches_the_bytes_before() {
        let coder = Coder { low: u64::MAX, range: 1 << 60, out: vec![1, 255] };
        assert_eq!(coder.finish(), [2]);
        let mut coder = Coder { low: u64::MAX - 1, range: u64::MAX, out: vec![7] };
        coder.code(1, 1, 2);
        assert_eq!((coder.out[0], coder.range), (8, u64::MAX - u64::MAX / 2));
    }
}
