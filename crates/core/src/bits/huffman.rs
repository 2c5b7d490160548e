//! Prefix codes after D. A. Huffman, "A method for the construction of minimum-redundancy codes"
//! (1952), in canonical form: the lengths alone determine the code.

use crate::bits::bitstring::{BitReader, BitWriter};

/// The longest code word, in bits.
pub const LENGTH_MAX: u8 = 32;

/// A prefix code over the symbols 0, 1, 2, ...
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// The code word and its length in bits, by symbol; length 0 for a symbol without a word.
    words: Vec<(u32, u8)>,
    /// The symbols that have a code word, by length and then by number.
    order: Vec<u16>,
}

impl Code {
    /// Returns the code whose words have these lengths, by symbol; 0 for symbols that never occur.
    /// Words of equal length ascend with the symbol.
    ///
    /// Returns `None` if no prefix code has these lengths, or if it would be incomplete: every bit
    /// string must decode, and a single symbol takes no bits.
    pub fn from_lengths(lengths: &[u8]) -> Option<Self> {
        let mut order: Vec<u16> = Vec::new();
        for (symbol, &length) in lengths.iter().enumerate() {
            if length > LENGTH_MAX {
                return None;
            }
            if length > 0 {
                order.push(u16::try_from(symbol).ok()?);
            }
        }
        order.sort_by_key(|&symbol| (lengths[usize::from(symbol)], symbol));
        let mut words = vec![(0, 0); lengths.len()];
        let (mut next, mut length) = (0u64, 0u8);
        for &symbol in &order {
            let symbol = usize::from(symbol);
            next <<= lengths[symbol] - length;
            length = lengths[symbol];
            if next >> length != 0 {
                return None;
            }
            words[symbol] = (u32::try_from(next).ok()?, length);
            next += 1;
        }
        (order.is_empty() || next == 1 << length).then_some(Self { words, order })
    }

    /// Returns the Huffman code for symbols of these frequencies. Symbols of frequency 0 have no
    /// word. Of trees of equal weight the oldest is joined first.
    pub fn from_frequencies(frequencies: &[u64]) -> Option<Self> {
        // Each tree: its weight, its age as an ordinal, and its symbols.
        let mut trees: Vec<(u64, usize, Vec<usize>)> = Vec::new();
        for (symbol, &frequency) in frequencies.iter().enumerate() {
            if frequency > 0 {
                trees.push((frequency, symbol, vec![symbol]));
            }
        }
        let mut lengths = vec![0u8; frequencies.len()];
        let mut made = frequencies.len();
        while trees.len() > 1 {
            trees.sort_by_key(|tree| std::cmp::Reverse((tree.0, tree.1)));
            let (rarest, next) = (trees.pop()?, trees.pop()?);
            let mut symbols = rarest.2;
            symbols.extend(next.2);
            for &symbol in &symbols {
                lengths[symbol] = lengths[symbol].checked_add(1)?;
            }
            trees.push((rarest.0.checked_add(next.0)?, made, symbols));
            made += 1;
        }
        match trees.pop() {
            Some((.., symbols)) if symbols.len() == 1 => {
                // A single symbol takes no bits.
                let words = vec![(0, 0); frequencies.len()];
                Some(Self { words, order: vec![u16::try_from(symbols[0]).ok()?] })
            }
            _ => Self::from_lengths(&lengths),
        }
    }

    /// Returns the length of a symbol's word in bits, or `None` if it has none.
    pub fn length(&self, symbol: u16) -> Option<u8> {
        let (_, length) = *self.words.get(usize::from(symbol))?;
        (length > 0 || self.order == [symbol]).then_some(length)
    }

    /// Appends the word of `symbol`. Returns `None`, and writes nothing, if it has none.
    pub fn write(&self, writer: &mut BitWriter, symbol: u16) -> Option<()> {
        let length = self.length(symbol)?;
        let (word, _) = *self.words.get(usize::from(symbol))?;
        writer.write(word.into(), length.into());
        Some(())
    }

    /// Takes one word. Returns `None` if the bits end inside it.
    pub fn read(&self, reader: &mut BitReader<'_>) -> Option<u16> {
        let (mut word, mut length) = (0u32, 0u8);
        // Canonical words ascend, so the first match is the only one.
        for &symbol in &self.order {
            let (expected, wanted) = self.words[usize::from(symbol)];
            while length < wanted {
                word = word << 1 | u32::from(reader.read_bit()?);
                length += 1;
            }
            if word == expected {
                return Some(symbol);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bits that a message takes in the code of its own frequencies.
    fn cost(code: &Code, symbols: &[u16]) -> u32 {
        symbols.iter().map(|&s| u32::from(code.length(s).expect("it has a word"))).sum()
    }

    #[test]
    fn hullqins_sentence_takes_seven_bits() {
        // "I am good good good", with good 0, I 1, am 2.
        let code = Code::from_frequencies(&[3, 1, 1]).expect("it has a code");
        assert_eq!(cost(&code, &[1, 2, 0, 0, 0]), 7);
        let mut writer = BitWriter::new();
        for symbol in [1, 2, 0, 0, 0] {
            code.write(&mut writer, symbol).expect("it has a word");
        }
        assert_eq!((writer.bits(), writer.into_bytes()), (7, vec![0b1011_0000]));
    }

    #[test]
    fn shields_weights_give_164_bits_for_the_start_position() {
        // Empty, then king, queen, rook, knight, bishop, pawn of either colour.
        let weights = [32, 1, 1, 2, 2, 2, 8, 1, 1, 2, 2, 2, 8];
        let code = Code::from_frequencies(&weights).expect("it has a code");
        let bits: u64 = weights
            .iter()
            .zip(0u16..)
            .map(|(&weight, symbol)| weight * u64::from(code.length(symbol).expect("a word")))
            .sum();
        assert_eq!(bits, 164);
    }

    #[test]
    fn lengths_that_make_no_code_are_refused() {
        assert!(Code::from_lengths(&[1, 1, 1]).is_none());
        assert!(Code::from_lengths(&[1, 2]).is_none());
        assert!(Code::from_lengths(&[33, 1]).is_none());
        assert!(Code::from_lengths(&[1, 2, 0, 2]).is_some());
    }

    #[test]
    fn one_symbol_takes_no_bits() {
        let code = Code::from_frequencies(&[0, 5]).expect("it has a code");
        let mut writer = BitWriter::new();
        assert_eq!(code.write(&mut writer, 1), Some(()));
        assert_eq!(code.write(&mut writer, 0), None);
        assert_eq!(writer.bits(), 0);
        assert_eq!(code.read(&mut BitReader::new(&[])), Some(1));
    }

    #[test]
    fn symbols_come_back_and_cut_words_are_refused() {
        let code = Code::from_frequencies(&[50, 20, 20, 5, 3, 2]).expect("it has a code");
        for symbol in 0..6 {
            let mut writer = BitWriter::new();
            code.write(&mut writer, symbol).expect("it has a word");
            let bytes = writer.into_bytes();
            assert_eq!(code.read(&mut BitReader::new(&bytes)), Some(symbol));
        }
        assert_eq!(code.read(&mut BitReader::new(&[])), None);
    }
}
