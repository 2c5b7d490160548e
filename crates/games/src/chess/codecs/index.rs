//! `line.index`: the index of each move among those that can be played, in truncated binary.
//!
//! HullQin writes a man's square as an index into the squares that it may stand on, in the fewest
//! whole bits; this does the same for moves. It is designed for fast decoding: without a range
//! coder, and without listing moves. Moves are counted, and the coded one is picked, from a fan of
//! bitboards (`chess/fan.rs`).

use std::ops::ControlFlow;

use cozy_chess::{Board, Move};
use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::truncated::{self, Form};
use plypack_core::codec::{Excursion, Finish};
use plypack_core::limits::check_plies;
use plypack_core::{
    Candidates, CodecInfo, Error, LineCodec, MoveSink, MoveSource, Ply, Work, natively,
};

use crate::chess::fan::Fan;
use crate::chess::{Chess, Position};

/// The codec.
#[derive(Debug)]
pub struct Index;

/// Reasons to refuse a code.
const NO_MOVE: &str = "the code of a move ends too early, or means no legal move";
const MORE: &str = "data follows the code of the moves";

/// The codes of a line's moves, in sequence.
struct Codes<'a> {
    bits: BitReader<'a>,
    plies: u32,
    fan: Fan,
}

impl<'a> Codes<'a> {
    fn new(plies: u32, code: &'a [u8]) -> Result<Self, Error> {
        check_plies(plies)?;
        Ok(Self { bits: BitReader::new(code), plies, fan: Fan::EMPTY })
    }

    /// Reads the legal move at `ply`, counted from 1.
    #[inline(always)]
    fn next(&mut self, ply: u32, board: &Board) -> Result<Move, Error> {
        let fan = &mut self.fan;
        fan.fill::<false>(board);
        if fan.count() == 0 {
            return Err(Error::Over { plies: self.plies, ply: ply - 1 });
        }
        let at = self.bits.byte();
        let index = truncated::read(&mut self.bits, fan.count(), Form::Ascending);
        let Some(index) = index else { return Err(Error::Cell { at, why: NO_MOVE }) };
        let mv = fan.pick(index);
        if mv.from == fan.king && !board.is_legal(mv) {
            return Err(Error::Cell { at, why: NO_MOVE });
        }
        Ok(mv)
    }

    /// Checks that only padding follows the last move.
    fn end(&self) -> Result<(), Error> {
        let end = self.bits.is_at_end();
        if end { Ok(()) } else { Err(Error::Cell { at: self.bits.byte(), why: MORE }) }
    }
}

impl LineCodec<Chess> for Index {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "line.index",
            id: 8,
            summary: "the index of each move among those that can be played, in truncated binary",
            source: "HullQin (truncated binary over candidates), on moves",
        }
    }

    fn encoder<'a>(
        &'a self,
        _: &'a Chess,
        _: &Position,
    ) -> impl MoveSink<Chess> + Excursion<Chess> + Finish + 'a {
        Encoder { bits: BitWriter::new(), fan: Fan::EMPTY }
    }

    fn decoder<'a>(
        &'a self,
        _: &'a Chess,
        _: &Position,
        plies: u32,
        code: &'a [u8],
    ) -> Result<impl MoveSource<Chess> + Excursion<Chess> + 'a, Error> {
        Codes::new(plies, code)
    }

    fn replay(
        &self,
        _: &Chess,
        start: Position,
        plies: u32,
        code: &[u8],
        seen: &mut impl FnMut(Move, &Position) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        natively(Replay { codes: Codes::new(plies, code)?, position: start, seen })
    }
}

/// Decodes one move.
struct Next<'a, 'c> {
    codes: &'a mut Codes<'c>,
    ply: u32,
    board: &'a Board,
}

impl Work for Next<'_, '_> {
    type Outcome = Result<Move, Error>;

    #[inline(always)]
    fn run(self) -> Result<Move, Error> {
        self.codes.next(self.ply, self.board)
    }
}

/// Walks along a line.
struct Replay<'a, F> {
    codes: Codes<'a>,
    position: Position,
    seen: &'a mut F,
}

impl<F: FnMut(Move, &Position) -> ControlFlow<()>> Work for Replay<'_, F> {
    type Outcome = Result<(), Error>;

    #[inline(always)]
    fn run(self) -> Result<(), Error> {
        let Self { mut codes, mut position, seen } = self;
        for ply in 1..=codes.plies {
            let mv = codes.next(ply, &position.board)?;
            position.play(mv);
            if seen(mv, &position).is_break() {
                return Ok(());
            }
        }
        codes.end()
    }
}

