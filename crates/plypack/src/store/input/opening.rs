//! Opens the inputs of packing: files, compressed or not, tables of games, folders and archives of
//! files, pipes, and `-` for standard input.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

use super::archive::{self, Archive};
use super::compressed::content_name;
use super::database::losses::Losses;
use super::database::sources::{later_database, with_databases};
use super::database::{Database, Look, is_companion};
use super::folder::{self, Found};
use super::names::{self, Places};
use super::table::Table;
use super::{Source, Sources, beside};
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::ranges::Ranges;

/// Why an input has no default output.
const NO_NAME: &str = "it has no name to derive an output from";

/// The name of standard input and output.
pub const STANDARD: &str = "-";

/// Whether a name means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == STANDARD
}

/// Extensions of archives, apart from those of compressions.
const ENDINGS: [&str; 7] = ["zip", "tar", "tgz", "txz", "tbz", "tbz2", "tzst"];

/// An input of a known kind.
pub struct Input {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    /// Records, or a pipe of anything.
    File,
    /// A table of games.
    Table,
    /// A database of another program, by the file that names it.
    Database,
    Folder(Vec<Found>),
    Archive(Archive),
    /// Bytes from anywhere.
    Reader(Source),
}

/// Opened inputs.
pub struct Opened {
    /// The sources to pack, in order.
    pub sources: Sources,
    /// Number of sources so far.
    pub count: Arc<AtomicU64>,
    /// Total size in bytes, if known.
    pub size: Option<u64>,
    /// For each table of games, the columns that PGN has no place for.
    pub left_out: Vec<(String, Vec<String>)>,
    /// The databases, which are read as the PGN that their games make, and what they hold that
    /// their PGN does not, once they are read.
    pub losses: Losses,
}

impl Input {
    /// Determines the kind of an input.
    ///
    /// # Errors
    /// Returns an error if it is a folder without files, already packed, or a database that cannot
    /// be read.
    pub fn look(path: &Path) -> Result<Self, Error> {
        let path = path.to_path_buf();
        if path.is_dir() {
            let found = folder::files(&path)?;
            if found.is_empty() {
                return Err(Error::Format { path, why: "it is a folder without files".into() });
            }
            return Ok(Self { path, kind: Kind::Folder(found) });
        }
        check_not_packed(&path)?;
        let is_file = path.metadata().is_ok_and(|found| found.is_file());
        let archive = if is_file { File::open(&path).ok().and_then(Archive::look) } else { None };
        let kind = match archive {
            Some(archive) => Kind::Archive(archive),
            None if is_table(&path) => Kind::Table,
            None => match Look::at(&path) {
                Look::Database => Kind::Database,
                Look::Unread(why) => return Err(Error::Format { path, why }),
                Look::Other => Kind::File,
            },
        };
        Ok(Self { path, kind })
    }

    /// An input that is read from anywhere, under this name.
    pub fn reader(name: impl Into<String>, reader: Box<dyn Read + Send>) -> Self {
        let source = Source::new(name, reader);
        Self { path: PathBuf::from(&source.name), kind: Kind::Reader(source) }
    }

    /// Whether it is a folder or an archive.
    pub fn is_container(&self) -> bool {
        matches!(self.kind, Kind::Folder(_) | Kind::Archive(_))
    }

    /// Returns the default path of its packed file.
    ///
    /// # Errors
    /// Returns an error if it has no name.
    pub fn default_output(&self) -> Result<PathBuf, Error> {
        if is_standard(&self.path) {
            let path = "standard input".into();
            return Err(Error::Format { path, why: NO_NAME.into() });
        }
        if !self.is_container() {
            return Ok(with_extension(&self.path, "parquet"));
        }
        let Some(own) = self.path.file_name() else {
            return Err(Error::Format { path: self.path.clone(), why: NO_NAME.into() });
        };
        // A dot in a folder's name does not begin an extension.
        let content = self.content_path();
        let mut name = content.file_name().unwrap_or(own).to_os_string();
        name.push(".parquet");
        Ok(self.path.with_file_name(name))
    }

