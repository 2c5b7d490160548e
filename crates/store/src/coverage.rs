//! How much of what was packed a file has: a copy that another tool made may be a part of it, or
//! have its records in another order, and then other bytes come of it than went in.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use plypack_records::Content;

/// How much of what was packed a file has. Inputs of which it has no record do not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// How many records it has.
    pub records: u64,
    /// How many records its inputs had; `None` if it does not tell, as the last of one is missing.
    pub packed: Option<u64>,
    /// The least that there can have been.
    pub packed_min: u64,
    /// Whether the records of each input stand as they did, one after the other from the first.
    pub in_order: bool,
}

impl Coverage {
    /// Whether every input that has a record here comes back as it was.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.in_order && self.packed == Some(self.records)
    }
}

/// The columns that tell it, in files of games and in those of positions. The first has numbers
/// that grow within an input.
pub(crate) fn columns(kind: Content) -> [&'static str; 3] {
    match kind {
        Content::Games => ["number", "source", "source_records"],
        Content::Positions => ["line", "source", "source_records"],
    }
}

/// The records of an input that were met so far.
#[derive(Debug, Default)]
struct Met {
    records: u64,
    /// How many records the inputs had whose last record was met. They are several of one name if
    /// files were merged.
    ended: u64,
    /// The number of the record before, if it was not the last of its input.
    before: u64,
    /// The greatest number of a record, in a file of games.
    greatest: u64,
    out_of_order: bool,
}

/// Counts the records of each input.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    inputs: BTreeMap<String, Met>,
}

impl Counter {
    /// Counts these rows; `None` if they do not tell what is needed.
    pub fn add(&mut self, batch: &RecordBatch, kind: Content) -> Option<()> {
        let [number, source, total] = columns(kind);
        let numbers = batch.column_by_name(number)?.as_primitive_opt::<Int64Type>()?;
        let sources = batch.column_by_name(source)?.as_string_opt::<i32>()?;
        let totals = batch.column_by_name(total)?.as_primitive_opt::<Int64Type>()?;
        let mut row = 0;
        while row < batch.num_rows() {
            let name = sources.value(row);
            if !self.inputs.contains_key(name) {
                self.inputs.insert(name.to_owned(), Met::default());
            }
            let met = self.inputs.get_mut(name)?;
            // One name has many rows.
            while row < batch.num_rows() && sources.value(row) == name {
                let number = u64::try_from(numbers.value(row)).ok();
                let number = number.filter(|_| numbers.is_valid(row))?;
                met.records += 1;
                let follows = number == met.before.saturating_add(1);
                // Pieces of a line that was too long have its number.
                let goes_on = kind == Content::Positions && met.before > 0 && number >= met.before;
                met.out_of_order |= !follows && !goes_on;
                met.before = number;
                if kind == Content::Games {
                    met.greatest = met.greatest.max(number);
                }
                if totals.is_valid(row) {
                    let total = u64::try_from(totals.value(row)).ok()?;
                    met.ended = met.ended.saturating_add(total);
                    met.before = 0;
                }
                row += 1;
            }
        }
        Some(())
    }

    /// What was met.
    pub fn finish(self) -> Coverage {
        let mut coverage = Coverage { records: 0, packed: Some(0), packed_min: 0, in_order: true };
        for met in self.inputs.into_values() {
            let packed = Some(met.ended).filter(|&ended| ended >= met.records.max(met.greatest));
            coverage.records += met.records;
            let least = met.records.max(met.greatest).max(met.ended);
            // One more, if the last was not met.
            let least = least.saturating_add(u64::from(met.ended == 0));
            coverage.packed_min = coverage.packed_min.saturating_add(least);
            let sum = coverage.packed.zip(packed);
            coverage.packed = sum.map(|(sum, packed)| sum.saturating_add(packed));
            coverage.in_order &= !met.out_of_order;
        }
        coverage
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, StringArray};

    use super::*;

    /// The coverage of rows: the input, the number, and for its last record the count.
    fn coverage(rows: &[(&str, i64, Option<i64>)]) -> Coverage {
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(rows.iter().map(|r| r.1)));
        let sources: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|r| r.0)));
        let totals: ArrayRef = Arc::new(rows.iter().map(|r| r.2).collect::<Int64Array>());
        let columns = [("number", numbers), ("source", sources), ("source_records", totals)];
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.map(|(name, array)| (name, array, true)),
        );
        let batch = batch.expect("columns");
        let mut counter = Counter::default();
        // In two batches, as a file has many.
        let half = rows.len() / 2;
        for part in [batch.slice(0, half), batch.slice(half, rows.len() - half)] {
            counter.add(&part, Content::Games).expect("our columns");
        }
        counter.finish()
    }

    #[test]
    fn parts_are_told_from_wholes() {
        let [a1, a2, a3] = [("a", 1, None), ("a", 2, None), ("a", 3, Some(3))];
        let [b1, b2] = [("b", 1, None), ("b", 2, Some(2))];
        for (rows, packed, min, in_order, whole) in [
            (&[][..], Some(0), 0, true, true),
            (&[a1, a2, a3], Some(3), 3, true, true),
            (&[a1, b1, a2, a3, b2], Some(5), 5, true, true),
            (&[a1, a2, a3, a1, a2, a3], Some(6), 6, true, true),
            // Without one at the beginning, in the middle, at the end.
            (&[a2, a3], Some(3), 3, false, false),
            (&[a1, a3], Some(3), 3, false, false),
            (&[a1, a2], None, 3, true, false),
            (&[a2], None, 3, false, false),
            (&[a1, a2, a3, b1], None, 5, true, false),
            // In another order, and one of them twice.
            (&[a3, a2, a1], Some(3), 3, false, false),
            (&[a2, a3, a1], Some(3), 3, false, false),
            (&[a1, a1, a2, a3], None, 4, false, false),
        ] {
            let found = coverage(rows);
            assert_eq!((found.packed, found.in_order), (packed, in_order), "{rows:?}");
            assert_eq!((found.packed_min, found.is_whole()), (min, whole), "{rows:?}");
            assert_eq!(found.records, rows.len() as u64);
        }
    }
}
