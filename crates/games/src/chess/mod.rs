//! Chess and Chess960: the rules are those of cozy-chess; counters, order and notation are our own.

mod attacks;
pub mod board;
pub mod claims;
pub mod codecs;
pub mod default;
mod fan;
#[cfg(feature = "full")]
pub mod fast;
pub mod frequencies;
#[cfg(feature = "series")]
pub mod hints;
mod key;
pub mod link;
pub mod notation;
pub mod order;
mod pattern;
pub mod position;
pub mod position_rank;
pub(crate) mod ranks;
pub(crate) mod registry;
mod remains;
mod sets;
#[cfg(feature = "full")]
pub mod small;
pub mod squares;
mod threats;

use std::ops::ControlFlow;

use cozy_chess::{Move, Piece};
use plypack_core::key::Structure;
use plypack_core::pattern::Patterns;
use plypack_core::{
    Candidates, Error, GameInfo, Hint, MoveFault, Notation, Ply, Rules, Turn, Verdict, natively,
};

use fan::{Follow, LegalMoves};

pub use cozy_chess::Color;
pub use position::Position;

/// The game. Standard chess and Chess960 differ only in the start.
#[derive(Debug)]
pub struct Chess;

/// Its number in stored bytes.
const ID: u8 = 2;

/// The pieces of a promotion, in canonical order.
const PROMOTIONS: [Piece; 4] = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];

/// The worth of men, in pawns.
const WORTH: [(Piece, i32); 5] =
    [(Piece::Pawn, 1), (Piece::Knight, 3), (Piece::Bishop, 3), (Piece::Rook, 5), (Piece::Queen, 9)];

/// The number of plies without a capture or pawn move after which a game is drawn.
const DRAWN_CLOCK: u32 = 150;

/// Whether a game is drawn although there may be moves.
fn is_drawn(position: &Position) -> bool {
    let board = &position.board;
    let few = board.occupied().len() <= 3;
    let majors = board.pieces(Piece::Pawn) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    position.halfmove_clock >= DRAWN_CLOCK || few && majors.is_empty()
}

impl Rules for Chess {
    type Position = Position;
    /// Castling is king takes rook.
    type Move = Move;

    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "chess",
            id: ID,
            title: "Chess",
            order: "the legal moves by origin (a1 b1 … h8), then destination (castling: the \
                    rook's square), then promotion N B R Q",
            variants: &[
                "standard",
                "normal",
                "chess",
                "chess960",
                "chess 960",
                "fischerandom",
                "fischerrandom",
                "from position",
            ],
            own_tags: &[],
            signs: "",
            notations: &[],
            formats: &[],
        }
    }

    fn start(&self) -> Position {
        Position::default()
    }

    fn candidates(&self, position: &Position, out: &mut Vec<Move>) {
        natively(LegalMoves { board: &position.board, out });
    }

    fn follow(
        &self,
        position: &Position,
        plies: u32,
        choose: &mut impl FnMut(u32) -> u32,
        seen: &mut impl FnMut(Move, &Position) -> ControlFlow<()>,
    ) -> Option<Result<(), Error>> {
        Some(natively(Follow { position: position.clone(), plies, choose, seen }))
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.play(mv);
    }

    /// The king stays on its square. There is no null move in check: the king could be taken.
    fn null(&self, position: &Position) -> Option<Move> {
        let board = &position.board;
        let king = board.king(board.side_to_move());
        let may = board.checkers().is_empty();
        may.then_some(Move { from: king, to: king, promotion: None })
    }

    fn is_null(&self, text: &str) -> bool {
        notation::is_null(text)
    }

    fn read_move(&self, candidates: &Candidates<'_, Self>, text: &str) -> Result<Move, MoveFault> {
        if notation::is_null(text) {
            return self.null(candidates.position()).ok_or(MoveFault::Illegal);
        }
        notation::read(&candidates.position().board, text)
    }

    fn write_move(&self, ply: &Ply<'_, Self>, notation: Notation, out: &mut String) {
        let board = &ply.before.board;
        match notation {
            Notation::Customary | Notation::Other(_) => {
                notation::write_san(board, ply.mv(), &ply.after.board, out);
            }
            Notation::Coordinate => notation::write_uci(board, ply.mv(), out),
        }
    }

    fn read_position(&self, text: &str) -> Result<Position, Error> {
        Position::read_fen(text)
    }

    fn lacks(&self, text: &str) -> Option<&'static str> {
        match text.split_ascii_whitespace().count() {
            1 => Some("who is to move, and the castling rights, as in `w KQkq` or `b -`"),
            2 => Some("the castling rights, as in `KQkq` or `-`"),
            _ => None,
        }
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        position.write_fen(out);
    }

    fn key(&self, position: &Position) -> u64 {
        key::key(&position.board)
    }

    fn second_key(&self, position: &Position) -> u32 {
        key::second_key(&position.board)
    }

    fn structure(&self, position: &Position) -> Structure {
        key::structure(&position.board)
    }

    fn write_facts(&self, position: &Position, out: &mut String) {
        position.write_facts(key::takeable(&position.board), out);
    }

    /// Counts men taken, pawn steps and rights lost.
    fn progress(&self, position: &Position) -> u32 {
        position.progress()
    }

    #[cfg(feature = "series")]
    fn hint(&self, ply: &Ply<'_, Self>, last: Option<(Move, &Hint)>) -> Option<Hint> {
        Some(hints::hint(ply, last))
    }

    /// No hint without the tables of `hints`: any other hint would decode other values.
    #[cfg(not(feature = "series"))]
    fn hint(&self, _: &Ply<'_, Self>, _: Option<(Move, &Hint)>) -> Option<Hint> {
        None
    }

    fn remains(&self, start: &Position, position: &Position) -> u64 {
        remains::of(&start.board, &position.board)
    }

    /// Pawn 1, knight and bishop 3, rook 5, queen 9.
    fn material(&self, position: &Position) -> i32 {
        let board = &position.board;
        let count = |color, piece| {
            let men = board.colors(color) & board.pieces(piece);
            i32::try_from(men.len()).unwrap_or(0)
        };
        let balance =
            |(piece, worth)| worth * (count(Color::White, piece) - count(Color::Black, piece));
        WORTH.into_iter().map(balance).sum()
    }

    /// By the 75-move rule, or with too few men for mate: at most one knight or bishop.
    fn ends(&self, ply: &Ply<'_, Self>, _: Option<Move>) -> bool {
        is_drawn(ply.after)
    }

    fn outcome(&self, position: &Position) -> Option<Verdict> {
        let board = &position.board;
        let moves = board.generate_moves(|_| true);
        if moves && is_drawn(position) {
            return Some(Verdict::Draw);
        }
        let mated = !board.checkers().is_empty();
        let white_won = board.side_to_move() == Color::Black;
        let ended = if mated { Verdict::win(!white_won) } else { Verdict::Draw };
        (!moves).then_some(ended)
    }

    fn patterns(&self) -> Option<&dyn Patterns<Self>> {
        Some(self)
    }

    fn turn(&self, position: &Position) -> Turn {
        let second = position.board.side_to_move() == Color::Black;
        Turn { number: position.fullmove_number, second }
    }
}
