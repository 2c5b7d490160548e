//! The rows of a file one after the other, a row group in memory at a time.

use std::sync::Arc;

use super::{Contents, PackedFile};
use crate::error::Error;

/// A row: the rows that it was read with, its place among them, and its number in the file, from 1.
type Row<R> = (Arc<R>, usize, u64);

/// Reads a row group, and counts its rows.
type Read<R> = fn(&PackedFile, usize) -> Result<(usize, R), Error>;

/// Goes through the rows of a file.
#[derive(Debug)]
pub(crate) struct Walk<'f, R> {
    pub file: &'f PackedFile,
    /// What the file has to hold, and how a row group of it is read, and counted.
    contents: Contents,
    read: Read<R>,
    /// The row that is next, from 0.
    next: u64,
    /// The row group that is next to be read, or is read, and how many rows are before it.
    group: usize,
    before: u64,
    /// Its rows.
    rows: Option<Arc<R>>,
    failed: bool,
}

impl<'f, R> Walk<'f, R> {
    pub fn new(file: &'f PackedFile, contents: Contents, read: Read<R>) -> Self {
        Self { file, contents, read, next: 0, group: 0, before: 0, rows: None, failed: false }
    }

    /// The next row. Nothing comes behind an error.
    pub fn next(&mut self) -> Option<Result<Row<R>, Error>> {
        if self.failed || !self.find_group() {
            return None;
        }
        let row = self.read();
        self.failed = row.is_err();
        Some(row)
    }

    /// Leaves out so many rows.
    pub fn skip(&mut self, rows: usize) {
        self.next = self.next.saturating_add(rows as u64);
    }

    /// How many rows are left at least and at most, as iterators say it. An error may come before
    /// them.
    pub fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.file.len().saturating_sub(self.next);
        (0, usize::try_from(left).ok())
    }

    /// Goes to the row group of the next row; false if there is none.
    fn find_group(&mut self) -> bool {
        while self.group < self.file.inner.groups() {
            let records = self.file.inner.group_records(self.group);
            if self.next - self.before < records {
                return true;
            }
            self.before = self.before.saturating_add(records);
            self.group += 1;
            self.rows = None;
        }
        false
    }

    fn read(&mut self) -> Result<Row<R>, Error> {
        if self.file.contents() != self.contents {
            let why = match self.contents {
                Contents::Games => "it holds positions, not games",
                Contents::Positions => "it holds games, not positions",
            };
            return Err(self.file.misfit(why));
        }
        let rows = match &self.rows {
            Some(rows) => rows.clone(),
            None => {
                let (count, rows) = (self.read)(self.file, self.group)?;
                if count as u64 != self.file.inner.group_records(self.group) {
                    return Err(self.file.misfit("it is damaged: rows are missing"));
                }
                self.rows.insert(Arc::new(rows)).clone()
            }
        };
        let row = usize::try_from(self.next - self.before).unwrap_or(usize::MAX);
        self.next += 1;
        Ok((rows, row, self.next))
    }
}
