//! File names on the command line: `-`, defaults, and the refusal to overwrite.

use std::fs::{File, Metadata};
use std::io::{self, IsTerminal, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use plypack::store::input::compressed::content_name;
use plypack::store::input::table::Table;
use plypack::store::ranges::Ranges;
use plypack::store::{Error, Existing, Output, PackedFile, Source};

use crate::beside;
use crate::failure::Failure;
use crate::interrupt;

/// The name of standard input and output.
pub const STANDARD: &str = "-";

/// Whether a name means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// Number of bytes read from all inputs, before decompression.
#[derive(Clone, Debug, Default)]
pub struct BytesRead(Arc<AtomicU64>);

impl BytesRead {
    /// Returns the number so far.
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A reader that counts the bytes read.
#[derive(Debug)]
pub struct Counted<R> {
    reader: R,
    read: BytesRead,
}

impl<R> Counted<R> {
    /// Wraps a reader and counts its bytes in `read`.
    pub fn new(reader: R, read: BytesRead) -> Self {
        Self { reader, read }
    }
}

impl<R: Seek> Seek for Counted<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.reader.seek(to)
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.reader.read(buffer)?;
        self.read.0.fetch_add(bytes as u64, Ordering::Relaxed);
        Ok(bytes)
    }
}

/// Counts fetched ranges.
impl Ranges for Counted<File> {
    fn size(&self) -> io::Result<u64> {
        self.reader.size()
    }

    fn fetch(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Bytes>> {
        let fetched = self.reader.fetch(ranges)?;
        let bytes = fetched.iter().map(|bytes| bytes.len() as u64).sum();
        self.read.0.fetch_add(bytes, Ordering::Relaxed);
        Ok(fetched)
    }
}

/// An opened input.
pub struct Opened {
    /// The source to pack.
    pub source: Source,
    /// Size in bytes, if known.
    pub size: Option<u64>,
    /// Whether it can be read only once.
    pub is_streamed: bool,
    /// The columns of a table that PGN has no place for.
    pub left_out: Vec<String>,
}

/// Opens an input, `-` for standard input, under the given name.
pub fn open_input(path: &Path, name: String, read: &BytesRead) -> Result<Opened, Failure> {
    let read = read.clone();
    let streamed = |source| Opened { source, size: None, is_streamed: true, left_out: Vec::new() };
    if is_standard(path) {
        let reader = Box::new(Counted { reader: io::stdin(), read });
        return Ok(streamed(Source::new(name, reader)));
    }
    let failure = |error| Failure::new(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(failure)?;
    let metadata = file.metadata().map_err(failure)?;
    if metadata.is_dir() {
        return Err(Failure::new(format!(
            "{} is a folder; name the files in it, for example {}/*.pgn",
            path.display(),
            path.display()
        )));
    }
    if !metadata.is_file() {
        // A pipe can be opened only once.
        return Ok(streamed(Source::new(name, Box::new(Counted { reader: file, read }))));
    }
    let size = Some(metadata.len());
    if let Some(table) = open_table(path, &BytesRead::default())? {
        let left_out = table.left_out().to_vec();
        let reader = Box::new(LaterTable { path: path.into(), read, table: None });
        let source = Source::new(name, reader);
        return Ok(Opened { source, size, is_streamed: false, left_out });
    }
    let source = later(path, name, &read);
    Ok(Opened { source, size, is_streamed: false, left_out: Vec::new() })
}

/// Returns a source with this name whose file is opened when its turn comes.
pub fn later(path: &Path, name: String, read: &BytesRead) -> Source {
    let reader = Later { path: path.into(), file: None };
    let reader = Box::new(Counted { reader, read: read.clone() });
    Source { names: beside::names(path), ..Source::new(name, reader) }
}

/// Opens a table of games; `None` if the file is not one.
fn open_table(path: &Path, read: &BytesRead) -> Result<Option<Table>, Error> {
    if !looks_packed(path) {
        return Ok(None);
    }
    let reader = File::open(path).map_err(Error::io(path))?;
    Table::open(path, Box::new(Counted { reader, read: read.clone() }))
}

/// Whether a file is a table of games, which is packed as PGN made from its rows.
pub fn is_table(path: &Path) -> bool {
    open_table(path, &BytesRead::default()).is_ok_and(|table| table.is_some())
}

/// A table of games that is opened when its turn comes.
struct LaterTable {
    path: PathBuf,
    read: BytesRead,
    table: Option<Table>,
}

impl Read for LaterTable {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let table = match &mut self.table {
            Some(table) => table,
            closed => {
                let table = open_table(&self.path, &self.read).map_err(io::Error::other)?;
                let gone = || io::Error::other("it has changed since it was first opened");
                closed.insert(table.ok_or_else(gone)?)
            }
        };
        table.read(buffer)
    }
}

/// A file that is opened when its turn comes, as the system limits open files.
struct Later {
    path: PathBuf,
    file: Option<File>,
}

impl Read for Later {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            closed => closed.insert(File::open(&self.path)?),
        };
        file.read(buffer)
    }
}

