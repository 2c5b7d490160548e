//! The men of both sides as sets, and their attacks.

use crate::xiangqi::board::{HALVES, PALACES, Side, horses_to, leaps, pawns_to};
use crate::xiangqi::lines::{Lines, attacks, has, one, squares};

/// The men of both sides as sets, ours first, each from king to pawn.
#[derive(Clone, Copy, Debug)]
pub struct Men {
    /// By side, then by kind.
    pub by_role: [[u128; 7]; 2],
    /// All occupied squares.
    pub occupied: u128,
}

impl Men {
    /// Returns every man of either side that attacks a square if only `occupied` is occupied.
    pub fn attackers(&self, to: usize, occupied: u128) -> u128 {
        let square = u8::try_from(to % 90).unwrap_or(0);
        let [ours, theirs] = &self.by_role;
        let lines = Lines::new(to, occupied);
        let both = |role: usize| ours[role] | theirs[role];
        let horses = leaps(horses_to(square), occupied) & both(3);
        let pawns =
            pawns_to(Side::Red, square) & ours[6] | pawns_to(Side::Black, square) & theirs[6];
        let mut attackers = lines.seen & both(4) | lines.second & both(5) | horses | pawns;
        for side in 0..2 {
            let first = if has(PALACES[side], to) == 1 { 0 } else { 2 };
            let last = if has(HALVES[side], to) == 1 { 3 } else { 0 };
            for role in first..last {
                for from in squares(self.by_role[side][role]) {
                    if has(attacks(side, role, from, occupied), to) == 1 {
                        attackers |= one(from);
                    }
                }
            }
        }
        attackers & occupied
    }
}

/// The attacks of a side's men.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks {
    /// By kind.
    pub by_role: [u128; 7],
    /// The squares that at least one of them attacks.
    pub once: u128,
    /// The squares that at least two attack.
    pub twice: u128,
}

impl Attacks {
    /// Adds the attacks of a man.
    #[inline(always)]
    pub fn add(&mut self, role: usize, attacks: u128) {
        if let Some(piece) = self.by_role.get_mut(role) {
            *piece |= attacks;
        }
        self.twice |= self.once & attacks;
        self.once |= attacks;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Position;
    use crate::xiangqi::board::Piece;

    #[test]
    fn attackers_by_hand() {
        // A pawn on e5, rooks on a5 and i5; the cannon on e2 has no man to leap over.
        let fen = "3k5/9/9/9/r3p3R/9/9/4C4/9/5K3 w";
        let board = Position::read_fen(fen).expect(fen).board;
        let by_role = [Side::Red, Side::Black]
            .map(|side| Piece::ALL.map(|piece| board.pieces(piece) & board.side(side)));
        let men = Men { by_role, occupied: board.occupied() };
        assert_eq!(men.attackers(49, men.occupied), one(45) | one(53));
        assert_eq!(men.attackers(49, men.occupied | one(31)), one(45) | one(53) | one(22));
    }
}
