//! `ternary.tight`: 323 cells as one number of 64 bytes, 0.011 % above the limit.

use plypack_kernels::ternary::{CELLS as FIVE, sequential};

use super::{TernaryCodec, check_cells, packed_bytes};
use crate::board::TernaryBoard;
use crate::board::ternary::{Size, check_length};
use crate::codec::CodecInfo;
use crate::error::Error;

/// Blocks of cells, the first cell the lowest digit, the first byte the lowest. The last block
/// holds the remaining cells in as many bytes as they need.
#[derive(Debug)]
pub struct Tight;

/// Number of cells of a block.
const CELLS: usize = 323;
/// Number of bytes of a block.
const BYTES: usize = 64;

/// Twenty cells make one limb: 3^20 is less than 2^32.
const LIMB: u64 = 3_486_784_401;
/// Number of bytes of five cells in a limb.
const LIMB_BYTES: usize = 4;

impl TernaryCodec for Tight {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "ternary.tight",
            id: 66,
            summary: "blocks of 323 cells as one number of 64 bytes",
            source: "ours; Ternary (base 3), in blocks",
        }
    }

    fn encode(&self, board: &TernaryBoard) -> Result<Vec<u8>, Error> {
        check_cells(board.size())?;
        let cells = board.to_cells();
        let mut code = Vec::with_capacity(cells.len() / CELLS * BYTES + BYTES);
        for cells in cells.chunks(CELLS) {
            let number = to_number(cells);
            code.extend(number.iter().flat_map(|limb| limb.to_le_bytes()).take(width(cells.len())));
        }
        Ok(code)
    }

    fn decode(&self, size: Size, code: &[u8]) -> Result<TernaryBoard, Error> {
        check_cells(size)?;
        let all = usize::try_from(size.cells()).unwrap_or(usize::MAX);
        let last = width(all % CELLS);
        check_length((all / CELLS * BYTES + last) as u64, code.len())?;
        let mut cells = vec![0; all];
        for ((block, cells), at) in
            code.chunks(BYTES).zip(cells.chunks_mut(CELLS)).zip((0..).step_by(BYTES))
        {
            from_number(block, cells)
                .ok_or(Error::ternary(at, "the number is too large for the cells"))?;
        }
        TernaryBoard::from_cells(size, &cells)
    }
}

/// Returns the number of bytes that hold a number of `cells` digits.
fn width(cells: usize) -> usize {
    usize::try_from(packed_bytes(cells as u64)).unwrap_or(usize::MAX)
}

/// Returns the number whose digits are the cells, in 16 limbs from the lowest.
fn to_number(cells: &[u8]) -> [u32; BYTES / 4] {
    let mut padded = [0; CELLS.next_multiple_of(FIVE * LIMB_BYTES)];
    padded.iter_mut().zip(cells).for_each(|(padded, cell)| *padded = *cell);
    let mut fives = [0; CELLS.div_ceil(FIVE * LIMB_BYTES) * LIMB_BYTES];
    sequential::pack(&padded, &mut fives);
    let mut number = [0; BYTES / 4];
    for limb in fives.as_chunks::<LIMB_BYTES>().0.iter().rev() {
        let mut carry = limb.iter().rev().fold(0, |sum, &five| sum * 243 + u64::from(five));
        for limb in &mut number {
            let sum = u64::from(*limb) * LIMB + carry;
            (*limb, carry) = ((sum & 0xffff_ffff) as u32, sum >> 32);
        }
    }
    number
}

/// Extracts the digits of a number. Returns `None` if it has more than `cells` holds.
fn from_number(bytes: &[u8], cells: &mut [u8]) -> Option<()> {
    let mut number = [0u32; BYTES / 4];
    for (limb, bytes) in number.iter_mut().zip(bytes.chunks(4)) {
        *limb = bytes.iter().rev().fold(0, |limb, &byte| limb << 8 | u32::from(byte));
    }
    let mut fives = [0; CELLS.div_ceil(FIVE * LIMB_BYTES) * LIMB_BYTES];
    let mut used = number.len();
    for four in fives.as_chunks_mut::<LIMB_BYTES>().0 {
        while used > 0 && number.get(used - 1) == Some(&0) {
            used -= 1;
        }
        let mut remainder = 0;
        for limb in number.iter_mut().take(used).rev() {
            let dividend = remainder << 32 | u64::from(*limb);
            // Less than 2^32, because the remainder is less than the divisor.
            *limb = ((dividend / LIMB) & 0xffff_ffff) as u32;
            remainder = dividend % LIMB;
        }
        for five in four {
            *five = ((remainder % 243) & 0xff) as u8;
            remainder /= 243;
        }
    }
    let mut digits = [0; CELLS.next_multiple_of(FIVE * LIMB_BYTES)];
    sequential::unpack(&fives, &mut digits).ok()?;
    let (wanted, beyond) = digits.split_at_checked(cells.len())?;
    cells.copy_from_slice(wanted);
    (number == [0; BYTES / 4] && beyond.iter().all(|&digit| digit == 0)).then_some(())
}