/// Whether a file begins like a packed file. Pipes are not read.
pub fn looks_packed(path: &Path) -> bool {
    let mut magic = [0; 4];
    let is_file = path.metadata().is_ok_and(|found| found.is_file());
    let mut read = || File::open(path).and_then(|mut file| file.read_exact(&mut magic));
    is_file && read().is_ok() && magic == *b"PAR1"
}

/// Refuses an input that is already packed.
pub fn check_not_packed(path: &Path) -> Result<(), Failure> {
    if looks_packed(path) && PackedFile::open(path).is_ok() {
        let path = path.display();
        return Err(Failure::new(format!(
            "{path} is already a packed file; `plypack unpack {path}` restores its content, and \
             `plypack pack - < {path}` packs its bytes as they are"
        )));
    }
    Ok(())
}

/// Opens a packed file.
pub fn open_packed(path: &Path) -> Result<PackedFile, Failure> {
    if is_standard(path) {
        return Err(Failure::new(
            "a packed file is read from its end, which standard input does not allow; \
             write it to a file first",
        ));
    }
    Ok(PackedFile::open(path)?)
}

/// Returns an input's path with another extension, in place of its own and that of a compression:
/// `games.pgn.zst` gives `games.parquet`.
pub fn with_extension(input: &Path, extension: &str) -> PathBuf {
    content_name(input).with_extension(extension)
}

/// Whether an output names a folder: it is one, or the name ends in a separator.
pub fn is_folder(path: &Path) -> bool {
    path.to_string_lossy().ends_with(std::path::is_separator) || path.is_dir()
}

/// Refuses an output that is the input under any name: overwriting it would destroy the input.
pub fn check_apart(input: &Path, output: &Path) -> Result<(), Failure> {
    // Writing to a pipe or device loses nothing. Standard input may be a redirected file.
    if output.metadata().is_ok_and(|found| !found.is_file()) {
        return Ok(());
    }
    let path = if is_standard(input) { Path::new("/dev/stdin") } else { input };
    if is_same_file(path, output) {
        return Err(Failure::new(format!(
            "{} is the input {} itself and is not overwritten; name another file with -o",
            output.display(),
            input.display()
        )));
    }
    Ok(())
}

/// Whether two paths name one file, also through links.
#[cfg(unix)]
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |path: &Path| path.metadata().ok().map(|found| (found.dev(), found.ino()));
    place(a).is_some_and(|found| place(b) == Some(found))
}

/// Whether two paths name one file, also through symbolic links.
#[cfg(not(unix))]
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    a.canonicalize().is_ok_and(|found| b.canonicalize().is_ok_and(|other| other == found))
}

/// Whether a name means standard output: `-`, or the system's name for it, such as `/dev/stdout`.
pub fn is_standard_output(path: &Path) -> bool {
    is_standard(path) || is_same_as_standard_output(path)
}

#[cfg(unix)]
fn is_same_as_standard_output(path: &Path) -> bool {
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;
    let output = io::stdout().as_fd().try_clone_to_owned();
    let output = output.and_then(|output| File::from(output).metadata());
    let same = |output: Metadata, named: Metadata| {
        (output.dev(), output.ino()) == (named.dev(), named.ino())
    };
    output.is_ok_and(|output| path.metadata().is_ok_and(|named| same(output, named)))
}

#[cfg(not(unix))]
fn is_same_as_standard_output(_: &Path) -> bool {
    false
}

/// Returns what to do with an existing output.
pub fn existing(force: bool) -> Existing {
    if force { Existing::Replaced } else { Existing::Kept }
}

/// Begins an output, replacing an existing file if `force`. An interrupt removes it.
pub fn begin_output(path: &Path, force: bool) -> Result<Output, Failure> {
    let output = Output::begin(path, existing(force))?;
    output.unfinished().into_iter().for_each(interrupt::remove_at_end);
    Ok(output)
}

/// Returns standard output for binary data, unless it is a terminal.
pub fn binary_output() -> Result<io::Stdout, Failure> {
    let output = io::stdout();
    refuse_terminal(output.is_terminal())?;
    Ok(output)
}

/// Refuses binary output to a terminal.
pub fn refuse_terminal(is_terminal: bool) -> Result<(), Failure> {
    if is_terminal {
        return Err(Failure::new(
            "a Parquet file is not written to a terminal; name a file with -o",
        ));
    }
    Ok(())
}
