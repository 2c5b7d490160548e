//! Go positions as ternary boards: the state, then the code of a ternary board codec.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::Size;
use plypack_core::codecs::ternary::{TernaryCodec, model};
use plypack_core::{Board, BoardGame, CodecInfo, Error, PositionCode, PositionCodec};

use crate::go::{Go, Position};

/// A codec of go positions built on a codec of ternary boards.
#[derive(Debug)]
pub struct Ternary {
    info: &'static CodecInfo,
    board: &'static dyn TernaryCodec,
}

/// `board.model`, the context mixer of ternary boards.
pub const MODEL: Ternary = Ternary {
    info: &CodecInfo {
        name: "board.model",
        id: 71,
        summary: "the state in whole bytes, then the board as ternary.model codes it",
        source: "plypack",
    },
    board: &model::Model,
};

impl PositionCodec<Go> for Ternary {
    fn info(&self) -> &'static CodecInfo {
        self.info
    }

    fn encode(&self, game: &Go, position: &Position) -> Result<PositionCode, Error> {
        let (_, state) = game.split(position);
        let mut out = BitWriter::new();
        game.write_state(&state, &mut out);
        let mut bytes = out.into_bytes();
        let cells: Vec<u8> = position.points().collect();
        let size = Size::new(state.rows.into(), state.columns.into())?;
        bytes.extend(self.board.encode(&TernaryBoard::from_cells(size, &cells)?)?);
        let bits = u32::try_from(bytes.len() * 8).unwrap_or(u32::MAX);
        Ok(PositionCode { bytes, bits, board_bits: None })
    }

    fn decode(&self, game: &Go, code: &[u8]) -> Result<Position, Error> {
        let mut bits = BitReader::new(code);
        let state = game.read_state(&mut bits)?;
        let at = bits.byte();
        let why = "the state does not end with a whole byte";
        let rest = bits.rest_bytes().ok_or(Error::Cell { at, why })?;
        let size = Size::new(state.rows.into(), state.columns.into())?;
        let cells = self.board.decode(size, rest)?.to_cells();
        let mut board = game.start_board(&state);
        for (point, cell) in (0..).zip(cells) {
            board.set(point, cell.into());
        }
        game.join(&board, &state)
    }
}
