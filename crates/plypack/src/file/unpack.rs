//! Unpacks files to the original bytes.

use std::io::Write;
use std::path::Path;

use crate::store::{Existing, Output, export};

use super::work::{Working, overwriting, working};
use super::{PackedFile, check_apart};
use crate::error::Error;

/// Unpacks one file into another: `games.parquet` into `games.pgn`, the same bytes that were
/// packed. A file at `output` is replaced once all of the new file is on disk. Several inputs are
/// concatenated; [`Unpacker::try_for_each`] keeps them apart.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::File`], or [`Error::Record`] if a record does not match its
/// original bytes.
pub fn unpack(packed: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<(), Error> {
    PackedFile::open(packed)?.unpacker().to_file(output)
}

/// Restores the original bytes of a packed file, with options: [`PackedFile::unpacker`].
///
/// Every record's checksum is verified before its bytes are returned.
#[must_use = "call `to_file`, `to_writer` or `try_for_each` to unpack"]
#[derive(Debug)]
pub struct Unpacker<'a> {
    file: &'a PackedFile,
    existing: Existing,
    work: Working<'a>,
}

impl<'a> Unpacker<'a> {
    pub(crate) fn new(file: &'a PackedFile) -> Self {
        Self { file, existing: Existing::default(), work: Working::default() }
    }

    overwriting! {}

    working! {
        /// Calls `progress` after each group of records, at most 16 MiB or 16,384 games; it may
        /// stop the work.
    }

    /// Writes the bytes of all inputs to `writer`.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::File`], [`Error::Record`] or [`Error::Stopped`]. Some of the
    /// bytes may then be written.
    pub fn to_writer(self, mut writer: impl Write + Send) -> Result<(), Error> {
        let path = self.file.path();
        self.try_for_each(|_, bytes| writer.write_all(bytes))?;
        writer.flush().map_err(Error::io(path))
    }

    /// Writes the bytes of all inputs to a file at `output`. The file gets its name once all of it
    /// is on disk; an error leaves an existing one unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::File`], [`Error::Record`], [`Error::Exists`] or
    /// [`Error::Stopped`].
    pub fn to_file(self, output: impl AsRef<Path>) -> Result<(), Error> {
        let output = output.as_ref();
        check_apart(self.file.path(), output)?;
        let mut output = Output::begin(output, self.existing).map_err(Error::file)?;
        self.to_writer(&mut output)?;
        output.publish().map_err(Error::file)
    }

    /// Passes the bytes to `sink` in pieces, each with the name of its input. The pieces of an
    /// input come in order and without others between them, unless another tool sorted the file.
    ///
    /// # Errors
    /// Returns [`Error::Io`], also if `sink` fails; [`Error::File`], [`Error::Record`] or
    /// [`Error::Stopped`].
    pub fn try_for_each(
        self,
        mut sink: impl FnMut(&str, &[u8]) -> std::io::Result<()> + Send,
    ) -> Result<(), Error> {
        let Self { file, work, .. } = self;
        let mut give = |name: &str, bytes: &[u8]| {
            sink(name, bytes).map_err(crate::store::Error::io(file.path()))
        };
        work.run(|work| export(&file.inner, work, &mut give))
    }
}
