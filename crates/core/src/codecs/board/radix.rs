//! `board.radix`: the whole board as one number, each cell a digit of its own radix.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::radix;

use crate::board::{Board, BoardCodec, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// The codec with each cell's own radix, for a registry row.
pub const RADIX: StateAndBoard<Radix> = StateAndBoard {
    info: &CodecInfo {
        name: "board.radix",
        id: 18,
        summary: "the board as one number whose digits are the cells, each with its own radix",
        source: "Shields (variable base); Ternary (base 3)",
    },
    board: Radix { even: false },
};

/// The codec with one radix for all cells, for a registry row.
pub const RADIX_EVEN: StateAndBoard<Radix> = StateAndBoard {
    info: &CodecInfo {
        name: "board.radix-even",
        id: 19,
        summary: "the board as one number whose digits are the cells, all of the largest radix",
        source: "Shields (base 13)",
    },
    board: Radix { even: true },
};

/// The maximum number of cells: time grows with their square.
const CELLS_MAX: u32 = 4_096;

/// Cells in order, the first the most significant.
#[derive(Debug)]
pub struct Radix {
    /// Whether every cell has the largest alphabet of the board.
    even: bool,
}

impl Radix {
    fn radices<B: Board>(&self, board: &B) -> Vec<u32> {
        let mut radices: Vec<u32> = (0..board.cells()).map(|cell| board.alphabet(cell)).collect();
        if let (true, Some(&largest)) = (self.even, radices.iter().max()) {
            radices.fill(largest);
        }
        radices
    }
}

impl<B: Board> BoardCodec<B> for Radix {
    fn encode(&self, board: &B, _: &B, out: &mut BitWriter) -> Result<(), Error> {
        if board.cells() > CELLS_MAX {
            return Err(Error::Board { why: "it has too many cells to be one number" });
        }
        let digits = (0..board.cells()).map(|cell| board.symbol(cell));
        radix::write(out, digits.zip(self.radices(board)));
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        let mut board = emptied(start);
        if board.cells() > CELLS_MAX {
            return Err(Error::Board { why: "it has too many cells to be one number" });
        }
        let at = bits.byte();
        let digits = radix::read(bits, self.radices(start).into_iter());
        let digits = digits.ok_or(Error::Cell { at, why: "not a number that a board can have" })?;
        for (cell, symbol) in (0..).zip(digits) {
            if symbol >= board.alphabet(cell) {
                return Err(Error::Cell { at, why: "a symbol that cannot stand on its cell" });
            }
            board.set(cell, symbol);
        }
        Ok(board)
    }
}
