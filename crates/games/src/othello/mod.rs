//! Othello: our own rules on bitboards. Passes are never coded: a player without a move passes
//! automatically.

pub mod codecs;
#[cfg(feature = "full")]
pub mod default;
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
mod rules;

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::board::Cells;
use plypack_core::{
    Board, BoardRules, Candidates, Error, GameInfo, MoveFault, Notation, Ply, Rules, Turn, Verdict,
};

pub use position::Position;

use crate::common::property;
use crate::common::rules::keys_and_patterns;

/// The game.
#[derive(Debug)]
pub struct Othello;

/// The game's number in stored bytes.
const ID: u8 = 5;

impl Rules for Othello {
    type Position = Position;
    /// The cell of the disc: a1 = 0, b1 = 1 … h8 = 63; a1 is the upper left.
    type Move = u8;

    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "othello",
            id: ID,
            title: "Othello",
            order: "the legal moves, a1 b1 … h1 a2 … h8; passes are implied",
            variants: &["othello", "reversi", "standard"],
            own_tags: &[],
            signs: "",
            notations: &property::NAMES,
            formats: &["sgf", "transcript", "wthor"],
        }
    }

    fn start(&self) -> Position {
        Position::default()
    }

    /// Returns the start with the usual discs, changed as the head says.
    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<Position> {
        let set_up = property::set_up(head, moves)?;
        let [mut black, mut white] = self.start().discs();
        for ((column, row), disc) in set_up.stones {
            let cell =
                if column < 8 && row < 8 { 1u64 << (8 * row + column) } else { return None };
            black = if disc == 1 { black | cell } else { black & !cell };
            white = if disc == 2 { white | cell } else { white & !cell };
        }
        let position = Position::new([black, white], set_up.white)?;
        (position != self.start()).then_some(position)
    }

    fn candidates(&self, position: &Position, out: &mut Vec<u8>) {
        let mut left = position.moves();
        while left != 0 {
            out.push((left.trailing_zeros() & 63) as u8);
            left &= left - 1;
        }
    }

    fn play(&self, position: &mut Position, cell: u8) {
        position.play(cell);
    }

    fn read_move(&self, candidates: &Candidates<'_, Self>, text: &str) -> Result<u8, MoveFault> {
        let cell = match property::read(text) {
            Some((white, _)) if white != candidates.position().white_to_move() => {
                Err(MoveFault::Illegal)
            }
            Some((_, point)) => notation::read_property(point),
            None => notation::read(text),
        }?;
        if candidates.contains(&cell) { Ok(cell) } else { Err(MoveFault::Illegal) }
    }

    fn write_move(&self, ply: &Ply<'_, Self>, notation: Notation, out: &mut String) {
        let cell = ply.mv();
        match notation {
            Notation::Other(number) => property::write(ply.before.white_to_move(), out, |out| {
                if number == 0 {
                    property::write_point((cell % 8).into(), (cell / 8).into(), out);
                } else {
                    notation::write(cell, out);
                }
            }),
            _ => notation::write(cell, out),
        }
    }

    fn read_position(&self, text: &str) -> Result<Position, Error> {
        Position::read(text)
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        position.write(out);
    }

    /// Counts the discs.
    fn progress(&self, position: &Position) -> u32 {
        position.discs().map(u64::count_ones).iter().sum()
    }

    keys_and_patterns!();

    /// Counts discs: Black's less White's.
    fn material(&self, position: &Position) -> i32 {
        let [black, white] = position.discs().map(|discs| discs.count_ones().cast_signed());
        black - white
    }

    fn outcome(&self, position: &Position) -> Option<Verdict> {
        let ended = match self.material(position) {
            0 => Verdict::Draw,
            balance => Verdict::win(balance < 0),
        };
        (position.moves() == 0).then_some(ended)
    }

    /// Games begin with four discs, and every move adds one.
    fn turn(&self, position: &Position) -> Turn {
        let [black, white] = position.discs();
        let moves = (black | white).count_ones().saturating_sub(4);
        Turn { number: moves / 2 + 1, second: position.white_to_move() }
    }
}

/// The symbols are 1 for a black disc and 2 for a white one; the state is whether White is to move.
impl BoardRules for Othello {
    type Board = Cells;
    type State = bool;

    fn split(&self, position: &Position) -> (Cells, bool) {
        let mut board = Cells::empty(64, &[3]);
        let [black, white] = position.discs();
        for cell in 0..64 {
            board.set(
                cell,
                u32::from(black >> cell & 1 == 1) + 2 * u32::from(white >> cell & 1 == 1),
            );
        }
        (board, position.white_to_move())
    }