    /// Refuses an output that is the input, or a file in it.
    ///
    /// # Errors
    /// Returns an error if it is.
    pub fn check_apart(&self, output: &Path) -> Result<(), Error> {
        match &self.kind {
            Kind::Folder(found) => {
                found.iter().try_for_each(|found| check_apart(&found.path, output))
            }
            // Its name is not a path.
            Kind::Reader(_) => Ok(()),
            _ => check_apart(&self.path, output),
        }
    }

    /// Returns the path of the content: an archive is named like a folder.
    fn content_path(&self) -> PathBuf {
        match &self.kind {
            Kind::File | Kind::Reader(_) => self.path.clone(),
            Kind::Table => Table::content_name(&self.path),
            Kind::Database => Database::content_name(&self.path),
            Kind::Folder(_) => match self.path.file_name() {
                Some(_) => self.path.clone(),
                None => self.path.canonicalize().unwrap_or_else(|_| self.path.clone()),
            },
            Kind::Archive(_) => {
                let content = content_name(&self.path);
                let ending = content.extension().unwrap_or_default().to_string_lossy();
                let known = ENDINGS.contains(&ending.to_ascii_lowercase().as_str());
                if known { content.with_extension("") } else { content }
            }
        }
    }

    /// Opens it under the given name; files in it are named as if in a folder called `folder`.
    fn open(
        self,
        name: String,
        folder: &str,
        read: &BytesRead,
        opened: &mut Opened,
    ) -> Result<Sources, Error> {
        let path = self.path;
        let counted = move |path: &Path, read: &BytesRead| {
            Ok(Counted { reader: File::open(path)?, read: read.clone() })
        };
        let mut add = |size: Option<u64>| {
            opened.size = opened.size.zip(size).map(|(total, size)| total.saturating_add(size));
        };
        let size = |path: &Path| path.metadata().ok().map(|found| found.len());
        Ok(match self.kind {
            Kind::Reader(source) => {
                add(None);
                vec![source].into()
            }
            Kind::Folder(found) => {
                found.iter().for_each(|found| add(size(&found.path)));
                let (read, folder) = (read.clone(), folder.to_owned());
                let losses = opened.losses.clone();
                let source = move |Found { path, name }| {
                    let name = match folder.as_str() {
                        "" => name,
                        folder => format!("{folder}/{name}"),
                    };
                    Ok(match Look::at(&path) {
                        Look::Database => later_database(&path, &name, &losses),
                        // A database that cannot be read is kept as it is, like any other file.
                        Look::Unread(_) | Look::Other => later(&path, name, &read),
                    })
                };
                let own = |found: &Found| !is_companion(&found.path);
                Sources::new(found.into_iter().filter(own).map(source))
            }
            Kind::Archive(Archive::Tar) => {
                add(size(&path));
                let (at, read) = (path.clone(), read.clone());
                let files = archive::tar(&path, folder, move || counted(&at, &read));
                with_databases(files, &opened.losses)
            }
            Kind::Archive(Archive::Zip) => {
                add(size(&path));
                let (at, read) = (path.clone(), read.clone());
                let files = archive::zip(&path, folder, move || counted(&at, &read));
                with_databases(files, &opened.losses)
            }
            Kind::Database => {
                add(None);
                vec![later_database(&path, &name, &opened.losses)].into()
            }
            Kind::File | Kind::Table => {
                let file = open_file(&path, name, read)?;
                add(file.size);
                if !file.left_out.is_empty() {
                    opened.left_out.push((path.display().to_string(), file.left_out));
                }
                if file.is_streamed {
                    let Source { name, reader, .. } = file.source;
                    let folder = if folder == STANDARD { "stdin" } else { folder };
                    let files = archive::streamed(&path, folder, name, reader);
                    with_databases(files, &opened.losses)
                } else {
                    vec![file.source].into()
                }
            }
        })
    }
}

