//! `xiangqi.map`: which of the 32 men are left, and their squares.
//!
//! HullQin's second scheme, a map from the numbers of men to squares; he says only that its size
//! varies. Here it is a bit for Red to move, a bit for each number, set if the man is left, and the
//! square of each man left in 7 bits.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::{CodecInfo, Error, PositionCode, PositionCodec};

use crate::xiangqi::men::{ALL, Men, TAKEN};
use crate::xiangqi::{Position, Xiangqi};

/// The codec. It reads men of one kind in any order, and writes them in the order of [`Men::of`].
#[derive(Debug)]
pub struct Map;

impl PositionCodec<Xiangqi> for Map {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "xiangqi.map",
            id: 62,
            summary: "32 bits that say which men are left, then 7 bits for the square of each",
            source: "HullQin (second scheme, a map)",
        }
    }

    fn drops(&self) -> &'static [&'static str] {
        &["halfmove clock", "move number"]
    }

    fn encode(&self, _: &Xiangqi, position: &Position) -> Result<PositionCode, Error> {
        let men = Men::of(position)?;
        let mut out = BitWriter::new();
        out.write_bit(men.red_to_move);
        for square in men.squares {
            out.write_bit(square != TAKEN);
        }
        for square in men.squares.into_iter().filter(|&square| square != TAKEN) {
            out.write(square.into(), 7);
        }
        Ok(PositionCode { bits: out.bits(), board_bits: None, bytes: out.into_bytes() })
    }

    fn decode(&self, _: &Xiangqi, code: &[u8]) -> Result<Position, Error> {
        let mut bits = BitReader::new(code);
        let men = read(&mut bits);
        let at = bits.byte();
        let men =
            men.ok_or(Error::Cell { at, why: "the code ends early, or has no such square" })?;
        if !bits.is_at_end() {
            return Err(Error::Cell { at, why: "bits follow the end of the code" });
        }
        men.position().map_err(|why| Error::Cell { at: 0, why })
    }
}

fn read(bits: &mut BitReader<'_>) -> Option<Men> {
    let red_to_move = bits.read_bit()?;
    let left = bits.read(32)?;
    let mut squares = [TAKEN; 32];
    for (man, square) in squares.iter_mut().enumerate() {
        if left << man & 1 << 31 != 0 {
            *square = u8::try_from(bits.read(7)?).ok().filter(|&square| square < ALL)?;
        }
    }
    Some(Men { red_to_move, squares })
}
