//! Packing and unpacking of ternary boards, five cells a byte, at the speed of memory.
//!
//! A cell is 0, 1 or 2, one byte unpacked; five cells make one packed byte. There are two layouts:
//!
//! - [`sequential`], the portable file of the article Ternary: five consecutive cells make a byte
//!   `a + 3b + 9c + 27d + 81e`.
//! - [`planar`], made for SIMD: 32 packed bytes hold 160 cells, with the cells `m`, `m + 32` and so
//!   on in byte `m`. The byte is a fraction in base 3, so that its top digits are extracted without
//!   division. After the ternary quantisation TQ1_0 of llama.cpp by F. Dénès ("Efficient deployment
//!   of ternary models", 2024).

#[cfg(target_arch = "x86_64")]
mod avx2;
pub mod planar;
pub mod sequential;

/// Number of cells in a packed byte.
pub const CELLS: usize = 5;
