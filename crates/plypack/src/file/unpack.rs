//! Unpacks files to the original bytes.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use crate::store::export::{Sink, Written, export_converted, export_records, export_rows, written};
use crate::store::folder::Folder;
use crate::store::input::names::of_only_input;
use crate::store::input::opening::with_extension;
use crate::store::{Compressed, Conversion, Error as Inner, Existing, Output};

use super::work::{Working, overwriting, working};
use super::{Contents, PackedFile, check_apart};
use crate::error::Error;
use crate::moves::Notation;

/// How many bytes are written to a file at once.
const BUFFER_BYTES: usize = 1 << 16;

/// Unpacks one file into another: `games.parquet` into `games.pgn`, the same bytes that were
/// packed. A file at `output` is replaced once all of the new file is on disk. Several inputs are
/// concatenated; [`Unpacker::try_for_each`] keeps them apart.
///
/// # Errors
/// Returns [`Error::Io`], [`Error::File`], or [`Error::Record`] if a record does not match its
/// original bytes.
pub fn unpack(packed: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<(), Error> {
    PackedFile::open(packed)?.unpacker().to_file(output).map(drop)
}

/// What was unpacked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnpackReport {
    /// The number of inputs of which bytes were written.
    pub inputs: u64,
    /// Games of which something became a comment, because PGN has no place for it.
    pub changed: u64,
    /// Records that were left out, because no game in them was understood to convert.
    pub left_out: u64,
    /// Games of go that were written in SGF, because PGN does not have go.
    pub sgf: u64,
}

/// Restores the original bytes of a packed file, with options: [`PackedFile::unpacker`].
///
/// Every record's checksum is verified before its bytes are returned.
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// use plypack::{Notation, PackedFile, Packer};
///
/// let packed = std::env::temp_dir().join("plypack-unpacked.parquet");
/// let packer = Packer::new().reader("a.pgn", &b"1.e4 e5 *\n"[..]);
/// packer.reader("b.pgn", &b"1.d4 *\n"[..]).pack(&packed)?;
/// let file = PackedFile::open(&packed)?;
/// let mut bytes = Vec::new();
/// assert_eq!(file.unpacker().to_writer(&mut bytes)?.inputs, 2);
/// assert_eq!(bytes, b"1.e4 e5 *\n1.d4 *\n");
///
/// let mut pgn = Vec::new();
/// file.unpacker().as_pgn(Notation::Coordinate).to_writer(&mut pgn)?;
/// assert!(String::from_utf8_lossy(&pgn).contains("1. e2e4 e7e5"));
/// # Ok(())
/// # }
/// ```
#[must_use = "call `to_file`, `to_folder`, `to_writer` or `try_for_each` to unpack"]
#[derive(Debug)]
pub struct Unpacker<'a> {
    file: &'a PackedFile,
    rows: Range<u64>,
    form: Option<Notation>,
    compressed: bool,
    existing: Existing,
    work: Working<'a>,
}

impl<'a> Unpacker<'a> {
    pub(crate) fn new(file: &'a PackedFile) -> Self {
        let (existing, work) = (Existing::default(), Working::default());
        Self { file, rows: 0..u64::MAX, form: None, compressed: false, existing, work }
    }

    /// Unpacks only these records, counted from 1, as far as the file has them. Of others only what
    /// checksums need is read.
    pub fn records(mut self, numbers: RangeInclusive<u64>) -> Self {
        self.rows = numbers.start().saturating_sub(1)..*numbers.end();
        self
    }

    /// Writes the games as PGN instead, whatever they were packed from, and those of go in SGF.
    pub fn as_pgn(mut self, notation: Notation) -> Self {
        self.form = Some(notation);
        self
    }

    /// Sets whether [`to_file`](Self::to_file) compresses what it writes, if the file's name ends
    /// in `.zst`, `.gz` or `.xz`. By default it does not.
    pub fn compressed(mut self, compressed: bool) -> Self {
        self.compressed = compressed;
        self
    }

    overwriting! {}

    working! {
        /// Calls `progress` after each group of records, at most 16 MiB or 16,384 games; it may
        /// stop the work.
    }

    /// Returns the file that it is unpacked to by default: beside the packed file, with the name of
    /// its only input, else with its own name and the extension of what is written.
    ///
    /// # Errors
    /// Returns [`Error::Io`]; [`Error::File`], also if converted games would be in two formats,
    /// which one file cannot hold.
    pub fn default_output(&self) -> Result<PathBuf, Error> {
        let Self { file: PackedFile { inner, path }, .. } = self;
        let extension = match self.file.contents() {
            _ if self.form.is_some() => match written(inner).map_err(Error::file)? {
                Written { pgn: true, sgf: true } => return Err(two_formats(path)),
                Written { sgf: true, .. } => "sgf",
                _ => "pgn",
            },
            contents => {
                if let Some(name) = of_only_input(&self.file.inputs()?, inner.kind()) {
                    return Ok(path.with_file_name(name));
                }
                if contents == Contents::Games { "pgn" } else { "epd" }
            }
        };
        Ok(with_extension(path, extension))
    }

