//! `ternary.trits5`: the bytes of the portable file, five cells each.

use super::TernaryCodec;
use crate::board::TernaryBoard;
use crate::board::ternary::Size;
use crate::codec::CodecInfo;
use crate::error::Error;

/// Cells row by row, the first of five the lowest digit. The only codec whose code is always as
/// long as its board needs, so a short code cannot claim much memory.
#[derive(Debug)]
pub struct Trits5;

impl TernaryCodec for Trits5 {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "ternary.trits5",
            id: 64,
            summary: "five cells a byte, as in the portable file",
            source: "Ternary (five cells a byte)",
        }
    }

    fn encode(&self, board: &TernaryBoard) -> Result<Vec<u8>, Error> {
        Ok(board.to_packed())
    }

    fn decode(&self, size: Size, code: &[u8]) -> Result<TernaryBoard, Error> {
        TernaryBoard::from_packed(size, code)
    }
}
