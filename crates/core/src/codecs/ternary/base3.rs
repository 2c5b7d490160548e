//! `ternary.base3`: the whole board as one number in base 3.
//!
//! The article calls this quadratic in the number of cells. Long division is; divide and conquer
//! costs little more than one multiplication of numbers of that length.

use dashu_int::UBig;

use super::{TernaryCodec, check_cells, packed_bytes};
use crate::board::TernaryBoard;
use crate::board::ternary::{Size, check_length};
use crate::codec::CodecInfo;
use crate::error::Error;

/// The first cell is the lowest digit, the first byte the lowest. There are as many bytes as the
/// largest number with that many digits needs.
#[derive(Debug)]
pub struct Base3;

impl TernaryCodec for Base3 {
    fn info(&self) -> &'static CodecInfo {
        &CodecInfo {
            name: "ternary.base3",
            id: 67,
            summary: "the board as one number whose digits in base 3 are the cells",
            source: "Ternary (base 3)",
        }
    }

    fn encode(&self, board: &TernaryBoard) -> Result<Vec<u8>, Error> {
        check_cells(board.size())?;
        let mut digits = board.to_cells();
        digits.reverse();
        digits.iter_mut().for_each(|digit| *digit = digit.wrapping_add(b'0'));
        // The digits are ASCII.
        let number = std::str::from_utf8(&digits).ok();
        let number = number.and_then(|digits| UBig::from_str_radix(digits, 3).ok());
        let number = number.ok_or(Error::ternary(0, "a cell is 0, 1 or 2"))?;
        let mut code = number.to_le_bytes().into_vec();
        code.resize(usize::try_from(packed_bytes(board.size().cells())).unwrap_or(0), 0);
        Ok(code)
    }

    fn decode(&self, size: Size, code: &[u8]) -> Result<TernaryBoard, Error> {
        check_cells(size)?;
        check_length(packed_bytes(size.cells()), code.len())?;
        let mut cells = UBig::from_le_bytes(code).in_radix(3).to_string().into_bytes();
        cells.iter_mut().for_each(|digit| *digit = digit.wrapping_sub(b'0'));
        cells.reverse();
        let all = usize::try_from(size.cells()).unwrap_or(usize::MAX);
        if cells.len() > all {
            return Err(Error::ternary(0, "the number is too large for the cells"));
        }
        cells.resize(all, 0);
        TernaryBoard::from_cells(size, &cells)
    }
}

#[cfg(test)]
mod tests {
    use dashu_int::ops::BitTest;

    use super::*;

    #[test]
    fn widths_are_those_of_the_powers() {
        assert_eq!(packed_bytes(0), 0);
        let mut power = UBig::ONE;
        for digits in 1..3_000 {
            power *= 3u8;
            let largest = (&power - UBig::ONE).bit_len() as u64;
            assert_eq!(packed_bytes(digits), largest.div_ceil(8), "{digits}");
        }
        // The exponents in use whose powers come nearest to a power of 2 from either side.
        for digits in [15_601, 31_867, 79_335, 111_202, 190_537, 10_590_737, 10_781_274] {
            let largest = (UBig::from(3u8).pow(digits) - UBig::ONE).bit_len() as u64;
            assert_eq!(packed_bytes(digits as u64), largest.div_ceil(8), "{digits}");
        }
        assert_eq!((packed_bytes(323), packed_bytes(361)), (64, 72));
    }
}
