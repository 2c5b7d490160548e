//! Tic-tac-toe: the smallest game, for trying out new ideas.

mod key;
mod pattern;
pub(crate) mod registry;

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::board::{Cells, Padded, Plain};
use plypack_core::codecs::line::ranked::MoveOrder;
use plypack_core::{
    Board, BoardRules, Candidates, Error, GameInfo, MoveFault, Notation, PlacingRules, Ply, Rules,
    Turn, Verdict,
};

use crate::common::fen::write_rows;
use crate::common::rules::keys_and_patterns;

/// The game.
#[derive(Debug)]
pub struct TicTacToe;

/// The game's number in stored bytes.
const ID: u8 = 1;

/// The board and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// In the order of [`PADDED`].
    cells: [Cell; PADDED.length()],
    naught_to_move: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cell {
    Empty,
    Cross,
    Naught,
    /// A sentinel around the board.
    Outside,
}

/// Number of rows and columns.
const SIZE: u16 = 3;

/// The numbers of the cells: a1 = 0, b1 = 1 … c3 = 8.
const CELLS: Plain = Plain::new(SIZE, SIZE);

/// The layout of the cells in a position, with sentinels around them.
const PADDED: Padded = Padded::new(SIZE, SIZE);

/// The length of a winning row.
const ROW: usize = 3;

/// Returns the index of a cell in a position.
fn index(cell: u8) -> usize {
    CELLS.place(cell.into()).map_or(0, |(row, column)| PADDED.index(row, column))
}

impl Position {
    fn empty(naught_to_move: bool) -> Self {
        let mut cells = [Cell::Outside; PADDED.length()];
        PADDED.indices().for_each(|index| cells[index] = Cell::Empty);
        Self { cells, naught_to_move }
    }

    /// Iterates over the cells in the order of their numbers.
    fn cells(&self) -> impl Iterator<Item = Cell> {
        PADDED.indices().map(|index| self.cells[index])
    }

    fn mover(&self) -> Cell {
        if self.naught_to_move { Cell::Naught } else { Cell::Cross }
    }

    fn has_three(&self, player: Cell) -> bool {
        PADDED.indices().any(|index| self.cells[index] == player && self.is_won_at(index))
    }

    /// Whether the mark at this index is in a row of three.
    fn is_won_at(&self, index: usize) -> bool {
        PADDED.has_at_least(ROW, &self.cells, index)
    }

    fn wins_with(mut self, player: Cell, cell: u8) -> bool {
        let index = index(cell);
        self.cells[index] = player;
        self.is_won_at(index)
    }
}

