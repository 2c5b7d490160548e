//! Locks a packed file while it is being changed.

use std::fs::{File, TryLockError};
use std::path::Path;

use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::output::Output;

/// A packed file that is to be replaced by a new version. If two runs would change one file, the
/// second is refused: the games added by the first would be lost.
#[derive(Debug)]
pub struct Held {
    file: PackedFile,
    lock: File,
}

impl Held {
    /// Opens and locks a packed file. Readers are not blocked.
    ///
    /// # Errors
    /// Returns an error if another process holds the lock, or it is not a packed file.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let failed = || Error::io(path);
        let busy = || Error::Format {
            path: path.into(),
            why: "another run is changing it; try again when that has finished".into(),
        };
        if !path.metadata().map_err(failed())?.is_file() {
            // Opening a pipe would block until it has a writer.
            let why = "it is not a regular file; name a packed file".into();
            return Err(Error::Format { path: path.into(), why });
        }
        let lock = File::open(path).map_err(failed())?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(busy()),
            // Some file systems have no locks.
            Err(TryLockError::Error(_)) => {}
        }
        // The same handle, as some systems block all others on a locked file.
        let reading = lock.try_clone().map_err(failed())?;
        let file = PackedFile::open_ranges(path, Box::new(reading))?;
        // The previous holder may have replaced the file since it was opened here.
        let is_there = File::open(path).and_then(|there| is_same(&there, &lock));
        if is_there.map_err(failed())? { Ok(Self { file, lock }) } else { Err(busy()) }
    }

    /// Returns the file.
    pub fn file(&self) -> &PackedFile {
        &self.file
    }

    /// Replaces the file with its new version, which must be complete. What was read of the old one
    /// stays valid; where an open file cannot be replaced, as on Windows, nothing more can be read
    /// from it. If another program has it open there, it stays unchanged.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    pub fn replace(self, output: Output) -> Result<(), Error> {
        let Self { file, lock } = self;
        drop(file);
        // Windows needs the lock released first; elsewhere it is held until after.
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

/// Compares what all systems tell about files.
#[cfg(not(unix))]
fn is_same(one: &File, other: &File) -> std::io::Result<bool> {
    let (one, other) = (one.metadata()?, other.metadata()?);
    Ok((one.len(), one.modified()?) == (other.len(), other.modified()?))
}
