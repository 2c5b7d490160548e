//! What is said of a file or a record that cannot be read, above all of a copy by another tool.

use std::collections::BTreeSet;

use arrow_array::cast::AsArray;
use parquet::errors::ParquetError;
use plypack_records::Content;

use super::PackedFile;
use super::checks::list;
use crate::rows::RowError;
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::pages::Damaged;
use crate::store::{games, positions};

impl PackedFile {
    /// Returns the columns that records may need but this copy lacks: lost, or never there. Of the
    /// tags' columns those that an order of tags names.
    pub(super) fn lost_columns(&self) -> Vec<&'static str> {
        let has = |name: &str| self.metadata.schema().index_of(name).is_ok();
        if self.kind == Content::Positions {
            return positions::USED.into_iter().filter(|name| !has(name)).collect();
        }
        let orders = self.orders();
        let is_tag = |name: &str| games::schema::tags().any(|tag| tag.0 == name);
        let may_be_needed = |name: &str| !is_tag(name) || orders.contains(name);
        games::schema::read().filter(|name| !has(name) && may_be_needed(name)).collect()
    }

    /// Returns the names in the orders of tags, as far as they can be read.
    pub(super) fn orders(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for group in 0..self.groups() {
            let batches = self.read_batches(group, Wanted::Of(&["tag_order"])).unwrap_or_default();
            for batch in batches {
                let orders = batch.column_by_name("tag_order");
                let orders = orders.and_then(|orders| orders.as_string_opt::<i32>());
                let orders = orders.into_iter().flatten().flatten();
                names.extend(orders.flat_map(|order| order.split(' ')).map(str::to_owned));
            }
        }
        names
    }

    /// Makes an error about a row group: a damaged page, or else the Parquet library's error.
    pub(super) fn damaged_in(&self, group: usize, error: ParquetError) -> Error {
        let path = self.path.clone();
        let (first, last) = (self.group_start(group) + 1, self.group_start(group + 1));
        if let Some(Damaged(column)) = Damaged::of(&error) {
            return Error::Page { path, column, first, last };
        }
        match self.unreadable(error) {
            // Our own program wrote the file.
            Error::Parquet { source, .. } => {
                // Each layer of the library puts its name before the words of the one below.
                let words = source.to_string();
                let words = words.rsplit("error: ").next().unwrap_or_default();
                let why = format!(
                    "records {first} to {last} cannot be read ({words}); use an undamaged copy of \
                     the file, or pack the games again"
                );
                Error::Format { path, why }
            }
            error => error,
        }
    }

    /// Wraps the Parquet library's error, with a remedy if the file may be undamaged.
    pub(super) fn unreadable(&self, error: ParquetError) -> Error {
        if !self.is_copy() {
            return Error::parquet(&self.path)(error);
        }
        let why = format!(
            "{error}; if it is not damaged, its tool used features that plypack does not read: \
             copy the packed file with the tool's default settings"
        );
        Error::Format { path: self.path.clone(), why }
    }

    /// Adds to an error about a record how a copy by another tool may have caused it: changed
    /// values, or lost columns.
    pub(crate) fn with_loss(&self, error: RowError) -> RowError {
        if !self.is_copy() {
            return error;
        }
        let lost = self.lost_columns();
        let remedy = if lost.is_empty() {
            "or a value in this copy was changed; make a new copy".to_owned()
        } else {
            format!(
                "or a value in this copy was changed, or it needs one of the columns that this \
                 copy lacks ({}); make a new copy, with all columns",
                list(&lost)
            )
        };
        RowError::Copy { source: Box::new(error), remedy }
    }

    pub(crate) fn wrong_type(&self, column: &str) -> Error {
        let why = format!(
            "its column `{column}` lacks parts that plypack writes; copy the packed file with its \
             whole columns"
        );
        Error::Format { path: self.path.clone(), why }
    }
}
