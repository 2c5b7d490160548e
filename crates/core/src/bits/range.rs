//! A range coder with 64-bit state and the shortest possible flush.
//!
//! An arithmetic coder after G. N. N. Martin, "Range encoding: an algorithm for removing redundancy
//! from a digitised message" (1979), with bytes as digits. A symbol is a slice of a whole number
//! line: `[start, start + size)` of `[0, total)`. The coded bytes stand for a fraction below 1;
//! bytes beyond the end read as zero, so the encoder drops trailing zero bytes. The caller must
//! store the length of the code.

/// The largest `total`.
pub const TOTAL_MAX: u32 = u32::MAX;

/// A byte is shifted out while the range is below this. So `range / total` stays at 2^24 or more,
/// and rounding costs less than 2^-23 bits a symbol.
const RANGE_MIN: u64 = 1 << 56;

/// Writes symbols to a growing byte string.
#[derive(Clone, Debug)]
pub struct Encoder {
    low: u64,
    range: u64,
    out: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// Creates an encoder that has written nothing.
    pub fn new() -> Self {
        // Room for most games.
        Self { low: 0, range: u64::MAX, out: Vec::with_capacity(64) }
    }

    /// Codes the symbol that owns `[start, start + size)` of `[0, total)`, in
    /// `log2(total / size)` bits.
    ///
    /// The caller ensures `0 < size` and `start + size <= total`; the last symbol also gets the
    /// remainder left by rounding.
    #[inline]
    pub fn encode(&mut self, start: u32, size: u32, total: u32) {
        debug_assert!(size > 0 && u64::from(start) + u64::from(size) <= u64::from(total));
        let unit = self.range / u64::from(total.max(1));
        let offset = unit * u64::from(start);
        let (low, carry) = self.low.overflowing_add(offset);
        self.low = low;
        if carry {
            self.carry();
        }
        self.range = if u64::from(start) + u64::from(size) >= u64::from(total) {
            self.range - offset
        } else {
            unit * u64::from(size)
        };
        while self.range < RANGE_MIN {
            self.shift_byte();
        }
    }

    /// Ends the code with the shortest byte string whose value, continued with zeros, lies in the
    /// final interval.
    pub fn finish(mut self) -> Vec<u8> {
        // Keep the fewest leading bytes of `low`, rounded up, that stay inside the interval.
        for kept_bytes in 0..=8u32 {
            let below = u64::MAX.checked_shr(8 * kept_bytes).unwrap_or(0);
            let (rounded, carry) = match self.low.checked_add(below) {
                Some(sum) => (sum & !below, false),
                None => (0, true),
            };
            // After a carry `rounded` is 0, and the wrapped difference is still the distance.
            if rounded.wrapping_sub(self.low) < self.range {
                if carry {
                    self.carry();
                }
                self.out.extend(rounded.to_be_bytes().iter().take(kept_bytes as usize));
                break;
            }
        }
        let end = self.out.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.out.truncate(end);
        self.out
    }

    fn shift_byte(&mut self) {
        self.out.push((self.low >> 56) as u8);
        self.low <<= 8;
        self.range <<= 8;
    }

    fn carry(&mut self) {
        for byte in self.out.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                return;
            }
        }
    }
}

