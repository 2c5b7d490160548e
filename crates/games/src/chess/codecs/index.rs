//! `line.index`: the place of each move among those that could be played, in truncated binary.
//!
//! HullQin writes a man's square as an index into the squares that he may stand on, in the fewest
//! whole bits; this is the same for moves. It is made to be decoded quickly: without a range coder,
//! and without listing moves. These are counted, and the one that is meant is picked, from a
//! [`Fan`] of bitboards.

use std::ops::ControlFlow;

use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_between_rays, get_bishop_moves,
    get_king_moves, get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves,
};
use plypack_bits::bitstring::{BitReader, BitWriter};
use plypack_bits::truncated::{self, Form};
use plypack_core::codec::{Excursion, Finish};
use plypack_core::limits::PLIES_MAX;
use plypack_core::{CodecInfo, Error, LineCodec, MoveSink, MoveSource, Ply, Work, natively};

use crate::chess::{Chess, PROMOTIONS, Position};

/// The codec.
#[derive(Debug)]
pub struct Index;

/// The squares of the a-file.
const A_FILE: u64 = 0x0101_0101_0101_0101;
/// The squares of the h-file.
const H_FILE: u64 = A_FILE << 7;
/// The squares of the first and the last rank.
const LAST_RANKS: u64 = 0xff00_0000_0000_00ff;

/// More groups than a side of 16 men has: four of pawns, one for each man, two for captures en
/// passant.
const GROUPS: usize = 32;

/// The origin of a group of pawns' moves, whose destinations come from different squares: how far
/// each destination is from its origin, for White, with [`PAWNS`] added.
const AHEAD: u8 = PAWNS + 8;
const TWO_AHEAD: u8 = PAWNS + 16;
const TOWARDS_A: u8 = PAWNS + 7;
const TOWARDS_H: u8 = PAWNS + 9;
const PAWNS: u8 = 64;

/// The moves of a position, by groups: SPEC.md, "Indices of moves", has their order. They are the
/// legal ones and the steps of the king to squares that a knight, bishop, rook or queen attacks: to
/// leave those out takes a fifth of the time and saves a hundredth of the bits.
#[derive(Debug)]
pub struct Fan {
    white: bool,
    king: Square,
    length: usize,
    /// How many moves come before each group.
    before: [u32; GROUPS],
    origins: [u8; GROUPS],
    destinations: [u64; GROUPS],
    count: u32,
    /// The groups with promotions, a bit each.
    promoting: u32,
}

/// Squares moved up the board, as the side to move sees it.
#[inline(always)]
fn up(squares: u64, white: bool, by: u32) -> u64 {
    if white { squares << by } else { squares >> by }
}

/// A square by its number.
#[inline(always)]
fn square(number: u32) -> Square {
    Square::ALL[number as usize % Square::NUM]
}

impl Fan {
    /// The moves of a position.
    #[must_use]
    pub fn new(board: &Board) -> Self {
        let mut fan = Self::EMPTY;
        fan.fill(board);
        fan
    }

    /// No position's.
    const EMPTY: Self = Self {
        white: true,
        king: Square::A1,
        length: 0,
        before: [0; GROUPS],
        origins: [0; GROUPS],
        destinations: [0; GROUPS],
        count: 0,
        promoting: 0,
    };

    /// Replaces the moves by those of a position. To empty the groups first would take as long as a
    /// third of the rest.
    #[inline(always)]
    fn fill(&mut self, board: &Board) {
        let us = board.side_to_move();
        (self.white, self.king) = (us == Color::White, board.king(us));
        (self.length, self.count, self.promoting) = (0, 0, 0);
        let checkers = board.checkers();
        if checkers.len() < 2 {
            let checker = checkers.next_square();
            let answers = checker.map_or(!0, |at| checkers.0 | get_between_rays(at, self.king).0);
            self.add_pawns(board, answers);
            self.add_pieces(board, answers);
        }
        self.add_king(board);
    }

