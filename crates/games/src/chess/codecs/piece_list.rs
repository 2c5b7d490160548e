//! `chess.piece-list` and `chess.piece-list-drawn`: the square of each man, instead of the man on
//! each square.

use cozy_chess::{Color, Piece};
use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::radix;
use plypack_core::board::{Cells, emptied};
use plypack_core::position::StateAndBoard;
use plypack_core::{Board, BoardCodec, CodecInfo, Error};

use crate::chess::board::symbol;

/// The codec that gives each pawn one of 48 squares, for a registry row.
pub const PIECE_LIST: StateAndBoard<PieceList> = StateAndBoard {
    info: &CodecInfo {
        name: "chess.piece-list",
        id: 29,
        summary: "each side's men: king, pawns as one number in base 48, others by kind and square",
        source: "Shields (piece positions)",
    },
    board: PieceList { drawn: false },
};

/// The codec that draws the pawns' squares from those left, for a registry row.
pub const PIECE_LIST_DRAWN: StateAndBoard<PieceList> = StateAndBoard {
    info: &CodecInfo {
        name: "chess.piece-list-drawn",
        id: 30,
        summary: "each side's men; pawns come last, drawn from the squares left",
        source: "Shields (piece positions, pawns drawn without replacement)",
    },
    board: PieceList { drawn: true },
};

/// For each side its king, pawns and other men. Men of a kind are in the order of their squares, so
/// a board has one code.
#[derive(Debug)]
pub struct PieceList {
    /// Whether the pawns of both sides come after all others, each on one of the squares left on
    /// ranks 2 to 7.
    drawn: bool,
}

const SIDES: [Color; 2] = [Color::White, Color::Black];

/// The kinds of the other men, in the order of their two bits.
const KINDS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Knight, Piece::Bishop];

/// Appends the king's square, in 6 bits.
fn write_king(board: &Cells, color: Color, out: &mut BitWriter) -> Result<(), Error> {
    let [cell] = *cells_with(board, symbol(Piece::King, color)) else {
        return Err(Error::Board { why: "it does not have one king of each colour" });
    };
    out.write(cell.into(), 6);
    Ok(())
}

/// Appends the number of men besides king and pawns, in 4 bits, then the kind and square of each,
/// by kind and then by square.
fn write_others(board: &Cells, color: Color, out: &mut BitWriter) -> Result<(), Error> {
    let mut men: Vec<(u64, u32)> = Vec::new();
    for (piece, kind) in KINDS.into_iter().zip(0..) {
        men.extend(cells_with(board, symbol(piece, color)).into_iter().map(|cell| (kind, cell)));
    }
    let count = u64::try_from(men.len()).ok().filter(|&count| count < 16);
    let why = "it has more than 15 men of one colour besides king and pawns";
    out.write(count.ok_or(Error::Board { why })?, 4);
    for (kind, cell) in men {
        out.write(kind, 2);
        out.write(cell.into(), 6);
    }
    Ok(())
}

fn cells_with(board: &Cells, symbol: u32) -> Vec<u32> {
    (0..board.cells()).filter(|&cell| board.symbol(cell) == symbol).collect()
}

fn read_king(board: &mut Cells, color: Color, bits: &mut BitReader<'_>) -> Result<(), Error> {
    let cell = take(bits, 6)?;
    place(board, cell, symbol(Piece::King, color), bits)
}

fn read_others(board: &mut Cells, color: Color, bits: &mut BitReader<'_>) -> Result<(), Error> {
    let mut last = None;
    for _ in 0..take(bits, 4)? {
        let man = (take(bits, 2)?, take(bits, 6)?);
        if last >= Some(man) {
            return Err(Error::Cell { at: bits.byte(), why: "a list of men is not in order" });
        }
        last = Some(man);
        let piece = KINDS.get(man.0 as usize).copied().unwrap_or(Piece::Queen);
        place(board, man.1, symbol(piece, color), bits)?;
    }
    Ok(())
}

/// Reads a number of `width` bits, at most 32.
fn take(bits: &mut BitReader<'_>, width: u32) -> Result<u32, Error> {
    let number = bits.read(width).and_then(|number| u32::try_from(number).ok());
    number.ok_or(Error::Cell { at: bits.byte(), why: "the code ends too early" })
}

fn place(board: &mut Cells, cell: u32, man: u32, bits: &BitReader<'_>) -> Result<(), Error> {
    if board.symbol(cell) != 0 {
        return Err(Error::Cell { at: bits.byte(), why: "two men are on one square" });
    }
    board.set(cell, man);
    Ok(())
}

impl PieceList {
    /// Returns the squares of ranks 2 to 7 that a pawn may be given, in order.
    fn pawn_squares(&self, board: &Cells) -> Vec<u32> {
        (8..56).filter(|&cell| !self.drawn || board.symbol(cell) == 0).collect()
    }

    /// Returns the radices of the places of `pawns` pawns among those squares.
    fn radices(&self, squares: &[u32], pawns: u32) -> Vec<u32> {
        let squares = u32::try_from(squares.len()).unwrap_or(u32::MAX);
        let drawn = u32::from(self.drawn);
        (0..pawns).map(|before| squares.saturating_sub(drawn * before)).collect()
    }

