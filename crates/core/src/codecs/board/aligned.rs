//! `board.aligned`: `board.nibble`, with the board aligned to a byte.
//!
//! The state before a board varies in length. With the board at a byte boundary, equal parts of
//! boards are equal bytes. Single codes are not smaller, but many positions compress well together.

use crate::bits::bitstring::{BitReader, BitWriter};

use super::nibble::Nibble;
use crate::board::{Board, BoardCodec};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// The codec, for a registry row.
pub const ALIGNED: StateAndBoard<Aligned> = StateAndBoard {
    info: &CodecInfo {
        name: "board.aligned",
        id: 34,
        summary: "board.nibble, aligned to a byte: many positions compress well together",
        source: "plypack",
    },
    board: Aligned,
};

/// Zeros up to a byte boundary, then cells as in [`Nibble`].
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
                return Err(Error::Cell { at: bits.byte(), why: "the padding is not zero" });
            }
        }
        Nibble.decode(start, bits)
    }
}