struct Encoder {
    bits: BitWriter,
    fan: Fan,
}

impl MoveSink<Chess> for Encoder {
    fn push(&mut self, ply: &Ply<'_, Chess>) {
        let (board, mv) = (&ply.before.board, ply.mv());
        let index = natively(Place { fan: &mut self.fan, board, mv });
        truncated::write(&mut self.bits, index, self.fan.count(), Form::Ascending);
    }
}

/// Finds the index of a legal move.
struct Place<'a> {
    fan: &'a mut Fan,
    board: &'a Board,
    mv: Move,
}

impl Work for Place<'_> {
    /// The index of the move.
    type Outcome = u32;

    #[inline(always)]
    fn run(self) -> u32 {
        self.fan.fill::<false>(self.board);
        // Every legal move has an index.
        self.fan.index(self.mv).unwrap_or(0)
    }
}

impl Excursion<Chess> for Encoder {}

impl Finish for Encoder {
    fn finish(self) -> Vec<u8> {
        self.bits.into_bytes()
    }

    fn bits(&self) -> Option<u32> {
        Some(self.bits.bits())
    }
}

impl MoveSource<Chess> for Codes<'_> {
    fn next(
        &mut self,
        ply: u32,
        candidates: &Candidates<'_, Chess>,
    ) -> Result<Option<Move>, Error> {
        if ply > self.plies {
            return self.end().map(|()| None);
        }
        natively(Next { codes: self, ply, board: &candidates.position().board }).map(Some)
    }
}

impl Excursion<Chess> for Codes<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::Rules;
    use plypack_core::testkit::Random;

    /// Checks that every legal move has its own index, and that every other index is a king's step.
    fn check(position: &Position) {
        let mut fan = Fan::EMPTY;
        fan.fill::<false>(&position.board);
        let mut candidates = Vec::new();
        Chess.candidates(position, &mut candidates);
        let mut legal = 0;
        for index in 0..fan.count() {
            let mv = fan.pick(index);
            assert_eq!(fan.index(mv), Some(index), "{mv} of {position:?}");
            if candidates.contains(&mv) {
                legal += 1;
            } else {
                assert!(mv.from == fan.king && !position.board.is_legal(mv), "{mv}");
            }
        }
        assert_eq!(legal, candidates.len(), "{position:?}");
    }

    #[test]
    fn every_legal_move_has_an_index() {
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            "8/8/8/1k1pP2R/8/8/8/4K3 w - d6 0 1",
            "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        ];
        let mut random = Random::new(8);
        for start in starts {
            let start = Position::read_fen(start).expect(start);
            for _ in 0..30 {
                let mut position = start.clone();
                for _ in 0..60 {
                    check(&position);
                    let mut candidates = Vec::new();
                    Chess.candidates(&position, &mut candidates);
                    let Some(count) = u64::try_from(candidates.len()).ok().filter(|&n| n > 0)
                    else {
                        break;
                    };
                    let index = usize::try_from(random.next_u64() % count).expect("few");
                    position.play(candidates[index]);
                }
            }
        }
    }

    #[test]
    fn a_step_onto_an_attacked_square_is_refused() {
        // White's king may go to d2, e2 and f2; the rook attacks all of the second rank.
        let position = Position::read_fen("4k3/8/8/8/8/8/7r/4K3 w - - 0 1").expect("a position");
        let mut fan = Fan::EMPTY;
        fan.fill::<false>(&position.board);
        let to = |at: u32| fan.pick(at).to;
        assert_eq!((0..fan.count()).map(to).collect::<Vec<_>>().len(), 5);
        let code = |index: u32| {
            let mut out = BitWriter::new();
            truncated::write(&mut out, index, fan.count(), Form::Ascending);
            out.into_bytes()
        };
        let replay = |index: u32| {
            let mut seen = |_: Move, _: &Position| ControlFlow::Continue(());
            Index.replay(&Chess, position.clone(), 1, &code(index), &mut seen)
        };
        assert_eq!(replay(0), Ok(()));
        assert_eq!(replay(4), Err(Error::Cell { at: 0, why: NO_MOVE }));
    }
}
