//! `ternary.lzma`: the cells as bytes, one each, in a raw LZMA stream.

use std::io::{Read, Write};

use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};

use super::{TernaryCodec, check_cells};
use crate::board::TernaryBoard;
use crate::board::ternary::Size;
use crate::codec::CodecInfo;
use crate::error::Error;

/// A stream without header and end marker: the number of cells is known.
#[derive(Debug)]
pub struct Lzma;

/// Returns the dictionary size: a power of two that covers small boards, and most bands.
fn window(size: Size) -> u32 {
    u32::try_from(size.cells())
        .map_or(1 << 22, |cells| cells.next_power_of_two().clamp(1 << 12, 1 << 22))
}

/// The encoder's longest match and number of tries, as with `xz -9e`.
const NICE_MAX: u32 = 273;
const DEPTH: i32 = 512;

/// Number of cells taken from the stream at once.
const PIECE: usize = 1 << 16;

impl TernaryCodec for Lzma {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "ternary.lzma",
            id: 69,
            summary: "the cells as bytes in a raw LZMA stream (lc 0, lp 0, pb 0, no end marker)",
            source: "Ternary (LZMA); I. Pavlov, LZMA specification",
        }
    }

    fn encode(&self, board: &TernaryBoard) -> Result<Vec<u8>, Error> {
        check_cells(board.size())?;
        let cells = board.to_cells();
        let mut options = LzmaOptions::with_preset(9);
        (options.dict_size, options.lc, options.lp, options.pb) = (window(board.size()), 0, 0, 0);
        (options.nice_len, options.depth_limit) = (NICE_MAX, DEPTH);
        let mut code = Vec::new();
        let coded = LzmaWriter::new_no_header(&mut code, &options, false)
            .and_then(|mut writer| writer.write_all(&cells).map(|()| writer))
            .and_then(LzmaWriter::finish);
        // Writing to memory does not fail.
        coded.map_err(|_| Error::ternary(0, "LZMA cannot code it"))?;
        Ok(code)
    }

    fn decode(&self, size: Size, code: &[u8]) -> Result<TernaryBoard, Error> {
        check_cells(size)?;
        let damaged = Error::ternary(0, "not an LZMA stream of this board's cells");
        let reader = LzmaReader::new(code, size.cells(), 0, 0, 0, window(size), None);
        let mut reader = reader.map_err(|_| damaged.clone())?;
        reader.set_relaxed_end_condition(false);
        let mut cells = Vec::new();
        let mut piece = vec![0; PIECE];
        loop {
            match reader.read(&mut piece) {
                Ok(0) => break,
                Ok(length) => cells.extend_from_slice(piece.get(..length).unwrap_or_default()),
                Err(_) => return Err(damaged),
            }
        }
        let (rest, unused) = reader.into_parts();
        if !rest.is_empty() || !unused.is_empty() {
            let end = code.len() - rest.len() - unused.len();
            return Err(Error::ternary(end, "bytes follow the end of the board"));
        }
        TernaryBoard::from_cells(size, &cells)
    }
}
