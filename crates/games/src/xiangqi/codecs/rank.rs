//! `xiangqi.rank`: any position with all men in their regions, in 17 bytes.

use plypack_core::{CodecInfo, Error, PositionCode, PositionCodec};

use crate::xiangqi::position_rank::{BITS, rank, unrank};
use crate::xiangqi::{Position, Xiangqi};

/// The number of a position among all in which every man is where play can bring it.
#[derive(Debug)]
pub struct Rank;

impl PositionCodec<Xiangqi> for Rank {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "xiangqi.rank",
            id: 63,
            summary: "the position's number among all with men in their regions, in 17 bytes",
            source: "ours",
        }
    }

    fn drops(&self) -> &'static [&'static str] {
        &["halfmove clock", "move number"]
    }

    fn bits(&self) -> Option<u32> {
        Some(BITS)
    }

    fn encode(&self, _: &Xiangqi, position: &Position) -> Result<PositionCode, Error> {
        Ok(PositionCode { bytes: rank(position)?.to_vec(), bits: BITS, board_bits: None })
    }

    fn decode(&self, _: &Xiangqi, code: &[u8]) -> Result<Position, Error> {
        unrank(code)
    }
}
