//! Chess positions as text: FEN, X-FEN and Shredder FEN.
//!
//! cozy-chess holds the board; the counters are our own, because it caps the halfmove clock at 100.

use std::fmt::Write;

use cozy_chess::{Board, Color, File, Move, Piece, Rank};
use plypack_core::Error;
use plypack_core::limits::POSITION_TEXT_MAX;

use super::attacks::square;
use crate::common::fen::{cased, counters, write_rows};

/// A strict upper bound on the men, pawn steps and rights of a position, counted together.
const PROGRESS_MAX: u32 = 1_000;

/// A chess position with its counters.
#[derive(Clone, Debug, PartialEq)]
pub struct Position {
    /// Men, side to move, castling rights and en passant file. Its own counters are not used.
    pub board: Board,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the next move.
    pub fullmove_number: u32,
}

impl Default for Position {
    fn default() -> Self {
        Self { board: Board::default(), halfmove_clock: 0, fullmove_number: 1 }
    }
}

impl Position {
    /// Plays a legal move, or the null move, in which the king stays on its square.
    pub fn play(&mut self, mv: Move) {
        let board = &self.board;
        let captures = board.colors(!board.side_to_move()).has(mv.to);
        let by_pawn = board.pieces(Piece::Pawn).has(mv.from);
        self.halfmove_clock =
            if captures || by_pawn { 0 } else { self.halfmove_clock.saturating_add(1) };
        if board.side_to_move() == Color::Black {
            self.fullmove_number = self.fullmove_number.saturating_add(1);
        }
        if mv.from == mv.to {
            self.board = self.board.null_move().unwrap_or_else(|| self.board.clone());
        } else {
            self.board.play_unchecked(mv);
        }
    }

    /// Reads a FEN in any of its dialects. The counters, or everything but the board, may be
    /// missing.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if a field cannot be read, or if the position is not valid: more
    /// than 16 men or 8 pawns a side, not one king each, the side not to move in check, castling
    /// rights without king and rook in place, or an en passant square without its pawn.
    pub fn read_fen(text: &str) -> Result<Self, Error> {
        let error = |why: &str| Error::position("chess", text, why);
        if text.len() > POSITION_TEXT_MAX as usize {
            return Err(error("it is too long to be a FEN"));
        }
        let mut fields = text.split_ascii_whitespace();
        let placement = fields.next().ok_or_else(|| error("it is empty"))?;
        let side = fields.next().unwrap_or("w");
        let castling = fields.next().unwrap_or("-");
        let en_passant = fields.next().unwrap_or("-");
        let [halfmove_clock, fullmove_number] = counters(fields, error)?;
        let castling = castling_files(placement, castling).map_err(error)?;
        let plain = format!("{placement} {side} {castling} {en_passant} 0 1");
        let board = Board::from_fen(&plain, true).map_err(|fault| error(&fault.to_string()))?;
        Ok(Self { board, halfmove_clock, fullmove_number })
    }

    /// Appends the position as X-FEN, which equals FEN where that suffices: castling is `KQkq`, or
    /// the rook's file if another rook is further out.
    pub fn write_fen(&self, out: &mut String) {
        self.write_facts(self.board.en_passant(), out);
        // Writing to a string cannot fail.
        let _ = write!(out, " {} {}", self.halfmove_clock, self.fullmove_number);
    }

    /// Appends the first four fields, as if only the pawn on this file, or none, had just been
    /// pushed two squares.
    pub(super) fn write_facts(&self, pushed: Option<File>, out: &mut String) {
        let board = &self.board;
        write_rows(8, 8, out, |rank, file| {
            let square = square(usize::from(rank * 8 + file));
            let (piece, color) = board.piece_on(square).zip(board.color_on(square))?;
            Some(cased(piece.into(), color == Color::White))
        });
        out.push(' ');
        out.push(if board.side_to_move() == Color::White { 'w' } else { 'b' });
        out.push(' ');
        self.write_castling(out);
        match pushed {
            None => out.push_str(" -"),
            Some(file) => {
                let rank = if board.side_to_move() == Color::White { '6' } else { '3' };
                out.push(' ');
                out.push(char::from(file));
                out.push(rank);
            }
        }
    }

