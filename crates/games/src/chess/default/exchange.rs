//! Static exchange evaluation: what a capture wins or loses if both sides keep capturing on its
//! square, cheapest man first.

use cozy_chess::{Board, Color, Piece, get_king_moves, get_knight_moves, get_pawn_attacks};

use crate::chess::attacks::{diagonally, square, straight};

/// The worth of pawn, knight, bishop, rook, queen and king.
pub const WORTH: [i32; 6] = [1, 3, 3, 5, 9, 50];

/// The worth of the cheapest attacker, by its number: none, pawn, minor piece, rook, queen, king.
pub const CHEAPEST: [i32; 8] = [0, 1, 3, 5, 9, 50, 50, 50];

/// The men of both sides as bitboards, ours first, each from pawn to king.
#[derive(Clone, Copy, Debug)]
pub struct Men {
    /// By side, then by kind.
    pub by_kind: [[u64; 6]; 2],
    /// All men of each side.
    pub sides: [u64; 2],
    /// All squares that are not empty.
    pub occupied: u64,
    /// Bishops and queens of both sides.
    diagonal: u64,
    /// Rooks and queens of both sides.
    straight: u64,
}

impl Men {
    /// Creates the men of both sides, by kind.
    #[inline(always)]
    pub fn new(by_kind: [[u64; 6]; 2]) -> Self {
        let [ours, theirs] = &by_kind;
        let sides = by_kind.map(|kinds| kinds.iter().fold(0, |all, men| all | men));
        let queens = ours[4] | theirs[4];
        let (diagonal, straight) = (ours[2] | theirs[2] | queens, ours[3] | theirs[3] | queens);
        Self { by_kind, sides, occupied: sides[0] | sides[1], diagonal, straight }
    }

    /// Returns the men of a board, with White as us.
    #[inline(always)]
    pub fn of(board: &Board) -> Self {
        Self::new(
            [Color::White, Color::Black]
                .map(|color| Piece::ALL.map(|piece| (board.colors(color) & board.pieces(piece)).0)),
        )
    }

    /// Returns the man of a side most in danger, of these: its square as a set, its kind, and the
    /// other side's men that attack it.
    #[inline(always)]
    pub fn hanging(&self, side: usize, in_danger: u64) -> Option<(u64, usize, u64)> {
        let role = (0..5).rev().find(|&role| in_danger & self.by_kind[side][role] != 0)?;
        let men = in_danger & self.by_kind[side][role];
        let attackers = self.attackers(men.trailing_zeros() as usize);
        Some((men & men.wrapping_neg(), role, attackers & self.sides[1 - side]))
    }

    /// Returns every man of either side that attacks a square.
    #[inline(always)]
    pub fn attackers(&self, to: usize) -> u64 {
        self.attackers_if(to, self.occupied)
    }

    /// Returns every man of either side that would attack a square if these squares were occupied.
    #[inline(always)]
    fn attackers_if(&self, to: usize, occupied: u64) -> u64 {
        let at = square(to);
        let [ours, theirs] = &self.by_kind;
        get_pawn_attacks(at, Color::Black).0 & ours[0]
            | get_pawn_attacks(at, Color::White).0 & theirs[0]
            | get_knight_moves(at).0 & (ours[1] | theirs[1])
            | diagonally(to, occupied) & self.diagonal
            | straight(to, occupied) & self.straight
            | get_king_moves(at).0 & (ours[5] | theirs[5])
    }

    /// Returns what `side` (0 ours) gains, in pawns, if its man of kind `role` goes from `from` to
    /// `to` and captures a man worth `gain` there.
    #[inline(always)]
    pub fn exchange(&self, side: usize, from: usize, to: usize, role: usize, gain: i32) -> i32 {
        let mut occupied = self.occupied & !(1 << from);
        let mut attackers = self.attackers_if(to, occupied) & occupied & !(1 << to);
        let mut gains = [0; 32];
        gains[0] = gain;
        let mut depth = 0;
        let mut side = side;
        let mut standing = WORTH[role];
        while depth < 31 {
            side ^= 1;
            let ready = attackers & self.sides[side];
            if ready == 0 {
                break;
            }
            let role = (0..6).find(|&role| ready & self.by_kind[side][role] != 0).unwrap_or(5);
            if role == 5 && attackers & self.sides[side ^ 1] != 0 {
                break;
            }
            depth += 1;
            gains[depth] = standing - gains[depth - 1];
            // Neither side gains by going on.
            if gains[depth].max(-gains[depth - 1]) < 0 {
                break;
            }
            let man = ready & self.by_kind[side][role];
            occupied &= !(man & man.wrapping_neg());
            if matches!(role, 0 | 2 | 4) {
                attackers |= diagonally(to, occupied) & self.diagonal;
            }
            if matches!(role, 3 | 4) {
                attackers |= straight(to, occupied) & self.straight;
            }
            attackers &= occupied;
            standing = WORTH[role];
        }
        while depth > 0 {
            gains[depth - 1] = -gains[depth].max(-gains[depth - 1]);
            depth -= 1;
        }
        gains[0]
    }
}
