//! `chess.san-bits-naive`: every field that SAN may have, in 29 bits a move, after Buffett.

use cozy_chess::{Piece, Square};
use plypack_core::CodecInfo;
use plypack_core::bits::bitstring::{BitReader, BitWriter};

use super::by_move::ByMove;
use super::san_bits::{MEN, Spelled, Spelling, at, place, read_file, read_rank, read_square};
use crate::chess::notation::{Action, San};

/// The codec, for a registry row.
pub const SAN_BITS_NAIVE: ByMove<Spelled<Naive>> = ByMove {
    info: &CodecInfo {
        name: "chess.san-bits-naive",
        id: 33,
        summary: "each move as SAN in bits, every field at its full width: 29 bits",
        source: "Buffett (a first pass)",
    },
    code: Spelled(Naive),
};

/// Buffett's first scheme: man 3, capture 1, disambiguation 2 + 6, destination 6, promotion 7,
/// check 1, mate 1, castling 2. Unused fields are zeros; castling also uses check and mate, and
/// nothing else.
#[derive(Debug)]
pub struct Naive;

/// The two bits of castling.
const SHORT: u64 = 1;
const LONG: u64 = 2;

impl Spelling for Naive {
    fn write(&self, san: &San, out: &mut BitWriter) {
        let nowhere = Action::Go {
            piece: Piece::Pawn,
            from_file: None,
            from_rank: None,
            captures: false,
            to: Square::A1,
            promotion: None,
        };
        let (castling, said) = match san.action {
            Action::Castle { short } => (if short { SHORT } else { LONG }, nowhere),
            going => (0, going),
        };
        if let Action::Go { piece, from_file, from_rank, captures, to, promotion } = said {
            out.write(place(&MEN, piece), 3);
            out.write_bit(captures);
            out.write_bit(from_rank.is_some());
            out.write_bit(from_file.is_some());
            out.write(from_file.map_or(0, |file| file as u64), 3);
            out.write(from_rank.map_or(0, |rank| rank as u64), 3);
            out.write(to as u64, 6);
            out.write_bit(promotion.is_some());
            out.write(promotion.map_or(0, |piece| 0b10_0000 >> place(&MEN, piece)), 6);
        }
        out.write_bit(san.check);
        out.write_bit(san.mate);
        out.write(castling, 2);
    }

    fn read(&self, bits: &mut BitReader<'_>) -> Option<San> {
        let piece = at(&MEN, bits.read(3)?)?;
        let captures = bits.read_bit()?;
        let (has_rank, has_file) = (bits.read_bit()?, bits.read_bit()?);
        let (file, rank) = (read_file(bits)?, read_rank(bits)?);
        let (from_file, from_rank) = (has_file.then_some(file), has_rank.then_some(rank));
        let to = read_square(bits)?;
        let promotes = bits.read_bit()?;
        let one_hot = bits.read(6)?;
        let promoted = MEN.into_iter().find(|&piece| 0b10_0000 >> place(&MEN, piece) == one_hot);
        let promotion = if promotes { Some(promoted?) } else { None };
        let (check, mate) = (bits.read_bit()?, bits.read_bit()?);
        let action = match bits.read(2)? {
            0 => Action::Go { piece, from_file, from_rank, captures, to, promotion },
            castling @ (SHORT | LONG) => Action::Castle { short: castling == SHORT },
            _ => return None,
        };
        Some(San { action, check, mate })
    }
}
