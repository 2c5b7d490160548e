//! `chess.rank`: any position of standard chess in 20 bytes.

use plypack_core::position::{PositionCode, PositionCodec};
use plypack_core::{CodecInfo, Error};

use crate::chess::position_rank::{BYTES, Placement, unrank};
use crate::chess::{Chess, Position};

/// The size of every code.
#[allow(clippy::cast_possible_truncation, reason = "it is 160")]
const BITS: u32 = 8 * BYTES as u32;

/// The number of a position among all that J. Tromp counts, with the halfmove clock.
#[derive(Debug)]
pub struct Rank;

impl PositionCodec<Chess> for Rank {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "chess.rank",
            id: 40,
            summary: "the position's number among all possible ones, with the clock, in 20 bytes",
            source: "J. Tromp, ChessPositionRanking",
        }
    }

    fn drops(&self) -> &'static [&'static str] {
        &["move number"]
    }

    fn bits(&self) -> Option<u32> {
        Some(BITS)
    }

    fn encode(&self, _: &Chess, position: &Position) -> Result<PositionCode, Error> {
        let rank = Placement::of(position).and_then(|placement| placement.rank());
        let rank = rank.map_err(|why| Error::Board { why: why.text() })?;
        Ok(PositionCode { bytes: rank.to_vec(), bits: BITS, board_bits: None })
    }

    fn decode(&self, _: &Chess, code: &[u8]) -> Result<Position, Error> {
        unrank(code)
    }
}
