//! Sums of signed bytes, for nets that are worked out in integers.
//!
//! The twins are the same code: for a processor with AVX2 it is compiled once more, and the
//! compiler makes vectors twice as wide of it.

#[cfg(target_arch = "x86_64")]
use crate::avx2;

/// How many sums a row adds to.
pub const SUMS: usize = 32;

/// What one row of a table adds to each of the sums; it lies within one line of the cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(32))]
pub struct Row(pub [i8; SUMS]);

/// Adds the rows of these numbers to the sums, modulo 2^16. Rows that the table has not are zero.
pub fn add_rows(sums: &mut [i16; SUMS], table: &[Row], rows: &[u16]) {
    #[cfg(target_arch = "x86_64")]
    if avx2::add_rows(sums, table, rows) {
        return;
    }
    add_rows_plainly(sums, table, rows);
}

/// The safe twin of [`add_rows`].
#[inline(always)]
pub fn add_rows_plainly(sums: &mut [i16; SUMS], table: &[Row], rows: &[u16]) {
    let mut total = *sums;
    for &row in rows {
        let Some(Row(row)) = table.get(usize::from(row)) else { continue };
        for (sum, &weight) in total.iter_mut().zip(row) {
            *sum = i16::wrapping_add(*sum, weight.into());
        }
    }
    *sums = total;
}

/// The sum of the products of numbers and weights, modulo 2^32.
#[must_use]
pub fn product(numbers: &[i16], weights: &[i8]) -> i32 {
    #[cfg(target_arch = "x86_64")]
    if let Some(product) = avx2::product(numbers, weights) {
        return product;
    }
    product_plainly(numbers, weights)
}

/// The safe twin of [`product`].
#[inline(always)]
#[must_use]
pub fn product_plainly(numbers: &[i16], weights: &[i8]) -> i32 {
    let pairs = numbers.iter().zip(weights);
    pairs.fold(0, |sum, (&a, &b)| i32::wrapping_add(sum, i32::from(a) * i32::from(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn twins_agree_on_rows(
            start: [i16; SUMS],
            table in prop::collection::vec(any::<[i8; SUMS]>().prop_map(Row), 0..20),
            rows in prop::collection::vec(0u16..25, 0..70),
        ) {
            let (mut ours, mut twin) = (start, start);
            add_rows(&mut ours, &table, &rows);
            add_rows_plainly(&mut twin, &table, &rows);
            prop_assert_eq!(ours, twin);
        }

        #[test]
        fn twins_agree_on_products(
            numbers in prop::collection::vec(any::<i16>(), 0..200),
            weights in prop::collection::vec(any::<i8>(), 0..200),
        ) {
            prop_assert_eq!(product(&numbers, &weights), product_plainly(&numbers, &weights));
        }
    }
}
