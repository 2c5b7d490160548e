//! Sums of signed bytes, for networks in integer arithmetic.
//!
//! A kernel is written for vectors of 32 bytes (AVX2), or is its safe twin compiled for AVX2, which
//! doubles the width of the compiler's vectors.

#[cfg(target_arch = "x86_64")]
use crate::avx2;

/// Number of sums that a row adds to.
pub const SUMS: usize = 32;

/// The terms that one row of a table adds to the sums; it lies within one cache line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row(pub [i8; SUMS]);

/// Adds the rows with these numbers to the sums, modulo 2^16. A row here spans as many rows of the
/// table as there are arrays of sums. Rows that the table does not have in full count as zero.
pub fn add_rows(sums: &mut [[i16; SUMS]], table: &[Row], rows: &[u16]) {
    #[cfg(target_arch = "x86_64")]
    if avx2::add_rows(sums, table, rows) {
        return;
    }
    add_rows_plainly(sums, table, rows);
}

/// The safe twin of [`add_rows`].
pub fn add_rows_plainly(sums: &mut [[i16; SUMS]], table: &[Row], rows: &[u16]) {
    let width = sums.len();
    for &row in rows {
        for (sums, row) in sums.iter_mut().zip(wide_row(table, row, width)) {
            add_row(sums, row);
        }
    }
}

#[inline(always)]
fn add_row(sums: &mut [i16; SUMS], Row(row): &Row) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum = i16::wrapping_add(*sum, weight.into());
    }
}

/// A table with a row and a weight for every 16-bit number, so that no bounds checks are needed.
#[derive(Clone, Debug)]
pub struct Table {
    /// The rows.
    pub rows: Box<[Row; 1 << 16]>,
    /// The weights.
    pub weights: Box<[i8; 1 << 16]>,
}

impl Default for Table {
    fn default() -> Self {
        Self { rows: full(Row::default()), weights: full(0) }
    }
}

/// Returns a table with the same value for every 16-bit number.
fn full<T: Copy>(value: T) -> Box<[T; 1 << 16]> {
    let values = vec![value; 1 << 16].into_boxed_slice();
    // Never taken: the lengths agree. An array built here would take 2 MB of stack.
    values.try_into().unwrap_or_else(|_| full(value))
}

/// Writes two sums for each candidate to `mixed`, both modulo 2^32: the output of a layer of
/// [`SUMS`] units, and the sum of the weights of its numbers. `numbers` holds `each` numbers a
/// candidate. A unit is `start` plus the rows with these numbers except the first `shallow`, or 0
/// if that is negative; the output is the dot product of units and `mix`.
pub fn mix_layers(
    start: &[i16; SUMS],
    table: &Table,
    numbers: &[u16],
    (each, shallow): (usize, usize),
    mix: &[i16; SUMS],
    mixed: &mut [(i32, i32)],
) {
    #[cfg(target_arch = "x86_64")]
    if avx2::mix_layers(start, table, numbers, (each, shallow), mix, mixed) {
        return;
    }
    mix_layers_plainly(start, table, numbers, (each, shallow), mix, mixed);
}

/// The safe twin of [`mix_layers`].
pub fn mix_layers_plainly(
    start: &[i16; SUMS],
    Table { rows, weights }: &Table,
    numbers: &[u16],
    (each, shallow): (usize, usize),
    mix: &[i16; SUMS],
    mixed: &mut [(i32, i32)],
) {
    for (mixed, numbers) in mixed.iter_mut().zip(numbers.chunks_exact(each.max(1))) {
        let mut units = *start;
        let mut weight = 0i32;
        for (place, &number) in numbers.iter().enumerate() {
            let number = usize::from(number);
            weight = weight.wrapping_add(weights[number].into());
            if place >= shallow {
                add_row(&mut units, &rows[number]);
            }
        }
        let mut sum = 0i32;
        for (&unit, &mix) in units.iter().zip(mix) {
            sum = sum.wrapping_add(i32::from(unit.max(0)) * i32::from(mix));
        }
        *mixed = (sum, weight);
    }
}

/// Writes the dot product of `numbers` and the weights of each named row to `products`, modulo
/// 2^32. A row here spans as many rows of the table as there are arrays of numbers. Rows that the
/// table does not have in full count as zero.
pub fn multiply_rows(numbers: &[[i16; SUMS]], table: &[Row], rows: &[u16], products: &mut [i32]) {
    #[cfg(target_arch = "x86_64")]
    if avx2::multiply_rows(numbers, table, rows, products) {
        return;
    }
    multiply_rows_plainly(numbers, table, rows, products);
}

