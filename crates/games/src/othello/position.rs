//! Othello positions: discs and side to move, as text.

use plypack_core::Error;
use plypack_core::limits::POSITION_TEXT_MAX;

use super::rules::{moves, turned};
use crate::common::diagram;

/// A position. The side to move has a move unless the game is over: forced passes are already made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The cells of the black and of the white discs, in bits: a1 b1 … h8, the lowest first.
    discs: [u64; 2],
    white_to_move: bool,
}

/// Number of cells.
const CELLS: usize = 64;

impl Default for Position {
    fn default() -> Self {
        Self { discs: [0x0000_0008_1000_0000, 0x0000_0010_0800_0000], white_to_move: false }
    }
}

impl Position {
    /// Creates a position with these black and white discs. Returns `None` if two are on one cell,
    /// or if the side to move would have to pass.
    pub fn new(discs: [u64; 2], white_to_move: bool) -> Option<Self> {
        let position = Self { discs, white_to_move };
        let sound = discs[0] & discs[1] == 0 && position.passed() == position;
        sound.then_some(position)
    }

    /// Returns the black and the white discs.
    pub fn discs(&self) -> [u64; 2] {
        self.discs
    }

    /// Whether White is to move.
    pub fn white_to_move(&self) -> bool {
        self.white_to_move
    }

    /// Returns the discs of the side to move, and the other's.
    pub fn sides(&self) -> [u64; 2] {
        let [black, white] = self.discs;
        if self.white_to_move { [white, black] } else { [black, white] }
    }

    /// Returns the legal moves of the side to move, as cells.
    pub fn moves(&self) -> u64 {
        let [own, other] = self.sides();
        moves(own, other)
    }

    /// Returns the position with the other side to move, if this one has no move and the other has.
    fn passed(self) -> Self {
        let [own, other] = self.sides();
        let must_pass = moves(own, other) == 0 && moves(other, own) != 0;
        Self { white_to_move: self.white_to_move != must_pass, ..self }
    }

    /// Puts a disc of the side to move on a cell, flips discs, and passes if the next player has
    /// to.
    pub fn play(&mut self, cell: u8) {
        let [own, other] = self.sides();
        let turned = turned(own, other, cell);
        let own = own | turned | 1u64.checked_shl(cell.into()).unwrap_or(0);
        let other = other & !turned;
        let discs = if self.white_to_move { [other, own] } else { [own, other] };
        *self = Self { discs, white_to_move: !self.white_to_move }.passed();
    }

    /// Reads a board of 64 cells as `diagram::read` does, with or without white space and `/`
    /// between rows, then the side to move; a semicolon may follow, as in OBF.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if the text is not a position.
    pub fn read(text: &str) -> Result<Self, Error> {
        let error = |why: &str| Error::position("othello", text, why);
        if text.len() > POSITION_TEXT_MAX as usize {
            return Err(error("it is too long to be a position"));
        }
        let bare = text.trim_end().trim_end_matches(';').trim_end();
        let last_word = bare.rfind(char::is_whitespace).map(|space| bare.split_at(space));
        // Some programs write the side right after the board.
        let last_letter = bare.char_indices().nth(CELLS).map(|(at, _)| bare.split_at(at));
        let (board, side) = last_word
            .or(last_letter)
            .ok_or_else(|| error("a position is 64 cells, a space, and X or O to move"))?;
        let board: String = board.split_whitespace().collect();
        let board = diagram::read(&board, CELLS).map_err(error)?;
        if board.cells.len() != CELLS || board.width.is_some_and(|width| width != 8) {
            return Err(error("the board does not have 8 rows of 8 cells"));
        }
        let white_to_move = diagram::second_to_move(side.trim())
            .ok_or_else(|| error("the side to move is X (Black) or O (White)"))?;
        let set = |man: u8| {
            let with = board.cells.iter().rev().map(|&cell| u64::from(cell == man));
            with.fold(0, |set, bit| set << 1 | bit)
        };
        Ok(Self { discs: [set(1), set(2)], white_to_move }.passed())
    }

    /// Appends 64 characters, `X` for black discs, `O` for white ones and `-`, from a1 to h1, then
    /// from a2 on; a space; `X` or `O` for the side to move.
    pub fn write(&self, out: &mut String) {
        let [black, white] = self.discs;
        for cell in 0..CELLS {
            out.push(match (black >> cell & 1, white >> cell & 1) {
                (1, _) => 'X',
                (_, 1) => 'O',
                _ => '-',
            });
        }
        out.push_str(if self.white_to_move { " O" } else { " X" });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    fn rewritten(text: &str) -> Option<String> {
        let mut out = String::new();
        Position::read(text).ok()?.write(&mut out);
        Some(out)
    }

    #[test]
    fn dialects_are_understood() {
        let mut start = String::new();
        Position::default().write(&mut start);
        assert_eq!(start, START);
        for text in [
            "8/8/8/3ox3/3xo3/8/8/8 b",
            "8/8/8/3WB3/3BW3/8/8/8 black;",
            "---------------------------OX------XO---------------------------X",
            "........ ........ ........ ...O*... ...*O... ........ ........ ........ *",
            "27ox6xo27 x ;",
        ] {
            assert_eq!(rewritten(text).as_deref(), Some(START), "{text}");
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        for text in [
            "",
            "X",
            "8/8/8/3ox3/3xo3/8/8 x",
            "8/8/8/3ox3/3xo3/8/8/8",
            "8/8/8/3ox3/3xo3/8/8/8 -",
            "8/8/8/3ox3/3xo3/8/8/8 x x",
            "4/4/4/4/4/4/4/4/4/4/4/4/4/4/4/4 x",
            "8/8/8/3é4/8/8/8/8 x",
        ] {
            assert_eq!(rewritten(text), None, "{text}");
        }
        assert!(Position::read(&"-".repeat(2_000)).is_err());
    }

    #[test]
    fn who_must_pass_has_passed() {
        let passed = rewritten("ox6/8/8/8/8/8/8/8 x").expect("a position");
        assert!(passed.starts_with("OX-") && passed.ends_with(" O"), "{passed}");
        let over = rewritten("xxxxxxxx/8/8/8/8/8/8/oooooooo o").expect("a position");
        assert!(over.ends_with(" O"), "{over}");
        assert_eq!(Position::new([2, 1], false), None);
        assert!(Position::new([2, 1], true).is_some());
        assert_eq!(Position::new([1, 1], true), None);
    }
}
