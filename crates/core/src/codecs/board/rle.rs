//! `board.rle`: runs of equal cells, each as a symbol and a length.

use crate::bits::bitstring::{BitReader, BitWriter};
use crate::bits::combination::width;
use crate::bits::golomb;

use crate::board::{Board, BoardCodec, cut, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// The codec, for a registry row.
pub const RLE: StateAndBoard<Rle> = StateAndBoard {
    info: &CodecInfo {
        name: "board.rle",
        id: 21,
        summary: "runs of equal cells: a symbol, then the run's length in an Elias gamma code",
        source: "Ternary (run lengths)",
    },
    board: Rle,
};

/// Runs in the order of the cells. A run's symbol differs from the previous one, so symbols above
/// that are coded as one less.
#[derive(Debug)]
pub struct Rle;

impl<B: Board> BoardCodec<B> for Rle {
    fn encode(&self, board: &B, _: &B, out: &mut BitWriter) -> Result<(), Error> {
        write_runs(board.cells(), largest_alphabet(board), |cell| board.symbol(cell), out);
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        let mut board = emptied(start);
        let alphabet = largest_alphabet(start);
        read_runs(start.cells(), alphabet, bits, |cell, symbol| {
            let fits = symbol < board.alphabet(cell);
            board.set(cell, symbol);
            fits
        })?;
        Ok(board)
    }
}

fn largest_alphabet(board: &impl Board) -> u32 {
    (0..board.cells()).map(|cell| board.alphabet(cell)).max().unwrap_or(1)
}

/// Appends runs of symbols below `alphabet`.
pub(crate) fn write_runs(
    cells: u32,
    alphabet: u32,
    symbol: impl Fn(u32) -> u32,
    out: &mut BitWriter,
) {
    let mut last = None;
    let mut cell = 0;
    while cell < cells {
        let this = symbol(cell);
        let end = (cell + 1..cells).find(|&next| symbol(next) != this).unwrap_or(cells);
        let (choice, choices) = match last {
            None => (this, alphabet),
            Some(last) => (this - u32::from(this > last), alphabet.saturating_sub(1)),
        };
        out.write(choice.into(), width(choices.into()));
        golomb::write(out, end - cell - 1, 0);
        last = Some(this);
        cell = end;
    }
}

/// Reads runs and passes each cell's symbol to `set`, which returns whether it fits.
pub(crate) fn read_runs(
    cells: u32,
    alphabet: u32,
    bits: &mut BitReader<'_>,
    mut set: impl FnMut(u32, u32) -> bool,
) -> Result<(), Error> {
    let mut last = None;
    let mut cell = 0;
    while cell < cells {
        let at = bits.byte();
        let choices = alphabet - u32::from(last.is_some());
        let choice = bits.read(width(choices.into())).and_then(|choice| u32::try_from(choice).ok());
        let choice = choice.ok_or_else(|| cut(bits))?;
        let symbol = choice + u32::from(last.is_some_and(|last| choice >= last));
        let length = golomb::read(bits, 0).ok_or_else(|| cut(bits))?;
        if length >= cells - cell {
            return Err(Error::Cell { at, why: "a run goes beyond the board" });
        }
        for place in cell..=cell + length {
            if !set(place, symbol) {
                return Err(Error::Cell { at, why: "a symbol that cannot stand on its cell" });
            }
        }
        cell += length + 1;
        last = Some(symbol);
    }
    Ok(())
}
