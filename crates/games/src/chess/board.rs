//! A chess position as a board of cells and a state, for board codecs.

use cozy_chess::{BoardBuilder, CastleRights, Color, File, Piece, Rank, Square};
use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::golomb;
use plypack_core::board::Cells;
use plypack_core::{Board, BoardRules, Error, each};

use super::{Chess, Position};

/// The symbols of a square from 1; 0 is empty. Pawns come last, so that the squares of the first
/// and last ranks, which hold no pawns, use only the first eleven symbols.
const MEN: [(Piece, Color); 12] = [
    (Piece::King, Color::White),
    (Piece::Queen, Color::White),
    (Piece::Rook, Color::White),
    (Piece::Bishop, Color::White),
    (Piece::Knight, Color::White),
    (Piece::King, Color::Black),
    (Piece::Queen, Color::Black),
    (Piece::Rook, Color::Black),
    (Piece::Bishop, Color::Black),
    (Piece::Knight, Color::Black),
    (Piece::Pawn, Color::White),
    (Piece::Pawn, Color::Black),
];

/// Returns the symbol of a man.
pub fn symbol(piece: Piece, color: Color) -> u32 {
    MEN.into_iter().zip(1..).find(|&(man, _)| man == (piece, color)).map_or(0, |(_, symbol)| symbol)
}

/// The alphabets of the squares a1 … h8.
static ALPHABETS: [u8; 64] = {
    let mut alphabets = [13; 64];
    each!(file, 8, {
        alphabets[file] = 11;
        alphabets[56 + file] = 11;
    });
    alphabets
};

/// Shields' weights of the symbols, from the start position: 32 empty squares, then as in `MEN`.
pub const SHIELDS_WEIGHTS: &[u32] = &[32, 1, 1, 2, 2, 2, 1, 1, 2, 2, 2, 8, 8];

/// The part of a position that is not on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The side to move.
    pub side: Color,
    /// The files of the rooks that may castle, of White and of Black.
    pub rights: [CastleRights; 2],
    /// The file on which a pawn was just pushed two squares.
    pub en_passant: Option<File>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the next move.
    pub fullmove_number: u32,
}

/// The orders of the Golomb codes of the two counters.
const CLOCK_ORDER: u32 = 3;
const NUMBER_ORDER: u32 = 5;

impl State {
    /// The state of a position.
    pub fn of(position: &Position) -> Self {
        let board = &position.board;
        Self {
            side: board.side_to_move(),
            rights: [*board.castle_rights(Color::White), *board.castle_rights(Color::Black)],
            en_passant: board.en_passant(),
            halfmove_clock: position.halfmove_clock,
            fullmove_number: position.fullmove_number,
        }
    }

    /// Appends the counters: a 0 bit if they are 0 and 1, otherwise a 1 bit and both.
    pub fn write_counters(&self, out: &mut BitWriter) {
        let usual = (self.halfmove_clock, self.fullmove_number) == (0, 1);
        out.write_bit(!usual);
        if !usual {
            golomb::write(out, self.halfmove_clock, CLOCK_ORDER);
            golomb::write(out, self.fullmove_number, NUMBER_ORDER);
        }
    }

    /// Reads the counters.
    pub fn read_counters(bits: &mut BitReader<'_>) -> Option<(u32, u32)> {
        if !bits.read_bit()? {
            return Some((0, 1));
        }
        let counters = (golomb::read(bits, CLOCK_ORDER)?, golomb::read(bits, NUMBER_ORDER)?);
        (counters != (0, 1)).then_some(counters)
    }

    /// Appends the castling rights: if all rooks are on the a and h files, a 0 bit and one bit each
    /// for K Q k q; otherwise a 1 bit and, in the same order, a bit and a file for each.
    fn write_rights(&self, out: &mut BitWriter) {
        let files = self.rights.map(|rights| [rights.short, rights.long]);
        let standard = self.rights_are_standard();
        out.write_bit(!standard);
        for file in files.into_iter().flatten() {
            out.write_bit(file.is_some());
            if let (false, Some(file)) = (standard, file) {
                out.write(file as u64, 3);
            }
        }
    }

    fn read_rights(bits: &mut BitReader<'_>) -> Option<[CastleRights; 2]> {
        let standard = !bits.read_bit()?;
        let mut rights = [CastleRights::EMPTY; 2];
        for side in &mut rights {
            for (right, usual) in [(&mut side.short, File::H), (&mut side.long, File::A)] {
                if bits.read_bit()? {
                    *right = Some(if standard { usual } else { read_file(bits)? });
                }
            }
        }
        Some(rights)
    }

    /// Whether only rooks on the a and h files may castle.
    pub fn rights_are_standard(&self) -> bool {
        self.rights.iter().all(|rights| {
            rights.short.is_none_or(|file| file == File::H)
                && rights.long.is_none_or(|file| file == File::A)
        })
    }

    fn read(bits: &mut BitReader<'_>) -> Option<Self> {
        let side = if bits.read_bit()? { Color::Black } else { Color::White };
        let rights = Self::read_rights(bits)?;
        let en_passant = if bits.read_bit()? { Some(read_file(bits)?) } else { None };
        let (halfmove_clock, fullmove_number) = Self::read_counters(bits)?;
        Some(Self { side, rights, en_passant, halfmove_clock, fullmove_number })
    }
}

fn read_file(bits: &mut BitReader<'_>) -> Option<File> {
    File::try_index(usize::try_from(bits.read(3)?).ok()?)
}

impl BoardRules for Chess {
    type Board = Cells;
    type State = State;

    fn split(&self, position: &Position) -> (Cells, State) {
        let mut cells = Cells::empty(64, &ALPHABETS);
        for ((piece, color), symbol) in MEN.into_iter().zip(1..) {
            for square in position.board.colored_pieces(color, piece) {
                cells.set(square as u32, symbol);
            }
        }
        (cells, State::of(position))
    }

    fn join(&self, cells: &Cells, state: &State) -> Result<Position, Error> {
        let mut builder = BoardBuilder::empty();
        for (&square, cell) in Square::ALL.iter().zip(0..) {
            let man = cells.symbol(cell).checked_sub(1);
            let man = man.and_then(|place| MEN.get(place as usize));
            builder.board[square as usize] = man.copied();
        }
        builder.side_to_move = state.side;
        builder.castle_rights = state.rights;
        let en_passant = |file| Square::new(file, Rank::Third.relative_to(!state.side));
        builder.en_passant = state.en_passant.map(en_passant);
        // The rules crate rejects three checks when it reads FEN, but not when it builds.
        let board = builder.build().ok().filter(|board| board.checkers().len() <= 2);
        let board =
            board.ok_or(Error::Cell { at: 0, why: "its position is not valid in chess" })?;
        Ok(Position {
            board,
            halfmove_clock: state.halfmove_clock,
            fullmove_number: state.fullmove_number,
        })
    }

    fn start_board(&self, _: &State) -> Cells {
        self.split(&Position::default()).0
    }

    /// Appends the side to move, castling rights, en passant (a bit, then the file) and counters.
    fn write_state(&self, state: &State, out: &mut BitWriter) {
        out.write_bit(state.side == Color::Black);
        state.write_rights(out);
        out.write_bit(state.en_passant.is_some());
        if let Some(file) = state.en_passant {
            out.write(file as u64, 3);
        }
        state.write_counters(out);
    }

    fn read_state(&self, bits: &mut BitReader<'_>) -> Result<State, Error> {
        let at = bits.byte();
        State::read(bits).ok_or(Error::Cell { at, why: "not the state of a chess position" })
    }
}
