//! Positions of a game without a board model of its own: the state's bits, then the cells.

use std::sync::LazyLock;

use crate::bits::bitstring::{BitReader, BitWriter};

use super::Walk;
use super::coder::Answers;
use super::model::Model;
use super::start::Start;
use super::tree::{SYMBOLS_MAX, Tree};
use crate::board::{Board, BoardRules, emptied};
use crate::error::Error;

/// The maximum number of bits of a state.
const STATE_MAX: u32 = 1_024;

/// The traversal for any game whose cells have at most 16 symbols.
#[derive(Debug)]
pub struct Plain;

/// Two groups: symbols 1 to 7, and the others.
static START: LazyLock<Start> = LazyLock::new(|| {
    Start::new(Tree::of([&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]]))
});

impl<G: BoardRules> Walk<G> for Plain {
    fn start(&self) -> &Start {
        &START
    }

    fn walk<A: Answers>(
        &self,
        game: &G,
        model: &mut Model,
        coder: &mut A,
        told: Option<&G::Position>,
    ) -> Result<Option<G::Position>, Error> {
        let told = told.map(|position| game.split(position));
        let mut bits = BitWriter::new();
        if let Some((_, state)) = &told {
            game.write_state(state, &mut bits);
        }
        let bits = walk_state(model, coder, (bits.bits(), &bits.into_bytes()))?;
        let bytes = bits.into_bytes();
        let mut reader = BitReader::new(&bytes);
        let state = game.read_state(&mut reader)?;
        if !reader.is_at_end() {
            return Err(Error::Cell { at: 0, why: "the state is too long" });
        }
        let mut board = emptied(&game.start_board(&state));
        let cells = board.cells();
        model.board(cells as usize, 0);
        for cell in 0..cells {
            let alphabet = board.alphabet(cell);
            if alphabet as usize > SYMBOLS_MAX {
                return Err(Error::Board { why: "a cell has more than 16 symbols" });
            }
            let told = told.as_ref().map_or(0, |(board, _)| board.symbol(cell));
            let told = u8::try_from(told).unwrap_or(0);
            let symbol = model.cell(coder, (1 << alphabet) - 1, None, told);
            board.set(cell, symbol.into());
        }
        match told {
            Some((told, _)) if told == board => Ok(None),
            Some(_) => Err(Error::Board { why: "a symbol does not fit on its cell" }),
            None => game.join(&board, &state).map(Some),
        }
    }
}

/// Codes the bits of a state, each preceded by whether there is another. The question for a bit
/// depends on the earlier ones.
fn walk_state<A: Answers>(
    model: &mut Model,
    coder: &mut A,
    (count, told): (u32, &[u8]),
) -> Result<BitWriter, Error> {
    let mut reader = BitReader::new(told);
    let mut bits = BitWriter::new();
    let mut before = 1u32;
    for place in 0..STATE_MAX {
        let question = before.wrapping_mul(1_024).wrapping_add(place).wrapping_mul(2);
        if !model.question(coder, question, None, place < count) {
            return Ok(bits);
        }
        let bit = reader.read_bit().unwrap_or(false);
        let bit = model.question(coder, question + 1, None, bit);
        bits.write_bit(bit);
        before = (before << 1 | u32::from(bit)) & 0xf_ffff;
    }
    Err(Error::Cell { at: 0, why: "the state is too long" })
}