    /// How many moves there are.
    #[inline(always)]
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    #[inline(always)]
    fn add(&mut self, origin: u8, destinations: u64) {
        let place = self.length % GROUPS;
        self.before[place] = self.count;
        self.origins[place] = origin;
        self.destinations[place] = destinations;
        self.length += 1;
        self.count += destinations.count_ones();
    }

    /// Adds a group of pawns' moves, each promotion four times.
    #[inline(always)]
    fn add_pawns_of(&mut self, origin: u8, destinations: u64) {
        self.add(origin, destinations);
        let promoting = destinations & LAST_RANKS;
        if promoting != 0 {
            self.promoting |= 1 << (self.length - 1);
            self.count += 3 * promoting.count_ones();
        }
    }

    #[inline(always)]
    fn add_pawns(&mut self, board: &Board, answers: u64) {
        let (us, white) = (board.side_to_move(), self.white);
        let (empty, theirs) = (!board.occupied().0, board.colors(!us).0);
        let pawns = board.colored_pieces(us, Piece::Pawn).0;
        let pinned = pawns & board.pinned().0;
        let third = Rank::Third.relative_to(us).bitboard().0;
        let ahead = |pawns: u64| {
            let one = up(pawns, white, 8) & empty;
            (one, up(one & third, white, 8) & empty)
        };
        let free = pawns & !pinned;
        let (one, two) = ahead(free);
        let [towards_a, towards_h] = if white {
            [(free & !A_FILE) << 7, (free & !H_FILE) << 9]
        } else {
            [(free & !A_FILE) >> 9, (free & !H_FILE) >> 7]
        };
        self.add_pawns_of(AHEAD, one & answers);
        self.add(TWO_AHEAD, two & answers);
        self.add_pawns_of(TOWARDS_A, towards_a & theirs & answers);
        self.add_pawns_of(TOWARDS_H, towards_h & theirs & answers);
        // A pinned man never answers a check.
        if pinned != 0 && board.checkers().is_empty() {
            for from in BitBoard(pinned) {
                let (one, two) = ahead(from.bitboard().0);
                let captures = get_pawn_attacks(from, us).0 & theirs;
                let line = get_line_rays(self.king, from).0;
                self.add_pawns_of(from as u8, (one | two | captures) & line);
            }
        }
        if let Some(file) = board.en_passant() {
            let to = Square::new(file, Rank::Sixth.relative_to(us));
            for from in get_pawn_attacks(to, !us) & BitBoard(pawns) {
                if board.is_legal(Move { from, to, promotion: None }) {
                    self.add(from as u8, to.bitboard().0);
                }
            }
        }
    }

    #[inline(always)]
    fn add_pieces(&mut self, board: &Board, answers: u64) {
        let ours = board.colors(board.side_to_move());
        let (king, occupied, pinned) = (self.king, board.occupied(), board.pinned());
        let targets = answers & !ours.0;
        let checked = !board.checkers().is_empty();
        let line = |from: Square| match pinned.has(from) {
            false => targets,
            true if checked => 0,
            true => targets & get_line_rays(king, from).0,
        };
        let mut add = |from: Square, reach: BitBoard| self.add(from as u8, reach.0 & line(from));
        for from in board.pieces(Piece::Knight) & ours & !pinned {
            add(from, get_knight_moves(from));
        }
        for from in board.pieces(Piece::Bishop) & ours {
            add(from, get_bishop_moves(from, occupied));
        }
        for from in board.pieces(Piece::Rook) & ours {
            add(from, get_rook_moves(from, occupied));
        }
        for from in board.pieces(Piece::Queen) & ours {
            add(from, get_bishop_moves(from, occupied) | get_rook_moves(from, occupied));
        }
    }

