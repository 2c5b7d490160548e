//! SIMD kernels: packing and unpacking of ternary boards, five cells a byte, at the speed of
//! memory; and the [`sums`] of small networks.
//!
//! A cell is 0, 1 or 2, one byte unpacked; five cells make one packed byte. There are two layouts:
//!
//! - [`sequential`], the portable file of the article Ternary: five consecutive cells make a byte
//!   `a + 3b + 9c + 27d + 81e`.
//! - [`planar`], made for SIMD: 32 packed bytes hold 160 cells, with the cells `m`, `m + 32` and so
//!   on in byte `m`. The byte is a fraction in base 3, so that its top digits are extracted without
//!   division. After the ternary quantisation TQ1_0 of llama.cpp by F. Dénès ("Efficient deployment
//!   of ternary models", 2024).
//!
//! Every kernel has a safe twin, used on other processors and as the reference in tests. This is
//! the only crate of the workspace with unsafe code, in `avx2.rs` and `counts.rs`.

// Code that determines coded bytes uses no files, threads, clocks or terminals; tests may.
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

/// Number of cells in a packed byte.
pub const CELLS: usize = 5;

/// A computation to run [`natively`].
pub trait Work {
    /// Its result.
    type Outcome;

    /// Runs the computation. Only inlined code is compiled for the processor, so mark this, and
    /// everything that should gain from it, `#[inline(always)]`.
    fn run(self) -> Self::Outcome;
}

/// Runs `work` with the instructions that count and find bits (`popcnt`, `lzcnt`, BMI 1 and 2) and
/// with vectors of 32 bytes (AVX2), if the processor has both. By default compilers avoid them on
/// x86-64, and need a dozen instructions instead of one. The result is the same.
#[inline(always)]
pub fn natively<W: Work>(work: W) -> W::Outcome {
    #[cfg(target_arch = "x86_64")]
    return counts::natively(work);
    #[cfg(not(target_arch = "x86_64"))]
    work.run()
}
