//! The kernel of convolutions for processors with the vector neural network instructions of
//! AVX-512, one of which does what takes three of AVX2 on vectors half as long.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m512i, _mm_loadu_si128, _mm_storeu_si128, _mm512_add_epi32, _mm512_cvtepi32_epi8,
    _mm512_cvtepu8_epi32, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_max_epi32,
    _mm512_min_epi32, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_sllv_epi32,
    _mm512_srav_epi32,
};

use crate::convolution::{INPUTS, Layer, MOST, OUTPUTS, Size, TAPS, TILE};

/// [`Layer::apply`] without its checks of lengths and without clearing the sentinels; without these
/// instructions, writes nothing and returns `false`.
pub fn convolve(
    layer: &Layer,
    size: Size,
    input: &[u8],
    starts: &[i32],
    added: Option<&[u8]>,
    output: &mut [u8],
) -> bool {
    let able = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni");
    if able {
        // SAFETY: the processor has these instructions.
        unsafe { convolve_tiles(layer, size, input, starts, added, output) };
    }
    able
}

/// Works the outputs out, those of a block for a few cells at once, whose sums stay in registers.
#[target_feature(enable = "avx512f,avx512vnni")]
fn convolve_tiles(
    layer: &Layer,
    size: Size,
    input: &[u8],
    starts: &[i32],
    added: Option<&[u8]>,
    output: &mut [u8],
) {
    let (inputs, outputs) = (layer.inputs(), layer.outputs());
    let blocks = layer.blocks().chunks_exact((TAPS * inputs / INPUTS).max(1));
    for (first, blocks) in (0..outputs).step_by(OUTPUTS).zip(blocks) {
        let starts = sixteen(&starts[first..first + OUTPUTS]);
        let shifts = sixteen(&layer.shifts()[first..first + OUTPUTS]);
        for cell in (size.first()..size.first() + size.tiled()).step_by(TILE) {
            let mut sums = [starts; TILE];
            for (tap, blocks) in blocks.chunks_exact((inputs / INPUTS).max(1)).enumerate() {
                let from = cell + tap / 3 * size.stride() + tap % 3 - size.first();
                let input = &input[from * inputs..(from + TILE) * inputs];
                for (group, block) in blocks.iter().enumerate() {
                    // SAFETY: a block is 64 bytes.
                    let block = unsafe { _mm512_loadu_si512(std::ptr::from_ref(block).cast()) };
                    for (at, sum) in sums.iter_mut().enumerate() {
                        let number = at * inputs + group * INPUTS;
                        // SAFETY: a cell has `inputs` numbers, so many groups of four.
                        let four = unsafe { input.as_ptr().add(number).cast::<i32>() };
                        // SAFETY: the same.
                        let four = _mm512_set1_epi32(unsafe { four.read_unaligned() });
                        *sum = _mm512_dpbusd_epi32(*sum, four, block);
                    }
                }
            }
            for (cell, sums) in (cell..).zip(sums) {
                let place = cell * outputs + first;
                let added = added.map(|added| &added[place..place + OUTPUTS]);
                store(sums, shifts, added, &mut output[place..place + OUTPUTS]);
            }
        }
    }
}

/// Loads 16 numbers.
#[target_feature(enable = "avx512f")]
fn sixteen(numbers: &[i32]) -> __m512i {
    assert!(numbers.len() == OUTPUTS, "a vector");
    // SAFETY: 16 numbers are 64 bytes.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

/// Adds 16 numbers times 2^shift to the sums, and stores them divided by 2^shift and clamped.
#[target_feature(enable = "avx512f")]
fn store(mut sums: __m512i, shifts: __m512i, added: Option<&[u8]>, output: &mut [u8]) {
    assert!(output.len() == OUTPUTS && added.is_none_or(|added| added.len() == OUTPUTS), "a block");
    if let Some(added) = added {
        // SAFETY: 16 numbers are 16 bytes.
        let added = _mm512_cvtepu8_epi32(unsafe { _mm_loadu_si128(added.as_ptr().cast()) });
        sums = _mm512_add_epi32(sums, _mm512_sllv_epi32(added, shifts));
    }
    let shifted = _mm512_max_epi32(_mm512_srav_epi32(sums, shifts), _mm512_setzero_si512());
    let numbers = _mm512_min_epi32(shifted, _mm512_set1_epi32(MOST.into()));
    // SAFETY: 16 numbers are 16 bytes.
    unsafe { _mm_storeu_si128(output.as_mut_ptr().cast(), _mm512_cvtepi32_epi8(numbers)) };
}
