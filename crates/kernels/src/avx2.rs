//! The kernels on numbers for processors with AVX2.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_packus_epi16,
    _mm_shuffle_epi32, _mm_srli_si128, _mm_storeu_si128, _mm256_add_epi16, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_cvtepu8_epi32, _mm256_extracti128_si256,
    _mm256_loadu_si256, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_epi16,
    _mm256_max_epi32, _mm256_min_epi32, _mm256_packs_epi32, _mm256_permute4x64_epi64,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_setzero_si256, _mm256_sllv_epi32,
    _mm256_srav_epi32, _mm256_storeu_si256,
};

use crate::convolution::{INPUTS, Layer, MOST, OUTPUTS, Size, TAPS};
use crate::sums::{self, Row, SUMS, Table};

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

/// [`Layer::apply`] without its checks of lengths and without clearing the sentinels; without AVX2,
/// writes nothing and returns `false`.
pub fn convolve(
    layer: &Layer,
    size: Size,
    input: &[u8],
    starts: &[i32],
    added: Option<&[u8]>,
    output: &mut [u8],
) -> bool {
    let able = can();
    if able {
        // SAFETY: AVX2 is there.
        unsafe { convolve_tiles(layer, size, input, starts, added, output) };
    }
    able
}

/// Cells that are worked on at once: half a [`TILE`](crate::convolution::TILE).
const TILE: usize = crate::convolution::TILE / 2;

/// Works the outputs out, those of a block for a few cells at once, whose sums stay in registers.
#[target_feature(enable = "avx2")]
fn convolve_tiles(
    layer: &Layer,
    size: Size,
    input: &[u8],
    starts: &[i32],
    added: Option<&[u8]>,
    output: &mut [u8],
) {
    let (inputs, outputs) = (layer.inputs(), layer.outputs());
    let ones = _mm256_set1_epi16(1);
    let blocks = layer.blocks().chunks_exact((TAPS * inputs / INPUTS).max(1));
    for (first, blocks) in (0..outputs).step_by(OUTPUTS).zip(blocks) {
        let starts = eights(&starts[first..first + OUTPUTS]);
        let shifts = eights(&layer.shifts()[first..first + OUTPUTS]);
        for cell in (size.first()..size.first() + size.tiled()).step_by(TILE) {
            let mut sums = [starts; TILE];
            for (tap, blocks) in blocks.chunks_exact((inputs / INPUTS).max(1)).enumerate() {
                let from = cell + tap / 3 * size.stride() + tap % 3 - size.first();
                let input = &input[from * inputs..(from + TILE) * inputs];
                for (group, block) in blocks.iter().enumerate() {
                    let block: *const __m256i = std::ptr::from_ref(block).cast();
                    // SAFETY: a block is 64 bytes.
                    let block =
                        unsafe { [_mm256_loadu_si256(block), _mm256_loadu_si256(block.add(1))] };
                    for (at, sums) in sums.iter_mut().enumerate() {
                        let number = at * inputs + group * INPUTS;
                        // SAFETY: a cell has `inputs` numbers, so many groups of four.
                        let four = unsafe { input.as_ptr().add(number).cast::<i32>() };
                        // SAFETY: the same.
                        let four = _mm256_set1_epi32(unsafe { four.read_unaligned() });
                        for (sum, weights) in sums.iter_mut().zip(block) {
                            let pairs = _mm256_maddubs_epi16(four, weights);
                            *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(pairs, ones));
                        }
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

/// Loads 16 numbers as two vectors.
#[target_feature(enable = "avx2")]
fn eights(numbers: &[i32]) -> [__m256i; 2] {
    assert!(numbers.len() == OUTPUTS, "two vectors");
    let numbers: *const __m256i = numbers.as_ptr().cast();
    // SAFETY: 16 numbers are 64 bytes.
    unsafe { [_mm256_loadu_si256(numbers), _mm256_loadu_si256(numbers.add(1))] }
}

/// Adds 16 numbers times 2^shift to the sums, and stores them divided by 2^shift and clamped.
#[target_feature(enable = "avx2")]
fn store(sums: [__m256i; 2], shifts: [__m256i; 2], added: Option<&[u8]>, output: &mut [u8]) {
    assert!(output.len() == OUTPUTS && added.is_none_or(|added| added.len() == OUTPUTS), "a block");
    let [mut low, mut high] = sums;
    if let Some(added) = added {
        // SAFETY: 16 numbers are 16 bytes.
        let added = unsafe { _mm_loadu_si128(added.as_ptr().cast()) };
        let [first, last] = [added, _mm_srli_si128::<8>(added)];
        low = _mm256_add_epi32(low, _mm256_sllv_epi32(_mm256_cvtepu8_epi32(first), shifts[0]));
        high = _mm256_add_epi32(high, _mm256_sllv_epi32(_mm256_cvtepu8_epi32(last), shifts[1]));
    }
    let (zero, most) = (_mm256_setzero_si256(), _mm256_set1_epi32(MOST.into()));
    low = _mm256_min_epi32(_mm256_max_epi32(_mm256_srav_epi32(low, shifts[0]), zero), most);
    high = _mm256_min_epi32(_mm256_max_epi32(_mm256_srav_epi32(high, shifts[1]), zero), most);
    // Packing works on halves of vectors: the middle quarters change places.
    let numbers = _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(low, high));
    let [first, last] = [_mm256_castsi256_si128(numbers), _mm256_extracti128_si256::<1>(numbers)];
    // SAFETY: 16 numbers are 16 bytes.
    unsafe { _mm_storeu_si128(output.as_mut_ptr().cast(), _mm_packus_epi16(first, last)) };
}
