//! `board.huffman-fitted`: every cell in its own Huffman code, fitted to positions of games.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::huffman::Code;

use crate::board::{Board, BoardCodec, cut, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// Creates the codec with the code lengths of a game's cells, for a registry row.
pub const fn huffman_fitted(lengths: &'static [&'static [u8]]) -> StateAndBoard<HuffmanFitted> {
    StateAndBoard {
        info: &CodecInfo {
            name: "board.huffman-fitted",
            id: 27,
            summary: "every cell in a Huffman code of its own, fitted to positions of games",
            source: "Shields (Huffman coding of squares), with frequencies by square",
        },
        board: HuffmanFitted { lengths },
    }
}

/// Cells in order, each as a word of its canonical code.
#[derive(Debug)]
pub struct HuffmanFitted {
    /// For each cell, the lengths of its symbols' code words, in bits.
    pub lengths: &'static [&'static [u8]],
}

impl HuffmanFitted {
    fn code(&self, cell: u32) -> Result<Code, Error> {
        let lengths = self.lengths.get(cell as usize);
        let code = lengths.and_then(|lengths| Code::from_lengths(lengths));
        code.ok_or(Error::Board { why: "it has a cell without a prefix code" })
    }
}

impl<B: Board> BoardCodec<B> for HuffmanFitted {
    fn encode(&self, board: &B, _: &B, out: &mut BitWriter) -> Result<(), Error> {
        for cell in 0..board.cells() {
            let code = self.code(cell)?;
            let symbol = u16::try_from(board.symbol(cell)).ok();
            symbol
                .and_then(|symbol| code.write(out, symbol))
                .ok_or(Error::Board { why: "it has a symbol without a code word" })?;
        }
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        let mut board = emptied(start);
        for cell in 0..board.cells() {
            let symbol = self.code(cell)?.read(bits).ok_or_else(|| cut(bits))?;
            board.set(cell, symbol.into());
        }
        Ok(board)
    }
}
