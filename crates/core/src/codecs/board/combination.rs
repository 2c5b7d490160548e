//! `board.combination`: the count of each symbol, then their arrangement.
//!
//! The arrangement costs the logarithm of the number of arrangements, to within a small fraction of
//! a bit. It is drawn without replacement: at every cell the range coder knows how many of the
//! remaining cells take the symbol.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::range::{Decoder, Encoder};

use crate::board::{Board, BoardCodec, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// Creates the codec with the weights of a game's counts, for a registry row.
pub const fn combination(counts: &'static [&'static [u32]]) -> StateAndBoard<Combination> {
    StateAndBoard {
        info: &CodecInfo {
            name: "board.combination",
            id: 25,
            summary: "the number of each symbol, then the arrangement, drawn without replacement",
            source: "Shields (pawns drawn without replacement), extended to all symbols",
        },
        board: Combination { counts },
    }
}

/// Symbols are coded in ascending order of how many cells may hold them, then of their numbers.
#[derive(Debug)]
pub struct Combination {
    /// For each symbol from 1, a weight for each of its counts. The weight is 1 for a count beyond
    /// the list, and for every count of a symbol without a list.
    pub counts: &'static [&'static [u32]],
}

/// The maximum number of cells.
const CELLS_MAX: u32 = 65_536;

impl Combination {
    /// Returns the weights of 0, 1, ... `most` cells with a symbol.
    fn weights(&self, symbol: u32, most: u32) -> impl Iterator<Item = u32> + Clone + use<> {
        let place = (symbol as usize).checked_sub(1);
        let list = place.and_then(|place| self.counts.get(place)).copied().unwrap_or_default();
        list.iter()
            .copied()
            .map(|weight| weight.max(1))
            .chain(std::iter::repeat(1))
            .take(most as usize + 1)
    }
}

/// Returns the symbols from 1, ordered by the number of cells that they fit on.
fn symbols(board: &impl Board) -> Vec<u32> {
    let room = |symbol| (0..board.cells()).filter(|&c| board.alphabet(c) > symbol).count();
    let largest = (0..board.cells()).map(|cell| board.alphabet(cell)).max().unwrap_or(1);
    let mut symbols: Vec<u32> = (1..largest).collect();
    symbols.sort_by_key(|&symbol| (room(symbol), symbol));
    symbols
}

impl<B: Board> BoardCodec<B> for Combination {
    fn encode(&self, board: &B, _: &B, out: &mut BitWriter) -> Result<(), Error> {
        if board.cells() > CELLS_MAX {
            return Err(Error::Board { why: "it has too many cells" });
        }
        let mut coder = Encoder::new();
        let mut free: Vec<u32> = (0..board.cells()).collect();
        for symbol in symbols(board) {
            let fits = |cell: u32| board.alphabet(cell) > symbol;
            let mut cells = count(free.iter().filter(|&&cell| fits(cell)));
            let mut left = count(free.iter().filter(|&&cell| board.symbol(cell) == symbol));
            let weights = self.weights(symbol, cells);
            let before = weights.clone().take(left as usize).sum();
            let weight = weights.clone().nth(left as usize).unwrap_or(1);
            coder.encode(before, weight, weights.sum());
            free.retain(|&cell| {
                let has = board.symbol(cell) == symbol;
                if fits(cell) && left > 0 {
                    match has {
                        true => coder.encode(0, left, cells),
                        false => coder.encode(left, cells - left, cells),
                    }
                    cells -= 1;
                    left -= u32::from(has);
                }
                !has
            });
        }
        let code = coder.finish();
        out.write_bytes(&code);
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        if start.cells() > CELLS_MAX {
            return Err(Error::Board { why: "it has too many cells" });
        }
        let mut code = Vec::new();
        while bits.left() >= 8 {
            code.push((bits.read(8).unwrap_or(0) & 0xff) as u8);
        }
        if code.last() == Some(&0) {
            return Err(Error::Cell { at: bits.byte(), why: "a byte follows the end of the code" });
        }
        let mut coder = Decoder::new(&code);
        let mut board = emptied(start);
        let mut free: Vec<u32> = (0..board.cells()).collect();
        for symbol in symbols(start) {
            let fits = |cell: u32| start.alphabet(cell) > symbol;
            let mut cells = count(free.iter().filter(|&&cell| fits(cell)));
            let weights = self.weights(symbol, cells);
            let total = weights.clone().sum();
            let place = coder.peek(total);
            let (mut before, mut left) = (0, 0);
            for weight in weights {
                if place - before < weight {
                    coder.consume(before, weight, total);
                    break;
                }
                before += weight;
                left += 1;
            }
            free.retain(|&cell| {
                if !fits(cell) || left == 0 {
                    return true;
                }
                let has = coder.peek(cells) < left;
                match has {
                    true => coder.consume(0, left, cells),
                    false => coder.consume(left, cells - left, cells),
                }
                cells -= 1;
                left -= u32::from(has);
                if has {
                    board.set(cell, symbol);
                }
                !has
            });
        }
        Ok(board)
    }
}

fn count(cells: impl Iterator) -> u32 {
    u32::try_from(cells.count()).unwrap_or(u32::MAX)
}
