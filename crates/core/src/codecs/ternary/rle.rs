//! `ternary.rle`: runs of equal cells, each as a symbol and a length.

use crate::bits::bitstring::{BitReader, BitWriter};

use super::{TernaryCodec, check_cells};
use crate::board::TernaryBoard;
use crate::board::ternary::Size;
use crate::codec::CodecInfo;
use crate::codecs::board::rle::{read_runs, write_runs};
use crate::error::Error;

/// The runs of `board.rle`, across the ends of rows.
#[derive(Debug)]
pub struct Rle;

impl TernaryCodec for Rle {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "ternary.rle",
            id: 68,
            summary: "runs of equal cells: a symbol, then the run's length in an Elias gamma code",
            source: "Ternary (run lengths)",
        }
    }

    fn encode(&self, board: &TernaryBoard) -> Result<Vec<u8>, Error> {
        check_cells(board.size())?;
        let cells = board.to_cells();
        let count = u32::try_from(cells.len()).unwrap_or(u32::MAX);
        let mut out = BitWriter::new();
        let symbol = |cell| cells.get(cell as usize).map_or(0, |&cell| u32::from(cell));
        write_runs(count, 3, symbol, &mut out);
        Ok(out.into_bytes())
    }

    fn decode(&self, size: Size, code: &[u8]) -> Result<TernaryBoard, Error> {
        check_cells(size)?;
        let count = u32::try_from(size.cells()).unwrap_or(u32::MAX);
        let mut bits = BitReader::new(code);
        let mut cells = Vec::new();
        let read = read_runs(count, 3, &mut bits, |_, symbol| {
            cells.push((symbol & 3) as u8);
            symbol < 3
        });
        read.map_err(|error| match error {
            Error::Cell { at, why } => Error::ternary(at, why),
            other => other,
        })?;
        if !bits.is_at_end() {
            return Err(Error::ternary(bits.byte(), "bits follow the end of the board"));
        }
        TernaryBoard::from_cells(size, &cells)
    }
}
