//! The kernels for processors with AVX2.
//!
//! Kernels on cells take 32 at a time. Bytes are kept with 128 added, because AVX2 compares only
//! signed bytes. Multiplication by an odd number keeps the bias of 128, modulo 256.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_sfence,
    _mm_shuffle_epi32, _mm256_abs_epi8, _mm256_add_epi8, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_alignr_epi8, _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_si128,
    _mm256_cmpgt_epi8, _mm256_cvtepi8_epi16, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_max_epi16, _mm256_movemask_epi8, _mm256_mulhi_epu16,
    _mm256_mullo_epi16, _mm256_or_si256, _mm256_packus_epi16, _mm256_permute2x128_si256,
    _mm256_set1_epi8, _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_storeu_si256, _mm256_stream_si256, _mm256_subs_epu8,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256,
};

use crate::planar::{self, BLOCK, BYTES};
use crate::sums::{self, Row, SUMS, Table};
use crate::{CELLS, sequential};

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

/// [`sums::add_rows`]; without AVX2, adds nothing and returns `false`.
pub fn add_rows(sums: &mut [[i16; SUMS]], table: &[Row], rows: &[u16]) -> bool {
    /// Adds to the sums from `first` on, in registers.
    #[target_feature(enable = "avx2")]
    fn add<const N: usize>(
        (sums, first): (&mut [[i16; SUMS]; N], usize),
        table: &[Row],
        (rows, width): (&[u16], usize),
    ) {
        let mut totals = sums.each_ref().map(|sums| halves(sums));
        for &row in rows {
            let start = usize::from(row) * width + first;
            let Some(row) = table.get(start..start + N) else { continue };
            for ([low, high], row) in totals.iter_mut().zip(row) {
                let [first, last] = widened(row);
                *low = _mm256_add_epi16(*low, first);
                *high = _mm256_add_epi16(*high, last);
            }
        }
        for (sums, [low, high]) in sums.iter_mut().zip(totals) {
            let sums: *mut __m256i = sums.as_mut_ptr().cast();
            // SAFETY: 32 sums are 64 bytes.
            unsafe {
                _mm256_storeu_si256(sums, low);
                _mm256_storeu_si256(sums.add(1), high);
            }
        }
    }
    if !is_x86_feature_detected!("avx2") {
        return false;
    }
    let width = sums.len();
    let table = &table[..sums::whole_rows(table, width)];
    let mut first = 0;
    let (fours, rest) = sums.as_chunks_mut::<4>();
    for sums in fours {
        // SAFETY: AVX2 is there.
        unsafe { add((sums, first), table, (rows, width)) };
        first += 4;
    }
    let (twos, rest) = rest.as_chunks_mut::<2>();
    for sums in twos {
        // SAFETY: AVX2 is there.
        unsafe { add((sums, first), table, (rows, width)) };
        first += 2;
    }
    if let [sums] = rest {
        // SAFETY: AVX2 is there.
        unsafe { add((std::array::from_mut(sums), first), table, (rows, width)) };
    }
    true
}

/// Loads 32 numbers as two vectors: the first 16 and the last.
#[target_feature(enable = "avx2")]
fn halves(numbers: &[i16; SUMS]) -> [__m256i; 2] {
    let numbers: *const __m256i = numbers.as_ptr().cast();
    // SAFETY: 32 numbers are 64 bytes.
    unsafe { [_mm256_loadu_si256(numbers), _mm256_loadu_si256(numbers.add(1))] }
}

/// Widens the weights of a row to 16 bits each: the first 16 and the last.
#[target_feature(enable = "avx2")]
fn widened(Row(weights): &Row) -> [__m256i; 2] {
    let weights: *const __m128i = weights.as_ptr().cast();
    // SAFETY: 32 weights are 32 bytes.
    let weights = unsafe { [_mm_loadu_si128(weights), _mm_loadu_si128(weights.add(1))] };
    weights.map(|weights| _mm256_cvtepi8_epi16(weights))
}

/// [`sums::mix_layers`]; without AVX2, writes nothing and returns `false`.
pub fn mix_layers(
    start: &[i16; SUMS],
    table: &Table,
    numbers: &[u16],
    (each, shallow): (usize, usize),
    mix: &[i16; SUMS],
    mixed: &mut [(i32, i32)],
) -> bool {
    #[target_feature(enable = "avx2")]
    fn work_out(
        start: &[i16; SUMS],
        Table { rows, weights }: &Table,
        numbers: &[u16],
        (each, shallow): (usize, usize),
        mix: &[i16; SUMS],
        mixed: &mut [(i32, i32)],
    ) {
        let zero = _mm256_setzero_si256();
        let (start, mix) = (halves(start), halves(mix));
        for (mixed, numbers) in mixed.iter_mut().zip(numbers.chunks_exact(each.max(1))) {
            let (shallow, deep) = numbers.split_at(shallow.min(numbers.len()));
            let weight = |&number: &u16| i32::from(weights[usize::from(number)]);
            let mut sum = shallow.iter().map(weight).fold(0, i32::wrapping_add);
            let [mut low, mut high] = start;
            for number in deep {
                sum = sum.wrapping_add(weight(number));
                let [first, last] = widened(&rows[usize::from(*number)]);
                low = _mm256_add_epi16(low, first);
                high = _mm256_add_epi16(high, last);
            }
            let low = _mm256_madd_epi16(_mm256_max_epi16(low, zero), mix[0]);
            let high = _mm256_madd_epi16(_mm256_max_epi16(high, zero), mix[1]);
            *mixed = (sum_of_lanes(_mm256_add_epi32(low, high)), sum);
        }
    }
    let able = is_x86_feature_detected!("avx2");
    if able {
        // SAFETY: AVX2 is there.
        unsafe { work_out(start, table, numbers, (each, shallow), mix, mixed) };
    }
    able
}

