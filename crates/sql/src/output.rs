//! Output of rows for people and programs: a table, CSV, JSON lines, Parquet.

use std::io::Write;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::csv::{Writer as CsvWriter, WriterBuilder};
use datafusion::arrow::datatypes::{DataType, SchemaRef};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::json::writer::{
    LineDelimited, Writer as JsonWriter, WriterBuilder as JsonBuilder,
};
use datafusion::arrow::util::display::FormatOptions;
use datafusion::arrow::util::pretty::pretty_format_batches_with_options;
use datafusion::error::{DataFusionError, Result};
use datafusion::parquet::arrow::ArrowWriter;
use datafusion::parquet::basic::{Compression, ZstdLevel};
use datafusion::parquet::file::properties::WriterProperties;

/// The output format of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// A table for people, of the first [`TABLE_ROWS`].
    Table,
    /// Comma-separated values, with the column names in the first line.
    Csv,
    /// One JSON object per line.
    Ndjson,
    /// A Parquet file.
    Parquet,
}

/// The maximum number of rows in a table.
pub const TABLE_ROWS: usize = 1_000;

/// Writes rows, batch after batch.
pub struct Rows<W: Write + Send> {
    kind: Kind<W>,
    schema: SchemaRef,
    /// The number of rows written.
    written: u64,
}

enum Kind<W: Write + Send> {
    Table { out: W, shown: Vec<RecordBatch> },
    Csv(Box<CsvWriter<W>>),
    Ndjson(JsonWriter<W, LineDelimited>),
    Parquet(Box<ArrowWriter<W>>),
}

impl<W: Write + Send> Rows<W> {
    /// Creates a writer of rows of this schema.
    ///
    /// # Errors
    /// Returns an error if the format cannot represent the columns.
    pub fn new(format: Format, schema: &SchemaRef, out: W) -> Result<Self> {
        let kind = match format {
            Format::Table => Kind::Table { out, shown: Vec::new() },
            Format::Csv => {
                check_csv(schema)?;
                Kind::Csv(Box::new(WriterBuilder::new().with_header(true).build(out)))
            }
            // Scripts find every key in every object.
            Format::Ndjson => Kind::Ndjson(JsonBuilder::new().with_explicit_nulls(true).build(out)),
            Format::Parquet => {
                let level = ZstdLevel::try_new(12).unwrap_or_default();
                let properties =
                    WriterProperties::builder().set_compression(Compression::ZSTD(level)).build();
                let schema = std::sync::Arc::clone(schema);
                Kind::Parquet(Box::new(ArrowWriter::try_new(out, schema, Some(properties))?))
            }
        };
        Ok(Self { kind, schema: std::sync::Arc::clone(schema), written: 0 })
    }

    /// Writes a batch.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        match &mut self.kind {
            Kind::Table { shown, .. } => {
                let room = TABLE_ROWS.saturating_sub(usize::try_from(self.written).unwrap_or(0));
                if room > 0 {
                    shown.push(batch.slice(0, room.min(batch.num_rows())));
                }
            }
            Kind::Csv(writer) => writer.write(batch)?,
            Kind::Ndjson(writer) => writer.write(batch)?,
            Kind::Parquet(writer) => writer.write(batch)?,
        }
        self.written += batch.num_rows() as u64;
        Ok(())
    }

    /// Writes the rest, and returns the writer and the number of rows.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn finish(self) -> Result<(W, u64)> {
        let written = self.written;
        let out = match self.kind {
            Kind::Table { mut out, mut shown } => {
                if shown.is_empty() {
                    shown.push(RecordBatch::new_empty(self.schema));
                }
                let options = FormatOptions::default().with_null("");
                writeln!(out, "{}", pretty_format_batches_with_options(&shown, &options)?)?;
                out
            }
            Kind::Csv(mut writer) => {
                if written == 0 {
                    // The names are written even without rows.
                    writer.write(&RecordBatch::new_empty(self.schema))?;
                }
                writer.into_inner()
            }
            Kind::Ndjson(mut writer) => {
                writer.finish()?;
                writer.into_inner()
            }
            Kind::Parquet(writer) => writer.into_inner()?,
        };
        Ok((out, written))
    }
}

/// Refuses columns with nested values.
fn check_csv(schema: &SchemaRef) -> Result<()> {
    let nested = |kind: &DataType| kind.is_nested();
    let Some(field) = schema.fields().iter().find(|field| nested(field.data_type())) else {
        return Ok(());
    };
    let why = format!(
        "`{}` has several values per row, which CSV cannot represent; leave it out, take a part \
         of it, or write ndjson or parquet",
        field.name()
    );
    Err(DataFusionError::ArrowError(Box::new(ArrowError::CsvError(why)), None))
}
