//! Merges packed files.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::work::{Working, overwriting, working};
use super::{check_apart, expanded};
use crate::error::Error;
use crate::store::revision::{Merged, merge};
use crate::store::{Existing, Output, PackedFile as Inner, versions};

/// Merges packed files into one, with options.
///
/// Records are copied as they are coded, in the order of the files. If one of the files has an
/// index, so has the result.
#[must_use = "call `merge` to merge"]
#[derive(Debug, Default)]
pub struct Merger<'a> {
    files: Vec<PathBuf>,
    index: bool,
    existing: Existing,
    work: Working<'a>,
}

/// What was merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MergeReport {
    /// Records in the result.
    pub records: u64,
    /// The inputs that were renamed, because another had that name: the number of the file, counted
    /// from 0, and both names.
    pub renamed: Vec<(usize, String, String)>,
}

impl MergeReport {
    fn of(merged: Merged) -> Self {
        Self { records: merged.records, renamed: merged.renamed }
    }
}

impl<'a> Merger<'a> {
    /// Returns a merger without files.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a packed file, or a folder, which stands for its `*.parquet` files in order of name.
    pub fn file(mut self, path: impl AsRef<Path>) -> Self {
        self.files.push(path.as_ref().to_path_buf());
        self
    }

    /// Builds the index of the result even if no file has one.
    pub fn index(mut self, index: bool) -> Self {
        self.index = index;
        self
    }

    overwriting! {}

    working! {
        /// Calls `progress` as records are copied, and again as they are indexed; it may stop the
        /// work.
    }

    /// Merges the files into a file at `output`, which gets its name once all of it is on disk.
    ///
    /// # Errors
    /// Returns [`Error::Io`], also if a file is the output; [`Error::File`] if a file is damaged,
    /// or if some hold games and others positions; [`Error::Exists`]; [`Error::Stopped`]. Then
    /// there is no new file. [`Error::Unindexed`] if only its index is missing.
    pub fn merge(self, output: impl AsRef<Path>) -> Result<MergeReport, Error> {
        let Self { files: paths, index, existing, work } = self;
        let output = output.as_ref();
        let mut files = Vec::new();
        for path in expanded(paths)? {
            check_apart(&path, output)?;
            files.push(Inner::open(&path).map_err(Error::file)?);
        }
        let file = Output::begin(output, existing).map_err(Error::file)?;
        let merged = work.run(|work| versions::merge_to(&files, file, index, work))?;
        Ok(MergeReport::of(merged))
    }

    /// Merges the files to `writer`, under a `name` for messages. No index is built.
    ///
    /// # Errors
    /// As [`merge`](Self::merge). Some bytes may then be written, which are no packed file.
    pub fn to_writer(
        self,
        name: impl AsRef<Path>,
        mut writer: impl Write + Send,
    ) -> Result<MergeReport, Error> {
        let (name, paths) = (name.as_ref(), expanded(self.files)?);
        let files = paths.iter().map(|path| Inner::open(path)).collect::<Result<Vec<_>, _>>();
        let files = files.map_err(Error::file)?;
        let merged = self.work.run(|work| merge(&files, &mut writer, name, work))?;
        writer.flush().map_err(Error::io(name))?;
        Ok(MergeReport::of(merged))
    }
}