/// [`sums::multiply_rows`]; without AVX2, writes nothing and returns `false`.
pub fn multiply_rows(
    numbers: &[[i16; SUMS]],
    table: &[Row],
    rows: &[u16],
    products: &mut [i32],
) -> bool {
    #[target_feature(enable = "avx2")]
    fn multiply(numbers: &[[i16; SUMS]], table: &[Row], rows: &[u16], products: &mut [i32]) {
        for (product, &row) in products.iter_mut().zip(rows) {
            let mut total = _mm256_setzero_si256();
            for (numbers, row) in numbers.iter().zip(sums::wide_row(table, row, numbers.len())) {
                total = _mm256_add_epi32(total, products_of_pairs(numbers, row));
            }
            *product = sum_of_lanes(total);
        }
    }
    let able = is_x86_feature_detected!("avx2");
    if able {
        // SAFETY: AVX2 is there.
        unsafe { multiply(numbers, table, rows, products) };
    }
    able
}

/// [`sums::add_products`]; without AVX2, adds nothing and returns `false`.
pub fn add_products(
    sums: &mut [i32; SUMS],
    table: &[[[i16; 2]; SUMS]],
    numbers: &[[i16; 2]],
) -> bool {
    #[target_feature(enable = "avx2")]
    fn add(sums: &mut [i32; SUMS], table: &[[[i16; 2]; SUMS]], numbers: &[[i16; 2]]) {
        let mut totals = [_mm256_setzero_si256(); SUMS / 8];
        for (&[first, second], row) in numbers.iter().zip(table) {
            let pair = i32::from(second) << 16 | i32::from(first.cast_unsigned());
            let pair = _mm256_set1_epi32(pair);
            for (total, weights) in totals.iter_mut().zip(row.as_chunks::<8>().0) {
                // SAFETY: eight pairs of 16 bits are 32 bytes.
                let weights = unsafe { _mm256_loadu_si256(weights.as_ptr().cast()) };
                *total = _mm256_add_epi32(*total, _mm256_madd_epi16(pair, weights));
            }
        }
        for (sums, total) in sums.as_chunks_mut::<8>().0.iter_mut().zip(totals) {
            let place: *mut __m256i = sums.as_mut_ptr().cast();
            // SAFETY: eight sums are 32 bytes.
            unsafe {
                _mm256_storeu_si256(place, _mm256_add_epi32(_mm256_loadu_si256(place), total))
            };
        }
    }
    let able = is_x86_feature_detected!("avx2");
    if able {
        // SAFETY: AVX2 is there.
        unsafe { add(sums, table, numbers) };
    }
    able
}

/// [`sums::weigh`], or `None` without AVX2.
pub fn weigh<const N: usize, const SETS: usize>(
    guesses: &[i32; N],
    sets: [&[i32; N]; SETS],
) -> Option<[i32; SETS]> {
    #[target_feature(enable = "avx2")]
    fn add_up<const N: usize, const SETS: usize>(
        guesses: &[i32; N],
        sets: [&[i32; N]; SETS],
    ) -> [i32; SETS] {
        sums::weigh_plainly(guesses, sets)
    }
    // SAFETY: AVX2 is there.
    is_x86_feature_detected!("avx2").then(|| unsafe { add_up(guesses, sets) })
}

/// Returns whether this processor has AVX2.
pub fn can() -> bool {
    is_x86_feature_detected!("avx2")
}

/// [`sums::steer`]; without AVX2, moves nothing.
pub fn steer<const N: usize, const SETS: usize>(
    guesses: &[i32; N],
    sets: [&mut [i32; N]; SETS],
    steps: [i32; SETS],
    most: i32,
) {
    #[target_feature(enable = "avx2")]
    fn move_all<const N: usize, const SETS: usize>(
        guesses: &[i32; N],
        sets: [&mut [i32; N]; SETS],
        steps: [i32; SETS],
        most: i32,
    ) {
        sums::steer_plainly(guesses, sets, steps, most);
    }
    if can() {
        // SAFETY: AVX2 is there.
        unsafe { move_all(guesses, sets, steps, most) };
    }
}

/// Multiplies numbers by weights and adds the products up in eight sums.
#[target_feature(enable = "avx2")]
fn products_of_pairs(numbers: &[i16; SUMS], row: &Row) -> __m256i {
    let ([first, second], [low, high]) = (halves(numbers), widened(row));
    _mm256_add_epi32(_mm256_madd_epi16(first, low), _mm256_madd_epi16(second, high))
}

/// Returns the sum of eight numbers, modulo 2^32.
#[target_feature(enable = "avx2")]
fn sum_of_lanes(numbers: __m256i) -> i32 {
    let four =
        _mm_add_epi32(_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b1110>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b01>(two)))
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
