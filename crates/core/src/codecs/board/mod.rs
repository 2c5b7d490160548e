//! Codecs of boards, for the boards of every game.

pub mod aligned;
pub mod alternating;
pub mod best_of;
pub mod combination;
pub mod context_mixing;
pub mod huffman;
pub mod huffman_fitted;
#[cfg(feature = "literature")]
pub mod lzma;
pub mod nibble;
pub mod radix;
pub mod rle;
pub mod xor_start;