    /// Appends whether there are pawns; if so, their number minus one, in 3 bits, and the places of
    /// their squares as one number. `placed` holds the men written before.
    fn write_pawns(
        &self,
        board: &Cells,
        color: Color,
        placed: &mut Cells,
        out: &mut BitWriter,
    ) -> Result<(), Error> {
        let pawns = cells_with(board, symbol(Piece::Pawn, color));
        out.write_bit(!pawns.is_empty());
        let Some(more) = pawns.len().checked_sub(1) else { return Ok(()) };
        let more = u32::try_from(more).ok().filter(|&more| more < 8);
        let more = more.ok_or(Error::Board { why: "it has more than 8 pawns of one colour" })?;
        out.write(more.into(), 3);
        let mut squares = self.pawn_squares(placed);
        let radices = self.radices(&squares, more + 1);
        let mut places = Vec::new();
        for pawn in pawns {
            let place = squares.iter().position(|&square| square == pawn);
            let place = place.ok_or(Error::Board { why: "a pawn is on the first or last rank" })?;
            places.push(u32::try_from(place).unwrap_or(u32::MAX));
            if self.drawn {
                squares.remove(place);
            }
            placed.set(pawn, symbol(Piece::Pawn, color));
        }
        radix::write(out, places.into_iter().zip(radices));
        Ok(())
    }

    fn read_pawns(
        &self,
        board: &mut Cells,
        color: Color,
        bits: &mut BitReader<'_>,
    ) -> Result<(), Error> {
        if take(bits, 1)? == 0 {
            return Ok(());
        }
        let pawns = take(bits, 3)? + 1;
        let at = bits.byte();
        let mut squares = self.pawn_squares(board);
        let places = radix::read(bits, self.radices(&squares, pawns).into_iter());
        let places =
            places.ok_or(Error::Cell { at, why: "the number of the pawns is too large" })?;
        let mut last = None;
        for index in places.into_iter().map(|place| place as usize) {
            let pawn = squares.get(index).copied();
            if pawn <= last {
                return Err(Error::Cell { at, why: "the pawns are not in order" });
            }
            last = pawn;
            if self.drawn {
                squares.remove(index);
            }
            if let Some(pawn) = pawn {
                place(board, pawn, symbol(Piece::Pawn, color), bits)?;
            }
        }
        Ok(())
    }
}

impl BoardCodec<Cells> for PieceList {
    fn encode(&self, board: &Cells, _: &Cells, out: &mut BitWriter) -> Result<(), Error> {
        let pawns = SIDES.map(|color| symbol(Piece::Pawn, color));
        let mut placed = board.clone();
        for cell in 0..board.cells() {
            if pawns.contains(&board.symbol(cell)) {
                placed.set(cell, 0);
            }
        }
        for color in SIDES {
            write_king(board, color, out)?;
            if !self.drawn {
                self.write_pawns(board, color, &mut placed, out)?;
            }
            write_others(board, color, out)?;
        }
        if self.drawn {
            for color in SIDES {
                self.write_pawns(board, color, &mut placed, out)?;
            }
        }
        Ok(())
    }

    fn decode(&self, start: &Cells, bits: &mut BitReader<'_>) -> Result<Cells, Error> {
        let mut board = emptied(start);
        for color in SIDES {
            read_king(&mut board, color, bits)?;
            if !self.drawn {
                self.read_pawns(&mut board, color, bits)?;
            }
            read_others(&mut board, color, bits)?;
        }
        if self.drawn {
            for color in SIDES {
                self.read_pawns(&mut board, color, bits)?;
            }
        }
        Ok(board)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Chess, Position};
    use plypack_core::BoardRules;

    fn board_of(fen: &str) -> Cells {
        Chess.split(&Position::read_fen(fen).expect(fen)).0
    }

    fn bits_of(codec: &PieceList, board: &Cells) -> Result<u32, Error> {
        let mut out = BitWriter::new();
        codec.encode(board, board, &mut out).map(|()| out.bits())
    }

    #[test]
    fn pawns_of_the_start_take_44_and_42_bits_when_drawn() {
        let kings = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        let white = board_of("4k3/8/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
        let both = board_of("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1");
        for (codec, widths) in [(PIECE_LIST.board, [45, 45]), (PIECE_LIST_DRAWN.board, [44, 42])] {
            let [kings, white, both] = [&kings, &white, &both].map(|b| bits_of(&codec, b));
            let (kings, white, both) =
                (kings.expect("kings"), white.expect("8"), both.expect("16"));
            // The bit for whether there are pawns is always written.
            assert_eq!([white - kings - 3, both - white - 3], widths);
        }
    }

    #[test]
    fn what_the_lists_cannot_hold_is_refused_by_name() {
        let mut board = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        for cell in 16..32 {
            board.set(cell, symbol(Piece::Queen, Color::White));
        }
        let too_many = bits_of(&PIECE_LIST.board, &board);
        assert!(matches!(too_many, Err(Error::Board { why }) if why.contains("15 men")));
        for cell in 16..32 {
            board.set(cell, symbol(Piece::Pawn, Color::Black));
        }
        let too_many = bits_of(&PIECE_LIST_DRAWN.board, &board);
        assert!(matches!(too_many, Err(Error::Board { why }) if why.contains("8 pawns")));
        let empty = emptied(&board);
        let no_king = bits_of(&PIECE_LIST.board, &empty);
        assert!(matches!(no_king, Err(Error::Board { why }) if why.contains("king")));
    }

    #[test]
    fn lists_out_of_order_are_refused() {
        // White: king e1, no pawns, two queens: b1, then a1. Black: king e8 and nothing else.
        for (first, second, fits) in [(0, 1, true), (1, 0, false), (0, 0, false), (4, 5, false)] {
            let mut out = BitWriter::new();
            out.write(4, 6);
            out.write(0, 1);
            out.write(2, 4);
            for cell in [first, second] {
                out.write(0, 2);
                out.write(cell, 6);
            }
            out.write(60, 6);
            out.write(0, 1 + 4);
            let bytes = out.into_bytes();
            let start = board_of("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
            let decoded = PIECE_LIST.board.decode(&start, &mut BitReader::new(&bytes));
            assert_eq!(decoded.is_ok(), fits, "{first} {second}: {decoded:?}");
        }
    }
}
