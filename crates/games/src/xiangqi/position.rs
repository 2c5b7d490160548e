//! Xiangqi positions as text: FEN in its dialects.

use std::fmt::Write;

use plypack_core::Error;
use plypack_core::limits::POSITION_TEXT_MAX;

use super::board::{Board, FILES, PALACES, Piece, SQUARES, Side, bit, squares};
use super::{Move, rules};
use crate::common::fen::{cased, counters, write_rows};

/// Number of ranks.
const RANKS: u8 = 10;

/// A bound above the progress of any position.
const PROGRESS_MAX: u32 = 1_000;

/// A xiangqi position with its counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub(super) board: Board,
    pub(super) side: Side,
    /// Plies since the last capture.
    pub(super) halfmove_clock: u32,
    /// The number of the next move.
    pub(super) fullmove_number: u32,
}

/// The letters of the kinds, in order, as most programs write them.
const LETTERS: [char; 7] = ['K', 'A', 'B', 'N', 'R', 'C', 'P'];

/// The men of the back rank from file a to file i.
const BACK_RANK: [Piece; 9] = [
    Piece::Rook,
    Piece::Horse,
    Piece::Elephant,
    Piece::Advisor,
    Piece::King,
    Piece::Advisor,
    Piece::Elephant,
    Piece::Horse,
    Piece::Rook,
];

impl Default for Position {
    fn default() -> Self {
        let mut board = Board::default();
        for (side, rank) in [(Side::Red, [0, 2, 3]), (Side::Black, [9, 7, 6])] {
            let [back, cannons, pawns] = rank.map(|rank| rank * FILES);
            for (file, piece) in (0..).zip(BACK_RANK) {
                board.put(back + file, side, piece);
            }
            for file in [1, 7] {
                board.put(cannons + file, side, Piece::Cannon);
            }
            for file in [0, 2, 4, 6, 8] {
                board.put(pawns + file, side, Piece::Pawn);
            }
        }
        Self { board, side: Side::Red, halfmove_clock: 0, fullmove_number: 1 }
    }
}

impl Position {
    /// Creates a position.
    ///
    /// # Errors
    /// Returns the reason if it is not valid: each side must have exactly one king, in its palace,
    /// and the side not to move must not be in check.
    pub(super) fn new(
        board: Board,
        side: Side,
        halfmove_clock: u32,
        fullmove_number: u32,
    ) -> Result<Self, &'static str> {
        for side in [Side::Red, Side::Black] {
            let kings = board.pieces(Piece::King) & board.side(side);
            if kings.count_ones() != 1 || kings & PALACES[side as usize] != kings {
                return Err("a side does not have exactly one king in its palace");
            }
        }
        if rules::in_check(&board, side.other()) {
            return Err("the side that is not to move is in check");
        }
        Ok(Self { board, side, halfmove_clock, fullmove_number })
    }

    /// Returns the kind of the man on a square: king 0, advisor, elephant, horse, rook, cannon,
    /// pawn 6.
    pub fn role(&self, square: u8) -> Option<usize> {
        let on_board = usize::from(square) < SQUARES;
        on_board.then(|| self.board.piece_on(square)).flatten().map(|piece| piece as usize)
    }

    pub(super) fn play(&mut self, mv: Move) {
        let captures = self.board.occupied() & bit(mv.to) != 0;
        self.halfmove_clock = if captures { 0 } else { self.halfmove_clock.saturating_add(1) };
        if self.side == Side::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        self.board.play(self.side, mv.from, mv.to);
        self.side = self.side.other();
    }

    /// Reads a FEN in any of its dialects. Every field except the board may be missing.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if a field cannot be read, or if the position is not valid: each
    /// side must have exactly one king, in its palace, and the side not to move must not be in
    /// check.
    pub(super) fn read_fen(text: &str) -> Result<Self, Error> {
        let error = |why: &str| Error::position("xiangqi", text, why);
        if text.len() > POSITION_TEXT_MAX as usize {
            return Err(error("it is too long to be a FEN"));
        }
        let mut fields = text.split_ascii_whitespace().peekable();
        let placement = fields.next().ok_or_else(|| error("it is empty"))?;
        let board = read_placement(placement).map_err(error)?;
        let side = match fields.next() {
            None | Some("w" | "W" | "r" | "R") => Side::Red,
            Some("b" | "B") => Side::Black,
            Some(_) => return Err(error("the side to move is w, r or b")),
        };
        // Castling and en passant, which only chess has; some programs omit these fields.
        for _ in 0..2 {
            fields.next_if(|&field| field == "-");
        }
        let [halfmove_clock, fullmove_number] = counters(fields, error)?;
        Self::new(board, side, halfmove_clock, fullmove_number).map_err(error)
    }

    /// Appends the position as FEN: `w` for Red, the letters of `KABNRCP`, six fields.
    pub(super) fn write_fen(&self, out: &mut String) {
        self.write_facts(out);
        // Writing to a string cannot fail.
        let _ = write!(out, " - - {} {}", self.halfmove_clock, self.fullmove_number);
    }

    /// Appends the first two fields of the FEN.
    pub(super) fn write_facts(&self, out: &mut String) {
        write_rows(RANKS, FILES, out, |rank, file| {
            let (side, piece) = self.board.man_on(rank * FILES + file)?;
            Some(cased(LETTERS[piece as usize], side == Side::Red))
        });
        out.push(' ');
        out.push(if self.side == Side::Red { 'w' } else { 'b' });
    }

    /// Returns a number that no move lowers: men taken plus pawns' steps ahead.
    pub(super) fn progress(&self) -> u32 {
        let pawns = self.board.pieces(Piece::Pawn);
        let ahead = |side: Side| {
            let ranks = squares(pawns & self.board.side(side)).map(|square| square / FILES);
            ranks.map(move |rank| match side {
                Side::Red => u32::from(RANKS - rank),
                Side::Black => u32::from(rank + 1),
            })
        };
        let left: u32 = [Side::Red, Side::Black].into_iter().flat_map(ahead).sum();
        PROGRESS_MAX.saturating_sub(left + self.board.occupied().count_ones())
    }
}

