//! Writes an index, which gets its name only once it is complete and on disk.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::builder::{Builder, Built};
use super::part::{PARTS_MAX, part_path};
use crate::store::error::Error;
use crate::store::output::{Existing, Output};

/// An index being written.
#[derive(Debug)]
pub struct IndexWriter {
    path: PathBuf,
    output: Output,
    builder: Builder,
}

/// A finished index that does not have its name yet.
#[derive(Debug)]
pub struct Unpublished {
    output: Output,
    built: Built,
}

impl IndexWriter {
    /// Begins an index at this path, replacing any existing one. Data that does not fit into memory
    /// goes to unnamed files in the same folder.
    ///
    /// # Errors
    /// Returns an error if nothing can be written there.
    pub fn begin(path: &Path) -> Result<Self, Error> {
        let output = Output::begin(path, Existing::Replaced)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let builder = Builder::new(folder.unwrap_or(Path::new(".")))?;
        Ok(Self { path: path.into(), output, builder })
    }

    /// Returns the builder, which receives the games.
    pub fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    /// Writes the index. `ids` are those of the added row groups.
    ///
    /// # Errors
    /// Returns an error if writing fails or `stop` is set.
    pub fn finish(self, ids: &[[u8; 16]], stop: &AtomicBool) -> Result<Unpublished, Error> {
        let Self { path, mut output, builder } = self;
        let built = builder.finish(ids, &mut output, &path, stop)?;
        Ok(Unpublished { output, built })
    }
}

impl Unpublished {
    /// Changes the target to the index of another file in the same folder, for a renamed file.
    pub fn rename(&mut self, file: &Path) {
        self.output.rename(&part_path(file, 0));
    }

    /// Publishes the index under its name.
    ///
    /// # Errors
    /// Returns an error if the operating system does.
    pub fn publish(self) -> Result<Built, Error> {
        self.output.publish()?;
        Ok(self.built)
    }
}

/// Removes the indices beside a file, except those with these numbers.
///
/// # Errors
/// Returns an error if the operating system does.
pub fn remove_others(file: &Path, kept: &[usize]) -> Result<(), Error> {
    for number in (0..PARTS_MAX).filter(|number| !kept.contains(number)) {
        let path = part_path(file, number);
        match std::fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io(path)(error));
            }
            _ => {}
        }
    }
    Ok(())
}