/// The safe twin of [`multiply_rows`].
#[inline(always)]
pub fn multiply_rows_plainly(
    numbers: &[[i16; SUMS]],
    table: &[Row],
    rows: &[u16],
    products: &mut [i32],
) {
    for (product, &row) in products.iter_mut().zip(rows) {
        *product = 0;
        for (numbers, Row(weights)) in numbers.iter().zip(wide_row(table, row, numbers.len())) {
            for (&number, &weight) in numbers.iter().zip(weights) {
                *product = product.wrapping_add(i32::from(number) * i32::from(weight));
            }
        }
    }
}

/// Adds rows of weights, each times its number, to the sums, modulo 2^32. Numbers and rows come in
/// pairs: a pair of rows holds for each sum the weight of the first row and of the second. Numbers
/// without rows, and rows without numbers, are ignored.
pub fn add_products(sums: &mut [i32; SUMS], table: &[[[i16; 2]; SUMS]], numbers: &[[i16; 2]]) {
    #[cfg(target_arch = "x86_64")]
    if avx2::add_products(sums, table, numbers) {
        return;
    }
    add_products_plainly(sums, table, numbers);
}

/// The safe twin of [`add_products`].
pub fn add_products_plainly(
    sums: &mut [i32; SUMS],
    table: &[[[i16; 2]; SUMS]],
    numbers: &[[i16; 2]],
) {
    for (&[first, second], row) in numbers.iter().zip(table) {
        for (sum, weights) in sums.iter_mut().zip(row) {
            let [to_first, to_second] = weights.map(i32::from);
            *sum = sum.wrapping_add(i32::from(first) * to_first);
            *sum = sum.wrapping_add(i32::from(second) * to_second);
        }
    }
}

/// Returns the sums of guesses, each times a sixteenth of its weight, rounded down, for several
/// sets of weights; modulo 2^32.
pub fn weigh<const N: usize, const SETS: usize>(
    guesses: &[i32; N],
    sets: [&[i32; N]; SETS],
) -> [i32; SETS] {
    #[cfg(target_arch = "x86_64")]
    if let Some(sums) = avx2::weigh(guesses, sets) {
        return sums;
    }
    weigh_plainly(guesses, sets)
}

/// The safe twin of [`weigh`].
#[inline(always)]
pub fn weigh_plainly<const N: usize, const SETS: usize>(
    guesses: &[i32; N],
    sets: [&[i32; N]; SETS],
) -> [i32; SETS] {
    sets.map(|weights| {
        let terms = guesses.iter().zip(weights);
        terms.fold(0, |sum: i32, (&guess, &weight)| {
            sum.wrapping_add(guess.wrapping_mul(weight >> 4))
        })
    })
}

/// Moves the weights of several sets, each by its own step: by a 16,384th of the guess times the
/// step, rounded to the nearest, modulo 2^32. Weights stay between -`most` and `most`.
pub fn steer<const N: usize, const SETS: usize>(
    guesses: &[i32; N],
    sets: [&mut [i32; N]; SETS],
    steps: [i32; SETS],
    most: i32,
) {
    #[cfg(target_arch = "x86_64")]
    if avx2::can() {
        avx2::steer(guesses, sets, steps, most);
        return;
    }
    steer_plainly(guesses, sets, steps, most);
}

/// The safe twin of [`steer`].
#[inline(always)]
pub fn steer_plainly<const N: usize, const SETS: usize>(
    guesses: &[i32; N],
    sets: [&mut [i32; N]; SETS],
    steps: [i32; SETS],
    most: i32,
) {
    for (weights, step) in sets.into_iter().zip(steps) {
        for (weight, &guess) in weights.iter_mut().zip(guesses) {
            let change = guess.wrapping_mul(step).wrapping_add(1 << 13) >> 14;
            *weight = weight.wrapping_add(change).max(most.wrapping_neg()).min(most);
        }
    }
}

/// Returns how many rows of a table belong to complete rows of `width`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn whole_rows(table: &[Row], width: usize) -> usize {
    table.len() - table.len().checked_rem(width).unwrap_or(0)
}

