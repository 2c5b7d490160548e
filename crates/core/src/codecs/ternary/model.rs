//! `ternary.model`: context mixing, which codes only what the earlier cells do not predict.

use super::{TernaryCodec, check_cells};
use crate::board::TernaryBoard;
use crate::board::ternary::Size;
use crate::codec::CodecInfo;
use crate::codecs::board::context_mixing::{Sides, decode, encode};
use crate::error::Error;

/// The code of [`context_mixing`](crate::codecs::board::context_mixing), and nothing else.
#[derive(Debug)]
pub struct Model;

impl TernaryCodec for Model {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "ternary.model",
            id: 70,
            summary: "cells predicted from their neighbours by context mixing, range coded",
            source: "ours; M. Mahoney's context mixing, in two dimensions",
        }
    }

    fn encode(&self, board: &TernaryBoard) -> Result<Vec<u8>, Error> {
        check_cells(board.size())?;
        Ok(encode(sides(board.size()), &board.to_cells()))
    }

    fn decode(&self, size: Size, code: &[u8]) -> Result<TernaryBoard, Error> {
        check_cells(size)?;
        let cells = decode(sides(size), code);
        let cells = cells.ok_or(Error::ternary(0, "not a code that ternary.model writes"))?;
        TernaryBoard::from_cells(size, &cells)
    }
}

fn sides(size: Size) -> Sides {
    Sides { rows: size.rows(), columns: size.columns() }
}
