//! Static exchange evaluation: what a capture wins or loses if both sides go on capturing on its
//! square, cheapest man first.

use crate::xiangqi::board::{HALVES, PALACES, Side, horses_to, leaps, pawns_to};
use crate::xiangqi::lines::{Lines, attacks, has, one, squares};

/// The worth of king, advisor, elephant, horse, rook, cannon and pawn.
pub const WORTH: [i32; 7] = [50, 2, 2, 4, 9, 4, 1];

/// The kinds from the cheapest to the most valuable.
const CHEAPEST: [usize; 7] = [6, 1, 2, 3, 5, 4, 0];

/// The men of both sides as sets, ours first, each from king to pawn.
#[derive(Clone, Copy, Debug)]
pub struct Men {
    /// By side, then by kind.
    pub by_role: [[u128; 7]; 2],
    /// All squares that are not empty.
    pub occupied: u128,
}

/// The best capture of a side.
#[derive(Clone, Copy, Debug, Default)]
pub struct Capture {
    /// What it gains; 0 if nothing can be gained.
    pub gain: i32,
    /// What stands there.
    pub role: usize,
    /// Where.
    pub to: usize,
}

impl Men {
    /// The men after a move of ours.
    #[inline(always)]
    pub fn after(&self, role: usize, from: usize, to: usize) -> Self {
        let mut men = *self;
        men.by_role[0][role % 7] ^= one(from) | one(to);
        for set in &mut men.by_role[1] {
            *set &= !one(to);
        }
        men.occupied = men.occupied & !one(from) | one(to);
        men
    }

    /// Every man of either side that attacks a square, if only `occupied` is occupied.
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

    /// The cheapest kind of a side's men in a set, and those men.
    fn cheapest(&self, side: usize, set: u128) -> Option<(usize, u128)> {
        let men = |role: usize| self.by_role[side % 2][role] & set;
        CHEAPEST.into_iter().map(|role| (role, men(role))).find(|&(_, men)| men != 0)
    }

    /// What `side` (0 ours) gains if its man of kind `role` goes from `from` to `to` and captures a
    /// man worth `gain` there.
    pub fn exchange(&self, side: usize, from: usize, to: usize, role: usize, gain: i32) -> i32 {
        let mut occupied = self.occupied & !one(from) | one(to);
        let mut gains = [0; 33];
        gains[0] = gain;
        let mut depth = 0;
        let mut side = side;
        let mut standing = WORTH[role % 7];
        while depth < 32 {
            side ^= 1;
            let attackers = self.attackers(to, occupied) & !one(to);
            let Some((role, men)) = self.cheapest(side, attackers) else { break };
            if role == 0 && self.cheapest(side ^ 1, attackers).is_some() {
                break;
            }
            depth += 1;
            gains[depth] = standing - gains[depth - 1];
            // Neither side gains by going on.
            if gains[depth].max(-gains[depth - 1]) < 0 {
                break;
            }
            occupied &= !(men & men.wrapping_neg());
            standing = WORTH[role];
        }
        while depth > 0 {
            gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
            depth -= 1;
        }
        gains[0]
    }

    /// What a side gains by capturing the man of kind `role` on `to` with its cheapest man; at
    /// least 0.
    #[inline(always)]
    fn capture(&self, by: &[Attacks; 2], side: usize, to: usize, role: usize) -> i32 {
        let (us, them) = (&by[side % 2], &by[(side ^ 1) % 2]);
        let gain = WORTH[role % 7];
        let Some(least) = us.least(to) else { return 0 };
        if has(them.once, to) == 0 {
            gain
        } else if least == 0 {
            0
        } else if has(us.twice, to) == 0 {
            (gain - WORTH[least]).max(0)
        } else {
            let men = self.attackers(to, self.occupied) & self.by_role[side % 2][least];
            let from = men.trailing_zeros() as usize;
            self.exchange(side, from, to, least, gain).max(0)
        }
    }

