//! The kernels on numbers for processors with AVX2.
#![allow(unsafe_code)]

use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_loadu_si128, _mm_shuffle_epi32,
    _mm256_add_epi16, _mm256_add_epi32, _mm256_castsi256_si128, _mm256_cvtepi8_epi16,
    _mm256_extracti128_si256, _mm256_loadu_si256, _mm256_madd_epi16, _mm256_max_epi16,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_storeu_si256,
};

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
