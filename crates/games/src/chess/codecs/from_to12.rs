//! `chess.from-to12`: every move in 12 bits, origin and destination.
//!
//! Two squares leave no room for the piece of a promotion. But a promoting pawn always goes to the
//! last rank, so the three bits of the rank hold the piece instead.

use cozy_chess::{Move, Piece};
use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::{Candidates, CodecInfo, Ply};

use super::by_move::{ByMove, MoveCode};
use crate::chess::{Chess, PROMOTIONS};

/// The codec, for a registry row.
pub const FROM_TO12: ByMove<FromTo12> = ByMove {
    info: &CodecInfo {
        name: "chess.from-to12",
        id: 31,
        summary: "each move in 12 bits: origin, destination; a promotion in place of the last rank",
        source: "Shields (from-to moves)",
    },
    code: FromTo12,
};

/// Origin and destination, each as 3 bits of rank and 3 bits of file. In a promotion the rank of
/// the destination is 0 to 3 for knight, bishop, rook and queen. Castling is king takes rook.
#[derive(Debug)]
pub struct FromTo12;

/// The six bits of a move's destination.
fn destination(mv: Move) -> u64 {
    let piece = |piece: Piece| PROMOTIONS.into_iter().position(|other| other == piece);
    let rank = match mv.promotion.and_then(piece) {
        Some(place) => place as u64,
        None => mv.to.rank() as u64,
    };
    rank << 3 | mv.to.file() as u64
}

impl MoveCode for FromTo12 {
    fn write(&self, ply: &Ply<'_, Chess>, out: &mut BitWriter) {
        let mv = ply.mv();
        out.write(mv.from as u64, 6);
        out.write(destination(mv), 6);
    }

    fn read(&self, candidates: &Candidates<'_, Chess>, bits: &mut BitReader<'_>) -> Option<Move> {
        let (from, to) = (bits.read(6)?, bits.read(6)?);
        let is_meant = |mv: &&Move| mv.from as u64 == from && destination(**mv) == to;
        candidates.iter().find(is_meant).copied()
    }
}
