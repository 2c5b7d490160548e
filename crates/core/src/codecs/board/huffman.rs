//! `board.huffman`: every cell in a Huffman code made from the frequencies of symbols.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::huffman::Code;

use crate::board::{Board, BoardCodec, cut, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// Creates the codec with the frequencies of a game's symbols, for a registry row.
pub const fn huffman(frequencies: &'static [u32]) -> StateAndBoard<Huffman> {
    StateAndBoard {
        info: &CodecInfo {
            name: "board.huffman",
            id: 20,
            summary: "every cell in a Huffman code of fixed frequencies",
            source: "Shields (Huffman coding of squares)",
        },
        board: Huffman { frequencies },
    }
}

/// Cells in order, each in one code word.
#[derive(Debug)]
pub struct Huffman {
    /// Frequency of each symbol; at least 1, so that every board can be coded.
    pub frequencies: &'static [u32],
}

impl Huffman {
    fn code(&self) -> Result<Code, Error> {
        let frequencies: Vec<u64> = self.frequencies.iter().copied().map(u64::from).collect();
        Code::from_frequencies(&frequencies)
            .ok_or(Error::Board { why: "its frequencies make no prefix code" })
    }
}

impl<B: Board> BoardCodec<B> for Huffman {
    fn encode(&self, board: &B, _: &B, out: &mut BitWriter) -> Result<(), Error> {
        let code = self.code()?;
        for cell in 0..board.cells() {
            let symbol = u16::try_from(board.symbol(cell)).ok();
            symbol
                .and_then(|symbol| code.write(out, symbol))
                .ok_or(Error::Board { why: "it has a symbol without a code word" })?;
        }
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        let code = self.code()?;
        let mut board = emptied(start);
        for cell in 0..board.cells() {
            let at = bits.byte();
            let symbol = u32::from(code.read(bits).ok_or_else(|| cut(bits))?);
            if symbol >= board.alphabet(cell) {
                return Err(Error::Cell { at, why: "a symbol that cannot stand on its cell" });
            }
            board.set(cell, symbol);
        }
        Ok(board)
    }
}
