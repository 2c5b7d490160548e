//! Gomoku: stones on a board of 15, 19 or 20 rows. A win does not end a record, so it does not end
//! a line either.

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

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::board::Cells;
use plypack_core::{
    Board, BoardRules, Candidates, Error, GameInfo, MoveFault, Notation, PlacingRules, Ply, Rules,
    Turn, Verdict,
};

pub use position::{Position, Rule, Variant};

use crate::common::property;
use crate::common::rules::keys_and_patterns;

/// The game.
#[derive(Debug)]
pub struct Gomoku;

/// The game's number in stored bytes.
const ID: u8 = 6;

impl Rules for Gomoku {
    type Position = Position;
    /// The point of the stone: a1 = 0, b1 = 1 …, then a2 …; a1 is the lower left.
    type Move = u16;

    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "gomoku",
            id: ID,
            title: "Gomoku",
            order: "the empty points, a1 b1 … a2 …, also after five in a row",
            variants: &["gomoku", "freestyle", "standard", "renju"],
            own_tags: &[],
            signs: "",
            notations: notation::NAMES,
            formats: &["psq", "sgf", "transcript"],
        }
    }

    fn start(&self) -> Position {
        Position::empty(Variant::ALL[0], false)
    }

    /// Returns the start with the size, rule and stones that the head names. Without a size, the
    /// smallest board that has all the points.
    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<Position> {
        let size = head.iter().find_map(|word| Variant::read_size(word));
        let rule = head.iter().find_map(|word| Rule::of_word(word)).unwrap_or_default();
        let set_up = property::set_up(head, moves)?;
        let on_board = |text: &str, size| {
            let point = match property::read(text) {
                Some((_, point)) => notation::read_property(point, size),
                None => notation::read(text),
            };
            point.is_ok_and(|(column, row)| column.max(row) < size)
        };
        let fits = |variant: &&Variant| match size {
            Some(size) => variant.size() == size,
            None => {
                let within = |&(point, _): &((u16, u16), u8)| point.0.max(point.1) < variant.size();
                moves.iter().all(|text| on_board(text, variant.size()))
                    && set_up.stones.iter().all(within)
            }
        };
        let variant =
            Variant::ALL.iter().find(|variant| variant.rule() == rule && fits(variant))?;
        let mut position = Position::empty(*variant, set_up.white);
        let size = variant.size();
        for ((column, row), stone) in set_up.stones {
            if column >= size {
                return None;
            }
            position.set(size.checked_sub(row + 1)? * size + column, stone);
        }
        (position != self.start()).then_some(position)
    }

    fn candidates(&self, position: &Position, out: &mut Vec<u16>) {
        let points = (0..).zip(position.points());
        out.extend(points.filter(|&(_, &stone)| stone == 0).map(|(point, _)| point));
    }

    fn play(&self, position: &mut Position, point: u16) {
        position.play(point);
    }

    fn read_move(&self, candidates: &Candidates<'_, Self>, text: &str) -> Result<u16, MoveFault> {
        let position = candidates.position();
        let size = position.variant().size();
        let (column, row) = if let Some((white, point)) = property::read(text) {
            if white != position.white_to_move() {
                return Err(MoveFault::Illegal);
            }
            notation::read_property(point, size)?
        } else if text.contains(',') {
            notation::read_psq(text, size)?
        } else {
            notation::read(text)?
        };
        if column >= size || row >= size {
            return Err(MoveFault::Illegal);
        }
        let point = row * size + column;
        if candidates.contains(&point) { Ok(point) } else { Err(MoveFault::Illegal) }
    }

    fn write_move(&self, ply: &Ply<'_, Self>, notation: Notation, out: &mut String) {
        let point = ply.mv();
        let size = ply.before.variant().size();
        let (column, row) = (point % size, point / size);
        match notation {
            Notation::Other(0) => notation::write_psq(column, row, size, out),
            Notation::Other(number) => property::write(ply.before.white_to_move(), out, |out| {
                if number == 1 {
                    property::write_point(column, size - 1 - row, out);
                } else {
                    notation::write(column, row, out);
                }
            }),
            _ => notation::write(column, row, out),
        }
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

    /// Counts the stones.
    fn progress(&self, position: &Position) -> u32 {
        let stones = position.points().iter().filter(|&&stone| stone != 0).count();
        u32::try_from(stones).unwrap_or(u32::MAX)
    }

    keys_and_patterns!();

    /// Counts stones: Black's less White's.
    fn material(&self, position: &Position) -> i32 {
        let balance = |stone: &u8| [0, 1, -1].get(usize::from(*stone)).copied().unwrap_or(0);
        position.points().iter().map(balance).sum()
    }

    /// Five in a row ends the game.
    fn ends(&self, ply: &Ply<'_, Self>, _: Option<u16>) -> bool {
        ply.after.wins_at(ply.mv())
    }

    fn outcome(&self, position: &Position) -> Option<Verdict> {
        let mut stones = (0..).zip(position.points()).filter(|&(_, &stone)| stone != 0);
        if let Some((_, &stone)) = stones.find(|&(point, _)| position.wins_at(point)) {
            return Some(Verdict::win(stone == 2));
        }
        position.points().iter().all(|&stone| stone != 0).then_some(Verdict::Draw)
    }

    fn turn(&self, position: &Position) -> Turn {
        let stones = position.points().iter().filter(|&&stone| stone != 0).count();
        let number = u32::try_from(stones / 2).unwrap_or(0) + 1;
        Turn { number, second: position.white_to_move() }
    }
}

