//! `ternary.planar`: five cells a byte, in a layout that SIMD unpacks at the speed of memory.

use plypack_kernels::ternary::planar::{self, BLOCK, BYTES};

use super::{TernaryCodec, check_cells};
use crate::board::TernaryBoard;
use crate::board::ternary::{Size, check_length};
use crate::codec::CodecInfo;
use crate::error::Error;

/// Blocks of 160 cells in 32 bytes; the last is padded with zeros.
#[derive(Debug)]
pub struct Planar;

impl TernaryCodec for Planar {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "ternary.planar",
            id: 65,
            summary: "blocks of 160 cells in 32 bytes, each a fraction in base 3 of five cells",
            source: "llama.cpp TQ1_0; F. D\u{e9}nès, \"Ternary packing\"",
        }
    }

    fn encode(&self, board: &TernaryBoard) -> Result<Vec<u8>, Error> {
        check_cells(board.size())?;
        let mut cells = board.to_cells();
        cells.resize(cells.len().next_multiple_of(BLOCK), 0);
        let mut code = vec![0; cells.len() / BLOCK * BYTES];
        planar::pack(&cells, &mut code);
        Ok(code)
    }

    fn decode(&self, size: Size, code: &[u8]) -> Result<TernaryBoard, Error> {
        check_cells(size)?;
        check_length(size.cells().div_ceil(BLOCK as u64) * BYTES as u64, code.len())?;
        let mut cells = vec![0; code.len() / BYTES * BLOCK];
        planar::unpack(code, &mut cells)
            .map_err(|at| Error::ternary(at, "a byte that is not five cells"))?;
        let end = usize::try_from(size.cells()).unwrap_or(usize::MAX);
        if cells.iter().skip(end).any(|&cell| cell != 0) {
            let last = code.len().saturating_sub(BYTES);
            return Err(Error::ternary(last, "the last block has cells beyond the board's"));
        }
        cells.truncate(end);
        TernaryBoard::from_cells(size, &cells)
    }
}
