//! `board.xor-start`: the difference from the start, cell by cell, in a prefix code or in runs.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::combination::width;
use crate::bits::huffman::Code;

use super::rle;
use crate::board::{Board, BoardCodec, cut, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// Creates the codec that writes differences in a Huffman code of these frequencies, for a registry
/// row. There is one frequency for each difference: the number of symbols rounded up to a power of
/// two.
pub const fn xor_start(frequencies: &'static [u32]) -> StateAndBoard<XorStart> {
    StateAndBoard {
        info: &CodecInfo {
            name: "board.xor-start",
            id: 22,
            summary: "each cell's symbol XOR that of the start, in a Huffman code",
            source: "Shields (difference from the start)",
        },
        board: XorStart { frequencies: Some(frequencies) },
    }
}

/// The codec that writes differences in runs, for a registry row.
pub const XOR_START_RLE: StateAndBoard<XorStart> = StateAndBoard {
    info: &CodecInfo {
        name: "board.xor-start-rle",
        id: 23,
        summary: "each cell's symbol XOR that of the start, in runs",
        source: "Shields (difference from the start, run lengths)",
    },
    board: XorStart { frequencies: None },
};

/// Cells in order, each XORed with the same cell of the start.
#[derive(Debug)]
pub struct XorStart {
    /// Frequency of each difference; `None` to code differences in runs.
    pub frequencies: Option<&'static [u32]>,
}

/// Returns the number of possible differences.
fn differences(board: &impl Board) -> u32 {
    let largest = (0..board.cells()).map(|cell| board.alphabet(cell)).max();
    1 << width(largest.unwrap_or(1).into()).min(31)
}

fn code(frequencies: &[u32]) -> Result<Code, Error> {
    let frequencies: Vec<u64> = frequencies.iter().copied().map(u64::from).collect();
    Code::from_frequencies(&frequencies)
        .ok_or(Error::Board { why: "its frequencies make no prefix code" })
}

impl<B: Board> BoardCodec<B> for XorStart {
    fn encode(&self, board: &B, start: &B, out: &mut BitWriter) -> Result<(), Error> {
        let difference = |cell| board.symbol(cell) ^ start.symbol(cell);
        let Some(frequencies) = self.frequencies else {
            rle::write_runs(board.cells(), differences(start), difference, out);
            return Ok(());
        };
        let code = code(frequencies)?;
        for cell in 0..board.cells() {
            let symbol = u16::try_from(difference(cell)).ok();
            symbol
                .and_then(|symbol| code.write(out, symbol))
                .ok_or(Error::Board { why: "it has a difference without a code word" })?;
        }
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        let mut board = emptied(start);
        let mut set = |cell, difference: u32| {
            let symbol = start.symbol(cell) ^ difference;
            let fits = symbol < board.alphabet(cell);
            board.set(cell, symbol);
            fits
        };
        match self.frequencies {
            None => rle::read_runs(start.cells(), differences(start), bits, &mut set)?,
            Some(frequencies) => {
                let code = code(frequencies)?;
                for cell in 0..start.cells() {
                    let at = bits.byte();
                    let difference = code.read(bits).ok_or_else(|| cut(bits))?;
                    if !set(cell, difference.into()) {
                        return Err(Error::Cell {
                            at,
                            why: "a symbol that cannot stand on its cell",
                        });
                    }
                }
            }
        }
        Ok(board)
    }
}
