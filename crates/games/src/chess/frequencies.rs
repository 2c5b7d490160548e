//! What stands on the squares of chess positions, counted in games.
//!
//! `cargo xtask position-tables` wrote the tables with these arguments; it counted every 8th
//! position of a game:
//!
//! ```text
//! --every 6 otb_2000_2012.pgn
//! --every 10 otb_le1999_and_undated.pgn
//! --every 1 online_lichess_db_2016-05_wip.pgn
//! --every 1 online_carlsen_lichess_chesscom.pgn
//! --every 1 sf_binpack_selfplay_part1.fen
//! ```

use plypack_core::table::numbers;
use plypack_tables::chess::{COUNTS_NUMBERS, DIFFERENCES_NUMBERS, LENGTHS_NUMBERS};

/// By square: the length in bits of each symbol's word; 0 is an empty square, the others are as in
/// `board`.
pub static LENGTHS: &[&[u8]] = &numbers::rows(&LENGTH_TABLE);

/// How often the XOR of a symbol and that of the start is each number.
pub static DIFFERENCES: &[u32] = &DIFFERENCE_TABLE[0];

/// By symbol from 1: how often there are 0, 1, 2 … men of it. A weight of 0, or beyond the list,
/// counts as 1.
pub static COUNTS: &[&[u32]] = &numbers::rows(&COUNT_TABLE);

static LENGTH_TABLE: [[u8; 13]; 64] = numbers::bytes(numbers::part(LENGTHS_NUMBERS));

static DIFFERENCE_TABLE: [[u32; 16]; 1] = numbers::part(DIFFERENCES_NUMBERS);

static COUNT_TABLE: [[u32; 9]; 12] = numbers::part(COUNTS_NUMBERS);