/// Reads the rows of a FEN from the top. Horses are N or H, elephants B or E.
fn read_placement(placement: &str) -> Result<Board, &'static str> {
    let mut board = Board::default();
    let mut rows = placement.split('/');
    for rank in (0..10).rev() {
        let row = rows.next().ok_or("there are fewer than ten rows")?;
        let mut file = 0;
        for symbol in row.chars() {
            let man = match symbol.to_ascii_uppercase() {
                'H' => Some(Piece::Horse),
                'E' => Some(Piece::Elephant),
                letter => Piece::ALL.into_iter().find(|&piece| LETTERS[piece as usize] == letter),
            };
            let width = match (man, symbol) {
                (Some(_), _) => 1,
                (None, '1'..='9') => symbol as u8 - b'0',
                _ => return Err("a row consists of the letters KABNRCPHE and the digits 1 to 9"),
            };
            if file + width > FILES {
                return Err("a row has more than nine squares");
            }
            if let Some(piece) = man {
                let side = if symbol.is_ascii_uppercase() { Side::Red } else { Side::Black };
                board.put(rank * FILES + file, side, piece);
            }
            file += width;
        }
        if file != FILES {
            return Err("a row has fewer than nine squares");
        }
    }
    if rows.next().is_some() { Err("there are more than ten rows") } else { Ok(board) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        let mut out = String::new();
        Position::read_fen(text).expect(text).write_fen(&mut out);
        out
    }

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    #[test]
    fn canonical_fens_come_back() {
        let mut start = String::new();
        Position::default().write_fen(&mut start);
        assert_eq!(start, START);
        for fen in [
            START,
            "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
            "4k4/9/9/9/9/9/9/9/9/3K5 b - - 119 240",
        ] {
            assert_eq!(rewritten(fen), fen);
        }
    }

    #[test]
    fn dialects_are_understood() {
        let placement = START.split(' ').next().expect("a field");
        let other = "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR";
        for tail in ["", " w", " r", " w -", " w - -", " r - - 0", " w - - 0 1", " w 0 1"] {
            assert_eq!(rewritten(&format!("{placement}{tail}")), START, "{tail}");
            assert_eq!(rewritten(&format!("{other}{tail}")), START, "{tail}");
        }
        assert_eq!(
            rewritten(&format!("{placement} b - - 12 40")),
            format!("{placement} b - - 12 40")
        );
    }

    #[test]
    fn what_the_rules_cannot_hold_is_refused() {
        for (fen, why) in [
            ("", "empty"),
            ("4k4/9/9/9/9/9/9/9/9 w", "fewer than ten rows"),
            ("4k4/9/9/9/9/9/9/9/9/3K5/9 w", "more than ten rows"),
            ("4k5/9/9/9/9/9/9/9/9/3K5 w", "more than nine"),
            ("4k9/9/9/9/9/9/9/9/9/3K5 w", "more than nine"),
            ("4k3/9/9/9/9/9/9/9/9/3K5 w", "fewer than nine"),
            ("4k4/9/9/9/0/9/9/9/9/3K5 w", "consists of"),
            ("4k4/9/9/9/4q4/9/9/9/9/3K5 w", "consists of"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 x", "side to move"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w - - -1", "not a number"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 99999999999", "too large"),
            ("4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1 x", "six fields"),
            ("4k4/9/9/9/9/9/9/9/9/9 w", "one king"),
            ("4k4/9/9/9/9/9/9/9/9/3KK4 w", "one king"),
            ("4k4/9/9/9/9/9/3K5/9/9/9 w", "palace"),
            ("9/9/9/9/9/9/9/9/9/3Kk4 w", "palace"),
            // The side to move could take a king, for instance by facing it.
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", "in check"),
            ("4k4/4R4/9/9/9/9/9/9/9/3K5 w", "in check"),
        ] {
            let fault = Position::read_fen(fen).expect_err(fen).to_string();
            assert!(fault.contains(why), "{fen}: {fault}");
        }
    }
}
