//! Verifies copies that other tools made of packed files. Most tools write no page checksums, so
//! what is read is first compared with the record checksums.

use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_array::types::Date32Type;
use plypack_records::Content;
use rayon::prelude::*;

use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::games::Rows;
use crate::store::row::StoredRecord;
use crate::store::tag_value;

impl PackedFile {
    /// Compares records of a row group of games in a copy with their checksums: those in these runs
    /// of rows, or all, which is done once. The names of inputs and the numbers of records are not
    /// compared, as no checksum covers them.
    ///
    /// # Errors
    /// Returns an error if a record is damaged or needs a column that the copy has lost, or the
    /// file cannot be read.
    pub(crate) fn prove(&self, group: usize, runs: Option<&[Range<usize>]>) -> Result<(), Error> {
        let Some(proved) = self.proved(group).filter(|proved| proved.get().is_none()) else {
            return Ok(());
        };
        if self.kind() != Content::Games {
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
                is_right.then_some(()).ok_or_else(|| "`played_on` does not match its date".into())
            });
            let fail = Error::record(self.path(), start + *place as u64);
            checked.map_err(|why| fail(self.with_loss(why)))
        };
        places.par_iter().enumerate().try_for_each(one)?;
        if runs.is_none() {
            _ = proved.set(());
        }
        Ok(())
    }
}

/// Returns the days that a copy has for its games; empty if it has lost the column.
fn days(batch: &RecordBatch) -> Vec<Option<i32>> {
    let column = batch.column_by_name("played_on");
    let days = column.and_then(|column| column.as_primitive_opt::<Date32Type>());
    days.map(|days| days.iter().collect()).unwrap_or_default()
}

/// Returns the day of a record's date.
fn day_of(record: &StoredRecord<'_>) -> Option<i32> {
    let date = record.tags.iter().find(|tag| tag.0 == "Date");
    date.and_then(|tag| tag_value::day(&tag.1))
}
