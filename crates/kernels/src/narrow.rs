//! Sums of rows of sixteen signed bytes, for networks with few outputs.

use crate::{Work, natively};

/// Number of sums that a row adds to.
pub const LANES: usize = 16;

/// The terms that one row of a table adds to the sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
pub struct Row(pub [i8; LANES]);

/// Adds the rows with these numbers to the sums, modulo 2^16. Rows beyond the end of the table
/// count as zero.
pub fn add_rows(sums: &mut [i16; LANES], table: &[Row], rows: &[u16]) {
    natively(Adding { sums, table, rows });
}

/// The work of [`add_rows`].
struct Adding<'a> {
    sums: &'a mut [i16; LANES],
    table: &'a [Row],
    rows: &'a [u16],
}

impl Work for Adding<'_> {
    type Outcome = ();

    #[inline(always)]
    fn run(self) {
        let mut total = *self.sums;
        for &row in self.rows {
            let Some(Row(row)) = self.table.get(usize::from(row)) else { continue };
            for (sum, &weight) in total.iter_mut().zip(row) {
                *sum = sum.wrapping_add(weight.into());
            }
        }
        *self.sums = total;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_by_hand() {
        let mut last = Row([-128; LANES]);
        last.0[15] = 127;
        let mut sums = [i16::MAX; LANES];
        sums[0] = 300;
        add_rows(&mut sums, &[Row([1; LANES]), last], &[1, 0, 2, 1, u16::MAX]);
        assert_eq!((sums[0], sums[1]), (300 - 255, i16::MAX - 255));
        assert_eq!(sums[15], i16::MAX.wrapping_add(255));
    }
}
