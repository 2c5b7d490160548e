//! `board.aligned`: `board.nibble`, but for a board that begins with a byte of its own.
//!
//! What stands before a board takes now more bits and now fewer. If the board begins with a whole
//! byte, equal parts of boards are equal bytes: the codes of many positions, none of which is
//! small by itself, get small together in a general compressor.

use plypack_bits::bitstring::{BitReader, BitWriter};

use super::nibble::Nibble;
use crate::board::{Board, BoardCodec};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// The codec, ready to stand in a registry row.
pub const ALIGNED: StateAndBoard<Aligned> = StateAndBoard {
    info: &CodecInfo {
        name: "board.aligned",
        id: 34,
        summary: "as board.nibble, the board from a whole byte on: many compress well together",
        source: "plypack",
    },
    board: Aligned,
};

/// Zeros up to a whole byte, then cells as [`Nibble`] has them.
#[derive(Debug)]
pub struct Aligned;

impl<B: Board> BoardCodec<B> for Aligned {
    fn encode(&self, board: &B, start: &B, out: &mut BitWriter) -> Result<(), Error> {
        while !out.bits().is_multiple_of(8) {
            out.write_bit(false);
        }
        Nibble.encode(board, start, out)
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        while !bits.left().is_multiple_of(8) {
            if bits.read_bit() != Some(false) {
                return Err(Error::Cell { at: bits.byte(), why: "not zeros before the board" });
            }
        }
        Nibble.decode(start, bits)
    }
}
