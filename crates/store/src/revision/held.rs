//! A packed file that nobody else changes meanwhile.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::error::Error;
use crate::file::PackedFile;
use crate::output::Output;

/// A packed file that is to be replaced by a new version of it. Of two runs that would change one
/// file the second is refused: the games that the first adds would be lost.
#[derive(Debug)]
pub struct Held {
    file: PackedFile,
    lock: File,
}

impl Held {
    /// Opens a packed file and holds it. Readers are not kept from it.
    ///
    /// # Errors
    /// If somebody else holds it, or it is no packed file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = || Error::io(path);
        let busy = || Error::Format {
            path: path.into(),
            why: "another run is changing it; try again when that has ended".into(),
        };
        if !path.metadata().map_err(failed())?.is_file() {
            // A pipe would not open before somebody writes to it.
            let why = "it is no file; name a packed file".into();
            return Err(Error::Format { path: path.into(), why });
        }
        let lock = File::open(path).map_err(failed())?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(busy()),
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        // By the same handle: some systems keep all others from a file that is locked.
        let reading = lock.try_clone().map_err(failed())?;
        let file = PackedFile::open_ranges(path, Box::new(reading))?;
        // Who held it before may have put another in its place since we opened it.
        let is_there = File::open(path).and_then(|there| is_same(&there, &lock));
        if is_there.map_err(failed())? { Ok(Self { file, lock }) } else { Err(busy()) }
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &PackedFile {
        &self.file
    }

    /// Puts its new version, which is complete, in its place. What was read of the old one
    /// remains; it cannot be read any further where a file that is open cannot be replaced, as on
    /// Windows. If another program reads it there, it stays as it was.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn replace(self, output: Output) -> Result<(), Error> {
        let Self { file, lock } = self;
        drop(file);
        // Where our own lock would be in the way, it ends before; elsewhere it holds until then.
        let lock = if cfg!(windows) {
            drop(lock);
            None
        } else {
            Some(lock)
        };
        let replaced = output.publish();
        drop(lock);
        replaced
    }
}

#[cfg(unix)]
fn is_same(one: &File, other: &File) -> std::io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (one, other) = (one.metadata()?, other.metadata()?);
    Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

/// By what can be seen of files everywhere.
#[cfg(not(unix))]
fn is_same(one: &File, other: &File) -> std::io::Result<bool> {
    let (one, other) = (one.metadata()?, other.metadata()?);
    Ok((one.len(), one.modified()?) == (other.len(), other.modified()?))
}
