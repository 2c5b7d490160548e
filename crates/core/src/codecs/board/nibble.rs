//! `board.nibble`: every cell in the same number of bits, 4 for chess.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::combination::width;

use crate::board::{Board, BoardCodec, cut, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// The codec, for a registry row.
pub const NIBBLE: StateAndBoard<Nibble> = StateAndBoard {
    info: &CodecInfo {
        name: "board.nibble",
        id: 17,
        summary: "every cell in as many whole bits as its largest alphabet needs",
        source: "Shields (4 bits a square); Ternary (2 bits a cell)",
    },
    board: Nibble,
};

/// Cells in order, each in as many bits as the largest alphabet of the board needs.
#[derive(Debug)]
pub struct Nibble;

/// Returns the number of bits that hold any cell's symbol.
fn cell_width(board: &impl Board) -> u32 {
    let largest = (0..board.cells()).map(|cell| board.alphabet(cell)).max();
    width(largest.unwrap_or(1).into())
}

impl<B: Board> BoardCodec<B> for Nibble {
    fn encode(&self, board: &B, _: &B, out: &mut BitWriter) -> Result<(), Error> {
        let width = cell_width(board);
        (0..board.cells()).for_each(|cell| out.write(board.symbol(cell).into(), width));
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        let mut board = emptied(start);
        let width = cell_width(start);
        for cell in 0..board.cells() {
            let at = bits.byte();
            let symbol = bits.read(width).and_then(|symbol| u32::try_from(symbol).ok());
            let symbol = symbol.ok_or_else(|| cut(bits))?;
            if symbol >= board.alphabet(cell) {
                return Err(Error::Cell { at, why: "a symbol that cannot stand on its cell" });
            }
            board.set(cell, symbol);
        }
        Ok(board)
    }
}
