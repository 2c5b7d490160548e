//! A position as `line.fast` sees it, computed once for all its candidates.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::features::BUCKETS;
use crate::chess::Position;
use crate::chess::attacks::by_pawns;
use crate::chess::sets::{DISPLACEMENT, Octal, bit};
use crate::common::cover::Cover;
use crate::common::past::Past;

/// A position with fewer pieces than this is late.
const LATE: u32 = 9;

/// Returns the stretch of the game: two plies each up to ply 16, then six.
#[inline(always)]
pub fn bucket(position: &Position) -> usize {
    let black = position.board.side_to_move() == Color::Black;
    let ply = (position.fullmove_number.max(1) - 1).saturating_mul(2) + u32::from(black);
    let bucket = if ply < 16 { ply / 2 } else { 8 + (ply - 16) / 6 };
    (bucket as usize).min(BUCKETS - 1)
}

/// A position, seen by the side to move.
#[derive(Debug)]
pub struct View {
    /// What squares are XORed with: 0 for White, 56 for Black.
    pub turn: usize,
    /// Whether there are few pieces.
    pub late: bool,
    /// Our men.
    pub ours: u64,
    /// Our kinds of men, from pawn 0 to king 5.
    roles: Octal,
    /// The kind of the opponent's man on a square, from pawn 1 to king 6.
    victims: Octal,
    /// The squares that the opponent attacks, with our king off the board; and, by the worth of a
    /// man of ours, those that a man of less worth attacks.
    attacked: u64,
    lesser: [u64; 8],
    /// The opponent's least man that attacks a square, from pawn 1, minor piece 2 to king 5, with
    /// our king off the board.
    least: Octal,
    /// The squares that our men attack.
    cover: Cover<u64>,
    /// By kind: the squares from which it gives check.
    checks: [u64; 8],
    /// Whether a pawn may be captured en passant, or we may castle.
    passing: bool,
    rights: bool,
    /// Our pawns that are about to promote.
    seventh: u64,
}

/// Passes the attacks of each of these men, which are not pawns, to `seen`, with its kind.
#[inline(always)]
fn reach(
    [_, knights, bishops, rooks, queens, _]: &[u64; 6],
    occupied: BitBoard,
    mut seen: impl FnMut(usize, BitBoard),
) {
    for from in BitBoard(*knights) {
        seen(1, get_knight_moves(from));
    }
    for from in BitBoard(*bishops) {
        seen(2, get_bishop_moves(from, occupied));
    }
    for from in BitBoard(*rooks) {
        seen(3, get_rook_moves(from, occupied));
    }
    for from in BitBoard(*queens) {
        seen(4, get_bishop_moves(from, occupied) | get_rook_moves(from, occupied));
    }
}

