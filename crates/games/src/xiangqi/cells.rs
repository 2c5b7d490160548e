//! A xiangqi position as a board of cells and a state, for board codecs.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::golomb;
use plypack_core::board::Cells;
use plypack_core::{Board as _, BoardRules, Error, each};

use super::board::{Board, HALVES, PALACES, Piece, SQUARES, Side, bit, squares};
use super::{Position, Xiangqi};

/// The symbols of a square: 0 is empty; then rooks, horses and cannons of Red and of Black; then
/// pawns that have crossed the river. A man that stays in its own half needs no colour, which the
/// half implies. The last two symbols occur only in composed problems.
mod symbols {
    pub(super) const OFFICERS: [u32; 2] = [1, 4];
    pub(super) const CROSSED_PAWN: u32 = 7;
    pub(super) const PAWN: u32 = 8;
    pub(super) const ELEPHANT: u32 = 9;
    pub(super) const KING: u32 = 10;
    pub(super) const ADVISOR: u32 = 11;
    pub(super) const CROSSED_ELEPHANT: u32 = 12;
    pub(super) const CROSSED_ADVISOR: u32 = 13;
}

/// The officers of a side, in the order of their symbols.
const OFFICERS: [Piece; 3] = [Piece::Rook, Piece::Horse, Piece::Cannon];

/// Number of symbols.
const SYMBOLS: u8 = 14;

/// The possible points of pawns before they cross the river, of elephants, and of advisors.
pub(super) const PAWN_POINTS: u128 = points(&[27, 29, 31, 33, 35, 36, 38, 40, 42, 44]);
pub(super) const ELEPHANT_POINTS: u128 = points(&[2, 6, 18, 22, 26, 38, 42]);
pub(super) const ADVISOR_POINTS: u128 = points(&[3, 5, 13, 21, 23]);

/// Returns the set of these squares of Red's half and their images in Black's.
const fn points(list: &[usize]) -> u128 {
    let mut set = 0;
    each!(place, list.len(), set |= 1 << list[place] | 1 << (SQUARES - 1 - list[place]));
    set
}

/// The alphabets of the squares a0 … i9 if every man is where play can bring it. An alphabet
/// includes all smaller ones, so that a symbol means the same everywhere.
static ALPHABETS: [u8; SQUARES] = {
    let mut alphabets = [8; SQUARES];
    each!(square, SQUARES, {
        let sets = [PAWN_POINTS, ELEPHANT_POINTS, PALACES[0] | PALACES[1], ADVISOR_POINTS];
        let mut larger = 9;
        each!(place, sets.len(), {
            if sets[place] >> square & 1 == 1 {
                alphabets[square] = larger;
            }
            larger += 1;
        });
    });
    alphabets
};

/// The alphabet of every square if some man is elsewhere.
static ANY: [u8; 1] = [SYMBOLS];

/// The part of a position that is not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    black_to_move: bool,
    /// Whether a man is where play cannot bring it, as in composed problems.
    elsewhere: bool,
    halfmove_clock: u32,
    fullmove_number: u32,
}

/// The orders of the Golomb codes of the two counters.
const CLOCK_ORDER: u32 = 3;
const NUMBER_ORDER: u32 = 5;

impl State {
    fn read(bits: &mut BitReader<'_>) -> Option<Self> {
        let (black_to_move, elsewhere) = (bits.read_bit()?, bits.read_bit()?);
        let (mut halfmove_clock, mut fullmove_number) = (0, 1);
        if bits.read_bit()? {
            halfmove_clock = golomb::read(bits, CLOCK_ORDER)?;
            fullmove_number = golomb::read(bits, NUMBER_ORDER)?;
            if (halfmove_clock, fullmove_number) == (0, 1) {
                return None;
            }
        }
        Some(Self { black_to_move, elsewhere, halfmove_clock, fullmove_number })
    }
}

