//! The attacks of both sides after a move; those of most kinds of men stay the same.

use crate::xiangqi::attacks::{self, Sets, union};
use crate::xiangqi::board::{Board, Piece, Side, squares};
use crate::xiangqi::fast::view::{
    BOARD, beside, by_advisors, by_elephants, by_horses, by_king, by_pawns, diagonals,
};
use crate::xiangqi::lines::{Lines, one};

/// A side's men, and their attacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Force {
    /// The men by kind.
    pub men: Sets,
    /// The squares that the men of each kind attack.
    pub reach: Sets,
}

impl Force {
    /// Returns all squares that they attack.
    #[inline(always)]
    pub fn all(&self) -> u128 {
        union(self.reach)
    }

    /// Returns the men, except the king, that the other side attacks by a man of less worth, or
    /// attacks at all if none of this side guards them.
    #[inline(always)]
    pub fn in_danger(&self, by: &Self) -> u128 {
        attacks::in_danger(&self.men, &by.reach, self.all())
    }

    /// Returns the class of the most valuable man in a set, as [`attacks::dearest`] does; without
    /// branches, and 0 for squares without such a man.
    #[inline(always)]
    pub fn dearest(&self, set: u128) -> usize {
        let [_, advisors, elephants, horses, rooks, cannons, pawns] = self.men;
        let classes = [pawns, advisors | elephants, horses | cannons, rooks];
        let class = |(class, men): (usize, u128)| if set & men == 0 { 0 } else { class };
        (1..).zip(classes).map(class).fold(0, usize::max)
    }
}

/// Both sides of a position, ours first.
#[derive(Debug)]
pub struct Forces {
    sides: [Side; 2],
    /// Before the move.
    pub now: [Force; 2],
    /// Men of this kind attack the same squares until a move starts or ends on one of these
    /// squares.
    watch: [Sets; 2],
    occupied: u128,
}

/// Returns the attacks of men of a kind, and the squares on which they depend.
#[inline(always)]
fn look(side: Side, role: usize, men: u128, occupied: u128) -> (u128, u128) {
    let empty = BOARD & !occupied;
    match role {
        0 => (by_king(side, men), men),
        1 => (union(by_advisors(side, men)), men),
        2 => (union(by_elephants(side, men, empty)), men | union(diagonals(men))),
        3 => (union(by_horses(men, empty)), men | beside(men)),
        4 | 5 => squares(men).fold((0, men), |(reach, watch), at| {
            let lines = Lines::new(at.into(), occupied);
            if role == 4 {
                (reach | lines.seen, watch | lines.seen)
            } else {
                (reach | lines.beyond, watch | lines.seen | lines.beyond)
            }
        }),
        _ => (union(by_pawns(side, men)), men),
    }
}

impl Forces {
    /// Returns the forces of a position, with `us` to move.
    #[inline(always)]
    pub fn new(board: &Board, us: Side) -> Self {
        let sides = [us, us.other()];
        let occupied = board.occupied();
        let mut now = [Force::default(); 2];
        let mut watch = [Sets::default(); 2];
        for side in 0..2 {
            let own = board.side(sides[side]);
            for piece in Piece::ALL {
                let role = piece as usize;
                let men = board.pieces(piece) & own;
                now[side].men[role] = men;
                (now[side].reach[role], watch[side][role]) = look(sides[side], role, men, occupied);
            }
        }
        Self { sides, now, watch, occupied }
    }

    /// Returns the forces after a move of a man of ours.
    #[inline(always)]
    pub fn after(&self, role: usize, from: u8, to: u8) -> [Force; 2] {
        let (from, to) = (one(from.into()), one(to.into()));
        let touched = from | to;
        let occupied = self.occupied & !from | to;
        let mut after = self.now;
        for (side, force) in after.iter_mut().enumerate() {
            for kind in 0..7 {
                if self.watch[side][kind] & touched == 0 {
                    continue;
                }
                let men = &mut force.men[kind];
                *men &= !touched;
                if side == 0 && kind == role {
                    *men |= to;
                }
                force.reach[kind] = look(self.sides[side], kind, *men, occupied).0;
            }
        }
        after
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::{Position, Xiangqi};
    use plypack_core::Rules;
    use plypack_core::testkit::Random;

    #[test]
    fn forces_after_a_move_are_those_of_the_next_position() {
        let mut random = Random::new(17);
        let mut position = Position::default();
        for _ in 0..600 {
            let mut moves = Vec::new();
            Xiangqi.candidates(&position, &mut moves);
            let Some(count) = u64::try_from(moves.len()).ok().filter(|&count| count > 0) else {
                position = Position::default();
                continue;
            };
            let forces = Forces::new(&position.board, position.side);
            for mv in &moves {
                let mut next = position.clone();
                next.play(*mv);
                let [ours, theirs] = Forces::new(&next.board, position.side).now;
                let role = position.role(mv.from).expect("a man");
                assert_eq!(forces.after(role, mv.from, mv.to), [ours, theirs], "{position:?}");
            }
            position.play(moves[usize::try_from(random.next_u64() % count).expect("few")]);
        }
    }

    #[test]
    fn danger_by_hand() {
        // Their pawn attacks our rook, which another guards, and their rook our unguarded cannon.
        let fen = "3k5/9/9/r8/4p4/4R4/C8/9/4R4/3AK4 w - - 0 30";
        let position = Position::read_fen(fen).expect(fen);
        let [ours, theirs] = Forces::new(&position.board, position.side).now;
        let danger = ours.in_danger(&theirs);
        assert_eq!(danger, one(27) | one(40));
        assert_eq!((ours.dearest(danger), ours.dearest(one(27)), ours.dearest(0)), (4, 3, 0));
    }
}