/// The part of a position that is not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The size of the board and the rule.
    pub variant: Variant,
    /// Whether White is to move.
    pub white_to_move: bool,
}

/// The symbols are 1 for a black stone and 2 for a white one.
impl BoardRules for Gomoku {
    type Board = Cells;
    type State = State;

    fn split(&self, position: &Position) -> (Cells, State) {
        let state = State { variant: position.variant(), white_to_move: position.white_to_move() };
        let mut board = self.start_board(&state);
        for (point, &stone) in (0..).zip(position.points()) {
            board.set(point, stone.into());
        }
        (board, state)
    }

    fn join(&self, board: &Cells, state: &State) -> Result<Position, Error> {
        let mut position = Position::empty(state.variant, state.white_to_move);
        for point in 0..state.variant.points() {
            let stone = u8::try_from(board.symbol(point.into())).ok().filter(|&stone| stone < 3);
            let why = "its board has something other than black and white stones";
            position.set(point, stone.ok_or(Error::Cell { at: 0, why })?);
        }
        Ok(position)
    }

    fn start_board(&self, state: &State) -> Cells {
        Cells::empty(state.variant.points(), &[3])
    }

    /// Writes the variant's number in unary, so that the usual one takes a single bit; then whether
    /// White is to move.
    fn write_state(&self, state: &State, out: &mut BitWriter) {
        for variant in Variant::ALL {
            out.write_bit(variant != state.variant);
            if variant == state.variant {
                break;
            }
        }
        out.write_bit(state.white_to_move);
    }

    fn read_state(&self, bits: &mut BitReader<'_>) -> Result<State, Error> {
        let mut read = || -> Option<State> {
            for variant in Variant::ALL {
                if !bits.read_bit()? {
                    return Some(State { variant, white_to_move: bits.read_bit()? });
                }
            }
            None
        };
        read().ok_or(Error::Cell { at: 0, why: "not the state of a gomoku position" })
    }
}

impl PlacingRules for Gomoku {
    fn state(&self, variant: u64, white_to_move: bool) -> Option<State> {
        let variant = *Variant::ALL.get(usize::try_from(variant).ok()?)?;
        Some(State { variant, white_to_move })
    }
}

#[cfg(test)]
mod tests {
    use plypack_core::codecs::board::alternating::Alternating;
    use plypack_core::{Listing, PositionCodec};

    use super::*;

    #[test]
    fn a_board_of_15_rows_takes_45_bytes() {
        for (variant, bytes) in Variant::ALL.into_iter().zip([45, 45, 72, 72, 80, 80]) {
            let mut position = Position::empty(variant, false);
            let code = Alternating.encode(&Gomoku, &position).expect("an empty board");
            assert_eq!(code.bytes.len(), bytes);
            for point in 0..variant.points() {
                position.play(point);
            }
            let code = Alternating.encode(&Gomoku, &position).expect("a full board");
            assert_eq!(code.bytes.len(), bytes);
            assert_eq!(Alternating.decode(&Gomoku, &code.bytes), Ok(position));
        }
        let mut position = Gomoku.start();
        position.set(0, 2);
        let refused = Alternating.encode(&Gomoku, &position).expect_err("White was not next");
        assert!(refused.to_string().contains("alternating moves"), "{refused}");
    }

