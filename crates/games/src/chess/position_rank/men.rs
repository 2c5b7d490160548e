//! The men of a placement, split as the numbering treats them.

use super::castling::pinned_men;
use super::classes::Class;
use super::placement::{BISHOP, KING, KNIGHT, PAWN, Placement, QUEEN, ROOK, Unranked};
use super::subsets::count;
use super::words::{Army, Set};

/// The men of a placement with White to move, ours and theirs.
pub struct Men {
    pub pawns: [u64; 2],
    /// Kings and rooks that castling rights pin.
    pub pinned: u64,
    /// The other pieces.
    pub free: [[u64; 6]; 2],
    pub armies: [Army; 2],
    pub sets: [Set; 2],
}

impl Men {
    pub fn of(placement: &Placement) -> Result<Self, Unranked> {
        let [ours, theirs] = &placement.men;
        let counts = [ours.map(count), theirs.map(count)];
        let sides = [
            Self::side(&counts[0], placement.castling[0])?,
            Self::side(&counts[1], placement.castling[1])?,
        ];
        let mut free = placement.men;
        let mut pinned = 0;
        for (side, boards) in free.iter_mut().enumerate() {
            let [king, rooks] = pinned_men(placement.castling[side], side);
            if king & !boards[KING] != 0 || rooks & !boards[ROOK] != 0 {
                return Err(Unranked::Castling);
            }
            boards[KING] ^= king;
            boards[ROOK] ^= rooks;
            boards[PAWN] = 0;
            pinned |= king | rooks;
        }
        Ok(Self {
            pawns: [ours[PAWN], theirs[PAWN]],
            pinned,
            free,
            armies: sides.map(|side| side.0),
            sets: sides.map(|side| side.1),
        })
    }

    /// Returns the free pieces of a side, by its men and its castling rights.
    fn side(counts: &[usize; 6], rights: [bool; 2]) -> Result<(Army, Set), Unranked> {
        let pinned = rights.into_iter().map(usize::from).sum();
        let army = Army {
            queens: counts[QUEEN],
            rooks: counts[ROOK].saturating_sub(pinned),
            bishops: counts[BISHOP],
            knights: counts[KNIGHT],
        };
        let promoted = army.promoted(pinned);
        if counts[PAWN] > 8 {
            Err(Unranked::Pawns)
        } else if counts.iter().sum::<usize>() > 16 {
            Err(Unranked::Men)
        } else if counts[PAWN] + promoted > 8 {
            Err(Unranked::Promoted)
        } else {
            Ok((army, Set { pinned, promoted, pieces: army.pieces(pinned) }))
        }
    }

    /// Returns the class, ignoring the en passant field.
    pub fn class(&self) -> Option<Class> {
        let [ours, theirs] = &self.sets;
        let class = Class {
            en_passant: 0,
            rooks: [ours.pinned, theirs.pinned],
            pawns: self.pawns.map(count),
            pieces: ours.pieces + theirs.pieces,
            opposed: 0,
        };
        class.with_promoted(ours.promoted + theirs.promoted)
    }
}