    /// Returns a number that no move lowers: men taken, pawn steps and rights lost.
    pub(super) fn progress(&self) -> u32 {
        const RANKS: [Rank; 6] =
            [Rank::Seventh, Rank::Sixth, Rank::Fifth, Rank::Fourth, Rank::Third, Rank::Second];
        let board = &self.board;
        let mut left = 0;
        for color in Color::ALL {
            let pawns = board.colored_pieces(color, Piece::Pawn);
            for (ahead, rank) in (1..).zip(RANKS) {
                left += ahead * (pawns & rank.relative_to(color).bitboard()).len();
            }
            let rights = board.castle_rights(color);
            left += u32::from(rights.short.is_some()) + u32::from(rights.long.is_some());
        }
        left += board.occupied().len();
        PROGRESS_MAX.saturating_sub(left)
    }

    fn write_castling(&self, out: &mut String) {
        let before = out.len();
        for color in [Color::White, Color::Black] {
            let rank = Rank::First.relative_to(color);
            let rooks = self.board.colored_pieces(color, Piece::Rook) & rank.bitboard();
            let rights = self.board.castle_rights(color);
            let outer = [rooks.iter().last(), rooks.iter().next()];
            for ((right, outer), letter) in
                [rights.short, rights.long].into_iter().zip(outer).zip(['k', 'q'])
            {
                let Some(file) = right else { continue };
                let outermost = outer.map(|square| square.file()) == Some(file);
                let letter = if outermost { letter } else { char::from(file) };
                out.push(cased(letter, color == Color::White));
            }
        }
        if out.len() == before {
            out.push('-');
        }
    }
}

/// Converts the castling field of FEN or X-FEN to Shredder FEN: K and Q mean the outermost rook on
/// that side of the king.
fn castling_files(placement: &str, castling: &str) -> Result<String, &'static str> {
    if castling == "-" {
        return Ok(castling.into());
    }
    let mut files = String::new();
    for letter in castling.chars() {
        let white = letter.is_ascii_uppercase();
        let file = match letter.to_ascii_lowercase() {
            wing @ ('k' | 'q') => rook_file(placement, white, wing == 'k')
                .ok_or("a side may castle, but its king or rook is not in place")?,
            file @ 'a'..='h' => file,
            _ => return Err("the castling field must be K Q k q, rook files, or -"),
        };
        files.push(cased(file, white));
    }
    Ok(files)
}

/// Returns the file of the outermost rook to the right (`short`) or left of the king on the back
/// rank.
fn rook_file(placement: &str, white: bool, short: bool) -> Option<char> {
    let mut rows = placement.split('/');
    let row = if white { rows.nth(7) } else { rows.next() }?;
    let (king, rook) = if white { ('K', 'R') } else { ('k', 'r') };
    let mut file = b'a';
    let mut king_seen = false;
    let mut found = None;
    for symbol in row.chars() {
        if let Some(empty) = symbol.to_digit(10) {
            file = file.saturating_add(u8::try_from(empty).ok()?);
            continue;
        }
        king_seen |= symbol == king;
        if symbol == rook && king_seen == short && (short || found.is_none()) {
            found = Some(char::from(file));
        }
        file = file.saturating_add(1);
    }
    found.filter(|file| king_seen && ('a'..='h').contains(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        let mut out = String::new();
        Position::read_fen(text).expect(text).write_fen(&mut out);
        out
    }

    #[test]
    fn canonical_fens_come_back() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "8/8/8/4k3/8/4K3/8/7R w - - 149 300",
            "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/1RK1BR1B w KQkq - 2 10",
            // The inner of two rooks on one side of the king may castle.
            "4k3/8/8/8/8/8/8/1R1RK1RR w GD - 0 1",
        ] {
            assert_eq!(rewritten(fen), fen);
        }
    }

    #[test]
    fn dialects_are_understood() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w";
        assert_eq!(rewritten(&format!("{start} HAha - 0 1")), format!("{start} KQkq - 0 1"));
        assert_eq!(rewritten(&format!("{start} KQkq -")), format!("{start} KQkq - 0 1"));
        assert_eq!(rewritten(&format!("{start}  - - 0 0")), format!("{start} - - 0 0"));
    }

    #[test]
    fn what_the_rules_cannot_hold_is_refused() {
        for fen in [
            "",
            "8/8/8/8/8/8/8/8 w - - 0 1",
            "99/8/8/8/8/8/8/8 w - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e6 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999999999",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 extra",
            "rnbqkbnr/pppppppp/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ] {
            assert!(Position::read_fen(fen).is_err(), "{fen}");
        }
    }
}
