//! Games in a table other than a packed file: a Parquet file with a movetext column and tag
//! columns, as Lichess publishes its games. It is read as the PGN that its rows produce, which is
//! what is packed and unpacked.
//!
//! Memory is bounded for any file: a few rows are produced at a time, from one page of each column.

mod columns;
mod row;

use std::fmt::{self, Debug};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader, RowGroups};
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::column::page::PageIterator;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

use self::columns::Columns;
use crate::store::conversion::convert;
use crate::store::error::Error;
use crate::store::file::check_footer;
use crate::store::footer::{Unreadable, read_footer};
use crate::store::pages::Once;
use crate::store::pages::stream::{Memory, Stream};
use crate::store::ranges::Ranges;
use crate::store::reader::{guarded, next_rows};

/// The column that makes a file a table of games, in lower case; any case is accepted.
pub const MOVETEXT: &str = "movetext";

/// Rows produced at a time.
const ROWS: usize = 256;

/// Memory limit in bytes for pages and for the rows produced from them, equal to the window limit
/// of compressed inputs.
const MEMORY_BYTES_MAX: u64 = 128 << 20;

/// A table of games, read as PGN.
pub struct Table {
    path: PathBuf,
    ranges: Arc<dyn Ranges>,
    metadata: ArrowReaderMetadata,
    columns: Columns,
    memory: Arc<Memory>,
    /// The next row group.
    group: usize,
    /// The unread rows of the current row group.
    reader: Option<ParquetRecordBatchReader>,
    rows: Option<RecordBatch>,
    /// The index of the next of these rows; below, the number of the last one in the file, from 1.
    row: usize,
    number: u64,
    /// The text of the current row, and how much of it was read.
    text: String,
    read: usize,
}

impl Table {
    /// Opens a table that is read in ranges; `None` if it has no movetext column or is not readable
    /// Parquet, and so is another kind of input. `path` is for messages.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, if its columns are not those of games, or if it uses
    /// an unsupported compression.
    pub fn open(path: &Path, ranges: Box<dyn Ranges>) -> Result<Option<Self>, Error> {
        let size = ranges.size().map_err(Error::io(path))?;
        let metadata = match read_footer(&*ranges, size) {
            Ok((metadata, Ok(_))) => metadata,
            Ok((_, Err(_))) => return Ok(None),
            Err(Unreadable::Io(error)) => return Err(Error::io(path)(error)),
            Err(Unreadable::Parquet(_) | Unreadable::Damaged(_)) => return Ok(None),
        };
        let format = |why: String| Error::Format { path: path.into(), why };
        let Some(columns) = Columns::of(metadata.schema()).map_err(format)? else {
            return Ok(None);
        };
        check_footer(&metadata).map_err(format)?;
        Ok(Some(Self {
            path: path.into(),
            ranges: ranges.into(),
            metadata,
            columns,
            memory: Arc::new(Memory::new(MEMORY_BYTES_MAX, ROWS)),
            group: 0,
            reader: None,
            rows: None,
            row: 0,
            number: 0,
            text: String::new(),
            read: 0,
        }))
    }

    /// Returns the name of the table's PGN: `games.pgn` for `games.parquet`.
    pub fn content_name(path: &Path) -> PathBuf {
        path.with_extension("pgn")
    }

    /// Returns the columns that are neither movetext nor tags, which PGN cannot hold, each with its
    /// type.
    pub fn left_out(&self) -> &[String] {
        &self.columns.left_out
    }

    /// Writes the text of the next row; none at the end.
    fn next_text(&mut self) -> Result<(), Error> {
        self.text.clear();
        self.read = 0;
        while self.rows.as_ref().is_none_or(|rows| self.row >= rows.num_rows()) {
            self.rows = self.next_rows()?;
            self.row = 0;
            if self.rows.is_none() {
                return Ok(());
            }
        }
        let Some(rows) = &self.rows else { return Ok(()) };
        self.number += 1;
        let written = row::write(rows, self.row, &self.columns, &mut self.text);
        written.map_err(|why| Error::Format {
            path: self.path.clone(),
            why: format!("row {}: {why}", self.number),
        })?;
        self.row += 1;
        Ok(())
    }

    /// Returns the next rows, converted; none at the end.
    fn next_rows(&mut self) -> Result<Option<RecordBatch>, Error> {
        self.memory.next_rows();
        loop {
            let Some(reader) = &mut self.reader else {
                if self.group >= self.metadata.metadata().num_row_groups() {
                    return Ok(None);
                }
                let reader = guarded(|| self.open_group());
                self.reader = Some(reader.map_err(|error| self.unreadable(error))?);
                self.group += 1;
                continue;
            };
            match guarded(|| next_rows(reader)) {
                Ok(None) => self.reader = None,
                Ok(Some(rows)) => return self.as_read(rows).map(Some),
                Err(error) => return Err(self.unreadable(error)),
            }
        }
    }

    fn open_group(&self) -> ParquetResult<ParquetRecordBatchReader> {
        let (schema, fields) = (self.metadata.parquet_schema(), self.metadata.schema().fields());
        let mask = ProjectionMask::roots(schema, self.columns.roots());
        let levels = parquet_to_arrow_field_levels(schema, mask, Some(fields))?;
        let group = Group { table: self, group: self.group };
        ParquetRecordBatchReader::try_new_with_row_groups(&levels, &group, ROWS, None)
    }

    /// Converts rows to the types they are written from.
    fn as_read(&self, rows: RecordBatch) -> Result<RecordBatch, Error> {
        let first = self.number + 1;
        let last = self.number + rows.num_rows() as u64;
        convert(rows, |field| self.columns.wanted(field.name())).map_err(|mismatch| {
            let column = &mismatch.column;
            let wanted = self.columns.in_words(column);
            let why = format!(
                "its column `{column}` has a value in rows {first} to {last} that is not a \
                 {wanted}; cast the column to text, or leave it out"
            );
            Error::Format { path: self.path.clone(), why }
        })
    }

    fn unreadable(&self, error: ParquetError) -> Error {
        match Error::parquet(&self.path)(error) {
            Error::Parquet { path, source } => {
                let why = format!("after row {}: {source}", self.number);
                Error::Format { path, why }
            }
            error => error,
        }
    }
}

impl Read for Table {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.next_text().map_err(io::Error::other)?;
        }
        let rest = self.text.as_bytes().get(self.read..).unwrap_or_default();
        let read = rest.len().min(buffer.len());
        buffer[..read].copy_from_slice(&rest[..read]);
        self.read += read;
        Ok(read)
    }
}

impl Debug for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Table").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A row group for the Parquet library.
struct Group<'a> {
    table: &'a Table,
    group: usize,
}

impl Group<'_> {
    fn of_file(&self) -> &RowGroupMetaData {
        self.table.metadata.metadata().row_group(self.group)
    }
}

impl RowGroups for Group<'_> {
    fn num_rows(&self) -> usize {
        usize::try_from(self.of_file().num_rows()).unwrap_or(usize::MAX)
    }

    fn column_chunks(&self, leaf: usize) -> ParquetResult<Box<dyn PageIterator>> {
        let missing = || ParquetError::General("a row group lacks a column".into());
        let column = self.of_file().columns().get(leaf).ok_or_else(missing)?;
        let (ranges, memory) = (Arc::clone(&self.table.ranges), Arc::clone(&self.table.memory));
        let stream = Stream::new(ranges, column, leaf, self.num_rows(), memory);
        Ok(Box::new(Once::new(stream)))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.of_file()))
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.table.metadata.metadata()
    }
}