    #[test]
    fn the_head_or_the_moves_tell_the_board() {
        let told = |head: &[&str], moves: &[&str]| {
            let variant = Gomoku.start_told(head, moves)?.variant();
            Some((variant.size(), variant.rule()))
        };
        assert_eq!(told(&[], &["h8", "o15"]), None);
        assert_eq!(told(&["15", "freestyle"], &["t20"]), None);
        assert_eq!(told(&["15", "standard"], &[]), Some((15, Rule::Standard)));
        assert_eq!(told(&["x", "20x20"], &["h8"]), Some((20, Rule::Freestyle)));
        assert_eq!(told(&[], &["h8", "p1"]), Some((19, Rule::Freestyle)));
        assert_eq!(told(&["standard"], &["a20"]), Some((20, Rule::Standard)));
        assert_eq!(told(&["10x10"], &["a21"]), None);
        assert_eq!(told(&["20x15"], &[]), None);
        assert_eq!(told(&["15"], &["B[hh]", "W[ih]"]), None);
        assert_eq!(told(&[], &["B[hh]", "W[pp]"]), Some((19, Rule::Freestyle)));
        assert_eq!(told(&["20"], &[]), Some((20, Rule::Freestyle)));
        assert_eq!(told(&["15", "AB[pa]"], &[]), None);
        let text = |head: &[&str], moves: &[&str]| {
            let mut text = String::new();
            Gomoku.start_told(head, moves)?.write(&mut text);
            Some(text)
        };
        let start = "x14/1o13/15/15/15/15/15/15/15/15/15/15/15/15/15 x freestyle";
        assert_eq!(text(&["15", "AB[aa]AW"], &[]), None);
        assert_eq!(text(&["15", "AB[aa]", "AW[bb]"], &["B[hh]"]).as_deref(), Some(start));
        let white = text(&["15"], &["W[hh]"]).expect("White begins");
        assert!(white.ends_with(" o freestyle"), "{white}");
    }

    #[test]
    fn properties_name_their_player() {
        let mut position = Gomoku.start();
        let mut candidates = Vec::new();
        Gomoku.candidates(&position, &mut candidates);
        let read = |position: &Position, text| {
            Gomoku.read_move(&Candidates::listed(position, &candidates), text)
        };
        assert_eq!(read(&position, "B[aa]"), Ok(14 * 15));
        assert_eq!(read(&position, "B[a15]"), Ok(14 * 15));
        for text in ["W[aa]", "B[ap]", "B[pa]"] {
            assert_eq!(read(&position, text), Err(MoveFault::Illegal), "{text}");
        }
        assert_eq!(read(&position, "B[]"), Err(MoveFault::Unreadable));
        for (notation, text) in [(1, "B[ba]"), (2, "B[b15]"), (0, "2,1")] {
            let mut out = String::new();
            let before = position;
            let ply = Ply::new(Candidates::listed(&before, &candidates), 14 * 15 + 1, &before);
            Gomoku.write_move(&ply, Notation::Other(notation), &mut out);
            assert_eq!(out, text);
        }
        position.play(0);
        assert_eq!(read(&position, "W[aa]"), Ok(14 * 15));
    }

    #[test]
    fn five_in_a_row_ends_nothing() {
        let mut position = Gomoku.start();
        for point in [0, 15, 1, 16, 2, 17, 3, 18, 4] {
            position.play(point);
        }
        let listing = Listing::default();
        let candidates = Candidates::of(&Gomoku, &position, &listing);
        assert_eq!(candidates.len(), 225 - 9);
        assert_eq!(Gomoku.read_move(&candidates, "e2"), Ok(19));
        assert_eq!(Gomoku.read_move(&candidates, "e1"), Err(MoveFault::Illegal));
        assert_eq!(Gomoku.read_move(&candidates, "p1"), Err(MoveFault::Illegal));
    }
}
