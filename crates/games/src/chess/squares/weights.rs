//! The trained tables of `board.model`, part of the format: `cargo xtask board-model` writes them.

use std::sync::LazyLock;

use super::state::QUESTIONS;
use super::{MEN, ROWS, SYMBOLS, first_row};
use plypack_core::policy::narrow;
use plypack_core::policy::sums::{Row, SUMS};
use plypack_core::table::Head;
use plypack_tables::chess::BOARD_SQUARES;

/// The hidden units.
pub const HIDDEN: usize = 128;

/// The inputs of the hidden units: each man on each square, and whether Black is to move.
pub const INPUTS: usize = 64 * MEN + 1;

/// The input for Black to move.
pub const TO_MOVE: usize = 64 * MEN;

/// The outputs of the hidden units: a score for each symbol on each square.
pub const OUTPUTS: usize = 64 * SYMBOLS;

/// The file: its head; the rows of the table, a byte a symbol; what each input adds to the hidden
/// units; their biases by square; what they add to each output; the chances of the state's
/// questions, two bytes each. All bytes between the head and the chances are signed numbers.
static FILE: &[u8; BYTES] = BOARD_SQUARES;
const _: &[u8] = Head::SQUARES.part(FILE);

const ROWS_AT: usize = Head::BYTES;
const INPUTS_AT: usize = ROWS_AT + ROWS * SYMBOLS;
const BIASES_AT: usize = INPUTS_AT + INPUTS * HIDDEN;
const OUTPUTS_AT: usize = BIASES_AT + 64 * HIDDEN;
const CHANCES_AT: usize = OUTPUTS_AT + OUTPUTS * HIDDEN;

/// The size of the file.
pub const BYTES: usize = CHANCES_AT + QUESTIONS * 2;

/// Returns what the rows of a square add to the scores of the symbols, in 16ths of a doubling,
/// followed by the rows of later squares.
#[inline(always)]
pub fn rows_of(square: usize) -> &'static [narrow::Row] {
    static TABLE: LazyLock<Vec<narrow::Row>> = LazyLock::new(|| {
        let row = |bytes: &[u8]| {
            let mut row = narrow::Row::default();
            for (weight, byte) in row.0.iter_mut().zip(bytes) {
                *weight = byte.cast_signed();
            }
            row
        };
        FILE[ROWS_AT..INPUTS_AT].chunks_exact(SYMBOLS).map(row).collect()
    });
    TABLE.get(first_row(square)..).unwrap_or_default()
}

/// Returns what an input adds to the hidden units, in 64ths.
#[inline(always)]
pub fn input(input: usize) -> &'static [u8; HIDDEN] {
    FILE[INPUTS_AT + input * HIDDEN..].first_chunk().unwrap_or(&[0; HIDDEN])
}

/// Returns the biases of the hidden units on a square, in 64ths.
#[inline(always)]
pub fn bias(square: usize) -> &'static [u8; HIDDEN] {
    FILE[BIASES_AT + square * HIDDEN..].first_chunk().unwrap_or(&[0; HIDDEN])
}

/// Returns what the hidden units add to the scores of the symbols, in 64ths of a doubling: as many
/// rows as each symbol of each square takes.
pub fn outputs() -> &'static [Row] {
    static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
        let bytes = FILE[OUTPUTS_AT..CHANCES_AT].chunks_exact(SUMS);
        let row = |bytes: &[u8]| {
            let mut row = Row::default();
            for (weight, byte) in row.0.iter_mut().zip(bytes) {
                *weight = byte.cast_signed();
            }
            row
        };
        bytes.map(row).collect()
    });
    &ROWS
}

/// Returns the numbers of the outputs of a square.
pub fn output_rows(square: usize) -> [u16; SYMBOLS] {
    std::array::from_fn(|symbol| u16::try_from(square * SYMBOLS + symbol).unwrap_or(0))
}

/// Returns the probability of yes to a question, out of 65,536.
pub fn chance(question: usize) -> u32 {
    let bytes = &FILE[CHANCES_AT + 2 * question..][..2];
    bytes.iter().fold(0, |chance, &byte| chance << 8 | u32::from(byte)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plypack_core::bits::crc16::crc16;

    /// A different file is a different codec.
    #[test]
    fn the_file_is_the_one_of_this_codec() {
        let table = &FILE[Head::BYTES..];
        assert_eq!((table.len(), crc16(table)), (898_480, 0xcd08));
    }
}
