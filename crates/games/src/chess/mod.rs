//! Chess and Chess960: rules by cozy-chess, with counters, order and notation of our own.

pub mod claims;
pub mod notation;
pub mod order;
pub mod position;
pub(crate) mod ranks;

use cozy_chess::{Color, Move, PieceMoves};
use plypack_core::{Error, Game, GameInfo, MoveFault, Notation, Turn};

pub use position::Position;

/// The game. Standard chess and Chess960 differ only in the position they start from.
#[derive(Debug)]
pub struct Chess;

/// A side has at most 16 men, and at most two pawns can also take en passant.
const MOVERS_MAX: usize = 18;

impl Game for Chess {
    type Position = Position;
    /// Castling is the king taking his own rook.
    type Move = Move;

    fn info(&self) -> &'static GameInfo {
        &GameInfo {
            name: "chess",
            id: 2,
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
        }
    }

    fn start(&self) -> Position {
        Position::default()
    }

    fn candidates(&self, position: &Position, out: &mut Vec<Move>) {
        let mut movers: [Option<PieceMoves>; MOVERS_MAX] = [None; MOVERS_MAX];
        let mut count = 0;
        position.board.generate_moves(|moves| {
            // An en passant capture comes apart from the same pawn's other moves: join them.
            let known = movers[..count].iter_mut().flatten().find(|m| m.from == moves.from);
            if let Some(known) = known {
                known.to |= moves.to;
            } else if let Some(free) = movers.get_mut(count) {
                *free = Some(moves);
                count += 1;
            }
            false
        });
        movers[..count].sort_unstable_by_key(|m| m.map(|m| m.from as u8));
        // Each mover's moves come by destination, then N B R Q: cozy-chess documents neither, but
        // the oracle and the golden orders in `vectors/` pin both.
        out.extend(movers[..count].iter().flatten().copied().flatten());
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.play(mv);
    }

    fn read_move(
        &self,
        position: &Position,
        candidates: &[Move],
        text: &str,
    ) -> Result<usize, MoveFault> {
        notation::read(&position.board, candidates, text)
    }

    fn write_move(
        &self,
        before: &Position,
        candidates: &[Move],
        index: usize,
        after: &Position,
        notation: Notation,
        out: &mut String,
    ) {
        match notation {
            Notation::Customary => {
                notation::write_san(&before.board, candidates, index, &after.board, out);
            }
            Notation::Coordinate => notation::write_uci(&before.board, candidates[index], out),
        }
    }

    fn read_position(&self, text: &str) -> Result<Position, Error> {
        Position::read_fen(text)
    }

    fn write_position(&self, position: &Position, out: &mut String) {
        position.write_fen(out);
    }

    fn turn(&self, position: &Position) -> Turn {
        let second = position.board.side_to_move() == Color::Black;
        Turn { number: position.fullmove_number, second }
    }
}
