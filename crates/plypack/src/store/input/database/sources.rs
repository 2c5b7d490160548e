//! Databases as inputs, each opened when its turn comes: from files on disk, and out of archives
//! and pipes, whose files come once and in any order.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::losses::Losses;
use super::{
    Database, HEAD_BYTES, Look, begins_archive, is_companion, may_be_part, not_unpacked,
    unnamed_file,
};
use crate::store::error::Error;
use crate::store::input::opening::STANDARD;
use crate::store::input::{Source, Sources};

/// The most bytes that are copied out of an archive or a pipe to read a database, and those of all
/// files of an archive that are kept until its end.
const COPIED_BYTES_MAX: u64 = 16 << 30;

/// Returns a source of a database's games, whose files are opened when its turn comes. Its name is
/// that of the PGN.
pub fn later_database(path: &Path, name: &str, losses: &Losses) -> Source {
    let (path, losses) = (path.to_path_buf(), losses.clone());
    let open = move || opened(Database::open(&path, &losses));
    source(name, Box::new(open), None)
}

/// The database that was there when its files were looked at.
fn opened(database: Result<Option<Database>, Error>) -> io::Result<Database> {
    let gone = || io::Error::other("it has changed since it was first opened");
    database.map_err(io::Error::other)?.ok_or_else(gone)
}

/// Opens a database.
type Open = Box<dyn FnOnce() -> io::Result<Database> + Send>;

/// Returns a source of a database's games, which is opened when its turn comes.
fn source(name: &str, open: Open, folder: Option<Arc<TempDir>>) -> Source {
    let name = match name {
        STANDARD => STANDARD.into(),
        name => Database::content_name(Path::new(name)).to_string_lossy().into_owned(),
    };
    let reader = Later { open: Some(open), database: None, _folder: folder };
    Source::new(name, Box::new(reader))
}

/// A database that is opened when its turn comes.
struct Later {
    /// Present until then.
    open: Option<Open>,
    database: Option<Database>,
    /// The folder of its files, if they are removed with it: dropped last.
    _folder: Option<Arc<TempDir>>,
}

impl Read for Later {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(open) = self.open.take() {
            self.database = Some(open()?);
        }
        // It has ended if it could not be opened.
        self.database.as_mut().map_or(Ok(0), |database| database.read(buffer))
    }
}

/// Reads the databases among the files of an archive or a pipe, each as one input.
///
/// A file that is an archive with a database is copied to disk, as its parts are read side by side.
/// So are files that may be parts of a database of several: they come last, once all are there.
pub fn with_databases(files: Sources, losses: &Losses) -> Sources {
    let (losses, kept) = (losses.clone(), Some(Kept::default()));
    Sources::new(WithDatabases { files, losses, kept, last: Vec::new().into_iter() })
}

struct WithDatabases {
    files: Sources,
    losses: Losses,
    /// Present until all files were seen.
    kept: Option<Kept>,
    last: std::vec::IntoIter<Source>,
}

impl Iterator for WithDatabases {
    type Item = Result<Source, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.kept.is_some() {
            let Some(source) = self.files.next() else {
                let kept = self.kept.take()?;
                self.last = kept.sources(&self.losses).into_iter();
                break;
            };
            match source.and_then(|source| self.place(source)) {
                Ok(None) => {}
                Ok(Some(source)) => return Some(Ok(source)),
                Err(error) => return Some(Err(error)),
            }
        }
        self.last.next().map(Ok)
    }
}

impl WithDatabases {
    /// Returns the input that a file is; `None` if it is kept until all were seen.
    fn place(&mut self, source: Source) -> Result<Option<Source>, Error> {
        let Source { name, mut reader, names } = source;
        let mut head = Vec::new();
        let read = reader.by_ref().take(HEAD_BYTES as u64).read_to_end(&mut head);
        read.map_err(Error::input(&name))?;
        let (is_archive, may_be_part) =
            (begins_archive(&head), may_be_part(Path::new(&name), &head));
        let whole = io::Cursor::new(head).chain(reader);
        if is_archive {
            return Ok(Some(in_archive(&name, whole, &self.losses)));
        }
        match &mut self.kept {
            Some(kept) if may_be_part && kept.has_room(&name) => {
                kept.add(&name, whole).map_err(Error::input(&name))?;
                Ok(None)
            }
            _ => Ok(Some(Source { name, reader: Box::new(whole), names })),
        }
    }
}