    /// The best capture of a side, except of a king; in a tie that of the most valuable man, then
    /// the first. `by` has what either side attacks.
    #[inline(always)]
    pub fn best_capture(&self, by: &[Attacks; 2], side: usize) -> Capture {
        let mut best = Capture::default();
        for &role in CHEAPEST.iter().rev().skip(1) {
            // Cheaper men cannot give more.
            if WORTH[role] <= best.gain {
                break;
            }
            for to in squares(self.by_role[(side ^ 1) % 2][role] & by[side % 2].once) {
                let gain = self.capture(by, side, to, role);
                if gain > best.gain {
                    best = Capture { gain, role, to };
                }
            }
        }
        best
    }

    /// What our move gains that captures a man worth `gain`; `self` is after it.
    #[inline(always)]
    pub fn won(&self, by: &[Attacks; 2], role: usize, to: usize, gain: i32) -> i32 {
        let [us, them] = by;
        let worth = WORTH[role % 7];
        let Some(least) = them.least(to) else { return gain };
        if has(us.once, to) == 0 {
            gain - worth
        } else if least == 0 {
            gain
        } else if has(them.twice, to) == 0 {
            gain - (worth - WORTH[least]).max(0)
        } else {
            gain - self.capture(by, 1, to, role)
        }
    }
}

/// What a side's men attack.
#[derive(Clone, Copy, Debug, Default)]
pub struct Attacks {
    /// By kind.
    pub by_role: [u128; 7],
    /// What at least one of them attacks.
    pub once: u128,
    /// What at least two attack.
    pub twice: u128,
}

impl Attacks {
    /// Adds what a man attacks.
    #[inline(always)]
    pub fn add(&mut self, role: usize, attacks: u128) {
        if let Some(piece) = self.by_role.get_mut(role) {
            *piece |= attacks;
        }
        self.twice |= self.once & attacks;
        self.once |= attacks;
    }

    /// The cheapest kind of man that attacks a square.
    #[inline(always)]
    fn least(&self, to: usize) -> Option<usize> {
        if has(self.once, to) == 0 {
            return None;
        }
        CHEAPEST.into_iter().find(|&role| has(self.by_role[role], to) == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xiangqi::Position;
    use crate::xiangqi::board::Piece;

    fn men(fen: &str) -> Men {
        let board = Position::read_fen(fen).expect(fen).board;
        let by_role = [Side::Red, Side::Black]
            .map(|side| Piece::ALL.map(|piece| board.pieces(piece) & board.side(side)));
        Men { by_role, occupied: board.occupied() }
    }

    fn by(men: &Men) -> [Attacks; 2] {
        [0, 1].map(|side| {
            let mut all = Attacks::default();
            for (role, &set) in men.by_role[side].iter().enumerate() {
                squares(set).for_each(|at| all.add(role, attacks(side, role, at, men.occupied)));
            }
            all
        })
    }

    #[test]
    fn exchanges_go_on_as_long_as_they_pay() {
        // A rook takes a pawn that a rook guards, with a rook behind it, and without.
        let two = men("3k5/9/9/9/r3p3R/8R/9/9/9/4K4 w");
        let one = men("3k5/9/9/9/r3p3R/9/9/9/9/4K4 w");
        assert_eq!(one.exchange(0, 53, 49, 4, 1), 1 - 9);
        assert_eq!(two.exchange(0, 53, 49, 4, 1), 1 - 9);
        // A second rook on the file gets one back.
        let more = men("3k5/9/9/9/r3p3R/9/9/4R4/9/5K3 w");
        assert_eq!(more.exchange(0, 53, 49, 4, 1), 1);
        // A cannon takes nothing that stands right before him.
        let cannon = men("3k5/9/9/4c4/4P4/4p4/9/9/9/5K3 w");
        assert_eq!(cannon.best_capture(&by(&cannon), 1).gain, 0);
    }

    #[test]
    fn the_best_capture() {
        // The horse on c4 may take the cannon on d6, which hangs, or the rook on e5.
        let men = men("3k5/9/9/3c5/4r4/2N1p4/4p4/9/9/5K3 w");
        let best = men.best_capture(&by(&men), 0);
        assert_eq!((best.role, best.to), (4, 49));
    }
}
