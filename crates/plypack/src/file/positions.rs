//! Reads packed files of positions: FEN or EPD, one per line.

use std::iter::FusedIterator;

use crate::rows::RowError;
use crate::store::positions::{PositionRows, StoredPosition};

use super::walk::Walk;
use super::{Contents, PackedFile};
use crate::error::Error;

/// One line of a file of positions. [`Unpacker`](crate::Unpacker) restores its bytes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PositionRecord {
    /// Its number in the file, counted from 1.
    pub number: u64,
    /// The position in its canonical spelling, with counters if the line has them; `None` if the
    /// line has no position, such as a comment.
    pub position: Option<String>,
    /// The EPD operations that are understood, each as its opcode and its operand.
    pub operations: Vec<(String, String)>,
    /// The rest of the line, as written.
    pub rest: String,
}

/// The positions of a file: [`PackedFile::positions`].
#[derive(Debug)]
pub struct Positions<'f>(Walk<'f, PositionRows>);

impl<'f> Positions<'f> {
    pub(crate) fn new(file: &'f PackedFile) -> Self {
        let read = |file: &PackedFile, group| {
            let rows = file.inner.read_positions(group).map_err(Error::file)?;
            Ok((rows.len(), rows))
        };
        Self(Walk::new(file, Contents::Positions, read))
    }
}

impl Iterator for Positions<'_> {
    type Item = Result<PositionRecord, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let (rows, row, number) = match self.0.next()? {
            Ok(row) => row,
            Err(error) => return Some(Err(error)),
        };
        let path = &self.0.file.path;
        let Some((stored, _)) = rows.record(row) else {
            return Some(Err(Error::record(path, number, "it is not there")));
        };
        let record = PositionRecord::read(&stored, number);
        Some(record.map_err(|why| Error::record(path, number, why)))
    }

    fn nth(&mut self, n: usize) -> Option<Self::Item> {
        self.0.skip(n);
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl FusedIterator for Positions<'_> {}

impl PositionRecord {
    fn read(stored: &StoredPosition<'_>, number: u64) -> Result<Self, RowError> {
        let operation = |&(opcode, operand): &(&str, &str)| (opcode.to_owned(), operand.to_owned());
        Ok(Self {
            number,
            position: stored.text()?,
            operations: stored.operations.iter().map(operation).collect(),
            rest: stored.rest.to_owned(),
        })
    }

    /// Returns the operand of this opcode, as in `bm Qxf7;`.
    #[must_use]
    pub fn operation(&self, opcode: &str) -> Option<&str> {
        self.operations.iter().find(|operation| operation.0 == opcode).map(|found| found.1.as_str())
    }
}
