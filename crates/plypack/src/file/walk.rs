//! Walks through the rows of a file, with one row group in memory at a time.

use std::sync::Arc;

use super::{Contents, PackedFile};
use crate::error::Error;

/// A row: the rows it was read with, its place among them, and its number in the file, counted from
/// 1.
type Row<R> = (Arc<R>, usize, u64);

/// Reads a row group, and counts its rows.
type Read<R> = fn(&PackedFile, usize) -> Result<(usize, R), Error>;

/// Walks through the rows of a file.
#[derive(Debug)]
pub(crate) struct Walk<'f, R> {
    pub file: &'f PackedFile,
    /// What the file must hold, and the function that reads and counts a row group.
    contents: Contents,
    read: Read<R>,
    /// The next row, counted from 0.
    next: u64,
    /// The current row group, and the number of rows before it.
    group: usize,
    before: u64,
    /// The rows of the current group, once read.
    rows: Option<Arc<R>>,
    failed: bool,
}

impl<'f, R> Walk<'f, R> {
    pub fn new(file: &'f PackedFile, contents: Contents, read: Read<R>) -> Self {
        Self { file, contents, read, next: 0, group: 0, before: 0, rows: None, failed: false }
    }

    /// Returns the next row. After an error, returns `None`.
    pub fn next(&mut self) -> Option<Result<Row<R>, Error>> {
        if self.failed || !self.find_group() {
            return None;
        }
        let row = self.read();
        self.failed = row.is_err();
        Some(row)
    }

    /// Skips this many rows.
    pub fn skip(&mut self, rows: usize) {
        self.next = self.next.saturating_add(rows as u64);
    }

    /// Returns the bounds of the rows left, as iterators do. An error may come first.
    pub fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.file.len().saturating_sub(self.next);
        (0, usize::try_from(left).ok())
    }

    /// Moves to the row group of the next row; false if there is none.
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
