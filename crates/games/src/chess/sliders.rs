//! The moves of bishops and rooks on a board with men: by cozy-chess' table, or, where half a
//! megabyte of it is too much, worked out.

#[cfg(feature = "full")]
pub use cozy_chess::{get_bishop_moves, get_rook_moves};
#[cfg(not(feature = "full"))]
pub use cozy_chess::{
    get_bishop_moves_const as get_bishop_moves, get_rook_moves_const as get_rook_moves,
};
