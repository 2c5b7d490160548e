//! Copies row groups from file to file byte by byte, without decoding pages.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{ArrayRef, StringArray, new_null_array};
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::RowGroupMetaData;
use parquet::schema::types::ColumnDescriptor;
use plypack_records::Content;

use super::Writer;
use super::group::EncodedGroup;
use super::sealed::{SealedChunk, Stored};
use crate::store::columns::{Wanted, is_empty};
use crate::store::error::Error;
use crate::store::file::PackedFile;

/// The column of input names.
const SOURCE: &str = "source";

/// New names of inputs, by their old names.
pub(crate) type Renames = BTreeMap<String, String>;

impl<W: Write + Send> Writer<W> {
    /// Returns whether row groups of this file can be copied byte by byte: it has our columns in
    /// our types, but for some without values, and a page index if the new file has one. The few
    /// games of a file without statistics are copied row by row.
    pub(crate) fn takes(&self, file: &PackedFile) -> Result<bool, Error> {
        let footer = file.footer();
        let mut theirs = footer.file_metadata().schema_descr().columns().iter().peekable();
        let is_same = self.parquet.columns().iter().all(|ours| {
            theirs.next_if(|theirs| *theirs == ours).is_some() || self.may_be_left_out(ours)
        });
        let is_same = is_same && theirs.peek().is_none() && !file.is_copy();
        let mut columns = footer.row_groups().iter().flat_map(RowGroupMetaData::columns);
        let is_told = columns.any(|column| column.statistics().is_some());
        let is_told = is_told || file.kind() == Content::Positions;
        Ok(is_same && is_told && (!self.indexed || file.has_page_index()?))
    }

    /// Returns whether a small file lacks this column where it has no value.
    fn may_be_left_out(&self, column: &ColumnDescriptor) -> bool {
        column.path().parts().first().is_some_and(|name| (self.form.may_be_left_out)(name))
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
        let theirs = file.footer().file_metadata().schema_descr().columns();
        let mut theirs = theirs.iter().enumerate().peekable();
        let (mut columns, mut empty) = (Vec::new(), Vec::new());
        for (leaf, ours) in self.parquet.columns().iter().enumerate() {
            let name = ours.path().parts().first().map_or("", String::as_str);
            let Some((at, _)) = theirs.next_if(|(_, theirs)| *theirs == ours) else {
                columns.push(self.nulls(leaf, name, file.group_records(group))?);
                empty.push(name.to_owned());
                continue;
            };
            if let Some((_, chunk)) = sources.take_if(|sources| sources.0 == leaf) {
                columns.push(chunk);
                continue;
            }
            let chunk = file.chunk(group, at)?;
            if is_empty(&chunk.metadata) && !empty.iter().any(|empty| empty == name) {
                empty.push(name.to_owned());
            }
            let close = ColumnCloseResult {
                bytes_written: chunk.bytes.len() as u64,
                rows_written: file.group_records(group),
                metadata: chunk.metadata,
                bloom_filter: None,
                column_index: None,
                offset_index: chunk.pages.filter(|_| self.indexed),
            };
            let stored = Stored { start: chunk.start, bytes: chunk.bytes };
            columns.push(SealedChunk { stored, close });
        }
        self.append(EncodedGroup { columns, empty, checksum })
    }

    /// Encodes a column without values.
    fn nulls(&self, leaf: usize, name: &str, rows: u64) -> Result<SealedChunk, Error> {
        let rows = usize::try_from(rows).unwrap_or(usize::MAX);
        let encode = || {
            let field = self.form.schema.field_with_name(name)?;
            self.encoder.part(leaf, name, &[new_null_array(field.data_type(), rows)])
        };
        encode().map_err(Error::parquet(&self.name))
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
        let encoded = self.encoder.part(leaf, SOURCE, &arrays);
        encoded.map(|chunk| Some((leaf, chunk))).map_err(Error::parquet(&self.name))
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
