//! `board.model` of go: the state in whole bytes, then the board by context mixing.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::codecs::board::context_mixing::{self, Sides};
use plypack_core::{Board, BoardRules, CodecInfo, Error, PositionCode, PositionCodec};

use crate::go::{Go, Position, State};

/// The codec, for a registry row.
#[derive(Debug)]
pub struct Model;

impl PositionCodec<Go> for Model {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "board.model",
            id: 71,
            summary: "the state in whole bytes, then the board as ternary.model codes it",
            source: "plypack",
        }
    }

    fn encode(&self, game: &Go, position: &Position) -> Result<PositionCode, Error> {
        let (_, state) = game.split(position);
        let mut out = BitWriter::new();
        game.write_state(&state, &mut out);
        let mut bytes = out.into_bytes();
        let cells: Vec<u8> = position.points().collect();
        bytes.extend(context_mixing::encode(sides(&state), &cells));
        let bits = u32::try_from(bytes.len() * 8).unwrap_or(u32::MAX);
        Ok(PositionCode { bytes, bits, board_bits: None })
    }

    fn decode(&self, game: &Go, code: &[u8]) -> Result<Position, Error> {
        let mut bits = BitReader::new(code);
        let state = game.read_state(&mut bits)?;
        let at = bits.byte();
        let why = "the state does not end with a whole byte";
        let rest = bits.rest_bytes().ok_or(Error::Cell { at, why })?;
        let why = "not a code that board.model writes";
        let cells = context_mixing::decode(sides(&state), rest).ok_or(Error::Cell { at, why })?;
        let mut board = game.start_board(&state);
        for (point, cell) in (0..).zip(cells) {
            board.set(point, cell.into());
        }
        game.join(&board, &state)
    }
}

fn sides(state: &State) -> Sides {
    Sides { rows: state.rows.into(), columns: state.columns.into() }
}