impl Rules for TicTacToe {
    type Position = Position;
    type Move = u8;

    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "tictactoe",
            id: ID,
            title: "Tic-tac-toe",
            order: "the empty cells, a1 b1 c1 a2 … c3; none once a line of three is complete",
            variants: &["tictactoe", "tic-tac-toe"],
            own_tags: &[],
            signs: "",
            notations: &[],
            formats: &[],
        }
    }

    fn start(&self) -> Position {
        Position::empty(false)
    }

    fn candidates(&self, position: &Position, out: &mut Vec<u8>) {
        if position.has_three(Cell::Cross) || position.has_three(Cell::Naught) {
            return;
        }
        let cells = (0..).zip(position.cells());
        out.extend(cells.filter(|cell| cell.1 == Cell::Empty).map(|cell| cell.0));
    }

    fn play(&self, position: &mut Position, cell: u8) {
        position.cells[index(cell)] = position.mover();
        position.naught_to_move = !position.naught_to_move;
    }

    fn read_move(&self, candidates: &Candidates<'_, Self>, text: &str) -> Result<u8, MoveFault> {
        let &[file @ b'a'..=b'c', rank @ b'1'..=b'3'] = text.as_bytes() else {
            return Err(MoveFault::Unreadable);
        };
        let cell = (rank - b'1') * 3 + file - b'a';
        if candidates.contains(&cell) { Ok(cell) } else { Err(MoveFault::Illegal) }
    }

    fn write_move(&self, ply: &Ply<'_, Self>, _: Notation, out: &mut String) {
        let cell = ply.mv();
        out.push(char::from(b'a' + cell % 3));
        out.push(char::from(b'1' + cell / 3));
    }

    /// Reads three rows from the top, `x`, `o` and digits for empty cells, then the side to move:
    /// `3/1x1/3 o`.
    fn read_position(&self, text: &str) -> Result<Position, Error> {
        let error = |why: &str| Error::position("tictactoe", text, why);
        let Some((rows, side)) = text.split_once(' ') else {
            return Err(error(
                "a position is three rows, a space, and x or o for the side to move",
            ));
        };
        let mut position = Position::empty(false);
        let mut cells = [6, 7, 8, 3, 4, 5, 0, 1, 2].map(index).into_iter();
        let mut width = 0;
        for symbol in rows.chars() {
            let (cell, count) = match symbol {
                '/' if width == 3 => {
                    width = 0;
                    continue;
                }
                'x' => (Cell::Cross, 1),
                'o' => (Cell::Naught, 1),
                '1'..='3' => (Cell::Empty, symbol.to_digit(10).unwrap_or(0)),
                _ => return Err(error("a row consists of x, o and the digits 1 to 3")),
            };
            width += count;
            for _ in 0..count {
                let place = cells.next().ok_or_else(|| error("it has more than nine cells"))?;
                position.cells[place] = cell;
            }
        }
        if width != 3 || cells.next().is_some() {
            return Err(error("it does not have three rows of three cells"));
        }
        position.naught_to_move = match side {
            "x" => false,
            "o" => true,
            _ => return Err(error("the side to move is x or o")),
        };
        Ok(position)
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        write_rows(3, 3, out, |row, column| {
            match position.cells[PADDED.index(row.into(), column.into())] {
                Cell::Cross => Some('x'),
                Cell::Naught => Some('o'),
                Cell::Empty | Cell::Outside => None,
            }
        });
        out.push(' ');
        out.push(if position.naught_to_move { 'o' } else { 'x' });
    }

    fn outcome(&self, position: &Position) -> Option<Verdict> {
        if position.has_three(Cell::Cross) {
            return Some(Verdict::First);
        }
        if position.has_three(Cell::Naught) {
            return Some(Verdict::Second);
        }
        position.cells().all(|cell| cell != Cell::Empty).then_some(Verdict::Draw)
    }

    /// Counts the marks.
    fn progress(&self, position: &Position) -> u32 {
        position.cells().map(|cell| u32::from(cell != Cell::Empty)).sum()
    }

    keys_and_patterns!();

    /// Counts marks: crosses less naughts.
    fn material(&self, position: &Position) -> i32 {
        let balance = |cell| match cell {
            Cell::Cross => 1,
            Cell::Naught => -1,
            Cell::Empty | Cell::Outside => 0,
        };
        position.cells().map(balance).sum()
    }

    fn turn(&self, position: &Position) -> Turn {
        let second = position.naught_to_move;
        let taken = position.cells().filter(|&cell| cell != Cell::Empty).count();
        Turn { number: u32::try_from(taken / 2).unwrap_or(0) + 1, second }
    }
}

/// The state is whether naught is to move. Records may begin from any board, so the number of marks
/// does not tell.
impl BoardRules for TicTacToe {
    type Board = Cells;
    type State = bool;

    fn split(&self, position: &Position) -> (Cells, bool) {
        let mut board = self.start_board(&position.naught_to_move);
        for (cell, place) in position.cells().zip(0..) {
            board.set(place, cell as u32);
        }
        (board, position.naught_to_move)
    }

    fn join(&self, board: &Cells, &naught_to_move: &bool) -> Result<Position, Error> {
        let mut position = Position::empty(naught_to_move);
        for (index, place) in PADDED.indices().zip(0..) {
            position.cells[index] = match board.symbol(place) {
                1 => Cell::Cross,
                2 => Cell::Naught,
                _ => Cell::Empty,
            };
        }
        Ok(position)
    }

    fn start_board(&self, _: &bool) -> Cells {
        Cells::empty(9, &[3])
    }

    fn write_state(&self, &naught_to_move: &bool, out: &mut BitWriter) {
        out.write_bit(naught_to_move);
    }

