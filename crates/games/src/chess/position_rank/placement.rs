//! A position as plain bitboards, valid or not.

use std::fmt;

use cozy_chess::{BoardBuilder, CastleRights, Color, File, Piece, Rank, Square};

use super::super::Position;
use super::subsets::each;

/// The kinds of men, as boards are numbered.
pub const PAWN: usize = 0;
/// See [`PAWN`].
pub const KNIGHT: usize = 1;
/// See [`PAWN`].
pub const BISHOP: usize = 2;
/// See [`PAWN`].
pub const ROOK: usize = 3;
/// See [`PAWN`].
pub const QUEEN: usize = 4;
/// See [`PAWN`].
pub const KING: usize = 5;

/// The squares of the first rank.
const FIRST_RANK: u64 = 0xff;
/// The squares of the last rank.
const LAST_RANK: u64 = FIRST_RANK << 56;

/// Men, side to move, castling rights, en passant and halfmove clock of a position, valid or not.
/// Bit 0 of a bitboard is a1, bit 7 is h1, bit 63 is h8.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Placement {
    /// White's bitboards, then Black's, each by kind: pawns, knights, bishops, rooks, queens, king.
    pub men: [[u64; 6]; 2],
    /// Whether Black is to move.
    pub black_to_move: bool,
    /// Whether White, then Black, may castle on the queen's side and on the king's side.
    pub castling: [[bool; 2]; 2],
    /// The file of the en passant field, if there is one.
    pub en_passant: Option<u8>,
    /// Plies since the last capture or pawn move.
    pub clock: u8,
}

/// Why a position has no rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unranked {
    /// Two men are on one square.
    Overlap,
    /// A side has no king, or more than one.
    Kings,
    /// A pawn is on the first or last rank.
    PawnRank,
    /// A side has more than 8 pawns.
    Pawns,
    /// A side has more than 16 men.
    Men,
    /// A side has more promoted men than missing pawns.
    Promoted,
    /// Its promotions need more captures than there were.
    Captures,
    /// Pawns could not have passed each other with so few captures: too few files hold a white
    /// pawn below a black one.
    Opposed,
    /// A side may castle without king and rook on the squares of standard chess.
    Castling,
    /// The pawn of the en passant field is missing, or a square behind it is occupied.
    EnPassant,
    /// The halfmove clock is above 100.
    Clock,
}

impl Unranked {
    /// The reason in words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Overlap => "two men are on one square",
            Self::Kings => "a side has no king, or several",
            Self::PawnRank => "a pawn is on the first or last rank",
            Self::Pawns => "a side has more than 8 pawns",
            Self::Men => "a side has more than 16 men",
            Self::Promoted => "a side has more promoted men than missing pawns",
            Self::Captures => "its promotions need more captures than there were",
            Self::Opposed => "its pawns passed each other with too few captures",
            Self::Castling => "its castling rights are not those of standard chess",
            Self::EnPassant => "no pawn can have made the double step of its en passant field",
            Self::Clock => "the halfmove clock is above 100",
        }
    }
}

impl fmt::Display for Unranked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Placement {
    /// Returns the placement of a position, if it castles as in standard chess.
    ///
    /// # Errors
    /// Returns [`Unranked::Castling`] or [`Unranked::Clock`].
    pub fn of(position: &Position) -> Result<Self, Unranked> {
        let board = &position.board;
        let mut placement = Self {
            black_to_move: board.side_to_move() == Color::Black,
            en_passant: board.en_passant().map(|file| file as u8),
            clock: u8::try_from(position.halfmove_clock).map_err(|_| Unranked::Clock)?,
            ..Self::default()
        };
        let sides = placement.men.iter_mut().zip(&mut placement.castling);
        for (color, (boards, castling)) in Color::ALL.into_iter().zip(sides) {
            for (board_of_kind, piece) in boards.iter_mut().zip(Piece::ALL) {
                *board_of_kind = board.colored_pieces(color, piece).0;
            }
            let rights = board.castle_rights(color);
            for ((may, right), file) in
                castling.iter_mut().zip([rights.long, rights.short]).zip([File::A, File::H])
            {
                if right.is_some_and(|right| right != file) {
                    return Err(Unranked::Castling);
                }
                *may = right.is_some();
            }
        }
        Ok(placement)
    }

    /// Returns the position, with move number 1; `None` if the rules crate refuses it.
    pub fn position(&self) -> Option<Position> {
        let mut builder = BoardBuilder::empty();
        for (color, (boards, castling)) in
            Color::ALL.into_iter().zip(self.men.iter().zip(self.castling))
        {
            for (&board, piece) in boards.iter().zip(Piece::ALL) {
                for square in each(board) {
                    let man = builder.board.get_mut(square.trailing_zeros() as usize)?;
                    *man = Some((piece, color));
                }
            }
            let [long, short] = castling;
            *builder.castle_rights_mut(color) =
                CastleRights { short: short.then_some(File::H), long: long.then_some(File::A) };
        }
        builder.side_to_move = if self.black_to_move { Color::Black } else { Color::White };
        if let Some(file) = self.en_passant {
            let rank = Rank::Sixth.relative_to(builder.side_to_move);
            builder.en_passant = Some(Square::new(File::try_index(file.into())?, rank));
        }
        let board = builder.build().ok()?;
        // The builder accepts three men giving check, which the FEN reader does not.
        let held = board.checkers().len() < 3;
        let halfmove_clock = self.clock.into();
        held.then_some(Position { board, halfmove_clock, fullmove_number: 1 })
    }

    /// Returns the same position with colours swapped and the board flipped.
    pub(super) fn turned(&self) -> Self {
        let [white, black] = self.men.map(|boards| boards.map(u64::swap_bytes));
        let [white_castling, black_castling] = self.castling;
        Self {
            men: [black, white],
            black_to_move: !self.black_to_move,
            castling: [black_castling, white_castling],
            ..*self
        }
    }

    /// Refuses impossible boards.
    pub(super) fn check(&self) -> Result<(), Unranked> {
        let mut occupied = 0;
        let mut twice = 0;
        for &board in self.men.as_flattened() {
            twice |= occupied & board;
            occupied |= board;
        }
        if twice != 0 {
            return Err(Unranked::Overlap);
        }
        let [white, black] = &self.men;
        if !white[KING].is_power_of_two() || !black[KING].is_power_of_two() {
            return Err(Unranked::Kings);
        }
        if (white[PAWN] | black[PAWN]) & (FIRST_RANK | LAST_RANK) != 0 {
            return Err(Unranked::PawnRank);
        }
        if self.clock > 100 {
            return Err(Unranked::Clock);
        }
        Ok(())
    }
}
