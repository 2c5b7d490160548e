//! The men of a position, grouped as ranks treat them.

use crate::xiangqi::Position;
use crate::xiangqi::board::{Board, HALVES, PALACES, Piece, Side, first};
use crate::xiangqi::cells::{ADVISOR_POINTS, ELEPHANT_POINTS, PAWN_POINTS};
use crate::xiangqi::men::too_many;

use super::courts::points_before;
use super::officers::KINDS;
use crate::common::wide::lower;

/// The men in half of the board, without officers. Points are counted from the side of the half's
/// owner, from the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Half {
    /// The king's point.
    pub king: u8,
    /// The points of advisors and elephants.
    pub guards: u64,
    /// The points of the owner's pawns, and of the other side's.
    pub pawns: u64,
    pub crossed: u64,
}

/// A position with all men in their regions: the men, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    pub(super) black_to_move: bool,
    /// Red's half, then Black's.
    pub(super) halves: [Half; 2],
    /// Red's rooks, horses and cannons, then Black's.
    pub(super) officers: [u128; KINDS],
}

const SIDES: [Side; 2] = [Side::Red, Side::Black];
const OFFICERS: [Piece; 3] = [Piece::Rook, Piece::Horse, Piece::Cannon];

/// Flips half a board, of five ranks.
fn flipped(points: u64) -> u64 {
    (0..5).fold(0, |set, rank| set | (points >> (9 * rank) & 0x1ff) << (9 * (4 - rank)))
}

/// Returns the squares of these points of a side's half.
pub fn on_board(side: usize, points: u64) -> u128 {
    if side == 0 { points.into() } else { u128::from(flipped(points)) << 45 }
}

/// Returns the points of these squares in a side's half, without those in the other half.
fn in_half(side: usize, squares: u128) -> u64 {
    // HALVES[0] has the 45 lowest bits.
    let points = lower(squares >> (45 * side) & HALVES[0]);
    if side == 0 { points } else { flipped(points) }
}

impl Placement {
    /// Returns the placement of a position.
    ///
    /// # Errors
    /// Returns the reason if it has none.
    pub fn of(position: &Position) -> Result<Self, &'static str> {
        let board = &position.board;
        for side in SIDES {
            for piece in Piece::ALL {
                let men = board.pieces(piece) & board.side(side);
                let own = HALVES[side as usize];
                let (most, points) = match piece {
                    Piece::King => (1, PALACES[side as usize]),
                    Piece::Advisor => (2, ADVISOR_POINTS & own),
                    Piece::Elephant => (2, ELEPHANT_POINTS & own),
                    Piece::Horse | Piece::Rook | Piece::Cannon => (2, u128::MAX),
                    Piece::Pawn => (5, PAWN_POINTS | HALVES[side.other() as usize]),
                };
                if men.count_ones() > most {
                    return Err(too_many(piece));
                }
                if men & !points != 0 {
                    return Err(no_place(piece));
                }
            }
        }
        let halves = SIDES.map(|side| half_of(board, side));
        let files = halves.map(|half| half.pawns & half.pawns >> 9);
        if files != [0, 0] {
            return Err("two pawns that have not crossed the river share a file");
        }
        let officers =
            |piece: usize| board.pieces(OFFICERS[piece % 3]) & board.side(SIDES[piece / 3]);
        let black_to_move = position.side == Side::Black;
        Ok(Self { black_to_move, halves, officers: std::array::from_fn(officers) })
    }

    /// Returns the position, with a halfmove clock of 0 and move number 1.
    ///
    /// # Errors
    /// Returns the reason if it is not valid.
    pub fn position(&self) -> Result<Position, &'static str> {
        Position::new(self.board(), SIDES[usize::from(self.black_to_move)], 0, 1)
    }

    pub(super) fn board(&self) -> Board {
        let mut board = Board::default();
        for (side, half) in SIDES.into_iter().zip(&self.halves) {
            let place = side as usize;
            let (own, other) = (|points| on_board(place, points), side.other());
            board.put_all(own(1 << half.king), side, Piece::King);
            board.put_all(own(half.guards) & ADVISOR_POINTS, side, Piece::Advisor);
            board.put_all(own(half.guards) & ELEPHANT_POINTS, side, Piece::Elephant);
            board.put_all(own(half.pawns), side, Piece::Pawn);
            board.put_all(own(half.crossed), other, Piece::Pawn);
        }
        for (piece, &men) in self.officers.iter().enumerate() {
            board.put_all(men, SIDES[piece / 3], OFFICERS[piece % 3]);
        }
        board
    }

    /// Returns the file on which the kings face each other, if they do.
    pub(super) fn facing(&self) -> Option<u8> {
        let [red, black] = self.halves.map(|half| half.king);
        if red % 9 != black % 9 {
            return None;
        }
        let between = on_board(0, points_before(red)) | on_board(1, points_before(black));
        let men = |side: usize| {
            let half = &self.halves[side];
            on_board(side, half.guards | half.pawns | half.crossed)
        };
        let occupied = self.officers.iter().fold(men(0) | men(1), |set, men| set | men);
        (occupied & between == 0).then_some(red % 9)
    }
}

fn half_of(board: &Board, side: Side) -> Half {
    let points = |piece, of: Side| in_half(side as usize, board.pieces(piece) & board.side(of));
    // A board has one king of each side.
    let king = first(points(Piece::King, side).into()).unwrap_or(0);
    Half {
        king,
        guards: points(Piece::Advisor, side) | points(Piece::Elephant, side),
        pawns: points(Piece::Pawn, side),
        crossed: points(Piece::Pawn, side.other()),
    }
}

fn no_place(piece: Piece) -> &'static str {
    match piece {
        Piece::King => "a king is outside its palace",
        Piece::Advisor => "an advisor is where it cannot go",
        Piece::Elephant => "an elephant is where it cannot go",
        _ => "a pawn that has not crossed the river is where it cannot be",
    }
}