fn symbol_of(square: u8, side: Side, piece: Piece) -> u32 {
    let at_home = HALVES[side as usize] & bit(square) != 0;
    let officer = |place| symbols::OFFICERS[side as usize] + place;
    match (piece, at_home) {
        (Piece::Rook, _) => officer(0),
        (Piece::Horse, _) => officer(1),
        (Piece::Cannon, _) => officer(2),
        (Piece::Pawn, false) => symbols::CROSSED_PAWN,
        (Piece::Pawn, true) => symbols::PAWN,
        (Piece::Elephant, true) => symbols::ELEPHANT,
        (Piece::King, _) => symbols::KING,
        (Piece::Advisor, true) => symbols::ADVISOR,
        (Piece::Elephant, false) => symbols::CROSSED_ELEPHANT,
        (Piece::Advisor, false) => symbols::CROSSED_ADVISOR,
    }
}

/// Returns the man that a symbol means on a square, if any.
fn man_of(square: u8, symbol: u32) -> Option<(Side, Piece)> {
    let owner = if HALVES[0] & bit(square) != 0 { Side::Red } else { Side::Black };
    Some(match symbol {
        1..=6 => {
            let side = if symbol < symbols::OFFICERS[1] { Side::Red } else { Side::Black };
            let place = symbol - symbols::OFFICERS[side as usize];
            (side, *OFFICERS.get(place as usize)?)
        }
        symbols::CROSSED_PAWN => (owner.other(), Piece::Pawn),
        symbols::PAWN => (owner, Piece::Pawn),
        symbols::ELEPHANT => (owner, Piece::Elephant),
        symbols::KING => (owner, Piece::King),
        symbols::ADVISOR => (owner, Piece::Advisor),
        symbols::CROSSED_ELEPHANT => (owner.other(), Piece::Elephant),
        symbols::CROSSED_ADVISOR => (owner.other(), Piece::Advisor),
        _ => return None,
    })
}

/// Returns the cells of a board, and whether some man is elsewhere, which decides the alphabets.
fn cells_of(board: &Board) -> (Cells, bool) {
    let men = || {
        [Side::Red, Side::Black].into_iter().flat_map(move |side| {
            squares(board.side(side)).filter_map(move |square| {
                Some((u32::from(square), symbol_of(square, side, board.piece_on(square)?)))
            })
        })
    };
    let mut cells = emptied_cells(false);
    let elsewhere = men().any(|(cell, symbol)| symbol >= cells.alphabet(cell));
    if elsewhere {
        cells = emptied_cells(true);
    }
    men().for_each(|(cell, symbol)| cells.set(cell, symbol));
    (cells, elsewhere)
}

fn emptied_cells(elsewhere: bool) -> Cells {
    let alphabets: &'static [u8] = if elsewhere { &ANY } else { &ALPHABETS };
    Cells::empty(90, alphabets)
}

impl BoardRules for Xiangqi {
    type Board = Cells;
    type State = State;

    fn split(&self, position: &Position) -> (Cells, State) {
        let (cells, elsewhere) = cells_of(&position.board);
        let state = State {
            black_to_move: position.side == Side::Black,
            elsewhere,
            halfmove_clock: position.halfmove_clock,
            fullmove_number: position.fullmove_number,
        };
        (cells, state)
    }

    fn join(&self, cells: &Cells, state: &State) -> Result<Position, Error> {
        let mut board = Board::default();
        for (square, cell) in (0..).zip(0..cells.cells()) {
            if let Some((side, piece)) = man_of(square, cells.symbol(cell)) {
                board.put(square, side, piece);
            }
        }
        if state.elsewhere && !cells_of(&board).1 {
            let why = "the state says that a man is where play cannot bring it, but none is";
            return Err(Error::Cell { at: 0, why });
        }
        let side = if state.black_to_move { Side::Black } else { Side::Red };
        let (clock, number) = (state.halfmove_clock, state.fullmove_number);
        Position::new(board, side, clock, number).map_err(|why| Error::Cell { at: 0, why })
    }

    fn start_board(&self, state: &State) -> Cells {
        let mut cells = emptied_cells(state.elsewhere);
        let start = cells_of(&Position::default().board).0;
        (0..start.cells()).for_each(|cell| cells.set(cell, start.symbol(cell)));
        cells
    }