    /// Writes the bytes of all inputs to `writer`.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::File`], [`Error::Record`] or [`Error::Stopped`]. Some of the
    /// bytes may then be written.
    pub fn to_writer(self, writer: impl Write + Send) -> Result<UnpackReport, Error> {
        let path = self.file.path();
        self.write(writer, path)
    }

    /// Writes the bytes of all inputs to a file at `output`. The file gets its name once all of it
    /// is on disk; an error leaves an existing one unchanged.
    ///
    /// # Errors
    /// Returns [`Error::Io`], [`Error::File`], [`Error::Record`], [`Error::Exists`] or
    /// [`Error::Stopped`].
    pub fn to_file(self, output: impl AsRef<Path>) -> Result<UnpackReport, Error> {
        let output = output.as_ref();
        check_apart(self.file.path(), output)?;
        let mut file = Output::begin(output, self.existing).map_err(Error::file)?;
        let name = if self.compressed { output } else { Path::new("") };
        let compressed = Compressed::new(&mut file, name).map_err(Error::io(output))?;
        let mut writer = BufWriter::with_capacity(BUFFER_BYTES, compressed);
        let report = self.write(&mut writer, output)?;
        let compressed = writer.into_inner().map_err(std::io::IntoInnerError::into_error);
        compressed.and_then(Compressed::finish).map_err(Error::io(output))?;
        file.publish().map_err(Error::file)?;
        Ok(report)
    }

    /// Restores each input into a file of its own in `folder`, which is made if there is none, and
    /// in folders in it, as the inputs' names say. Compressed inputs come back decompressed. All
    /// files get their names once they are on disk.
    ///
    /// # Errors
    /// Returns [`Error::Io`]; [`Error::File`], also if an input's name would lead out of the folder
    /// or two inputs would be one file; [`Error::Record`]; [`Error::Exists`]; [`Error::Stopped`].
    /// Then no file has its name, unless it replaced another.
    pub fn to_folder(self, folder: impl AsRef<Path>) -> Result<UnpackReport, Error> {
        let (file, stop) = (&self.file.inner, self.work.stop.clone());
        let folder = Folder::begin(folder.as_ref(), file, self.existing);
        let mut folder = folder.map_err(Error::file)?;
        let report = self.run(&mut |name, bytes| folder.write(name, bytes))?;
        folder.publish(&stop).map_err(Error::file)?;
        Ok(report)
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
    ) -> Result<UnpackReport, Error> {
        let path = self.file.path();
        self.run(&mut |name, bytes| sink(name, bytes).map_err(Inner::io(path)))
    }

    /// Passes the original bytes of records to `sink` one by one, each with its number, counted
    /// from 1, and the name of its input. Nothing is converted, and no progress is told.
    ///
    /// # Errors
    /// As [`try_for_each`](Self::try_for_each).
    pub fn try_for_each_record(
        self,
        mut sink: impl FnMut(u64, &str, &[u8]) -> std::io::Result<()> + Send,
    ) -> Result<(), Error> {
        let Self { file: PackedFile { inner, path }, rows, work, .. } = self;
        work.run(|work| {
            export_records(inner, rows, work, &mut |record| {
                sink(record.row + 1, record.source, record.bytes).map_err(Inner::io(&**path))
            })
        })
    }

    /// Writes the bytes to `writer`, which is called `name` in messages.
    fn write(self, mut writer: impl Write + Send, name: &Path) -> Result<UnpackReport, Error> {
        let report = self.run(&mut |_, bytes| writer.write_all(bytes).map_err(Inner::io(name)))?;
        writer.flush().map_err(Error::io(name))?;
        Ok(report)
    }

    fn run(self, sink: &mut Sink<'_>) -> Result<UnpackReport, Error> {
        let Self { file: PackedFile { inner, .. }, rows, form, work, .. } = self;
        let mut inputs = BTreeSet::new();
        let mut sink = |name: &str, bytes: &[u8]| {
            if !inputs.contains(name) {
                inputs.insert(name.to_owned());
            }
            sink(name, bytes)
        };
        let conversion = Conversion::new(form.unwrap_or_default().converted());
        work.run(|work| match form {
            None => export_rows(inner, rows, work, &mut sink),
            Some(_) => export_converted(inner, rows, &conversion, work, &mut sink),
        })?;
        let counts = [&conversion.changed, &conversion.nothing, &conversion.sgf];
        let [changed, left_out, sgf] = counts.map(|count| count.load(Ordering::Relaxed));
        Ok(UnpackReport { inputs: inputs.len() as u64, changed, left_out, sgf })
    }
}

/// The error that games would be converted to two formats.
fn two_formats(path: &Path) -> Error {
    let message = format!(
        "{0} holds games of go, which stay in SGF, beside games that become PGN, and one file \
         cannot hold both; restore its inputs with `plypack unpack {0} -o DIR/`, and pack those \
         with go into a file of their own",
        path.display()
    );
    Error::File { path: path.to_path_buf(), message, source: None }
}
