//! Whole records: rows with all columns of a packed file, rendered as by `plypack unpack`.

use datafusion::arrow::array::{Array, RecordBatch, RecordBatchOptions, StructArray};
use datafusion::arrow::datatypes::Schema;
use datafusion::common::Result;
use plypack::store::games::Rows;
use plypack::store::row::StoredRecord;
use plypack_records::{charset, format};
use rayon::prelude::*;

use super::super::call::Arguments;
use super::walk::failed;

/// The number of records that a thread renders at a time.
const CHUNK_ROWS: usize = 16;

/// Applies `give` to the text of each row's record.
pub(crate) fn records(
    arguments: &Arguments,
    give: impl Fn(String) -> String + Sync,
) -> Result<Vec<Option<String>>> {
    let whole = arguments.row()?;
    let rows = Rows::of(batch(whole)?).map_err(|why| {
        failed(arguments.function, format!("{why}; use a table with all its columns"))
    })?;
    let one = |row: usize| {
        let record = rows.record(row).filter(|_| whole.is_valid(row));
        let Some((record, checksum, _)) = record else { return Ok(None) };
        let text = text(&record, checksum).map_err(|why| failed(arguments.function, why))?;
        Ok(Some(give(text)))
    };
    (0..whole.len()).into_par_iter().with_min_len(CHUNK_ROWS).map(one).collect()
}

/// The fields of a struct column as a batch.
fn batch(whole: &StructArray) -> Result<RecordBatch> {
    let schema = Schema::new(whole.fields().clone());
    let options = RecordBatchOptions::new().with_row_count(Some(whole.len()));
    let columns = whole.columns().to_vec();
    Ok(RecordBatch::try_new_with_options(schema.into(), columns, &options)?)
}

/// Renders the text of a record whose bytes have this checksum.
fn text(record: &StoredRecord<'_>, checksum: Option<u32>) -> Result<String, String> {
    let format = record.layout.and_then(format::of_layout);
    if let Some(format) = format.filter(|format| format.is_binary()) {
        return Err(format!(
            "a record was packed from a file in {} and is not a text; `plypack unpack` restores \
             its bytes, san(moves) its moves",
            format.info().title
        ));
    }
    let bytes = record.original(checksum).map_err(|why| {
        format!("a record cannot be written: {why}, or its columns are not those of a packed file")
    })?;
    let codec = record.line.map(|line| StoredRecord::codec(line.0)).transpose()?;
    let signs = codec.map_or("", |codec| codec.game().info().signs);
    Ok(charset::decode(&bytes, signs).1.into_owned())
}
