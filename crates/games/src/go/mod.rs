//! Go: stones on a rectangle of 1 to 52 rows and columns. Records break every rule, so either
//! player may put a stone on any point at any time; moves within the rules come first.

mod chains;
pub mod codecs;
#[cfg(feature = "full")]
pub mod fast;
mod key;
pub mod link;
pub mod notation;
pub mod order;
mod pattern;
mod position;
mod ranks;
pub(crate) mod registry;
pub mod rules;
#[cfg(feature = "full")]
pub mod tower;

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::board::Cells;
use plypack_core::{
    Board, BoardRules, Candidates, Error, GameInfo, MoveFault, Notation, Ply, Rules, Turn,
};

pub use rules::{Move, Position};

use crate::common::rules::keys_and_patterns;
use notation::Spelling;
use rules::{EDGE, EMPTY, SIDE_MAX};

/// The game.
#[derive(Debug)]
pub struct Go;

/// The game's number in stored bytes.
const ID: u8 = 4;

/// The side of the usual board.
const USUAL: u16 = 19;

/// Returns the size of a position's board, rows first.
fn size_of(position: &Position) -> [u16; 2] {
    [position.rows(), position.columns()]
}

/// Returns the number of candidates that the rules allow.
fn usual_count(candidates: &[Move]) -> usize {
    // The pass of the player to move is the last of them.
    candidates.iter().position(|mv| mv.point == Move::PASS).map_or(0, |pass| pass + 1)
}

impl Rules for Go {
    type Position = Position;
    type Move = Move;

    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "go",
            id: ID,
            title: "Go",
            order: "the empty points except the ko point, row by row from the upper left, and \
                    pass; after an escape the other points, then all points and the pass of the \
                    other player",
            variants: &["go", "weiqi", "baduk"],
            own_tags: &["Komi", "Handicap"],
            signs: "",
            notations: notation::NAMES,
            formats: &["sgf"],
        }
    }

    fn start(&self) -> Position {
        Position::empty(USUAL, USUAL, false)
    }

    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<Position> {
        Position::told(head, moves).filter(|position| *position != self.start())
    }

    fn candidates(&self, position: &Position, out: &mut Vec<Move>) {
        let (white, ko) = (position.white_to_move(), position.ko());
        let allowed = |&(point, stone): &(u16, u8)| stone == EMPTY && Some(point) != ko;
        let points = || (0..).zip(position.points());
        let ours = |point: u16| Move { point, white };
        out.reserve(2 * usize::from(position.count()) + 2);
        out.extend(points().filter(allowed).map(|point| ours(point.0)));
        out.push(ours(Move::PASS));
        out.extend(points().filter(|point| !allowed(point)).map(|point| ours(point.0)));
        let theirs = |point: u16| Move { point, white: !white };
        out.extend((0..position.count()).chain([Move::PASS]).map(theirs));
    }

    fn rare(&self, candidates: &[Move]) -> usize {
        candidates.len() - usual_count(candidates)
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.play(mv);
    }

    fn read_move(&self, candidates: &Candidates<'_, Self>, text: &str) -> Result<Move, MoveFault> {
        let position = candidates.position();
        let mv = notation::read(text, size_of(position), position.white_to_move())?;
        if candidates.contains(&mv) { Ok(mv) } else { Err(MoveFault::Illegal) }
    }

    fn write_move(&self, ply: &Ply<'_, Self>, notation: Notation, out: &mut String) {
        let spelling = match notation {
            Notation::Customary => Spelling::Letters,
            Notation::Coordinate => Spelling::Coordinates,
            Notation::Other(number) => Spelling::Property { tt: number == 1 },
        };
        let white = ply.before.white_to_move();
        notation::write(ply.mv(), size_of(ply.before), white, spelling, out);
    }

    fn read_position(&self, text: &str) -> Result<Position, Error> {
        Position::read(text)
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        position.write(out);
    }

    fn write_facts(&self, position: &Position, out: &mut String) {
        position.write_facts(out);
    }

    keys_and_patterns!();

    /// Two passes in a row end the game.
    fn ends(&self, ply: &Ply<'_, Self>, last: Option<Move>) -> bool {
        [Some(ply.mv()), last].iter().all(|mv| mv.is_some_and(|mv| mv.point == Move::PASS))
    }

    /// Counts stones: Black's less White's.
    fn material(&self, position: &Position) -> i32 {
        let balance = |stone: u8| [0, 1, -1].get(usize::from(stone)).copied().unwrap_or(0);
        position.points().map(balance).sum()
    }

    /// Counts the stones played, captured ones included; passes do not count.
    fn turn(&self, position: &Position) -> Turn {
        let stones = position.points().filter(|&stone| stone != EMPTY).count();
        let [black, white] = position.captures();
        let stones = u32::try_from(stones).unwrap_or(0).saturating_add(black).saturating_add(white);
        Turn { number: (stones / 2).saturating_add(1), second: position.white_to_move() }
    }
}

/// The part of a position that is not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// Number of rows.
    pub rows: u16,
    /// Number of columns.
    pub columns: u16,
    /// Whether White is to move.
    pub white_to_move: bool,
    /// The ko point.
    pub ko: Option<u16>,
    /// The numbers of stones captured by Black and by White.
    pub captures: [u32; 2],
}

