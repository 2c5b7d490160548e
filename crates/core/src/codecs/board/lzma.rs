//! `board.lzma`: the cells as bytes, one each, in a raw LZMA stream.

use std::io::{Read, Write};

use crate::bits::bitstring::{BitReader, BitWriter};
use lzma_rust2::{LzmaOptions, LzmaReader, LzmaWriter};

use crate::board::{Board, BoardCodec, emptied};
use crate::codec::CodecInfo;
use crate::error::Error;
use crate::position::StateAndBoard;

/// The codec, for a registry row.
pub const LZMA: StateAndBoard<Lzma> = StateAndBoard {
    info: &CodecInfo {
        name: "board.lzma",
        id: 26,
        summary: "the cells as bytes in a raw LZMA stream (lc 0, lp 0, pb 0, no end marker)",
        source: "Ternary (LZMA); I. Pavlov, LZMA specification",
    },
    board: Lzma,
};

/// Begins at a byte boundary and takes all remaining bytes. The start gives the number of cells.
#[derive(Debug)]
pub struct Lzma;

/// The dictionary size: the smallest that the format allows.
const WINDOW: u32 = 4_096;

impl<B: Board> BoardCodec<B> for Lzma {
    fn encode(&self, board: &B, _: &B, out: &mut BitWriter) -> Result<(), Error> {
        let mut cells = Vec::new();
        for cell in 0..board.cells() {
            let symbol = u8::try_from(board.symbol(cell));
            cells.push(symbol.map_err(|_| Error::Board { why: "it has symbols above 255" })?);
        }
        let mut options = LzmaOptions::with_preset(9);
        (options.dict_size, options.lc, options.lp, options.pb) = (WINDOW, 0, 0, 0);
        let mut stream = Vec::new();
        let coded = LzmaWriter::new_no_header(&mut stream, &options, false)
            .and_then(|mut writer| writer.write_all(&cells).map(|()| writer))
            .and_then(LzmaWriter::finish);
        // Writing to memory does not fail.
        coded.map_err(|_| Error::Board { why: "LZMA cannot code it" })?;
        while !out.bits().is_multiple_of(8) {
            out.write_bit(false);
        }
        out.write_bytes(&stream);
        Ok(())
    }

    fn decode(&self, start: &B, bits: &mut BitReader<'_>) -> Result<B, Error> {
        let at = bits.byte();
        let damaged = Error::Cell { at, why: "not an LZMA stream of this board's cells" };
        let stream = bits.rest_bytes().ok_or_else(|| damaged.clone())?;
        let length = start.cells().into();
        let mut reader =
            LzmaReader::new(stream, length, 0, 0, 0, WINDOW, None).map_err(|_| damaged.clone())?;
        let mut board = emptied(start);
        for cell in 0..board.cells() {
            let mut symbol = [0];
            reader.read_exact(&mut symbol).map_err(|_| damaged.clone())?;
            let symbol = u32::from(symbol[0]);
            if symbol >= board.alphabet(cell) {
                return Err(Error::Cell { at, why: "a symbol that cannot stand on its cell" });
            }
            board.set(cell, symbol);
        }
        Ok(board)
    }
}
