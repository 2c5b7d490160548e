//! Codecs for chess alone: those of the articles that no other game can use.

pub mod blocks;
pub mod board_model;
pub mod by_move;
pub mod from_to12;
pub mod index;
pub mod nibble16;
pub mod piece_list;
pub mod rank;
pub mod san_bits;
pub mod san_bits_naive;

use plypack_core::BoardCodec;
use plypack_core::board::Cells;
use plypack_core::codecs::board::{
    combination::combination, huffman_fitted::huffman_fitted, xor_start::xor_start,
};

use super::frequencies::{COUNTS, DIFFERENCES, LENGTHS};

/// The codecs that `board.best-of` chooses from: the four with the smallest mean on the positions
/// that the tables were counted on (`cargo xtask position-tables --check`).
pub const BEST_FOUR: [&dyn BoardCodec<Cells>; 4] = [
    &huffman_fitted(LENGTHS).board,
    &xor_start(DIFFERENCES).board,
    &combination(COUNTS).board,
    &piece_list::PIECE_LIST_DRAWN.board,
];
