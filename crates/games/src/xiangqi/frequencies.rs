//! Frequencies of the contents of squares in xiangqi positions, counted in games.
//!
//! Counted by the test `count_cells` of `crates/games/tests/it/xiangqi.rs` in the 286,422 positions
//! before every eighth ply of the games of `xiangqi_train.tsv.xz`; one is added to every count, so
//! that nothing is impossible.

use plypack_core::table::numbers;
use plypack_tables::xiangqi::{COUNTS_NUMBERS, DIFFERENCES_NUMBERS, SYMBOLS_NUMBERS};

/// The frequency of each symbol; 0 is empty, the others are as in `cells`.
pub static SYMBOLS: &[u32] = &SYMBOL_TABLE[0];

/// The frequency of each XOR of a symbol with the symbol of the start.
pub static DIFFERENCES: &[u32] = &DIFFERENCE_TABLE[0];

/// By symbol from 1: the frequency of 0, 1, 2 … men of it. An entry of 0 counts as 1, as do counts
/// beyond the list.
pub static COUNTS: &[&[u32]] = &numbers::rows(&COUNT_TABLE);

static SYMBOL_TABLE: [[u32; 14]; 1] = numbers::part(SYMBOLS_NUMBERS);

static DIFFERENCE_TABLE: [[u32; 16]; 1] = numbers::part(DIFFERENCES_NUMBERS);

static COUNT_TABLE: [[u32; 11]; 13] = numbers::part(COUNTS_NUMBERS);
