//! The kernels on cells for processors with AVX2, 32 cells at a time.
//!
//! Bytes are kept with 128 added, because AVX2 compares only signed bytes. Multiplication by an odd
//! number keeps the bias of 128, modulo 256.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m256i, _mm_sfence, _mm256_abs_epi8, _mm256_add_epi8, _mm256_add_epi16, _mm256_alignr_epi8,
    _mm256_and_si256, _mm256_blendv_epi8, _mm256_cmpgt_epi8, _mm256_loadu_si256,
    _mm256_movemask_epi8, _mm256_mulhi_epu16, _mm256_mullo_epi16, _mm256_or_si256,
    _mm256_packus_epi16, _mm256_permute2x128_si256, _mm256_set1_epi8, _mm256_set1_epi16,
    _mm256_setzero_si256, _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_stream_si256,
    _mm256_subs_epu8, _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256,
};

use super::planar::{self, BLOCK, BYTES};
use super::{CELLS, sequential};

/// From this many cells on, the output bypasses the caches, which could not hold it.
const STREAMED: usize = 8 << 20;

/// [`sequential::unpack`], or `None` without AVX2.
pub fn unpack(bytes: &[u8], cells: &mut [u8]) -> Option<Result<(), usize>> {
    if !is_x86_feature_detected!("avx2") {
        return None;
    }
    // Start with enough bytes to align the remaining cells to 32 bytes: 13 is the inverse of 5
    // modulo 32.
    let streamed = cells.len() >= STREAMED;
    let first = if streamed { cells.as_ptr().align_offset(32) % 32 * 13 % 32 } else { 0 };
    let (head, bytes_left) = bytes.split_at(first.min(bytes.len()));
    let (cells_head, cells_left) = cells.split_at_mut((CELLS * head.len()).min(cells.len()));
    if let Err(at) = sequential::unpack_by_table(head, cells_head) {
        return Some(Err(at));
    }
    // SAFETY: AVX2 is there.
    let (done, sound) = unsafe {
        if streamed {
            blocks::<true>(bytes_left, cells_left)
        } else {
            blocks::<false>(bytes_left, cells_left)
        }
    };
    if !sound {
        return Some(sequential::check(false, bytes));
    }
    let tail = sequential::unpack_by_table(&bytes_left[done..], &mut cells_left[CELLS * done..]);
    Some(tail.map_err(|at| first + done + at))
}

/// [`planar::unpack`], or `None` without AVX2.
pub fn unpack_planar(bytes: &[u8], cells: &mut [u8]) -> Option<Result<(), usize>> {
    if !is_x86_feature_detected!("avx2") {
        return None;
    }
    let streamed = cells.len() >= STREAMED && cells.as_ptr().align_offset(32) == 0;
    // SAFETY: AVX2 is there.
    let sound = unsafe {
        if streamed { planes::<true>(bytes, cells) } else { planes::<false>(bytes, cells) }
    };
    Some(planar::check(sound, bytes))
}

/// The source byte of each cell of the five vectors, within its lane. The sources are the bytes 0
/// to 15 of a block, twice; 12 to 27; and 16 to 31, twice.
const SPREAD: [[u8; 32]; 5] = spread();
const SOURCES: [u8; 5] = [0, 0, 12, 16, 16];

/// For each of the five vectors, the power of 3 that brings each cell's digit to the top, in 16
/// bits: first for cells at even indices, then for those at odd ones.
const POWERS: [[[u8; 32]; 2]; 5] = powers();

const fn spread() -> [[u8; 32]; 5] {
    let mut spread = [[0; 32]; 5];
    let mut cell = 0u8;
    while (cell as usize) < BLOCK {
        let vector = (cell / 32) as usize;
        spread[vector][(cell % 32) as usize] = cell / 5 - SOURCES[vector];
        cell += 1;
    }
    spread
}

const fn powers() -> [[[u8; 32]; 2]; 5] {
    let mut powers = [[[0; 32]; 2]; 5];
    let mut cell = 0;
    while cell < BLOCK {
        // The first of five cells is the lowest digit.
        let power = [81, 27, 9, 3, 1][cell % 5];
        let place = cell % 32;
        powers[cell / 32][place % 2][place - place % 2] = power;
        cell += 1;
    }
    powers
}

