//! What a packed file says of itself: its inputs, how many records it has, and what they take.

use std::collections::BTreeSet;

use arrow_array::cast::AsArray;
use arrow_schema::{DataType, Field};
use parquet::file::metadata::ColumnChunkMetaData;
use plypack_records::Content;

use super::PackedFile;
use super::checks::value;
use crate::store::columns::{self, Wanted};
use crate::store::completeness::{self, Completeness};
use crate::store::error::Error;
use crate::store::games::prose;
use crate::store::positions;
use crate::store::schema::SOURCES_KEY;
use crate::store::sources::{self, Rowless};
use crate::store::summary::{self, Summary};

impl PackedFile {
    /// Returns the opcodes that have columns, in a file of positions.
    pub(crate) fn opcodes(&self) -> Vec<String> {
        match self.metadata.schema().field_with_name("operations").map(Field::data_type) {
            Ok(DataType::Struct(parts)) => parts.iter().map(|part| part.name().clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the names of the inputs, in order, including those without rows. Reads the column of
    /// names.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the list of inputs without rows is damaged.
    pub fn sources(&self) -> Result<Vec<String>, Error> {
        let rowless = self.rowless()?;
        let mut names = Vec::new();
        let mut known = BTreeSet::new();
        for group in 0..self.groups() {
            for batch in self.read_columns(group, None, Wanted::Of(&["source"]))?.0 {
                let Some(column) = batch.column_by_name("source") else { continue };
                let column = column.as_string_opt::<i32>();
                let column = column.ok_or_else(|| self.wrong_type("source"))?;
                let mut last = None;
                for name in column.iter().flatten() {
                    // Consecutive rows share a name.
                    if last != Some(name) && known.insert(name.to_owned()) {
                        names.push(name.to_owned());
                    }
                    last = Some(name);
                }
            }
        }
        Ok(sources::all(names, rowless))
    }

    /// Returns the inputs without rows and their places. A copy made by another tool may have lost
    /// them.
    ///
    /// # Errors
    /// Returns an error if the list is damaged.
    pub fn rowless(&self) -> Result<Vec<Rowless>, Error> {
        let Some(list) = value(&self.metadata, SOURCES_KEY) else { return Ok(Vec::new()) };
        sources::read(list).map_err(|error| {
            let why = format!("its list of inputs, `{SOURCES_KEY}`, is damaged: {error}");
            Error::Format { path: self.path.clone(), why }
        })
    }

    /// Returns whether texts of its annotations may be in blocks.
    pub fn has_prose(&self) -> bool {
        let is_prose = |column: &&ColumnChunkMetaData| {
            column.column_path().parts().first().is_some_and(|name| name == prose::PROSE)
        };
        let groups = self.footer().row_groups().iter();
        let mut codes = groups.filter_map(|group| group.columns().iter().find(is_prose));
        codes.any(|codes| !columns::is_empty(codes))
    }

    /// Returns how many records have no checksum to compare: a checksum of positions covers several
    /// consecutive ones, and a copy made by another tool may lack one of them.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or its columns have other types than ours.
    pub fn unchecked_records(&self) -> Result<u64, Error> {
        let mut unchecked = 0;
        for group in 0..self.groups() {
            if self.kind == Content::Positions {
                let wanted = Wanted::Of(&["line", "source", "checksum"]);
                let (batches, _) = self.read_columns(group, None, wanted)?;
                let found = positions::unchecked(&batches);
                unchecked += found.map_err(|name| self.wrong_type(name))? as u64;
            }
        }
        Ok(unchecked)
    }

    /// Returns how much of what was packed the file still has; `None` if unknown, as columns are
    /// missing. Reads the small columns of all row groups.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn completeness(&self) -> Result<Option<Completeness>, Error> {
        let columns = completeness::columns(self.kind);
        if columns.iter().any(|name| self.metadata.schema().index_of(name).is_err()) {
            return Ok(None);
        }
        let mut counter = completeness::Counter::default();
        for group in 0..self.groups() {
            for batch in self.read_columns(group, None, Wanted::Of(&columns))?.0 {
                if counter.add(&batch, self.kind).is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(counter.finish()))
    }

    /// Counts what the file holds. Reads the small columns of all row groups.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn summary(&self) -> Result<Summary, Error> {
        let summary = Summary::of_kind(self.kind);
        let mut summary = summary.with_sizes(self.size, self.metadata.metadata());
        for group in 0..self.groups() {
            for batch in self.read_columns(group, None, summary::WANTED)?.0 {
                summary.add(&batch).map_err(|name| self.wrong_type(name))?;
            }
        }
        Ok(summary)
    }
}
