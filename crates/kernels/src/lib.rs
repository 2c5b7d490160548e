//! The few loops that are worth SIMD: cells of ternary boards to bytes and back, five cells a byte,
//! at the speed of memory; and the [`sums`] of small nets.
//!
//! A cell is 0, 1 or 2, one byte unpacked; five cells make one packed byte. There are two layouts:
//!
//! - [`sequential`], the portable file of the article Ternary: a packed byte is
//!   `a + 3b + 9c + 27d + 81e` of five consecutive cells.
//! - [`planar`], made for SIMD: 32 packed bytes hold 160 cells, byte `m` the cells `m`,
//!   `m + 32` and so on; the byte is a fraction in base 3, so that digits come off its top without
//!   a division. After the ternary quantisation TQ1_0 of llama.cpp by F. Dénès ("Efficient
//!   deployment of ternary models", 2024).
//!
//! Every kernel has a safe twin, which other processors use and which tests compare it with.
//! This is the only crate of the workspace with unsafe code, in `avx2.rs` and `counts.rs`.

// What decides coded bytes sees no file, thread, clock or terminal; its tests may (clippy.toml).
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::unreachable
    )
)]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod counts;
pub mod narrow;
pub mod planar;
pub mod sequential;
pub mod sums;

/// How many cells a packed byte holds.
pub const CELLS: usize = 5;

/// Something to do [`natively`].
pub trait Work {
    /// What comes of it.
    type Outcome;

    /// Does it. Only what is inlined is compiled for the processor, so this must be
    /// `#[inline(always)]`, and so must all that gains from it.
    fn run(self) -> Self::Outcome;
}

/// Does `work` with the instructions that count and find bits (`popcnt`, `lzcnt`, BMI 1 and 2) and
/// with vectors of 32 bytes (AVX2), where the processor has both: without being told, compilers do
/// without them on x86-64, and take a dozen instructions for one. What comes of it is the same.
#[inline(always)]
pub fn natively<W: Work>(work: W) -> W::Outcome {
    #[cfg(target_arch = "x86_64")]
    return counts::natively(work);
    #[cfg(not(target_arch = "x86_64"))]
    work.run()
}
