//! Copies row groups from file to file byte by byte, without decoding pages.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, StringArray};
use bytes::buf::Reader as BytesReader;
use bytes::{Buf, Bytes};
use parquet::arrow::arrow_writer::compute_leaves;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use super::{SealedChunk, Writer};
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::file::{Chunk, PackedFile};

/// The column of input names.
const SOURCE: &str = "source";

/// New names of inputs, by their old names.
pub(crate) type Renames = BTreeMap<String, String>;

impl<W: Write + Send> Writer<W> {
    /// Returns whether row groups of this file can be copied byte by byte: it has our columns in
    /// our types, and a page index if the new file has one.
    pub(crate) fn takes(&self, file: &PackedFile) -> Result<bool, Error> {
        let theirs = file.footer().file_metadata().schema_descr();
        let is_same = self.parquet.columns() == theirs.columns() && !file.is_copy();
        Ok(is_same && (!self.indexed || file.has_page_index()?))
    }

    /// Copies a row group byte by byte, except for the names of inputs that are `renamed`.
    pub(crate) fn splice(
        &mut self,
        file: &PackedFile,
        group: usize,
        renamed: &Renames,
    ) -> Result<(), Error> {
        self.flush()?;
        let checksum = file.group_checksum(group)?;
        let mut sources = self.sources(file, group, renamed)?;
        let failed = || Error::parquet(&self.name);
        let mut row_group = self.file.next_row_group().map_err(failed())?;
        for leaf in 0..self.parquet.num_columns() {
            let spliced = match sources.take_if(|sources| sources.0 == leaf) {
                Some((_, SealedChunk { bytes, close })) => row_group.append_column(&bytes, close),
                None => {
                    let chunk = file.chunk(group, leaf)?;
                    let close = ColumnCloseResult {
                        bytes_written: chunk.bytes.len() as u64,
                        rows_written: file.group_records(group),
                        metadata: chunk.metadata.clone(),
                        bloom_filter: None,
                        column_index: None,
                        offset_index: chunk.pages.clone().filter(|_| self.indexed),
                    };
                    row_group.append_column(&chunk, close)
                }
            };
            spliced.map_err(failed())?;
        }
        row_group.close().map_err(failed())?;
        self.groups += 1;
        self.checksums.push(checksum);
        Ok(())
    }

    /// Returns the number and the encoded form of the column of input names with the new names;
    /// `None` if no input of this row group is renamed.
    fn sources(
        &self,
        file: &PackedFile,
        group: usize,
        renamed: &Renames,
    ) -> Result<Option<(usize, SealedChunk)>, Error> {
        if renamed.is_empty() {
            return Ok(None);
        }
        let columns = self.parquet.columns().iter();
        let mut columns = columns.map(|column| column.path().parts());
        let Some(leaf) = columns.position(|parts| parts == [SOURCE]) else { return Ok(None) };
        let (mut arrays, mut differs) = (Vec::new(), false);
        for batch in file.read_batches(group, Wanted::Of(&[SOURCE]))? {
            let names = batch.column_by_name(SOURCE).ok_or_else(|| file.wrong_type(SOURCE))?;
            let new = with_new_names(names, renamed);
            differs |= new.is_some();
            arrays.push(new.unwrap_or_else(|| Arc::clone(names)));
        }
        if !differs {
            return Ok(None);
        }
        let encode = || {
            let field = self.schema.field_with_name(SOURCE)?;
            let (pages, writers) = self.column_writers()?;
            let lost = || ParquetError::General("there is no such column".into());
            let writer = writers.into_iter().nth(leaf).ok_or_else(lost)?;
            let mut leaves = Vec::new();
            for array in &arrays {
                leaves.extend(compute_leaves(field, array)?);
            }
            pages.finish(leaf, writer, &leaves)
        };
        encode().map(|chunk| Some((leaf, chunk))).map_err(Error::parquet(&self.name))
    }
}

/// Replaces renamed inputs; `None` if there are none.
pub(super) fn with_new_names(names: &ArrayRef, renamed: &Renames) -> Option<ArrayRef> {
    let names = names.as_string_opt::<i32>()?;
    // Consecutive rows share a name.
    let mut last: (Option<&str>, Option<&String>) = (None, None);
    let mut differs = false;
    let new: StringArray = names
        .iter()
        .map(|name| {
            if last.0 != name {
                last = (name, name.and_then(|name| renamed.get(name)));
            }
            differs |= last.1.is_some();
            last.1.map(String::as_str).or(name)
        })
        .collect();
    differs.then(|| Arc::new(new) as ArrayRef)
}

impl Chunk {
    fn behind(&self, start: u64) -> ParquetResult<Bytes> {
        let at = start.checked_sub(self.start).and_then(|at| usize::try_from(at).ok());
        let at = at.filter(|&at| at <= self.bytes.len());
        let lost = || ParquetError::General("a column does not begin at its stated offset".into());
        Ok(self.bytes.slice(at.ok_or_else(lost)?..))
    }
}

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }
}

/// Reads at offsets of the original file.
impl ChunkReader for Chunk {
    type T = BytesReader<Bytes>;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(self.behind(start)?.reader())
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let bytes = self.behind(start)?;
        let lost = || ParquetError::General("a column is shorter than stated".into());
        (length <= bytes.len()).then(|| bytes.slice(..length)).ok_or_else(lost)
    }
}