    fn join(&self, board: &Cells, &white_to_move: &bool) -> Result<Position, Error> {
        let with = |man| (0..64).rev().map(move |cell| u64::from(board.symbol(cell) == man));
        let discs = [1, 2].map(|man| with(man).fold(0, |set, bit| set << 1 | bit));
        Position::new(discs, white_to_move)
            .ok_or(Error::Cell { at: 0, why: "the side to move would have to pass" })
    }

    fn start_board(&self, _: &bool) -> Cells {
        self.split(&Position::default()).0
    }

    fn write_state(&self, &white_to_move: &bool, out: &mut BitWriter) {
        out.write_bit(white_to_move);
    }

    fn read_state(&self, bits: &mut BitReader<'_>) -> Result<bool, Error> {
        bits.read_bit().ok_or(Error::Cell { at: 0, why: "it is empty" })
    }
}

#[cfg(test)]
mod tests {
    use plypack_core::Listing;

    use super::*;

    fn play(moves: &str) -> Position {
        let mut position = Othello.start();
        for text in moves.split(' ') {
            let listing = Listing::default();
            let candidates = Candidates::of(&Othello, &position, &listing);
            let mv = Othello.read_move(&candidates, text).expect(text);
            Othello.play(&mut position, mv);
        }
        position
    }

    #[test]
    fn properties_name_their_player() {
        let start = Othello.start();
        let listing = Listing::default();
        let candidates = Candidates::of(&Othello, &start, &listing);
        let read = |text| Othello.read_move(&candidates, text);
        let f5 = candidates[2];
        assert_eq!((read("B[fe]"), read("B[f5]"), read("f5")), (Ok(f5), Ok(f5), Ok(f5)));
        for text in ["W[fe]", "B[aa]", "B[ii]"] {
            assert_eq!(read(text), Err(MoveFault::Illegal), "{text}");
        }
        assert_eq!(read("B[]"), Err(MoveFault::Unreadable));
        for (notation, text) in [
            (Notation::Other(0), "B[fe]"),
            (Notation::Other(1), "B[f5]"),
            (Notation::Customary, "f5"),
        ] {
            let mut out = String::new();
            Othello.write_move(&Ply::new(candidates, f5, &start), notation, &mut out);
            assert_eq!(out, text);
        }
    }

    #[test]
    fn the_head_tells_the_discs() {
        let told = |head: &[&str], moves: &[&str]| {
            let mut text = String::new();
            Othello.start_told(head, moves)?.write(&mut text);
            Some(text)
        };
        assert_eq!(told(&["8"], &["B[fe]"]), None);
        assert_eq!(told(&["8", "AB[ed][de]", "AW[dd][ee]", "PL[B]"], &[]), None);
        let handicap = told(&["8", "AB[aa]"], &["W[fe]"]);
        let expected = "X--------------------------OX------XO--------------------------- O";
        assert_eq!(handicap.as_deref(), Some(expected));
        for word in ["AB[ia]", "AW[b2]"] {
            assert_eq!(told(&[word], &[]), None, "{word}");
        }
    }

    /// Counts lines as published counts do: a pass is a ply, and a finished game counts once.
    fn perft(position: Position, depth: u32) -> u64 {
        let moves = position.moves();
        if depth == 0 || moves == 0 {
            return 1;
        }
        if depth == 1 {
            return moves.count_ones().into();
        }
        let mut candidates = Vec::new();
        Othello.candidates(&position, &mut candidates);
        let after = |&cell: &u8| {
            let mut after = position;
            after.play(cell);
            let same_side = after.white_to_move() == position.white_to_move();
            perft(after, if same_side && after.moves() != 0 { depth - 2 } else { depth - 1 })
        };
        candidates.iter().map(after).sum()
    }

    #[test]
    fn the_shortest_game_ends_after_nine_moves() {
        let position = play("e6 f4 e3 f6 g5 d6 e7 f5 c5");
        assert_eq!(position.discs()[1], 0, "{position:?}");
        assert_eq!(position.moves(), 0);
    }

    /// Published counts. The first possible pass is the ninth ply: if passes were not plies, nine
    /// plies would make 32 more lines. After nine plies 228 games are over, 57 up to symmetry, the
    /// shortest there are; ten plies are the first depth that shows whether these count.
    #[test]
    fn perft_with_passes() {
        let counts = [4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216, 3_005_288, 24_571_284];
        for (count, depth) in counts.into_iter().zip(1..) {
            assert_eq!(perft(Othello.start(), depth), count, "{depth} plies");
        }
    }
}
