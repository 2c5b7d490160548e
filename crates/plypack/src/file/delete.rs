//! Deletes records of packed files.

use super::PackedFile;
use super::work::{Working, working};
use crate::error::Error;
use crate::store::condition::Condition;
use crate::store::{PackedFile as Inner, versions};

/// Deletes records of a packed file, with options: [`PackedFile::deleter`].
///
/// What is left is copied as it is coded. An existing index is kept up to date.
#[must_use = "call `delete` to delete"]
#[derive(Debug)]
pub struct Deleter<'a> {
    file: &'a PackedFile,
    numbers: Vec<u64>,
    condition: Option<String>,
    work: Working<'a>,
}

impl<'a> Deleter<'a> {
    pub(crate) fn new(file: &'a PackedFile) -> Self {
        Self { file, numbers: Vec::new(), condition: None, work: Working::default() }
    }

    /// Adds records by their numbers, counted from 1.
    pub fn records(mut self, numbers: impl IntoIterator<Item = u64>) -> Self {
        self.numbers.extend(numbers);
        self
    }

    /// Adds the games that meet a condition, written as for
    /// [`Query::condition`](crate::Query::condition).
    pub fn condition(mut self, condition: impl Into<String>) -> Self {
        self.condition = Some(condition.into());
        self
    }

    working! {
        /// Calls `progress` as records are searched, copied and indexed, counting each time; it may
        /// stop the work.
    }

    /// Deletes the records, and returns how many there were. The file is replaced once the new one
    /// is on disk; this [`PackedFile`] goes on reading the old one.
    ///
    /// # Errors
    /// Returns [`Error::Record`] if there is no record of a number; [`Error::Condition`];
    /// [`Error::Io`], or [`Error::File`] if the file is damaged or another process changed it;
    /// [`Error::Stopped`]. Then the file is unchanged, unless only its index was left to do: it may
    /// then be out of date, and [`Indexer`](crate::Indexer) updates it.
    pub fn delete(self) -> Result<u64, Error> {
        let Self { file, numbers, condition, work } = self;
        let mut rows = Vec::with_capacity(numbers.len());
        for number in numbers {
            let row = number.checked_sub(1).filter(|&row| row < file.len());
            let missing = || Error::record(&file.path, number, "the file has no such record");
            rows.push(row.ok_or_else(missing)?);
        }
        let condition = condition.as_deref().map(Condition::parse).transpose();
        let condition = condition.map_err(Error::condition)?;
        if let Some(condition) = &condition {
            condition.check(&[&file.inner]).map_err(Error::file)?;
        }
        work.run(|work| {
            if let Some(condition) = &condition {
                let again = Inner::open(&file.path)?;
                rows.extend(versions::rows_where(again, condition, work)?.0);
            }
            rows.sort_unstable();
            rows.dedup();
            if rows.is_empty() {
                return Ok(0);
            }
            Ok(versions::delete_from(&file.inner, &rows, work)?.deleted)
        })
    }
}
