//! Measures how much of what was packed a file still has. A copy that another tool made may have
//! only some of the records, or another order, and then unpacks to other bytes.

use std::collections::BTreeMap;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch};
use plypack_records::Content;

/// How much of what was packed a file still has:
/// [`PackedFile::completeness`](crate::PackedFile::completeness). A copy that another tool made may
/// have only some of the records, or another order. Inputs of which it has no record are ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Completeness {
    /// The number of records that are there.
    pub records: u64,
    /// The number of records that its inputs had; `None` if unknown, as the last record of one is
    /// missing.
    pub packed: Option<u64>,
    /// The least number of records that its inputs can have had.
    pub packed_min: u64,
    /// Whether the records of each input are in their original order from the first.
    pub in_order: bool,
}

impl Completeness {
    /// Returns whether every input with a record here has all of its records, in order.
    pub fn is_whole(&self) -> bool {
        self.in_order && self.packed == Some(self.records)
    }
}

/// Returns the columns needed, by the kind of file. The first holds numbers that increase within an
/// input.
pub(crate) fn columns(kind: Content) -> [&'static str; 3] {
    match kind {
        Content::Games => ["number", "source", "source_records"],
        Content::Positions => ["line", "source", "source_records"],
    }
}

/// The records of an input seen so far.
#[derive(Debug, Default)]
struct Met {
    records: u64,
    /// The total number of records of the inputs whose last record was seen. Merged files may have
    /// several inputs of one name.
    ended: u64,
    /// The number of the previous record, if it was not the last of its input.
    before: u64,
    /// The greatest record number, in a file of games.
    greatest: u64,
    out_of_order: bool,
}

/// Counts the records of each input.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    inputs: BTreeMap<String, Met>,
}

impl Counter {
    /// Counts these rows; `None` if they lack the values needed.
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
            // Consecutive rows share a name.
            while row < batch.num_rows() && sources.value(row) == name {
                let number = u64::try_from(numbers.value(row)).ok();
                let number = number.filter(|_| numbers.is_valid(row))?;
                met.records += 1;
                let follows = number == met.before.saturating_add(1);
                // The pieces of an overlong line share its number.
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

    /// Returns the completeness.
    pub fn finish(self) -> Completeness {
        let mut all = Completeness { records: 0, packed: Some(0), packed_min: 0, in_order: true };
        for met in self.inputs.into_values() {
            let packed = Some(met.ended).filter(|&ended| ended >= met.records.max(met.greatest));
            all.records += met.records;
            let least = met.records.max(met.greatest).max(met.ended);
            // At least one more, if the last record was not seen.
            let least = least.saturating_add(u64::from(met.ended == 0));
            all.packed_min = all.packed_min.saturating_add(least);
            let sum = all.packed.zip(packed);
            all.packed = sum.map(|(sum, packed)| sum.saturating_add(packed));
            all.in_order &= !met.out_of_order;
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, StringArray};

    use super::*;

    /// Measures rows, each an input, a number, and for the last record the count.
    fn completeness(rows: &[(&str, i64, Option<i64>)]) -> Completeness {
        let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(rows.iter().map(|r| r.1)));
        let sources: ArrayRef = Arc::new(StringArray::from_iter_values(rows.iter().map(|r| r.0)));
        let totals: ArrayRef = Arc::new(rows.iter().map(|r| r.2).collect::<Int64Array>());
        let columns = [("number", numbers), ("source", sources), ("source_records", totals)];
        let batch = RecordBatch::try_from_iter_with_nullable(
            columns.map(|(name, array)| (name, array, true)),
        );
        let batch = batch.expect("columns");
        let mut counter = Counter::default();
        // In two batches, as a file has several.
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
            // In another order, and with one of them twice.
            (&[a3, a2, a1], Some(3), 3, false, false),
            (&[a2, a3, a1], Some(3), 3, false, false),
            (&[a1, a1, a2, a3], None, 4, false, false),
        ] {
            let found = completeness(rows);
            assert_eq!((found.packed, found.in_order), (packed, in_order), "{rows:?}");
            assert_eq!((found.packed_min, found.is_whole()), (min, whole), "{rows:?}");
            assert_eq!(found.records, rows.len() as u64);
        }
    }
}
