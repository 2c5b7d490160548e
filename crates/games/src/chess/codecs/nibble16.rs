//! `chess.nibble16`: four bits a square; three spare values hold all rights.

use cozy_chess::{CastleRights, Color, File, Piece, Rank, Square};
use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::{Board, BoardRules, CodecInfo, Error, PositionCode, PositionCodec};

use crate::chess::board::{State, symbol};
use crate::chess::{Chess, Position};

/// The side to move, the counters, then the squares a1 … h8. Every valid position has one code,
/// also in Chess960: the mark on a rook says which of two may castle.
#[derive(Debug)]
pub struct Nibble16;

/// A pawn that made a double step in the last move. The rank gives its colour, as for the other
/// two.
const PUSHED: u32 = 13;
/// A king that may castle with at least one rook.
const KING: u32 = 14;
/// A rook with which the king may castle.
const ROOK: u32 = 15;

/// Returns the symbols of the squares a1 … h8, with marks for a position's rights.
fn marked(position: &Position) -> [u32; 64] {
    let (board, state) = Chess.split(position);
    let mut symbols = [0; 64];
    for (cell, symbol) in (0..).zip(&mut symbols) {
        *symbol = board.symbol(cell);
    }
    let mut mark = |square: Square, symbol| symbols[square as usize] = symbol;
    for (color, rights) in [Color::White, Color::Black].into_iter().zip(state.rights) {
        for file in [rights.short, rights.long].into_iter().flatten() {
            mark(Square::new(file, Rank::First.relative_to(color)), ROOK);
            mark(position.board.king(color), KING);
        }
    }
    if let Some(file) = state.en_passant {
        mark(Square::new(file, Rank::Fourth.relative_to(!state.side)), PUSHED);
    }
    symbols
}

/// Returns the colour of a marked man on a square.
fn owner(square: Square) -> Color {
    if square.rank() < Rank::Fifth { Color::White } else { Color::Black }
}

/// Returns the castling rights of one side, from its marks.
fn rights(symbols: &[u32; 64], color: Color) -> CastleRights {
    let marks = |file| symbols[Square::new(file, Rank::First.relative_to(color)) as usize];
    let king = File::ALL.into_iter().find(|&file| marks(file) == KING);
    let mut rooks = File::ALL.into_iter().filter(|&file| marks(file) == ROOK);
    CastleRights {
        long: rooks.clone().find(|&file| Some(file) < king),
        short: king.and_then(|king| rooks.find(|&file| file > king)),
    }
}

impl PositionCodec<Chess> for Nibble16 {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "chess.nibble16",
            id: 28,
            summary: "four bits a square; spare values mark pushed pawns and men that may castle",
            source: "Shields (4 bits a square, three more symbols)",
        }
    }

    fn encode(&self, _: &Chess, position: &Position) -> Result<PositionCode, Error> {
        let state = State::of(position);
        let mut out = BitWriter::new();
        out.write_bit(state.side == Color::Black);
        state.write_counters(&mut out);
        let before = out.bits();
        marked(position).iter().for_each(|&symbol| out.write(symbol.into(), 4));
        let bits = out.bits();
        Ok(PositionCode { bits, board_bits: Some(bits - before), bytes: out.into_bytes() })
    }

    fn decode(&self, game: &Chess, code: &[u8]) -> Result<Position, Error> {
        let mut bits = BitReader::new(code);
        let mut symbols = [0; 64];
        let head = read(&mut bits, &mut symbols);
        let (side, halfmove_clock, fullmove_number) =
            head.ok_or(Error::Cell { at: bits.byte(), why: "the code ends too early" })?;
        if !bits.is_at_end() {
            return Err(Error::Cell { at: bits.byte(), why: "bits follow the end of the code" });
        }
        let mut state = State {
            side,
            rights: [Color::White, Color::Black].map(|color| rights(&symbols, color)),
            en_passant: None,
            halfmove_clock,
            fullmove_number,
        };
        let mut board = game.start_board(&state);
        for ((&square, &marked), cell) in Square::ALL.iter().zip(&symbols).zip(0..) {
            let man = match marked {
                PUSHED => Piece::Pawn,
                KING => Piece::King,
                ROOK => Piece::Rook,
                plain => {
                    board.set(cell, plain);
                    continue;
                }
            };
            board.set(cell, symbol(man, owner(square)));
            if marked == PUSHED {
                state.en_passant = Some(square.file());
            }
        }
        let position = game.join(&board, &state)?;
        // A mark without meaning on its square would be lost.
        if marked(&position) != symbols {
            return Err(Error::Cell { at: 0, why: "its marks fit no position" });
        }
        Ok(position)
    }
}