/// Opens inputs, in their order. Files in a sole container are named by their paths within it; with
/// several inputs, each container is a folder.
pub fn open(inputs: Vec<Input>, read: &BytesRead) -> Result<Opened, Error> {
    let is_named = |input: &&Input| !matches!(input.kind, Kind::Reader(_));
    let paths: Vec<PathBuf> = inputs.iter().filter(is_named).map(Input::content_path).collect();
    let mut names = names::of_inputs(&paths)?.into_iter();
    let is_only = inputs.len() == 1;
    let none = Sources::from(Vec::new());
    let mut opened = Opened {
        sources: none,
        count: Arc::default(),
        size: Some(0),
        left_out: Vec::new(),
        losses: Losses::default(),
    };
    let mut all = Vec::with_capacity(inputs.len());
    for input in inputs {
        let name = if is_named(&&input) { names.next().unwrap_or_default() } else { String::new() };
        let folder = if is_only { String::new() } else { name.clone() };
        all.push(input.open(name, &folder, read, &mut opened)?);
    }
    let mut places = Places::default();
    let count = Arc::clone(&opened.count);
    let each = move |source: Result<Source, Error>| {
        let source = source?;
        places.take(&source.name)?;
        count.fetch_add(1, Ordering::Relaxed);
        Ok(source)
    };
    opened.sources = Sources::new(all.into_iter().flatten().map(each));
    Ok(opened)
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
struct Counted<R> {
    reader: R,
    read: BytesRead,
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

/// A file that was opened.
struct OpenedFile {
    /// The source to pack.
    source: Source,
    /// Size in bytes, if known.
    size: Option<u64>,
    /// Whether it can be read only once.
    is_streamed: bool,
    /// The columns of a table that PGN has no place for.
    left_out: Vec<String>,
}

/// Opens an input, `-` for standard input, under the given name.
fn open_file(path: &Path, name: String, read: &BytesRead) -> Result<OpenedFile, Error> {
    let read = read.clone();
    let streamed =
        |source| OpenedFile { source, size: None, is_streamed: true, left_out: Vec::new() };
    if is_standard(path) {
        let reader = Box::new(Counted { reader: io::stdin(), read });
        return Ok(streamed(Source::new(name, reader)));
    }
    let file = File::open(path).map_err(Error::io(path))?;
    let metadata = file.metadata().map_err(Error::io(path))?;
    if !metadata.is_file() {
        // A pipe can be opened only once.
        return Ok(streamed(Source::new(name, Box::new(Counted { reader: file, read }))));
    }
    let size = Some(metadata.len());
    if let Some(table) = open_table(path, &BytesRead::default())? {
        let left_out = table.left_out().to_vec();
        let reader = Box::new(LaterTable { path: path.into(), read, table: None });
        let source = Source::new(name, reader);
        return Ok(OpenedFile { source, size, is_streamed: false, left_out });
    }
    let source = later(path, name, &read);
    Ok(OpenedFile { source, size, is_streamed: false, left_out: Vec::new() })
}

/// Returns a source with this name whose file is opened when its turn comes.
fn later(path: &Path, name: String, read: &BytesRead) -> Source {
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
fn is_table(path: &Path) -> bool {
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
fn check_not_packed(path: &Path) -> Result<(), Error> {
    if looks_packed(path) && PackedFile::open(path).is_ok() {
        let shown = path.display();
        let why = format!(
            "it is already a packed file; `plypack unpack {shown}` restores its content, and \
             `plypack pack - < {shown}` packs its bytes as they are"
        );
        return Err(Error::Format { path: path.into(), why });
    }
    Ok(())
}

/// Returns an input's path with another extension, in place of its own and that of a compression:
/// `games.pgn.zst` gives `games.parquet`.
pub fn with_extension(input: &Path, extension: &str) -> PathBuf {
    content_name(input).with_extension(extension)
}

/// Refuses an output that is the input under any name: overwriting it would destroy the input.
pub fn check_apart(input: &Path, output: &Path) -> Result<(), Error> {
    // Writing to a pipe or device loses nothing. Standard input may be a redirected file.
    if output.metadata().is_ok_and(|found| !found.is_file()) {
        return Ok(());
    }
    let path = if is_standard(input) { Path::new("/dev/stdin") } else { input };
    if is_same_file(path, output) {
        let input = input.display();
        let why = format!("it is the input {input} itself and is not overwritten");
        return Err(Error::Format { path: output.into(), why });
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
