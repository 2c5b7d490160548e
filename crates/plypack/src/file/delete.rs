//! Deletes records of packed files.

use std::path::Path;

use super::work::{Working, overwriting, working};
use super::{PackedFile, check_apart};
use crate::RecordId;
use crate::error::Error;
use crate::store::condition::Condition;
use crate::store::{Error as StoreError, Existing, Output, PackedFile as Inner, Work, versions};

/// Deletes records of a packed file, with options: [`PackedFile::deleter`].
///
/// What is left is copied as it is coded. An existing index is kept up to date.
#[must_use = "call `delete`, `delete_to` or `count`"]
#[derive(Debug)]
pub struct Deleter<'a> {
    file: &'a PackedFile,
    numbers: Vec<u64>,
    ids: Vec<String>,
    condition: Option<String>,
    existing: Existing,
    work: Working<'a>,
}

impl<'a> Deleter<'a> {
    pub(crate) fn new(file: &'a PackedFile) -> Self {
        Self {
            file,
            numbers: Vec::new(),
            ids: Vec::new(),
            condition: None,
            existing: Existing::default(),
            work: Working::default(),
        }
    }

    /// Adds records by their numbers, counted from 1.
    pub fn records(mut self, numbers: impl IntoIterator<Item = u64>) -> Self {
        self.numbers.extend(numbers);
        self
    }

    /// Adds records by their ids, such as [`Duplicate::id`](crate::Duplicate::id), each written as
    /// a [`RecordId`]. If one of them is no longer the same record, nothing is deleted.
    pub fn ids(mut self, ids: impl IntoIterator<Item: Into<String>>) -> Self {
        self.ids.extend(ids.into_iter().map(Into::into));
        self
    }

    /// Adds the games that meet a condition, written as for
    /// [`Query::condition`](crate::Query::condition).
    pub fn condition(mut self, condition: impl Into<String>) -> Self {
        self.condition = Some(condition.into());
        self
    }

    overwriting! {}

    working! {
        /// Calls `progress` as records are searched, copied and indexed, counting each time; it may
        /// stop the work.
    }

    /// Returns how many records there are to delete, and changes nothing.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if there is no record of a number; [`Error::Gone`] or
    /// [`Error::Parse`] if there is none of an id; [`Error::Condition`]; [`Error::Io`], or
    /// [`Error::File`] if the file is damaged; [`Error::Stopped`].
    pub fn count(self) -> Result<u64, Error> {
        self.run(|_, rows, _| Ok(rows.len() as u64))
    }

    /// Deletes the records, and returns how many there were. The file is replaced once the new one
    /// is on disk; this [`PackedFile`] goes on reading the old one.
    ///
    /// # Errors
    /// Returns the errors of [`count`](Self::count), and [`Error::File`] if another process changed
    /// the file. Then the file is unchanged. [`Error::Unindexed`] if only its index is out of date.
    pub fn delete(self) -> Result<u64, Error> {
        self.run(|file, rows, work| Ok(versions::delete_from(file, rows, work)?.deleted))
    }

    /// Writes the other records to a file at `output`, leaves this one unchanged, and returns how
    /// many records are left out. The new file gets its name once all of it is on disk.
    ///
    /// # Errors
    /// Returns the errors of [`count`](Self::count), [`Error::Io`] also if the file is the output,
    /// and [`Error::Exists`]. Then there is no new file.
    pub fn delete_to(self, output: impl AsRef<Path>) -> Result<u64, Error> {
        let output = output.as_ref();
        check_apart(&self.file.path, output)?;
        let output = Output::begin(output, self.existing).map_err(Error::file)?;
        self.run(|file, rows, work| Ok(versions::delete_to(file, rows, output, work)?.deleted))
    }

    /// Finds the rows of the records, in ascending order, and passes them on.
    fn run(
        self,
        then: impl FnOnce(&Inner, &[u64], &Work<'_>) -> Result<u64, StoreError>,
    ) -> Result<u64, Error> {
        let Self { file, numbers, ids, condition, work, .. } = self;
        let mut rows = Vec::with_capacity(numbers.len());
        for number in numbers {
            let row = number.checked_sub(1).filter(|&row| row < file.len());
            let missing = || Error::record(&file.path, number, "the file has no such record");
            rows.push(row.ok_or_else(missing)?);
        }
        let id = |id: &String| {
            id.parse().map_err(|error| Error::Parse { message: format!("`{id}`: {error}") })
        };
        let ids = ids.iter().map(id).collect::<Result<Vec<RecordId>, Error>>()?;
        let condition = condition.as_deref().map(Condition::parse).transpose();
        let condition = condition.map_err(Error::condition)?;
        if let Some(condition) = &condition {
            condition.check(&[&file.inner]).map_err(Error::file)?;
        }
        work.run(|work| {
            if let Some(condition) = &condition {
                rows.extend(versions::rows_where(Inner::open(&file.path)?, condition, work)?);
            }
            rows.extend(versions::rows_of(&file.inner, &ids)?);
            rows.sort_unstable();
            rows.dedup();
            then(&file.inner, &rows, work)
        })
    }
}