/// Returns the `width` rows of a table that make row `row`; empty if the table lacks any of them.
#[inline(always)]
pub(crate) fn wide_row(table: &[Row], row: u16, width: usize) -> &[Row] {
    let start = usize::from(row) * width;
    table.get(start..start + width).unwrap_or(&[])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn guesses_are_weighed_as_by_the_twin() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            i32::try_from(state >> 40).unwrap_or(0) - (1 << 23)
        };
        for _ in 0..1_000 {
            let guesses: [i32; 16] = std::array::from_fn(|_| next() >> 10);
            let mut first: [i32; 16] = std::array::from_fn(|_| next() >> 4);
            let mut second: [i32; 16] = std::array::from_fn(|_| next());
            let sums = weigh_plainly(&guesses, [&first, &second]);
            assert_eq!(weigh(&guesses, [&first, &second]), sums);
            let steps = [next(), next()];
            let mut twins = (first, second);
            steer(&guesses, [&mut first, &mut second], steps, 524_272);
            steer_plainly(&guesses, [&mut twins.0, &mut twins.1], steps, 524_272);
            assert_eq!((first, second), twins);
        }
    }

    proptest! {
        #[test]
        fn twins_agree_on_rows(
            start in prop::collection::vec(any::<[i16; SUMS]>(), 0..16),
            table in prop::collection::vec(any::<[i8; SUMS]>().prop_map(Row), 0..90),
            rows in prop::collection::vec(0u16..25, 0..70),
        ) {
            let mut twin = start.clone();
            add_rows_plainly(&mut twin, &table, &rows);
            let mut ours = start;
            add_rows(&mut ours, &table, &rows);
            prop_assert_eq!(ours, twin);
        }

        #[test]
        fn twins_agree_on_layers(
            (start, mix) in any::<([i16; SUMS], [i16; SUMS])>(),
            entries in prop::collection::vec(any::<(u16, [i8; SUMS], i8)>(), 1..20),
            picks in prop::collection::vec(any::<prop::sample::Index>(), 0..70),
            each in 0usize..20,
            shallow in 0usize..25,
        ) {
            let mut table = Table::default();
            for &(number, row, weight) in &entries {
                table.rows[usize::from(number)] = Row(row);
                table.weights[usize::from(number)] = weight;
            }
            let numbers: Vec<u16> = picks.iter().map(|pick| pick.get(&entries).0).collect();
            let count = numbers.len() / each.max(1);
            let before = vec![(1, 2); count + 1];
            let mut twin = before.clone();
            mix_layers_plainly(&start, &table, &numbers, (each, shallow), &mix, &mut twin);
            let mut ours = before;
            mix_layers(&start, &table, &numbers, (each, shallow), &mix, &mut ours);
            prop_assert_eq!(ours, twin);
        }

        #[test]
        fn twins_agree_on_products(
            numbers in prop::collection::vec(any::<[i16; SUMS]>(), 0..16),
            table in prop::collection::vec(any::<[i8; SUMS]>().prop_map(Row), 0..90),
            rows in prop::collection::vec(0u16..25, 0..30),
        ) {
            let mut twin = vec![2; rows.len()];
            multiply_rows_plainly(&numbers, &table, &rows, &mut twin);
            let mut ours = vec![1; rows.len()];
            multiply_rows(&numbers, &table, &rows, &mut ours);
            prop_assert_eq!(ours, twin);
        }
    }

    proptest! {
        #[test]
        fn twins_agree_on_pairs(
            start in any::<[i32; SUMS]>(),
            table in prop::collection::vec(any::<[[i16; 2]; SUMS]>(), 0..19),
            numbers in prop::collection::vec(any::<[i16; 2]>(), 0..19),
        ) {
            let mut twin = start;
            add_products_plainly(&mut twin, &table, &numbers);
            let mut ours = start;
            add_products(&mut ours, &table, &numbers);
            prop_assert_eq!(ours, twin);
        }
    }

    #[test]
    fn pairs_by_hand() {
        let mut row = [[1, -2]; SUMS];
        row[31] = [i16::MIN; 2];
        let mut sums = [5; SUMS];
        add_products(&mut sums, &[[[9; 2]; SUMS], row], &[[0; 2], [i16::MIN; 2], [1; 2]]);
        assert_eq!((sums[0], sums[30], sums[31]), (5 + 32_768, 5 + 32_768, i32::MIN + 5));
    }

    #[test]
    fn layers_and_products_by_hand() {
        let table = [Row([1; SUMS]), Row([-3; SUMS])];
        let mut full = Table::default();
        full.rows[..2].copy_from_slice(&table);
        full.weights[..2].copy_from_slice(&[5, -7]);
        let mix = |numbers: &[u16], shallow| {
            let mut mixed = [(7, 7)];
            let each = (numbers.len(), shallow);
            mix_layers(&[1; SUMS], &full, numbers, each, &[2; SUMS], &mut mixed);
            mixed[0]
        };
        assert_eq!(mix(&[0, 0, u16::MAX], 0), (3 * 64, 10));
        assert_eq!(mix(&[0, 1], 0), (0, -2));
        assert_eq!(mix(&[1, 0], 1), (2 * 64, -2));
        let mut products = [7; 3];
        multiply_rows(&[[1; SUMS]], &table, &[1, 0, 2], &mut products);
        assert_eq!(products, [-96, 32, 0]);
    }
}