    #[inline(always)]
    fn add_king(&mut self, board: &Board) {
        let (us, king) = (board.side_to_move(), self.king);
        let pawns = board.colored_pieces(!us, Piece::Pawn).0;
        let by_pawns = if self.white {
            (pawns & !A_FILE) >> 9 | (pawns & !H_FILE) >> 7
        } else {
            (pawns & !A_FILE) << 7 | (pawns & !H_FILE) << 9
        };
        let by_king = get_king_moves(board.king(!us)).0;
        let mut targets = get_king_moves(king).0 & !board.colors(us).0 & !by_pawns & !by_king;
        if board.checkers().is_empty() {
            let rights = board.castle_rights(us);
            for file in [rights.short, rights.long].into_iter().flatten() {
                let to = Square::new(file, Rank::First.relative_to(us));
                if (get_between_rays(king, to) & board.occupied()).is_empty()
                    && board.is_legal(Move { from: king, to, promotion: None })
                {
                    targets |= to.bitboard().0;
                }
            }
        }
        self.add(king as u8, targets);
    }

    /// The move with this index, which lies below [`count`](Self::count).
    #[inline(always)]
    #[must_use]
    pub fn pick(&self, index: u32) -> Move {
        let mut group = self.length.wrapping_sub(1) % GROUPS;
        while self.before[group] > index {
            group = group.wrapping_sub(1) % GROUPS;
        }
        let (origin, mut destinations) = (self.origins[group], self.destinations[group]);
        let mut place = index - self.before[group];
        let mut promotion = None;
        if self.promotes(group) {
            let promoting = destinations & LAST_RANKS;
            let promotions = 4 * promoting.count_ones();
            if place < promotions {
                promotion = PROMOTIONS.get(place as usize % 4).copied();
                (destinations, place) = (promoting, place / 4);
            } else {
                (destinations, place) = (destinations & !promoting, place - promotions);
            }
        }
        for _ in 0..place {
            destinations &= destinations.wrapping_sub(1);
        }
        let to = destinations.trailing_zeros();
        Move { from: square(self.origin(origin, to)), to: square(to), promotion }
    }

    /// The index of a move; `None` if it is none of these.
    #[must_use]
    pub fn index(&self, mv: Move) -> Option<u32> {
        let (from, to) = (mv.from as u32, mv.to as u32);
        let has = |&group: &usize| {
            self.destinations[group] >> to & 1 == 1 && self.origin(self.origins[group], to) == from
        };
        let group = (0..self.length.min(GROUPS)).find(has)?;
        let lower = (1 << to) - 1;
        let destinations = self.destinations[group];
        let mut place = (destinations & lower).count_ones();
        if self.promotes(group) {
            let promoting = destinations & LAST_RANKS;
            let promotions = (promoting & lower).count_ones();
            place =
                match PROMOTIONS.iter().zip(0..).find(|&(&piece, _)| Some(piece) == mv.promotion) {
                    Some((_, piece)) => 4 * promotions + piece,
                    None => 4 * promoting.count_ones() + place - promotions,
                };
        }
        Some(self.before[group] + place)
    }

    #[inline(always)]
    fn promotes(&self, group: usize) -> bool {
        self.promoting >> group & 1 == 1
    }

    /// The square that a group's move to a square comes from.
    #[inline(always)]
    fn origin(&self, origin: u8, to: u32) -> u32 {
        match origin.checked_sub(PAWNS) {
            None => origin.into(),
            Some(by) if self.white => to.wrapping_sub(by.into()),
            // Black moves down the board: towards the a-file that is 9 squares, not 7.
            Some(by @ (7 | 9)) => to + 16 - u32::from(by),
            Some(by) => to + u32::from(by),
        }
    }
}

/// Why a code is refused.
const NO_MOVE: &str = "the code of a move ends too early, or means no legal move";
const MORE: &str = "there is more than the code of the moves";

/// The codes of a line's moves, one after the other.
struct Codes<'a> {
    bits: BitReader<'a>,
    plies: u32,
    fan: Fan,
}