/// Reads symbols from a byte string. Any bytes decode to some symbols.
#[derive(Clone, Debug)]
pub struct Decoder<'a> {
    /// The coded value minus the low end of the current interval.
    offset: u64,
    range: u64,
    unit: u64,
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of `code`.
    pub fn new(code: &'a [u8]) -> Self {
        let mut decoder = Self { offset: 0, range: u64::MAX, unit: 1, rest: code };
        for _ in 0..8 {
            decoder.offset = decoder.offset << 8 | u64::from(decoder.next_byte());
        }
        decoder
    }

    /// Returns a point in `[0, total)`. The caller finds the symbol whose slice holds it and passes
    /// that slice to [`Decoder::consume`].
    pub fn peek(&mut self, total: u32) -> u32 {
        let total = total.max(1);
        self.unit = self.range / u64::from(total);
        u32::try_from(self.offset / self.unit).unwrap_or(u32::MAX).min(total - 1)
    }

    /// Returns whether the point that [`peek`] would return is below `end`, which is less than
    /// `total`. Counts as a call of `peek`. This is faster for two symbols: it saves a division.
    ///
    /// [`peek`]: Decoder::peek
    #[inline]
    pub fn is_below(&mut self, end: u32, total: u32) -> bool {
        self.unit = self.range / u64::from(total.max(1));
        self.offset < self.unit * u64::from(end)
    }

    /// Takes the symbol `[start, start + size)` of `[0, total)` that holds the point that [`peek`]
    /// returned for the same `total`.
    ///
    /// [`peek`]: Decoder::peek
    #[inline]
    pub fn consume(&mut self, start: u32, size: u32, total: u32) {
        let offset = self.unit * u64::from(start);
        self.offset = self.offset.wrapping_sub(offset);
        self.range = if u64::from(start) + u64::from(size) >= u64::from(total) {
            self.range - offset
        } else {
            self.unit * u64::from(size)
        };
        while self.range < RANGE_MIN {
            self.range <<= 8;
            self.offset = self.offset << 8 | u64::from(self.next_byte());
        }
    }

    fn next_byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((&byte, rest)) => {
                self.rest = rest;
                byte
            }
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Returns the slice of a symbol in a list of weights.
    fn slice(weights: &[u32], symbol: usize) -> (u32, u32, u32) {
        let start = weights[..symbol].iter().sum();
        (start, weights[symbol], weights.iter().sum())
    }

    fn encode(symbols: &[(Vec<u32>, usize)]) -> Vec<u8> {
        let mut encoder = Encoder::new();
        for (weights, symbol) in symbols {
            let (start, size, total) = slice(weights, *symbol);
            encoder.encode(start, size, total);
        }
        encoder.finish()
    }

    fn decode_all(symbols: &[(Vec<u32>, usize)], code: &[u8]) -> Vec<usize> {
        let mut decoder = Decoder::new(code);
        let mut found = Vec::new();
        for (weights, _) in symbols {
            let total = weights.iter().sum();
            let place = decoder.peek(total);
            let mut end = 0;
            let symbol = weights.iter().position(|w| {
                end += w;
                place < end
            });
            let symbol = symbol.expect("peek stays below the total");
            let (start, size, total) = slice(weights, symbol);
            decoder.consume(start, size, total);
            found.push(symbol);
        }
        found
    }

    fn symbols() -> impl Strategy<Value = Vec<(Vec<u32>, usize)>> {
        let weight = prop_oneof![1u32..4, 1u32..70_000, 1u32..20_000_000];
        let symbol = prop::collection::vec(weight, 1..200)
            .prop_flat_map(|weights| (Just(weights.clone()), 0..weights.len()));
        prop::collection::vec(symbol, 0..60)
    }

    proptest! {
        // Each case has thousands of random numbers.
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn round_trip(symbols in symbols()) {
            let code = encode(&symbols);
            let expected: Vec<usize> = symbols.iter().map(|s| s.1).collect();
            prop_assert_eq!(decode_all(&symbols, &code), expected);
        }

        #[test]
        fn within_a_byte_of_the_entropy(symbols in symbols()) {
            let bits: f64 = symbols
                .iter()
                .map(|(weights, symbol)| {
                    let (_, size, total) = slice(weights, *symbol);
                    (f64::from(total) / f64::from(size)).log2()
                })
                .sum();
            prop_assert!((encode(&symbols).len() as f64) * 8.0 <= bits + 8.001);
        }

        #[test]
        fn places_are_below_what_follows(code: Vec<u8>, total in 2u32.., end: u32) {
            let end = end % total;
            let mut decoder = Decoder::new(&code);
            let place = decoder.peek(total);
            prop_assert_eq!(decoder.is_below(end, total), place < end);
        }

        #[test]
        fn any_bytes_decode(symbols in symbols(), code: Vec<u8>) {
            decode_all(&symbols, &code);
        }
    }

    #[test]
    fn one_choice_costs_nothing() {
        let forced = vec![(vec![7], 0); 1000];
        assert_eq!(encode(&forced), Vec::<u8>::new());
    }

    #[test]
    fn no_shorter_code_exists() {
        // Every code up to one byte shorter than ours decodes to something else.
        for seed in 0..400u32 {
            let symbols: Vec<(Vec<u32>, usize)> =
                (0..4).map(|i| (vec![3, 1, 5, 2], ((seed >> (2 * i)) & 3) as usize)).collect();
            let code = encode(&symbols);
            let expected: Vec<usize> = symbols.iter().map(|s| s.1).collect();
            let shorter: Vec<Vec<u8>> = match code.len() {
                0 => vec![],
                1 => vec![vec![]],
                2 => (0..=255).map(|byte| vec![byte]).collect(),
                _ => panic!("four small symbols fit in two bytes"),
            };
            assert!(shorter.iter().all(|code| decode_all(&symbols, code) != expected));
        }
    }

    #[test]
    fn a_carry_runs_through_full_bytes() {
        // Start at the top of the line with ever smaller steps: low climbs to all ones.
        let mut encoder = Encoder::new();
        encoder.out = vec![0x01, 0xff, 0xff];
        encoder.low = u64::MAX;
        encoder.encode(1, 1, 2);
        assert_eq!(&encoder.out[..3], &[0x02, 0x00, 0x00]);
    }
}
