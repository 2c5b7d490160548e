//! `chess.san-bits`: what SAN says about a move, in bits instead of letters, after Buffett.
//!
//! His reader has no board. His article leaves the order of the fields open, and no single order
//! gives all sizes that it states; this one gives the stated 195 bytes for his game. Mate has a bit
//! only after check, and the special fields come before the destination, whose length depends on
//! whether a pawn captures.

use std::fmt::Debug;

use cozy_chess::{File, Move, Piece, Rank, Square};
use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::{Candidates, CodecInfo, Ply};

use super::by_move::{ByMove, MoveCode};
use crate::chess::Chess;
use crate::chess::notation::{Action, San};

/// The codec, for a registry row.
pub const SAN_BITS: ByMove<Spelled<Short>> = ByMove {
    info: &CodecInfo {
        name: "chess.san-bits",
        id: 32,
        summary: "each move as SAN in bits: man, what is special, destination",
        source: "Buffett (getting smarter)",
    },
    code: Spelled(Short),
};

/// A code of moves in terms of SAN, independent of the board.
pub trait Spelling: Debug + Send + Sync + 'static {
    /// Appends a move.
    fn write(&self, san: &San, out: &mut BitWriter);

    /// Reads a move. `None` if the bits end or mean nothing.
    fn read(&self, bits: &mut BitReader<'_>) -> Option<San>;
}

/// Moves in a spelling of SAN, resolved by the rules when decoding.
#[derive(Debug)]
pub struct Spelled<S>(pub S);

impl<S: Spelling> MoveCode for Spelled<S> {
    fn write(&self, ply: &Ply<'_, Chess>, out: &mut BitWriter) {
        self.0.write(&San::of(&ply.before.board, ply.mv(), &ply.after.board), out);
    }

    fn read(&self, candidates: &Candidates<'_, Chess>, bits: &mut BitReader<'_>) -> Option<Move> {
        self.0.read(bits)?.find(&candidates.position().board).ok()
    }
}

/// The men in the order of their three bits; after them short and long castling.
pub(super) const MEN: [Piece; 6] =
    [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen, Piece::King];
const SHORT_CASTLING: u64 = 6;
const LONG_CASTLING: u64 = 7;

/// The pieces of a promotion, in the order of its two bits.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// Returns the index of a piece in a list.
pub(super) fn place(list: &[Piece], piece: Piece) -> u64 {
    list.iter().position(|&other| other == piece).map_or(0, |place| place as u64)
}

/// Returns the piece at an index in a list.
pub(super) fn at(list: &[Piece], place: u64) -> Option<Piece> {
    list.get(usize::try_from(place).ok()?).copied()
}

pub(super) fn read_square(bits: &mut BitReader<'_>) -> Option<Square> {
    Square::try_index(usize::try_from(bits.read(6)?).ok()?)
}

pub(super) fn read_file(bits: &mut BitReader<'_>) -> Option<File> {
    File::try_index(usize::try_from(bits.read(3)?).ok()?)
}

pub(super) fn read_rank(bits: &mut BitReader<'_>) -> Option<Rank> {
    Rank::try_index(usize::try_from(bits.read(3)?).ok()?)
}

/// A piece's origin, as far as disambiguation may state it.
type Origin = (Option<File>, Option<Rank>);

/// Appends two bits, 1 for a file, 2 for a rank, 3 for both, then the file and the rank.
fn write_origin((file, rank): Origin, out: &mut BitWriter) {
    out.write_bit(rank.is_some());
    out.write_bit(file.is_some());
    if let Some(file) = file {
        out.write(file as u64, 3);
    }
    if let Some(rank) = rank {
        out.write(rank as u64, 3);
    }
}

/// Reads what [`write_origin`] appends.
fn read_origin(bits: &mut BitReader<'_>) -> Option<Origin> {
    let (has_rank, has_file) = (bits.read_bit()?, bits.read_bit()?);
    let file = if has_file { Some(read_file(bits)?) } else { None };
    let rank = if has_rank { Some(read_rank(bits)?) } else { None };
    Some((file, rank))
}

/// Buffett's second scheme.
#[derive(Debug)]
pub struct Short;

impl Spelling for Short {
    fn write(&self, san: &San, out: &mut BitWriter) {
        let San { action, check, mate } = *san;
        let (piece, from_file, from_rank, captures, to, promotion) = match action {
            Action::Castle { short } => {
                out.write(if short { SHORT_CASTLING } else { LONG_CASTLING }, 3);
                write_if(out, check, |out| out.write_bit(mate));
                return;
            }
            Action::Go { piece, from_file, from_rank, captures, to, promotion } => {
                (piece, from_file, from_rank, captures, to, promotion)
            }
        };
        let pawn_captures = piece == Piece::Pawn && captures;
        let origin = if pawn_captures { (None, None) } else { (from_file, from_rank) };
        let ambiguous = origin != (None, None);
        out.write(place(&MEN, piece), 3);
        let special = captures || check || promotion.is_some() || ambiguous;
        write_if(out, special, |out| {
            out.write_bit(captures);
            write_if(out, check, |out| out.write_bit(mate));
            write_if(out, promotion.is_some(), |out| {
                out.write(place(&PROMOTIONS, promotion.unwrap_or(Piece::Queen)), 2);
            });
            write_if(out, ambiguous, |out| write_origin(origin, out));
        });
        match from_file {
            Some(from) if pawn_captures => {
                out.write(from as u64, 3);
                if !matches!(from, File::A | File::H) {
                    out.write_bit(to.file() > from);
                }
                out.write(to.rank() as u64, 3);
            }
            _ => out.write(to as u64, 6),
        }
    }

    fn read(&self, bits: &mut BitReader<'_>) -> Option<San> {
        let man = bits.read(3)?;
        let special = bits.read_bit()?;
        if man >= SHORT_CASTLING {
            let action = Action::Castle { short: man == SHORT_CASTLING };
            return Some(San { action, check: special, mate: special && bits.read_bit()? });
        }
        let piece = at(&MEN, man)?;
        let captures = special && bits.read_bit()?;
        let check = special && bits.read_bit()?;
        let mate = check && bits.read_bit()?;
        let promotes = special && bits.read_bit()?;
        let promotion = if promotes { Some(at(&PROMOTIONS, bits.read(2)?)?) } else { None };
        let ambiguous = special && bits.read_bit()?;
        let (mut from_file, from_rank) = if ambiguous { read_origin(bits)? } else { (None, None) };
        let to = if piece == Piece::Pawn && captures {
            let from = read_file(bits)?;
            let right = match from {
                File::A => true,
                File::H => false,
                _ => bits.read_bit()?,
            };
            from_file = Some(from);
            let file = if right { from as usize + 1 } else { (from as usize).checked_sub(1)? };
            Square::new(File::try_index(file)?, read_rank(bits)?)
        } else {
            read_square(bits)?
        };
        let action = Action::Go { piece, from_file, from_rank, captures, to, promotion };
        Some(San { action, check, mate })
    }
}

/// Appends a bit that says whether something follows, then that.
fn write_if(out: &mut BitWriter, said: bool, write: impl FnOnce(&mut BitWriter)) {
    out.write_bit(said);
    if said {
        write(out);
    }
}