impl<'a> Codes<'a> {
    fn new(plies: u32, code: &'a [u8]) -> Result<Self, Error> {
        if plies > PLIES_MAX {
            return Err(Error::TooLong { plies, max: PLIES_MAX });
        }
        Ok(Self { bits: BitReader::new(code), plies, fan: Fan::EMPTY })
    }

    /// The move at `ply`, counted from 1; it is legal.
    #[inline(always)]
    fn next(&mut self, ply: u32, board: &Board) -> Result<Move, Error> {
        let fan = &mut self.fan;
        fan.fill(board);
        if fan.count == 0 {
            return Err(Error::Over { plies: self.plies, ply: ply - 1 });
        }
        let at = self.bits.byte();
        let index = truncated::read(&mut self.bits, fan.count, Form::Ascending);
        let Some(index) = index else { return Err(Error::Cell { at, why: NO_MOVE }) };
        let mv = fan.pick(index);
        if mv.from == fan.king && !board.is_legal(mv) {
            return Err(Error::Cell { at, why: NO_MOVE });
        }
        Ok(mv)
    }

    /// Checks that nothing but padding is behind the last move.
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
        Encoder(BitWriter::new())
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
        seen: &mut impl FnMut(&Position) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        natively(Replay { codes: Codes::new(plies, code)?, position: start, seen })
    }
}

/// The way along a line.
struct Replay<'a, F> {
    codes: Codes<'a>,
    position: Position,
    seen: &'a mut F,
}

impl<F: FnMut(&Position) -> ControlFlow<()>> Work for Replay<'_, F> {
    type Outcome = Result<(), Error>;

    #[inline(always)]
    fn run(self) -> Result<(), Error> {
        let Self { mut codes, mut position, seen } = self;
        for ply in 1..=codes.plies {
            let mv = codes.next(ply, &position.board)?;
            position.play(mv);
            if seen(&position).is_break() {
                return Ok(());
            }
        }
        codes.end()
    }
}

struct Encoder(BitWriter);

impl MoveSink<Chess> for Encoder {
    fn push(&mut self, ply: &Ply<'_, Chess>) {
        let fan = Fan::new(&ply.before.board);
        // Every legal move has an index.
        let index = fan.index(ply.mv()).unwrap_or(0);
        truncated::write(&mut self.0, index, fan.count, Form::Ascending);
    }
}

impl Excursion<Chess> for Encoder {}

impl Finish for Encoder {
    fn finish(self) -> Vec<u8> {
        self.0.into_bytes()
    }

    fn bits(&self) -> Option<u32> {
        Some(self.0.bits())
    }
}

impl MoveSource<Chess> for Codes<'_> {
    fn next(
        &mut self,
        ply: u32,
        position: &Position,
        candidates: &[Move],
    ) -> Result<Option<usize>, Error> {
        if ply > self.plies {
            return self.end().map(|()| None);
        }
        let at = self.bits.byte();
        let mv = Codes::next(self, ply, &position.board)?;
        let index = candidates.iter().position(|&candidate| candidate == mv);
        index.map(Some).ok_or(Error::Cell { at, why: NO_MOVE })
    }
}

impl Excursion<Chess> for Codes<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::Game;
    use plypack_core::testkit::Random;

    /// Every legal move has its own index, and every other index is a step of the king.
    fn check(position: &Position) {
        let fan = Fan::new(&position.board);
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
        let fan = Fan::new(&position.board);
        let to = |at: u32| fan.pick(at).to;
        assert_eq!((0..fan.count()).map(to).collect::<Vec<_>>().len(), 5);
        let code = |index: u32| {
            let mut out = BitWriter::new();
            truncated::write(&mut out, index, fan.count(), Form::Ascending);
            out.into_bytes()
        };
        let replay = |index: u32| {
            let mut seen = |_: &Position| ControlFlow::Continue(());
            Index.replay(&Chess, position.clone(), 1, &code(index), &mut seen)
        };
        assert_eq!(replay(0), Ok(()));
        assert_eq!(replay(4), Err(Error::Cell { at: 0, why: NO_MOVE }));
    }
}
