//! What stands on the squares of xiangqi positions, counted in games.
//!
//! Counted by the test `count_cells` of `crates/games/tests/it/xiangqi.rs` in the 286,422 positions
//! before every eighth ply of the games of `xiangqi_train.tsv.xz`; one more of everything than was
//! seen, so that nothing is impossible.

use plypack_core::table::numbers;

/// How often squares have each symbol, 0 being none and the others as in `cells`.
pub static SYMBOLS: &[u32] = &SYMBOL_TABLE[0];

/// How often a symbol XOR that of the start is each number.
pub static DIFFERENCES: &[u32] = &DIFFERENCE_TABLE[0];

/// By symbol from 1: how often there are 0, 1, 2 … men of it; as often as 1 where it is 0, and
/// beyond the list.
pub static COUNTS: &[&[u32]] = &numbers::rows(&COUNT_TABLE);

static SYMBOL_TABLE: [[u32; 14]; 1] = numbers::part(include_bytes!("frequencies/symbols.numbers"));

static DIFFERENCE_TABLE: [[u32; 16]; 1] =
    numbers::part(include_bytes!("frequencies/differences.numbers"));

static COUNT_TABLE: [[u32; 11]; 13] = numbers::part(include_bytes!("frequencies/counts.numbers"));
