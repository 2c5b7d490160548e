//! A position as `line.fast` sees it, computed once for all its candidates.

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use super::features::BUCKETS;
use crate::chess::Position;
use crate::chess::default::past::Past;
use crate::chess::sets::{A_FILE, DISPLACEMENT, H_FILE, bit};

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
    /// Our kinds of men, from pawn 0 to king 5, in three planes.
    roles: [u64; 3],
    /// The kind of the opponent's man on a square, from pawn 1 to king 6, in three planes.
    victims: [u64; 3],
    /// The squares that the opponent attacks, with our king off the board; and, by the worth of a
    /// man of ours, those that a man of less worth attacks.
    attacked: u64,
    lesser: [u64; 8],
    /// The opponent's least man that attacks a square, from pawn 1, minor piece 2 to king 5, in
    /// three planes, with our king off the board.
    least: [u64; 3],
    /// The squares that our men attack, and that at least two do.
    once: u64,
    twice: u64,
    /// By kind: the squares from which it gives check.
    checks: [u64; 8],
    /// Whether a pawn may be captured en passant, or we may castle.
    passing: bool,
    rights: bool,
    /// Our pawns that are about to promote.
    seventh: u64,
}

/// Returns the number whose bits three planes hold for a square.
#[inline(always)]
fn octal(planes: &[u64; 3], square: usize) -> usize {
    bit(planes[0], square) | bit(planes[1], square) << 1 | bit(planes[2], square) << 2
}

/// Returns the squares that pawns of White, or of Black, attack, towards the a-file and the h-file.
#[inline(always)]
fn by_pawns(pawns: u64, white: bool) -> [u64; 2] {
    if white {
        [(pawns & !A_FILE) << 7, (pawns & !H_FILE) << 9]
    } else {
        [(pawns & !A_FILE) >> 9, (pawns & !H_FILE) >> 7]
    }
}

impl View {
    /// Creates the view of a position.
    #[inline(always)]
    pub fn new(board: &Board) -> Self {
        let us = board.side_to_move();
        let white = us == Color::White;
        let (ours, theirs, occupied) = (board.colors(us), board.colors(!us), board.occupied());
        let of = |piece: Piece| board.pieces(piece);
        let [pawns, knights, bishops, rooks, queens, kings] = Piece::ALL.map(|piece| of(piece).0);
        let their = theirs.0;
        let victims = [
            their & (pawns | bishops | queens),
            their & (knights | bishops | kings),
            their & (rooks | queens | kings),
        ];

        let through = occupied ^ board.king(us).bitboard();
        let [a, h] = by_pawns(pawns & their, !white);
        let by_pawn = a | h;
        let (mut by_minor, mut by_rook, mut by_queen) = (0, 0, 0);
        for from in BitBoard(knights & their) {
            by_minor |= get_knight_moves(from).0;
        }
        for from in BitBoard(bishops & their) {
            by_minor |= get_bishop_moves(from, through).0;
        }
        for from in BitBoard(rooks & their) {
            by_rook |= get_rook_moves(from, through).0;
        }
        for from in BitBoard(queens & their) {
            by_queen |= (get_bishop_moves(from, through) | get_rook_moves(from, through)).0;
        }
        let by_king = get_king_moves(board.king(!us)).0;
        let to_minor = by_pawn | by_minor;
        let to_rook = to_minor | by_rook;
        let to_queen = to_rook | by_queen;
        let attacked = to_queen | by_king;
        let lesser = [0, by_pawn, by_pawn, to_minor, to_rook, to_queen, 0, 0];
        let minor = by_minor & !by_pawn;
        let rook = by_rook & !to_minor;
        let queen = by_queen & !to_rook;
        let king = by_king & !to_queen;
        let least = [by_pawn | rook | king, minor | rook, queen | king];

        let [a, h] = by_pawns(pawns & ours.0, white);
        let (mut once, mut twice) = (a | h, a & h);
        let mut add = |reach: BitBoard| {
            twice |= once & reach.0;
            once |= reach.0;
        };
        for from in BitBoard(knights) & ours {
            add(get_knight_moves(from));
        }
        for from in BitBoard(bishops) & ours {
            add(get_bishop_moves(from, occupied));
        }
        for from in BitBoard(rooks) & ours {
            add(get_rook_moves(from, occupied));
        }
        for from in BitBoard(queens) & ours {
            add(get_bishop_moves(from, occupied) | get_rook_moves(from, occupied));
        }
        add(get_king_moves(board.king(us)));

        let target = board.king(!us);
        let [bishop, rook] =
            [get_bishop_moves(target, occupied).0, get_rook_moves(target, occupied).0];
        let pawn = get_pawn_attacks(target, !us).0;
        let checks = [pawn, get_knight_moves(target).0, bishop, rook, bishop | rook, 0, 0, 0];
        let pieces = occupied.0 & !pawns;
        let turn = if white { 0 } else { 56 };
        let late = pieces.count_ones() < LATE;
        let rights = board.castle_rights(us);
        Self {
            turn,
            late,
            ours: ours.0,
            roles: [knights | rooks | kings, bishops | rooks, queens | kings],
            victims,
            attacked,
            lesser,
            least,
            once,
            twice,
            checks,
            passing: board.en_passant().is_some(),
            rights: rights.short.is_some() || rights.long.is_some(),
            seventh: pawns & ours.0 & Rank::Seventh.relative_to(us).bitboard().0,
        }
    }

    /// Returns the kind of our man on a square, from pawn 0 to king 5.
    #[inline(always)]
    pub fn role(&self, square: usize) -> usize {
        octal(&self.roles, square)
    }

    /// Returns the kind of the opponent's man on a square, from pawn 1; 0 none.
    #[inline(always)]
    pub fn victim(&self, square: usize) -> usize {
        octal(&self.victims, square)
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
        octal(&self.least, square)
    }

    /// Whether one of our men attacks a square.
    #[inline(always)]
    pub fn covered(&self, square: usize) -> bool {
        bit(self.once, square) == 1
    }

    /// Returns 1 if a man of ours other than the one that goes there attacks a square, else 0.
    #[inline(always)]
    pub fn defended(&self, role: usize, from: usize, to: usize) -> usize {
        let ahead = usize::from(role == 0) & usize::from((from ^ to).is_multiple_of(8));
        bit(self.twice, to) | bit(self.once, to) & ahead
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
