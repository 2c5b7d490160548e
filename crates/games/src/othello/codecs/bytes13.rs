//! `othello.bytes13`: the side to move and the board as one number of 13 bytes.
//!
//! Discs are never removed, so the four cells in the middle stay full: 60 cells with three symbols,
//! four with two, and the side to move take 100.1 bits.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::radix;
use plypack_core::{Board, BoardRules, CodecInfo, Error, PositionCode, PositionCodec};

use crate::othello::{Othello, Position};

/// The codec, for a registry row.
#[derive(Debug)]
pub struct Bytes13;

/// The length of every code.
const BYTES: usize = 13;

/// d4, e4, d5 and e5.
const MIDDLE: [u32; 4] = [27, 28, 35, 36];

/// Returns the radix of the side to move, then those of the cells from a1 to h8.
fn radices() -> impl DoubleEndedIterator<Item = u32> + Clone {
    let cells = (0..64).map(|cell| if MIDDLE.contains(&cell) { 2 } else { 3 });
    std::iter::once(2).chain(cells)
}

impl PositionCodec<Othello> for Bytes13 {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "othello.bytes13",
            id: 50,
            summary: "side to move and board as one number, the middle never empty: 13 bytes",
            source: "plypack",
        }
    }

    fn bits(&self) -> Option<u32> {
        Some(radix::width(radices()))
    }

    fn encode(&self, game: &Othello, position: &Position) -> Result<PositionCode, Error> {
        let (board, white_to_move) = game.split(position);
        if MIDDLE.iter().any(|&cell| board.symbol(cell) == 0) {
            return Err(Error::Board { why: "one of the cells d4, e4, d5, e5 is empty" });
        }
        let cells = (0..64).map(|cell| {
            let middle = MIDDLE.contains(&cell);
            board.symbol(cell) - u32::from(middle)
        });
        let digits = std::iter::once(white_to_move.into()).chain(cells);
        let mut out = BitWriter::new();
        radix::write(&mut out, digits.zip(radices()));
        let bits = out.bits();
        let mut bytes = out.into_bytes();
        bytes.resize(BYTES, 0);
        Ok(PositionCode { bytes, bits, board_bits: None })
    }

    fn decode(&self, game: &Othello, code: &[u8]) -> Result<Position, Error> {
        if code.len() != BYTES {
            return Err(Error::Cell { at: code.len().min(BYTES), why: "a code has 13 bytes" });
        }
        let mut bits = BitReader::new(code);
        let digits = radix::read(&mut bits, radices()).filter(|_| bits.is_at_end());
        let digits = digits.ok_or(Error::Cell { at: 0, why: "the number is too large" })?;
        let mut digits = digits.into_iter();
        let white_to_move = digits.next() == Some(1);
        let mut board = game.start_board(&white_to_move);
        for (cell, digit) in (0..).zip(digits) {
            board.set(cell, digit + u32::from(MIDDLE.contains(&cell)));
        }
        game.join(&board, &white_to_move)
    }
}

#[cfg(test)]
mod tests {
    use plypack_core::Rules;

    use super::*;

    #[test]
    fn the_number_fits_with_three_bits_to_spare() {
        assert_eq!(radix::width(radices()), 101);
        let code = Bytes13.encode(&Othello, &Othello.start()).expect("the start");
        assert_eq!((code.bytes.len(), code.bits), (13, 101));
    }

    #[test]
    fn an_empty_middle_is_refused_by_name() {
        let position = Othello.read_position("ox6/8/8/8/8/8/8/8 o").expect("a position");
        let refused = Bytes13.encode(&Othello, &position).expect_err("it is empty");
        assert!(refused.to_string().contains("d4"), "{refused}");
    }

    #[test]
    fn other_lengths_and_numbers_are_refused() {
        let code = Bytes13.encode(&Othello, &Othello.start()).expect("the start").bytes;
        assert_eq!(Bytes13.decode(&Othello, &code), Ok(Othello.start()));
        assert!(Bytes13.decode(&Othello, &code[..12]).is_err());
        assert!(Bytes13.decode(&Othello, &[&code[..], &[0]].concat()).is_err());
        assert!(Bytes13.decode(&Othello, &[0xff; 13]).is_err());
        let mut filled = code;
        filled[12] |= 1;
        assert!(Bytes13.decode(&Othello, &filled).is_err());
    }
}
