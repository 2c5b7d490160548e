//! The men of both sides as sets, and their attacks.

use super::board::{Board, HALVES, PALACES, Piece, SQUARES, Side, horses_to, leaps, pawns_to};
use super::lines::{Lines, attacks, has, one, squares};
use crate::common::cover::Cover;

/// The sets of a side by kind, from king 0 to pawn 6.
pub type Sets = [u128; 7];

/// Men except the king, the most valuable first.
pub const DEAREST: [usize; 6] = [4, 5, 3, 2, 1, 6];

/// The men of both sides as sets, ours first, each from king to pawn.
#[derive(Clone, Copy, Debug)]
pub struct Men {
    /// By side, then by kind.
    pub by_role: [Sets; 2],
    /// All occupied squares.
    pub occupied: u128,
}

impl Men {
    /// Returns the men of a board, with Red as us.
    pub(super) fn of(board: &Board) -> Self {
        let by_role = [Side::Red, Side::Black]
            .map(|side| Piece::ALL.map(|piece| board.pieces(piece) & board.side(side)));
        Self { by_role, occupied: board.occupied() }
    }

    /// Returns the attacks of a side's men.
    pub fn attacks(&self, side: usize) -> Attacks {
        let mut by = Attacks::default();
        for (role, &men) in self.by_role[side].iter().enumerate() {
            for from in squares(men) {
                by.add(role, attacks(side, role, from, self.occupied));
            }
        }
        by
    }

    /// Returns the man of a side most in danger, of these: its square and kind, and its attackers
    /// other than the king.
    #[inline(always)]
    pub fn hanging(&self, side: usize, in_danger: u128) -> Option<(usize, usize, u128)> {
        let role = DEAREST.into_iter().find(|&role| in_danger & self.by_role[side][role] != 0)?;
        let men = in_danger & self.by_role[side][role];
        let square = men.trailing_zeros() as usize % SQUARES;
        let [_, others @ ..] = self.by_role[1 - side];
        Some((square, role, self.attackers(square, self.occupied) & union(others)))
    }

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

/// Returns the union of sets.
#[inline(always)]
pub fn union<const SETS: usize>(sets: [u128; SETS]) -> u128 {
    sets.into_iter().fold(0, |all, set| all | set)
}

/// Returns the men of a side, except its king, that the other side attacks by a man of less worth,
/// or attacks at all if they are not among the `guarded`. `by` has the other side's attacks.
#[inline(always)]
pub fn in_danger(men: &Sets, by: &Sets, guarded: u128) -> u128 {
    let [king, advisor, elephant, horse, rook, cannon, pawn] = *by;
    let minor = advisor | elephant;
    let to_officer = pawn | minor | horse | cannon;
    let [_, advisors, elephants, horses, rooks, cannons, pawns] = *men;
    let officers = horses | cannons;
    let pieces = advisors | elephants | officers | rooks;
    pawn & pieces
        | minor & officers
        | to_officer & rooks
        | (to_officer | rook | king) & !guarded & (pieces | pawns)
}

/// Returns, for each kind of man, the other side's men worth attacking with it: the `bare` ones,
/// which nothing guards, and those of more worth.
#[inline(always)]
pub fn targets(bare: u128, men: &Sets) -> Sets {
    let [_, advisors, elephants, horses, rooks, cannons, _] = *men;
    let to_horse = bare | rooks;
    let to_minor = to_horse | horses | cannons;
    [bare, to_minor, to_minor, to_horse, bare, to_horse, to_minor | advisors | elephants]
}

/// Returns the class of the most valuable man in a set of men, without kings: 0 none, 1 a pawn, 2
/// an advisor or elephant, 3 a horse or cannon, 4 a rook.
#[inline(always)]
pub fn dearest(men: &Sets, set: u128) -> usize {
    let [_, advisors, elephants, horses, rooks, cannons, _] = *men;
    match set {
        0 => 0,
        _ if set & rooks != 0 => 4,
        _ if set & (horses | cannons) != 0 => 3,
        _ if set & (advisors | elephants) != 0 => 2,
        _ => 1,
    }
}

/// The attacks of a side's men.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks {
    /// By kind.
    pub by_role: Sets,
    /// By all.
    pub cover: Cover<u128>,
}

impl Attacks {
    /// Adds the attacks of a man.
    #[inline(always)]
    pub fn add(&mut self, role: usize, attacks: u128) {
        if let Some(piece) = self.by_role.get_mut(role) {
            *piece |= attacks;
        }
        self.cover.add(attacks);
    }

    /// Returns the attacks by the cheapest man: pawn, advisor or elephant, horse or cannon, rook,
    /// king.
    #[inline(always)]
    pub fn by_worth(&self) -> [u128; 5] {
        let [king, advisor, elephant, horse, rook, cannon, pawn] = self.by_role;
        [pawn, advisor | elephant, horse | cannon, rook, king]
    }

    /// Returns 1 if a man other than the one that goes there from a square, whose attacks are
    /// given, guards its destination; else 0.
    #[inline(always)]
    pub fn guard(&self, attacks: u128, to: usize) -> usize {
        has(if has(attacks, to) == 1 { self.cover.twice } else { self.cover.once }, to)
    }
}

/// Returns the number, from 1, of the first set that has a square; 0 if none has.
#[inline(always)]
pub fn first_with(sets: &[u128], at: usize) -> usize {
    sets.iter().position(|&set| has(set, at) == 1).map_or(0, |place| place + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Position;

    #[test]
    fn attackers_by_hand() {
        // A pawn on e5, rooks on a5 and i5; the cannon on e2 has no man to leap over.
        let fen = "3k5/9/9/9/r3p3R/9/9/4C4/9/5K3 w";
        let board = Position::read_fen(fen).expect(fen).board;
        let men = Men::of(&board);
        assert_eq!(men.attackers(49, men.occupied), one(45) | one(53));
        assert_eq!(men.attackers(49, men.occupied | one(31)), one(45) | one(53) | one(22));
    }
}
