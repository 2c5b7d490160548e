//! Writing an index: under its name only when it is complete and on disk.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use super::builder::{Builder, Built};
use super::part::{PARTS_MAX, part_path};
use crate::error::Error;
use crate::output::{Existing, Output};

/// An index that is being written.
#[derive(Debug)]
pub struct IndexWriter {
    path: PathBuf,
    output: Output,
    builder: Builder,
}

/// An index that is written, but not yet under its name.
#[derive(Debug)]
pub struct Unpublished {
    output: Output,
    built: Built,
}

impl IndexWriter {
    /// Begins an index at this path, in the place of one that is there. What does not fit into
    /// memory stands in nameless files in the same folder.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub fn begin(path: &Path) -> Result<Self, Error> {
        let output = Output::begin(path, Existing::Replaced)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let builder = Builder::new(folder.unwrap_or(Path::new(".")))?;
        Ok(Self { path: path.into(), output, builder })
    }

    /// Where it is until it is published.
    #[must_use]
    pub fn unfinished(&self) -> Option<&Path> {
        self.output.unfinished()
    }

    /// What takes the games.
    pub fn builder(&mut self) -> &mut Builder {
        &mut self.builder
    }

    /// Writes it. `ids` are those of the row groups that were added.
    ///
    /// # Errors
    /// If that fails, or `stop` was set.
    pub fn finish(self, ids: &[[u8; 16]], stop: &AtomicBool) -> Result<Unpublished, Error> {
        let Self { path, mut output, builder } = self;
        let built = builder.finish(ids, &mut output, &path, stop)?;
        Ok(Unpublished { output, built })
    }
}

impl Unpublished {
    /// Has it get the name of the index of another file in the same folder, as that is what the
    /// file is called now.
    pub fn rename(&mut self, file: &Path) {
        self.output.rename(&part_path(file, 0));
    }

    /// Puts it under its name.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn publish(self) -> Result<Built, Error> {
        self.output.publish()?;
        Ok(self.built)
    }
}

/// Removes the indices beside a file, but those of these numbers.
///
/// # Errors
/// If the system refuses.
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
