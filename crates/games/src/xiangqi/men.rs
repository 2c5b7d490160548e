//! The 32 men of a set, each with its own number, as in HullQin's position codes.
//!
//! Red has the numbers 0 to 15: the king, two advisors, elephants, horses, rooks and cannons, and
//! five pawns. Black's are the same plus 16. Squares are counted from the top, a9 = 0, b9 = 1 … i0
//! = 89, so that rotating the board by 180 degrees turns `s` into `89 - s`.

use plypack_core::Error;

use super::Position;
use super::board::{Board, FILES, HALVES, Piece, SQUARES, Side, bit, squares};

/// The square of a captured man.
pub const TAKEN: u8 = 127;

/// Number of squares.
pub(super) const ALL: u8 = 90;

/// The first number of each kind of Red's men, and the one after the last.
const NUMBERS: [u8; 8] = [0, 1, 3, 5, 7, 9, 11, 16];

/// The starting squares of Red's men.
const HOMES: [u8; 16] = [85, 86, 84, 87, 83, 88, 82, 89, 81, 70, 64, 62, 60, 58, 56, 54];

/// The squares of the men, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Men {
    /// Whether Red is to move.
    pub red_to_move: bool,
    /// The squares of the men by their numbers; [`TAKEN`] for captured ones.
    pub squares: [u8; 32],
}

/// Converts a square to the other numbering.
pub(super) fn turned_over(square: u8) -> u8 {
    (9 - square / FILES) * FILES + square % FILES
}

/// Returns the side of a man.
pub(super) fn side_of(man: usize) -> Side {
    if man < 16 { Side::Red } else { Side::Black }
}

/// Returns the kind of a man.
pub(super) fn kind_of(man: usize) -> Piece {
    let beyond = |&piece: &Piece| usize::from(NUMBERS[piece as usize + 1]) > man % 16;
    Piece::ALL.into_iter().find(beyond).unwrap_or(Piece::Pawn)
}

/// Returns the starting square of a man.
pub(super) fn home_of(man: usize) -> u8 {
    let home = HOMES[man % 16];
    if side_of(man) == Side::Red { home } else { ALL - 1 - home }
}

/// Whether a square is on the side's own side of the river.
pub(super) fn is_own(side: Side, square: u8) -> bool {
    HALVES[side as usize] & bit(turned_over(square)) != 0
}

impl Men {
    /// Numbers the men of a position. A man on a starting square of its kind gets that square's
    /// number. The others of the kind get the remaining numbers in ascending order of their
    /// squares, except that a pawn gets the number whose file is nearest. Pawns that have not
    /// crossed the river choose first; the nearest pairs are matched first; ties go to the lowest
    /// square, then to the lowest number.
    ///
    /// # Errors
    /// Returns [`Error::Board`] if there are more men of a kind than a set has.
    pub fn of(position: &Position) -> Result<Self, Error> {
        let mut men = Self { red_to_move: position.side == Side::Red, squares: [TAKEN; 32] };
        for side in [Side::Red, Side::Black] {
            for piece in Piece::ALL {
                let board = &position.board;
                men.place(side, piece, board.pieces(piece) & board.side(side))?;
            }
        }
        Ok(men)
    }

    /// Numbers the men of one side and kind.
    fn place(&mut self, side: Side, piece: Piece, set: u128) -> Result<(), Error> {
        let first = usize::from(NUMBERS[piece as usize]) + 16 * side as usize;
        let numbers = first..usize::from(NUMBERS[piece as usize + 1]) + 16 * side as usize;
        let mut left: Vec<u8> = squares(set).map(turned_over).collect();
        if left.len() > numbers.len() {
            return Err(Error::Board { why: too_many(piece) });
        }
        left.sort_unstable();
        for man in numbers.clone() {
            self.take_first(man, &mut left, |square| square == home_of(man));
        }
        if piece != Piece::Pawn {
            for man in numbers {
                self.take_first(man, &mut left, |_| true);
            }
            return Ok(());
        }
        for own in [true, false] {
            for distance in 0..FILES {
                // By square, then by number, among the numbers that earlier squares left.
                for square in left.clone() {
                    let file = |square: u8| square % FILES;
                    let near = |&man: &usize| {
                        self.squares[man] == TAKEN
                            && file(home_of(man)).abs_diff(file(square)) == distance
                    };
                    let man = numbers.clone().find(near);
                    if let (true, Some(man)) = (is_own(side, square) == own, man) {
                        self.take_first(man, &mut left, |other| other == square);
                    }
                }
            }
        }
        Ok(())
    }

    /// Puts a man without a square on the first of `left` that suits it.
    fn take_first(&mut self, man: usize, left: &mut Vec<u8>, suits: impl Fn(u8) -> bool) {
        let place = left.iter().position(|&square| suits(square));
        if let (TAKEN, Some(place)) = (self.squares[man], place) {
            self.squares[man] = left.remove(place);
        }
    }

    /// Returns the position, with a halfmove clock of 0 and move number 1.
    ///
    /// # Errors
    /// Returns the reason if it is not valid.
    pub fn position(&self) -> Result<Position, &'static str> {
        let mut board = Board::default();
        for (man, &square) in self.squares.iter().enumerate() {
            if square == TAKEN {
                continue;
            }
            if usize::from(square) >= SQUARES {
                return Err("a man's square is off the board");
            }
            let square = turned_over(square);
            if board.occupied() & bit(square) != 0 {
                return Err("two men are on one square");
            }
            board.put(square, side_of(man), kind_of(man));
        }
        let side = if self.red_to_move { Side::Red } else { Side::Black };
        Position::new(board, side, 0, 1)
    }
}

/// The error for a board with more men of a kind than a set has.
pub(super) fn too_many(piece: Piece) -> &'static str {
    match piece {
        Piece::King => "it has more than one king of a side",
        Piece::Advisor => "it has more than two advisors of a side",
        Piece::Elephant => "it has more than two elephants of a side",
        Piece::Horse => "it has more than two horses of a side",
        Piece::Rook => "it has more than two rooks of a side",
        Piece::Cannon => "it has more than two cannons of a side",
        Piece::Pawn => "it has more than five pawns of a side",
    }
}