impl View {
    /// Creates the view of a position.
    #[inline(always)]
    pub fn new(board: &Board) -> Self {
        let us = board.side_to_move();
        let white = us == Color::White;
        let (ours, occupied) = (board.colors(us).0, board.occupied());
        let kinds = Piece::ALL.map(|piece| board.pieces(piece).0);
        let [pawns, knights, bishops, rooks, queens, kings] = kinds;
        let (our, their) = (kinds.map(|men| men & ours), kinds.map(|men| men & !ours));

        let [a, h] = by_pawns(their[0], !white);
        let king = get_king_moves(board.king(!us)).0;
        let mut by_them = [a | h, 0, 0, 0, king];
        // With our king off the board, so that sliders see through it.
        let through = occupied ^ board.king(us).bitboard();
        reach(&their, through, |role, set| by_them[if role > 1 { role - 1 } else { 1 }] |= set.0);
        let (least, attacked) = Octal::cheapest(by_them);
        let [pawn, minor, rook, queen, _] = by_them;
        let to_minor = pawn | minor;
        let to_rook = to_minor | rook;
        let lesser = [0, pawn, pawn, to_minor, to_rook, to_rook | queen, 0, 0];

        let [a, h] = by_pawns(our[0], white);
        let mut cover = Cover { once: a | h, twice: a & h };
        reach(&our, occupied, |_, set| cover.add(set.0));
        cover.add(get_king_moves(board.king(us)).0);

        let target = board.king(!us);
        let [bishop, rook] =
            [get_bishop_moves(target, occupied).0, get_rook_moves(target, occupied).0];
        let pawn = get_pawn_attacks(target, !us).0;
        let rights = board.castle_rights(us);
        Self {
            turn: if white { 0 } else { 56 },
            late: (occupied.0 & !pawns).count_ones() < LATE,
            ours,
            roles: Octal::new([knights | rooks | kings, bishops | rooks, queens | kings]),
            victims: Octal::new([
                their[0] | their[2] | their[4],
                their[1] | their[2] | their[5],
                their[3] | their[4] | their[5],
            ]),
            attacked,
            lesser,
            least,
            cover,
            checks: [pawn, get_knight_moves(target).0, bishop, rook, bishop | rook, 0, 0, 0],
            passing: board.en_passant().is_some(),
            rights: rights.short.is_some() || rights.long.is_some(),
            seventh: our[0] & Rank::Seventh.relative_to(us).bitboard().0,
        }
    }

    /// Returns the kind of our man on a square, from pawn 0 to king 5.
    #[inline(always)]
    pub fn role(&self, square: usize) -> usize {
        self.roles.at(square)
    }

    /// Returns the kind of the opponent's man on a square, from pawn 1; 0 none.
    #[inline(always)]
    pub fn victim(&self, square: usize) -> usize {
        self.victims.at(square)
    }

    /// Whether a candidate may castle, promote or capture en passant.
    #[inline(always)]
    pub fn has_oddities(&self) -> bool {
        self.rights || self.passing || self.seventh != 0
    }

    /// Whether a move castles.
    #[inline(always)]
    pub fn castles(&self, mv: Move) -> bool {
        bit(self.ours, mv.to as usize) == 1
    }

    /// Whether a move captures en passant.
    #[inline(always)]
    pub fn takes_in_passing(&self, mv: Move) -> bool {
        let (from, to) = (mv.from as usize, mv.to as usize);
        self.role(from) == 0 && from % 8 != to % 8 && self.victim(to) == 0
    }

    /// Returns the opponent's least man that attacks a square.
    #[inline(always)]
    pub fn least_at(&self, square: usize) -> usize {
        self.least.at(square)
    }

    /// Whether one of our men attacks a square.
    #[inline(always)]
    pub fn covered(&self, square: usize) -> bool {
        bit(self.cover.once, square) == 1
    }

    /// Returns 1 if a man of ours other than the one that goes there attacks a square, else 0.
    #[inline(always)]
    pub fn defended(&self, role: usize, from: usize, to: usize) -> usize {
        let ahead = usize::from(role == 0) & usize::from((from ^ to).is_multiple_of(8));
        bit(self.cover.twice, to) | bit(self.cover.once, to) & ahead
    }

    /// Returns 1 if a man of this kind gives check from a square, else 0.
    #[inline(always)]
    pub fn check(&self, role: usize, to: usize) -> usize {
        bit(self.checks[role % 8], to)
    }

    /// Returns the displacement of a square from the destination of the last move.
    #[inline(always)]
    pub fn near(&self, past: Past, to: usize) -> usize {
        let last = usize::from(past.to) % 64;
        DISPLACEMENT[last ^ self.turn][(to ^ self.turn) % 64].into()
    }

    /// Returns the danger on a square: 0 if it is not attacked, 1 if it is, but not by a man of
    /// less worth than this kind, 2 if it is by one.
    #[inline(always)]
    pub fn danger(&self, role: usize, square: usize) -> usize {
        bit(self.attacked, square) + bit(self.lesser[role % 8], square)
    }
}
