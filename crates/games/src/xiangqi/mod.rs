//! Xiangqi: our own rules on bitboards, and the notations of real records.

mod attacks;
mod board;
pub mod cells;
pub mod claims;
pub mod codecs;
#[cfg(feature = "full")]
pub mod default;
#[cfg(feature = "full")]
pub mod fast;
pub mod frequencies;
pub mod hullqin;
mod key;
mod lines;
pub mod link;
pub mod men;
pub mod notation;
pub mod order;
mod pattern;
mod position;
pub mod position_rank;
pub(crate) mod ranks;
pub(crate) mod registry;
mod rules;
#[cfg(feature = "full")]
pub mod small;
pub mod spelling;

use plypack_core::key::Structure;
use plypack_core::pattern::grid::counts_left;
use plypack_core::{Candidates, Error, GameInfo, MoveFault, Notation, Ply, Rules, Turn, Verdict};

use crate::common::rules::keys_and_patterns;
use board::{Piece, Side};
pub use position::Position;
use spelling::Spelling;

/// The game.
#[derive(Debug)]
pub struct Xiangqi;

/// The game's number in stored bytes.
const ID: u8 = 3;

/// A move from one square to another: a0 = 0, b0 = 1 … i9 = 89, with Red below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The origin.
    pub from: u8,
    /// The destination.
    pub to: u8,
}

/// The worth of men, in pawns.
const WORTH: [(Piece, i32); 6] = [
    (Piece::Pawn, 1),
    (Piece::Advisor, 2),
    (Piece::Elephant, 2),
    (Piece::Horse, 4),
    (Piece::Cannon, 4),
    (Piece::Rook, 9),
];

impl Rules for Xiangqi {
    type Position = Position;
    type Move = Move;

    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "xiangqi",
            id: ID,
            title: "Xiangqi",
            order: "the legal moves by origin (a0 b0 … i9), then destination; repetition is legal",
            variants: &["xiangqi", "chinese chess"],
            own_tags: &["Red"],
            signs: notation::SIGNS,
            notations: spelling::NAMES,
            formats: &["cbf", "ccbridge", "dhtmlxq", "xqf"],
        }
    }

    fn start(&self) -> Position {
        Position::default()
    }

    fn candidates(&self, position: &Position, out: &mut Vec<Move>) {
        rules::legal_moves(&position.board, position.side, out);
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.play(mv);
    }

    fn read_move(&self, candidates: &Candidates<'_, Self>, text: &str) -> Result<Move, MoveFault> {
        let index = notation::read(candidates.position(), candidates, text)?;
        Ok(candidates[index])
    }

    fn write_move(&self, ply: &Ply<'_, Self>, notation: Notation, out: &mut String) {
        let spelling = match notation {
            Notation::Customary => Spelling::CUSTOMARY,
            Notation::Coordinate => Spelling::COORDINATE,
            Notation::Other(place) => {
                spelling::NAMED.get(usize::from(place)).map_or(Spelling::CUSTOMARY, |row| row.1)
            }
        };
        spelling.write(ply.before, &ply.candidates, ply.index(), out);
    }

    fn read_position(&self, text: &str) -> Result<Position, Error> {
        Position::read_fen(text)
    }

    fn lacks(&self, text: &str) -> Option<&'static str> {
        let is_bare = text.split_ascii_whitespace().count() == 1;
        is_bare.then_some("the side to move, `w` or `b`")
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        position.write_fen(out);
    }

    fn write_facts(&self, position: &Position, out: &mut String) {
        position.write_facts(out);
    }

    /// Counts men taken and pawns' steps ahead.
    fn progress(&self, position: &Position) -> u32 {
        position.progress()
    }

    keys_and_patterns!();

    fn structure(&self, position: &Position) -> Structure {
        key::structure(position)
    }

    fn remains(&self, _: &Position, position: &Position) -> u64 {
        counts_left(self, position)
    }

    /// Counts pawn 1, advisor and elephant 2, horse and cannon 4, rook 9.
    fn material(&self, position: &Position) -> i32 {
        let board = &position.board;
        let balance = |(piece, worth): (Piece, i32)| {
            let [red, black] = [Side::Red, Side::Black]
                .map(|side| (board.side(side) & board.pieces(piece)).count_ones().cast_signed());
            worth * (red - black)
        };
        WORTH.into_iter().map(balance).sum()
    }

    /// A player without a legal move has lost.
    fn outcome(&self, position: &Position) -> Option<Verdict> {
        let mut moves = Vec::with_capacity(64);
        self.candidates(position, &mut moves);
        moves.is_empty().then(|| Verdict::win(position.side == Side::Red))
    }

    fn turn(&self, position: &Position) -> Turn {
        Turn { number: position.fullmove_number, second: position.side == Side::Black }
    }
}