/// Returns a source of the games of the database in an archive.
fn in_archive(name: &str, archive: impl Read + Send + 'static, losses: &Losses) -> Source {
    let losses = losses.clone();
    let path = PathBuf::from(match name {
        STANDARD => "standard input",
        name => name,
    });
    let open = move || {
        let mut copy = unnamed_file()?;
        if copy_all(archive, &mut copy, COPIED_BYTES_MAX)?.is_none() {
            let why = "this archive of ChessBase takes more than 16 GiB; name it as a file instead \
                       of piping or archiving it";
            return Err(io::Error::other(why));
        }
        Database::in_archive(&path, copy, &losses).map_err(io::Error::other)
    };
    source(name, Box::new(open), None)
}

/// Copies all bytes into a file, and returns their number; `None` if there are more than `most`.
fn copy_all(from: impl Read, to: &mut File, most: u64) -> io::Result<Option<u64>> {
    let copied = io::copy(&mut from.take(most.saturating_add(1)), to);
    let copied = copied.map_err(|error| match error.kind() {
        io::ErrorKind::StorageFull => not_unpacked(error),
        _ => error,
    })?;
    Ok(Some(copied).filter(|copied| *copied <= most))
}

/// Files of an archive that may be parts of databases, in a temporary folder.
#[derive(Default)]
struct Kept {
    /// Created with the first file.
    folder: Option<TempDir>,
    /// The number of the subfolder for each name without extension. Within it a file is called by
    /// its extension, as the names in an archive may be any.
    stems: BTreeMap<PathBuf, usize>,
    /// The files: their names in the archive, and their paths.
    files: Vec<(String, PathBuf)>,
    bytes: u64,
}

impl Kept {
    /// Whether a file with this name may be kept: no other of its database has the same extension.
    fn has_room(&self, name: &str) -> bool {
        let path = self.folder.as_ref().and_then(|folder| {
            let number = self.stems.get(&Path::new(name).with_extension(""))?;
            Some(path_in(folder, *number, name))
        });
        path.is_none_or(|path| !path.exists())
    }

    /// Copies a file.
    fn add(&mut self, name: &str, from: impl Read) -> io::Result<()> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => tempfile::Builder::new().prefix("plypack-").tempdir().map_err(not_unpacked)?,
        };
        let folder = self.folder.insert(folder);
        let next = self.stems.len();
        let number = *self.stems.entry(Path::new(name).with_extension("")).or_insert(next);
        let path = path_in(folder, number, name);
        path.parent().map_or(Ok(()), fs::create_dir_all).map_err(not_unpacked)?;
        let mut file = File::create_new(&path).map_err(not_unpacked)?;
        let copied = copy_all(from, &mut file, COPIED_BYTES_MAX - self.bytes)?;
        self.bytes += copied.ok_or_else(|| {
            io::Error::other(
                "the databases in this archive take more than 16 GiB; unpack it and pack the \
                 folder",
            )
        })?;
        self.files.push((name.to_owned(), path));
        Ok(())
    }

    /// The inputs that the files are. A database that cannot be read is kept as it is, like any
    /// other file.
    fn sources(self, losses: &Losses) -> Vec<Source> {
        let folder = self.folder.map(Arc::new);
        let own = self.files.iter().filter(|(_, path)| !is_companion(path));
        let input = |(name, path): &(String, PathBuf)| {
            let (path, folder) = (path.clone(), folder.clone());
            if Look::at(&path) == Look::Database {
                let (losses, shown) = (losses.clone(), PathBuf::from(name));
                let open = move || {
                    let database = Database::open_as(&path, &shown, &losses);
                    opened(database.map_err(|error| named_after(&shown, error)))
                };
                return source(name, Box::new(open), folder);
            }
            Source::new(name.as_str(), Box::new(Part { path, file: None, _folder: folder }))
        };
        own.map(input).collect()
    }
}

/// The path of a file that is kept.
fn path_in(folder: &TempDir, number: usize, name: &str) -> PathBuf {
    let extension = Path::new(name).extension().unwrap_or_default().to_ascii_lowercase();
    folder.path().join(number.to_string()).join("games").with_extension(extension)
}

/// An error about a file that is kept, with its name in the archive.
fn named_after(index: &Path, error: Error) -> Error {
    let named = |path: PathBuf| index.with_extension(path.extension().unwrap_or_default());
    match error {
        Error::Io { path, source } => Error::Io { path: named(path), source },
        Error::Format { path, why } => Error::Format { path: named(path), why },
        other => other,
    }
}

/// A file that was kept but belongs to no database, opened when its turn comes.
struct Part {
    path: PathBuf,
    file: Option<File>,
    /// Dropped last.
    _folder: Option<Arc<TempDir>>,
}

impl Read for Part {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let file = match &mut self.file {
            Some(file) => file,
            closed => closed.insert(File::open(&self.path)?),
        };
        file.read(buffer)
    }
}