#[target_feature(enable = "avx2")]
fn vector(bytes: &[u8; 32]) -> __m256i {
    // SAFETY: 32 bytes are there to read.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// Writes 32 cells, bypassing the caches with `STREAM`.
///
/// # Safety
/// With `STREAM`, `out` begins at a multiple of 32 in memory.
#[target_feature(enable = "avx2")]
unsafe fn write<const STREAM: bool>(cells: __m256i, out: &mut [u8; 32]) {
    let out = out.as_mut_ptr().cast();
    // SAFETY: 32 bytes are there to write; the caller ensures the alignment.
    unsafe {
        if STREAM { _mm256_stream_si256(out, cells) } else { _mm256_storeu_si256(out, cells) }
    }
}

/// Returns a byte with 128 added.
const fn biased(byte: u8) -> i8 {
    byte.wrapping_add(128).cast_signed()
}

/// Returns the top base-3 digits of fractions that have 128 added.
#[target_feature(enable = "avx2")]
fn top_digits(fractions: __m256i) -> __m256i {
    // A comparison gives 0 or -1.
    let from_1 = _mm256_cmpgt_epi8(fractions, _mm256_set1_epi8(biased(85)));
    let from_2 = _mm256_cmpgt_epi8(fractions, _mm256_set1_epi8(biased(170)));
    _mm256_abs_epi8(_mm256_add_epi8(from_1, from_2))
}

/// Returns `ceil(256 q / 243)` with 128 added for each byte `q`; see [`planar`].
#[target_feature(enable = "avx2")]
fn fractions(numbers: __m256i) -> __m256i {
    let zero = _mm256_setzero_si256();
    let quotients = |numbers| {
        let product = _mm256_mullo_epi16(numbers, _mm256_set1_epi16(13));
        let dividend = _mm256_add_epi16(product, _mm256_set1_epi16(242));
        _mm256_mulhi_epu16(dividend, _mm256_set1_epi16(270))
    };
    let low = quotients(_mm256_unpacklo_epi8(numbers, zero));
    let high = quotients(_mm256_unpackhi_epi8(numbers, zero));
    let fractions = _mm256_add_epi8(numbers, _mm256_packus_epi16(low, high));
    _mm256_xor_si256(fractions, _mm256_set1_epi8(i8::MIN))
}

/// Unpacks as many whole blocks of 32 bytes as both slices have. Returns the number of bytes, and
/// whether all of them were below 243.
///
/// # Safety
/// With `STREAM`, `cells` begins at a multiple of 32 in memory.
#[target_feature(enable = "avx2")]
unsafe fn blocks<const STREAM: bool>(bytes: &[u8], cells: &mut [u8]) -> (usize, bool) {
    let odd = _mm256_set1_epi16(const { 0xff00u16.cast_signed() });
    let mut faults = _mm256_setzero_si256();
    let mut done = 0;
    let (blocks, _) = bytes.as_chunks::<BYTES>();
    let (outs, _) = cells.as_chunks_mut::<BLOCK>();
    for (block, out) in blocks.iter().zip(outs) {
        let numbers = vector(block);
        let above = _mm256_subs_epu8(numbers, _mm256_set1_epi8(const { 242u8.cast_signed() }));
        faults = _mm256_or_si256(faults, above);
        let fractions = fractions(numbers);
        let low = _mm256_permute2x128_si256::<0x00>(fractions, fractions);
        let high = _mm256_permute2x128_si256::<0x11>(fractions, fractions);
        let middle = _mm256_alignr_epi8::<12>(high, low);
        let (outs, _) = out.as_chunks_mut::<32>();
        for (vector_number, (source, out)) in
            [low, low, middle, high, high].into_iter().zip(outs).enumerate()
        {
            let spread = _mm256_shuffle_epi8(source, vector(&SPREAD[vector_number]));
            let [even_powers, odd_powers] = &POWERS[vector_number];
            let even = _mm256_mullo_epi16(spread, vector(even_powers));
            let odds = _mm256_mullo_epi16(_mm256_and_si256(spread, odd), vector(odd_powers));
            let shifted = _mm256_blendv_epi8(even, odds, odd);
            // SAFETY: blocks of cells are 160 long, so each begins where the first did.
            unsafe { write::<STREAM>(top_digits(shifted), out) };
        }
        done += BYTES;
    }
    if STREAM {
        _mm_sfence();
    }
    let sound = _mm256_movemask_epi8(_mm256_cmpgt_epi8(faults, _mm256_setzero_si256())) == 0;
    (done, sound)
}

/// Unpacks as many whole planar blocks as both slices have. Returns whether all bytes are valid.
///
/// # Safety
/// With `STREAM`, `cells` begins at a multiple of 32 in memory.
#[target_feature(enable = "avx2")]
unsafe fn planes<const STREAM: bool>(bytes: &[u8], cells: &mut [u8]) -> bool {
    let mut faults = _mm256_setzero_si256();
    let (blocks, _) = bytes.as_chunks::<BYTES>();
    let (outs, _) = cells.as_chunks_mut::<BLOCK>();
    for (block, out) in blocks.iter().zip(outs) {
        let mut rest = _mm256_xor_si256(vector(block), _mm256_set1_epi8(i8::MIN));
        let (planes, _) = out.as_chunks_mut::<32>();
        for plane in planes {
            // SAFETY: blocks of cells are 160 long, so each begins where the first did.
            unsafe { write::<STREAM>(top_digits(rest), plane) };
            rest = _mm256_add_epi8(rest, _mm256_add_epi8(rest, rest));
        }
        let most = _mm256_set1_epi8(biased(planar::REST - 1));
        faults = _mm256_or_si256(faults, _mm256_cmpgt_epi8(rest, most));
    }
    if STREAM {
        _mm_sfence();
    }
    _mm256_movemask_epi8(faults) == 0
}
