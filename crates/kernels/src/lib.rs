//! SIMD kernels: the [`sums`] of small networks, [`convolution`]s over boards, and code that counts
//! bits ([`natively`]).
//!
//! The feature `ternary` adds the packing and unpacking of ternary boards, in `ternary`. No game
//! has such boards, so no library of games compiles it.
//!
//! Every kernel has a safe twin, used on other processors and as the reference in tests. This is
//! the only crate of the workspace with unsafe code, in `avx2.rs`, `counts.rs`, `ternary/avx2.rs`
//! and `vnni.rs`.

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
pub mod convolution;
#[cfg(target_arch = "x86_64")]
mod counts;
pub mod narrow;
pub mod sums;
#[cfg(feature = "ternary")]
pub mod ternary;
#[cfg(target_arch = "x86_64")]
mod vnni;

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
