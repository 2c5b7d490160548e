//! Makes new versions of packed files: row groups and rows of old ones, copied in coded form,
//! followed by new row groups.
//!
//! Every version is written beside the file and takes its name when complete, so a killed run
//! leaves the old one. A row group that keeps all rows is copied byte by byte, and an index that
//! covers it still covers it in the new file.

mod deletion;
mod duplicates;
mod held;
mod merger;
mod names;
mod selection;

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use plypack_records::Content;

use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::sources::Rowless;
use crate::store::work::Work;
use crate::store::writer::{Renames, Writer};
use crate::store::{games, positions};

pub use deletion::{Deletion, delete};
pub use duplicates::{Copied, Duplicate, Sought, Stays, duplicates};
pub use held::Held;
pub use merger::{Merged, merge};
pub use names::InputNames;
pub use selection::select;

/// A part of a new version.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    /// A row group, as the numbers of its file and the group.
    Group(usize, usize),
    /// Rows of a row group, in ascending runs.
    Rows(usize, usize, Vec<Range<usize>>),
}

/// The parts of a new version.
struct Plan<'f> {
    files: Vec<&'f PackedFile>,
    pieces: Vec<Piece>,
    /// The renamed inputs of each file.
    renamed: Vec<Renames>,
    /// The inputs without rows, and their places among all inputs.
    rowless: Vec<Rowless>,
}

impl Plan<'_> {
    /// Writes the new version.
    fn write<W: Write + Send>(
        self,
        output: W,
        name: &Path,
        indexed: bool,
        work: &Work<'_>,
    ) -> Result<W, Error> {
        let mut writer = match self.files.first() {
            Some(first) => writer_like(first, output, name, indexed)?,
            None => Writer::games(output, name)?,
        };
        let none = Renames::new();
        for piece in &self.pieces {
            work.check()?;
            let (&file, &group, rows) = match piece {
                Piece::Group(file, group) => (file, group, None),
                Piece::Rows(file, group, rows) => (file, group, Some(rows.as_slice())),
            };
            let renamed = self.renamed.get(file).unwrap_or(&none);
            let Some(file) = self.files.get(file) else { continue };
            let records = rows.map_or(file.group_records(group), |rows| {
                rows.iter().map(|run| run.len() as u64).sum()
            });
            copy(&mut writer, file, group, rows, renamed)?;
            work.done(records);
        }
        writer.finish(&self.rowless)
    }
}

/// Copies a row group, or rows of it: byte by byte, if possible.
pub(crate) fn copy<W: Write + Send>(
    writer: &mut Writer<W>,
    file: &PackedFile,
    group: usize,
    rows: Option<&[Range<usize>]>,
    renamed: &Renames,
) -> Result<(), Error> {
    if rows.is_none() && writer.takes(file)? {
        return writer.splice(file, group, renamed);
    }
    if file.kind() != Content::Games {
        let why = "its columns differ from the other file's: it has other operations, or \
                   another tool wrote it; unpack both and pack them together";
        return Err(Error::Format { path: file.path().into(), why: why.into() });
    }
    // Verify first: once in our file, the columns are trusted.
    file.prove(group, None)?;
    let all = || 0..usize::try_from(file.group_records(group)).unwrap_or(usize::MAX);
    let runs = rows.map_or_else(|| vec![all()], <[_]>::to_vec);
    writer.copy_runs(&file.read_group(group)?, &runs, renamed)
}

/// Starts a file with the columns of another. A file of games gets a page index if `indexed`.
pub(crate) fn writer_like<W: Write + Send>(
    file: &PackedFile,
    output: W,
    name: &Path,
    indexed: bool,
) -> Result<Writer<W>, Error> {
    let form = match file.kind() {
        Content::Games => games::schema::form(indexed),
        Content::Positions => positions::schema::form(&file.opcodes()),
    };
    Writer::new(output, name, form)
}