    /// Writes the side to move, whether men are elsewhere, and a bit 0 if the counters are 0 and 1,
    /// otherwise a bit 1 and both counters.
    fn write_state(&self, state: &State, out: &mut BitWriter) {
        out.write_bit(state.black_to_move);
        out.write_bit(state.elsewhere);
        let usual = (state.halfmove_clock, state.fullmove_number) == (0, 1);
        out.write_bit(!usual);
        if !usual {
            golomb::write(out, state.halfmove_clock, CLOCK_ORDER);
            golomb::write(out, state.fullmove_number, NUMBER_ORDER);
        }
    }

    fn read_state(&self, bits: &mut BitReader<'_>) -> Result<State, Error> {
        let at = bits.byte();
        State::read(bits).ok_or(Error::Cell { at, why: "not the state of a xiangqi position" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::codecs::board::radix::RADIX;
    use plypack_core::{PositionCodec, Rules};

    fn cells(fen: &str) -> (Cells, State) {
        Xiangqi.split(&Xiangqi.read_position(fen).expect(fen))
    }

    #[test]
    fn squares_have_the_alphabets_of_their_men() {
        let count = |alphabet| ALPHABETS.iter().filter(|&&other| other == alphabet).count();
        // Pawns may be on two of the elephants' squares, and elephants on one of the king's.
        assert_eq!([8, 9, 10, 11, 12].map(count), [44, 16, 12, 8, 10]);
        assert_eq!((PAWN_POINTS & HALVES[1]).count_ones(), 10);
        assert_eq!((ELEPHANT_POINTS & HALVES[1]).count_ones(), 7);
        assert_eq!(ADVISOR_POINTS & !(PALACES[0] | PALACES[1]), 0);
    }

    #[test]
    fn the_half_of_the_board_tells_whose_a_man_is() {
        let (start, state) = cells("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w");
        assert!(!state.elsewhere);
        let rank = |rank: u32| (9 * rank..9 * rank + 9).map(|cell| start.symbol(cell));
        assert!(rank(0).eq([1, 2, 9, 11, 10, 11, 9, 2, 1]));
        assert!(rank(9).eq([4, 5, 9, 11, 10, 11, 9, 5, 4]));
        assert!(rank(3).eq([8, 0, 8, 0, 8, 0, 8, 0, 8]));
        assert!(rank(6).eq(rank(3)));
        let (crossed, _) = cells("3k5/9/9/4P4/9/9/9/9/4p4/5K3 w");
        assert_eq!((crossed.symbol(13), crossed.symbol(58)), (7, 7));
    }

    #[test]
    fn men_may_stand_where_the_game_cannot_bring_them() {
        for (fen, men) in [
            ("b3k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1", true),
            ("4k4/9/9/9/9/9/9/9/A8/3K5 w - - 0 1", true),
            ("4k4/9/9/9/A8/9/9/9/9/3K5 w - - 0 1", true),
            ("4k4/9/9/9/B8/9/9/9/9/3K5 w - - 0 1", true),
            ("4k4/9/9/9/9/9/9/9/9/3K4P w - - 0 1", true),
            // All men of a kind on their squares, though there are too many.
            ("4ka3/4a4/3a1a3/9/9/9/9/9/9/3K5 w - - 0 1", false),
        ] {
            let position = Xiangqi.read_position(fen).expect(fen);
            let (_, state) = Xiangqi.split(&position);
            assert_eq!(state.elsewhere, men, "{fen}");
            let code = RADIX.encode(&Xiangqi, &position).expect(fen);
            assert_eq!(RADIX.decode(&Xiangqi, &code.bytes).as_ref(), Ok(&position), "{fen}");
        }
    }

    #[test]
    fn a_position_has_one_state() {
        let (cells, state) = cells("4k4/9/9/9/9/9/9/9/9/3K5 w");
        let wrong = State { elsewhere: true, ..state };
        assert!(Xiangqi.join(&cells, &state).is_ok());
        assert!(Xiangqi.join(&cells, &wrong).is_err());
    }

    #[test]
    fn regions_save_bits() {
        let start = Position::default();
        let bits = |codec: &dyn PositionCodec<Xiangqi>| {
            codec.encode(&Xiangqi, &start).expect("it holds the start").board_bits
        };
        // log2 of 8^44 9^16 10^12 11^8 12^10, instead of 15^90.
        assert_eq!(bits(&RADIX), Some(287));
    }
}