/// Reads the side to move, the counters and the symbols.
fn read(bits: &mut BitReader<'_>, symbols: &mut [u32; 64]) -> Option<(Color, u32, u32)> {
    let side = if bits.read_bit()? { Color::Black } else { Color::White };
    let (halfmove_clock, fullmove_number) = State::read_counters(bits)?;
    for symbol in symbols {
        *symbol = u32::try_from(bits.read(4)?).ok()?;
    }
    Some((side, halfmove_clock, fullmove_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A code without counters: the side to move, a bit 0, and the symbols of some squares.
    fn decode(side: Color, men: &[(Square, u32)]) -> Result<String, Error> {
        let mut out = BitWriter::new();
        out.write_bit(side == Color::Black);
        out.write_bit(false);
        for square in Square::ALL {
            let symbol = men.iter().find(|man| man.0 == square).map_or(0, |man| man.1);
            out.write(symbol.into(), 4);
        }
        let position = Nibble16.decode(&Chess, &out.into_bytes())?;
        let mut fen = String::new();
        position.write_fen(&mut fen);
        Ok(fen)
    }

    #[test]
    fn marks_are_rights() {
        let (queen, black_king, black_pawn) =
            (2, symbol(Piece::King, Color::Black), symbol(Piece::Pawn, Color::Black));
        for (men, fen) in [
            // The inner of two rooks may castle: the other is unmarked.
            (
                vec![
                    (Square::B1, 3),
                    (Square::D1, ROOK),
                    (Square::E1, KING),
                    (Square::E8, black_king),
                ],
                Some("4k3/8/8/8/8/8/8/1R1RK3 w D - 0 1"),
            ),
            (
                vec![(Square::E1, 1), (Square::E8, black_king), (Square::C5, PUSHED)],
                Some("4k3/8/8/2p5/8/8/8/4K3 w - c6 0 1"),
            ),
            // A king without a rook, a rook without a king, two rooks on one side of the king.
            (vec![(Square::E1, KING), (Square::E8, black_king)], None),
            (vec![(Square::E1, 1), (Square::H1, ROOK), (Square::E8, black_king)], None),
            (
                vec![
                    (Square::E1, KING),
                    (Square::G1, ROOK),
                    (Square::H1, ROOK),
                    (Square::E8, black_king),
                ],
                None,
            ),
            // A pawn of the side to move was pushed; two pawns were; a pawn that came from nowhere.
            (vec![(Square::E1, 1), (Square::E8, black_king), (Square::C4, PUSHED)], None),
            (
                vec![
                    (Square::E1, 1),
                    (Square::E8, black_king),
                    (Square::C5, PUSHED),
                    (Square::D5, PUSHED),
                ],
                None,
            ),
            (
                vec![
                    (Square::E1, 1),
                    (Square::E8, black_king),
                    (Square::C5, PUSHED),
                    (Square::C7, black_pawn),
                ],
                None,
            ),
            // Marks far from home.
            (vec![(Square::E4, KING), (Square::H4, ROOK), (Square::E8, black_king)], None),
            (
                vec![
                    (Square::E1, 1),
                    (Square::E8, black_king),
                    (Square::A2, queen),
                    (Square::H3, ROOK),
                ],
                None,
            ),
        ] {
            assert_eq!(decode(Color::White, &men).ok().as_deref(), fen, "{men:?}");
        }
    }
}
