//! Copies that other tools made of packed files. Most such tools write no checksums of pages, so
//! that what is read of them is first compared with the checksums of the records.

use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Date32Type;
use plypack_records::Content;
use rayon::prelude::*;

use crate::columns::Wanted;
use crate::error::Error;
use crate::file::PackedFile;
use crate::games::Rows;
use crate::row::StoredRecord;
use crate::tag_value;

impl PackedFile {
    /// Compares records of a row group with their checksums, if it is one of games in a copy: those
    /// in these runs of rows, or all, which is done once. A copy without all columns that records
    /// are made of has nothing to compare, and nothing is compared of the names of inputs and the
    /// numbers of records, which no record is made of.
    ///
    /// # Errors
    /// If a record is damaged, or the file cannot be read.
    pub(crate) fn prove(&self, group: usize, runs: Option<&[Range<usize>]>) -> Result<(), Error> {
        let Some(proved) = self.proved(group).filter(|proved| proved.get().is_none()) else {
            return Ok(());
        };
        if self.kind() != Content::Games || !self.lost_columns().is_empty() {
            return Ok(());
        }
        let (batches, known) = self.read_columns(group, runs.map(<[_]>::to_vec), Wanted::All)?;
        let days: Vec<Option<i32>> = batches.iter().flat_map(days).collect();
        let rows = Rows::new(batches, &known.codecs).map_err(|name| self.wrong_type(name))?;
        let places: Vec<usize> = match runs {
            Some(runs) => runs.iter().cloned().flatten().collect(),
            None => (0..rows.len()).collect(),
        };
        let start = self.group_start(group);
        let one = |(at, place): (usize, &usize)| {
            let Some((record, checksum, _)) = rows.record(at) else { return Ok(()) };
            let checked = record.original(checksum).map(drop).and_then(|()| {
                let is_right = days.get(at).is_none_or(|&day| day == day_of(&record));
                is_right.then_some(()).ok_or_else(|| "`played_on` is not its date's day".into())
            });
            let record = start + *place as u64 + 1;
            let fail = |why| Error::Record { path: self.path().into(), record, why };
            checked.map_err(|why| fail(self.with_loss(why)))
        };
        places.par_iter().enumerate().try_for_each(one)?;
        if runs.is_none() {
            _ = proved.set(());
        }
        Ok(())
    }
}

/// The days that a copy has of its games; none if it has lost the column.
fn days(batch: &RecordBatch) -> Vec<Option<i32>> {
    let column = batch.column_by_name("played_on");
    let days = column.and_then(|column| column.as_primitive_opt::<Date32Type>());
    days.map(|days| days.iter().collect()).unwrap_or_default()
}

/// The day that a record's date tells.
fn day_of(record: &StoredRecord<'_>) -> Option<i32> {
    let date = record.tags.iter().find(|tag| tag.0 == "Date");
    date.and_then(|tag| tag_value::day(&tag.1))
}