    fn read_state(&self, bits: &mut BitReader<'_>) -> Result<bool, Error> {
        bits.read_bit().ok_or(Error::Cell { at: 0, why: "it is empty" })
    }
}

/// There is one variant.
impl PlacingRules for TicTacToe {
    fn state(&self, variant: u64, naught_to_move: bool) -> Option<bool> {
        (variant == 0).then_some(naught_to_move)
    }
}

/// Wins, then blocks, then the centre, corners and edges.
#[derive(Debug)]
pub struct Order;

impl MoveOrder<TicTacToe> for Order {
    type State = ();

    fn begin(&self, _: &Position) {}

    fn keys(&self, (): &(), position: &Position, candidates: &[u8], keys: &mut Vec<i32>) {
        let mover = position.mover();
        let other = if mover == Cell::Cross { Cell::Naught } else { Cell::Cross };
        keys.extend(candidates.iter().map(|&cell| {
            let place = match cell {
                4 => 2,
                0 | 2 | 6 | 8 => 1,
                _ => 0,
            };
            let wins = i32::from(position.wins_with(mover, cell));
            let blocks = i32::from(position.wins_with(other, cell));
            100 * wins + 10 * blocks + place
        }));
    }

    fn weights(&self, _: &Position, _: &[i32]) -> &[u16] {
        // Guessed, not measured: there is no corpus of tic-tac-toe games.
        &[32, 16, 8, 8, 4, 4, 2, 2, 1]
    }

    fn update(&self, (): &mut (), _: &Ply<'_, TicTacToe>) {}
}

#[cfg(test)]
mod tests {
    use plypack_core::PositionCodec;
    use plypack_core::codecs::board::alternating::Alternating;

    use super::*;

    #[test]
    fn the_document_states_the_weights_of_the_ranks() {
        let weights = Order.weights(&TicTacToe.start(), &[]).iter().map(u16::to_string);
        let row = format!("| weights of the ranks | {} |", weights.collect::<Vec<_>>().join(" "));
        assert!(include_str!("SPEC.md").lines().any(|line| line == row), "{row}");
    }

    #[test]
    fn a_row_may_not_be_longer_than_three() {
        let fault = |text: &str| TicTacToe.read_position(text).is_err();
        assert!(fault("xxxx/11/3 x"));
        assert!(fault("3/3 x"));
        assert!(fault("3/3/3/3 x"));
        assert!(fault("3/3/3 y"));
        assert!(!fault("x1o/3/3 x"));
    }

    #[test]
    fn every_board_of_players_who_took_turns_has_a_number_of_13_bits() {
        let mut codes = std::collections::BTreeSet::new();
        for board in 0..3usize.pow(9) {
            let mut position = Position::empty(false);
            for cell in 0..9u8 {
                let kinds = [Cell::Empty, Cell::Cross, Cell::Naught];
                position.cells[index(cell)] = kinds[board / 3usize.pow(cell.into()) % 3];
            }
            let count = |kind| position.cells().filter(|&cell| cell == kind).count();
            let (crosses, naughts) = (count(Cell::Cross), count(Cell::Naught));
            for naught_to_move in [false, true] {
                position.naught_to_move = naught_to_move;
                let code = Alternating.encode(&TicTacToe, &position);
                assert_eq!(code.is_ok(), crosses == naughts + usize::from(naught_to_move));
                if let Ok(code) = code {
                    assert_eq!(code.bits, 13);
                    assert_eq!(Alternating.decode(&TicTacToe, &code.bytes), Ok(position));
                    codes.insert(code.bytes);
                }
            }
        }
        assert_eq!(codes.len(), 6_046);
        // The numbers are consecutive from 0; the next one is invalid.
        assert_eq!(codes.last().map(|code| &code[..]), Some(&((6_045u16 << 3).to_be_bytes())[..]));
        assert!(Alternating.decode(&TicTacToe, &(6_046u16 << 3).to_be_bytes()).is_err());
    }

    #[test]
    fn the_game_ends_with_three_in_a_row() {
        let position = TicTacToe.read_position("xxx/oo1/3 o").expect("a position");
        let mut candidates = Vec::new();
        TicTacToe.candidates(&position, &mut candidates);
        assert_eq!(candidates, []);
    }
}
