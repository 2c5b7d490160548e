//! `xiangqi.bytes32`: a byte for each of the 32 men.
//!
//! HullQin's first scheme: the squares of the men in the order of their numbers, 90 for captured
//! ones. He does not mention the side to move; here the top bit of the first byte is set for Red.

use plypack_core::{CodecInfo, Error, PositionCode, PositionCodec};

use crate::xiangqi::men::{ALL, Men, TAKEN};
use crate::xiangqi::{Position, Xiangqi};

/// The codec. It reads men of one kind in any order, and writes them in the order of [`Men::of`].
#[derive(Debug)]
pub struct Bytes32;

/// The bit of the first byte for Red to move.
const RED_TO_MOVE: u8 = 0x80;

impl PositionCodec<Xiangqi> for Bytes32 {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "xiangqi.bytes32",
            id: 61,
            summary: "one byte per man: the number of its square, or 90",
            source: "HullQin (first scheme, a list of 32 numbers)",
        }
    }

    fn drops(&self) -> &'static [&'static str] {
        &["halfmove clock", "move number"]
    }

    fn encode(&self, _: &Xiangqi, position: &Position) -> Result<PositionCode, Error> {
        let men = Men::of(position)?;
        let mut bytes = men.squares.map(|square| if square == TAKEN { ALL } else { square });
        bytes[0] |= if men.red_to_move { RED_TO_MOVE } else { 0 };
        Ok(PositionCode { bytes: bytes.to_vec(), bits: 256, board_bits: None })
    }

    fn decode(&self, _: &Xiangqi, code: &[u8]) -> Result<Position, Error> {
        let bytes = <[u8; 32]>::try_from(code);
        let mut squares = bytes.map_err(|_| Error::Cell { at: 0, why: "a code has 32 bytes" })?;
        let red_to_move = squares[0] & RED_TO_MOVE != 0;
        squares[0] &= !RED_TO_MOVE;
        for (at, square) in squares.iter_mut().enumerate() {
            match *square {
                ALL => *square = TAKEN,
                0..ALL => {}
                _ => return Err(Error::Cell { at, why: "a man's square is off the board" }),
            }
        }
        let men = Men { red_to_move, squares };
        men.position().map_err(|why| Error::Cell { at: 0, why })
    }
}