/// The symbols are 1 for a black stone and 2 for a white one.
impl BoardRules for Go {
    type Board = Cells;
    type State = State;

    fn split(&self, position: &Position) -> (Cells, State) {
        let state = State {
            rows: position.rows(),
            columns: position.columns(),
            white_to_move: position.white_to_move(),
            ko: position.ko(),
            captures: position.captures(),
        };
        let mut board = self.start_board(&state);
        for (point, stone) in (0..).zip(position.points()) {
            board.set(point, stone.into());
        }
        (board, state)
    }

    fn join(&self, board: &Cells, state: &State) -> Result<Position, Error> {
        let mut position = Position::empty(state.rows, state.columns, state.white_to_move);
        for point in 0..position.count() {
            let stone = u8::try_from(board.symbol(point.into())).ok();
            let why = "its board has something other than black and white stones";
            let stone = stone.filter(|&stone| stone < EDGE).ok_or(Error::Cell { at: 0, why })?;
            position.set(point, stone);
        }
        if let Some(ko) = state.ko {
            let why = "the point that may not be retaken is not empty";
            if ko >= position.count() || [1, 2].contains(&board.symbol(ko.into())) {
                return Err(Error::Cell { at: 0, why });
            }
        }
        position.set_ko(state.ko);
        position.set_captures(state.captures);
        Ok(position)
    }

    fn start_board(&self, state: &State) -> Cells {
        Cells::empty(state.rows * state.columns, &[3])
    }

    /// Writes whether the board is not 19 by 19, and if so its rows and columns less 1 in 6 bits
    /// each; whether White is to move; whether there is a ko point, and if so the point in 12 bits;
    /// then for Black's and for White's captures the bit width of the number in 6 bits, and the
    /// number.
    fn write_state(&self, state: &State, out: &mut BitWriter) {
        let other = [state.rows, state.columns] != [USUAL, USUAL];
        out.write_bit(other);
        if other {
            out.write(u64::from(state.rows) - 1, 6);
            out.write(u64::from(state.columns) - 1, 6);
        }
        out.write_bit(state.white_to_move);
        out.write_bit(state.ko.is_some());
        if let Some(ko) = state.ko {
            out.write(ko.into(), 12);
        }
        for captured in state.captures {
            let bits = 32 - captured.leading_zeros();
            out.write(bits.into(), 6);
            out.write(captured.into(), bits);
        }
    }

    fn read_state(&self, bits: &mut BitReader<'_>) -> Result<State, Error> {
        let mut read = || -> Option<State> {
            let mut number = |width: u32| bits.read(width);
            let side = |number: &mut dyn FnMut(u32) -> Option<u64>| {
                let side = u16::try_from(number(6)?).ok()? + 1;
                Some(side).filter(|&side| side <= SIDE_MAX)
            };
            let [mut rows, mut columns] = [USUAL; 2];
            if number(1)? == 1 {
                rows = side(&mut number)?;
                columns = side(&mut number)?;
                if [rows, columns] == [USUAL; 2] {
                    return None;
                }
            }
            let white_to_move = number(1)? == 1;
            let ko = if number(1)? == 1 { Some(u16::try_from(number(12)?).ok()?) } else { None };
            let mut captures = [0; 2];
            for captured in &mut captures {
                let width = u32::try_from(number(6)?).ok().filter(|&width| width <= 32)?;
                *captured = u32::try_from(number(width)?).ok()?;
                if 32 - captured.leading_zeros() != width {
                    return None;
                }
            }
            Some(State { rows, columns, white_to_move, ko, captures })
        };
        read().ok_or(Error::Cell { at: 0, why: "not the state of a go position" })
    }
}

#[cfg(test)]
mod tests {
    use plypack_core::Listing;

    use super::*;

    fn after(start: &str, moves: &str) -> String {
        let mut position = Go.read_position(start).expect(start);
        for text in moves.split_ascii_whitespace() {
            let listing = Listing::default();
            let mv = Go.read_move(&Candidates::of(&Go, &position, &listing), text).expect(text);
            Go.play(&mut position, mv);
        }
        let mut out = String::new();
        Go.write_position(&position, &mut out);
        out
    }

    #[test]
    fn stones_without_liberties_go() {
        for (start, moves, end) in [
            // In the corner, one stone and two.
            ("3/3/3 x 0 0", "ba aa ab", "1x1/x2/3 o 1 0"),
            ("oox/x2/3 x 0 0", "bb", "2x/xx1/3 o 2 0"),
            // The opponent's stones are removed before one's own.
            ("1xo/xo1/o2 o 0 0", "aa", "o1o/1o1/o2 x 0 2"),
            // A stone that captures nothing and has no liberty is removed; so are two.
            ("1o1/o2/3 x 0 0", "aa", "1o1/o2/3 o 0 1"),
            ("x1o/oo1/3 x 0 0", "ba", "2o/oo1/3 o 0 2"),
            // The last point of a full board.
            ("x x 0 0", "aa", "1 o 0 1"),
            ("1 x 0 0", "aa pass aa", "1 o 0 2"),
        ] {
            assert_eq!(after(start, moves), end, "{start}, {moves}");
        }
    }
}
