//! Verifies packed files and their indices.

use std::fmt;

use super::collection::RefusedIndex;
use super::work::{Working, working};
use super::{Contents, PackedFile};
use crate::error::Error;
use crate::store::index::Indices;
use crate::store::verify;

/// Verifies a packed file, with options: [`PackedFile::verifier`].
///
/// ```
/// # fn main() -> Result<(), plypack::Error> {
/// use plypack::{PackedFile, Packer};
///
/// let packed = std::env::temp_dir().join("plypack-verified.parquet");
/// Packer::new().reader("a.pgn", &b"1. e4 e5 *\n"[..]).index(true).pack(&packed)?;
/// let file = PackedFile::open(&packed)?;
/// for fault in file.verifier().faults_max(20).verify()? {
///     println!("{fault}");
/// }
/// assert!(file.verifier().verify_indices()?.is_empty());
/// # Ok(())
/// # }
/// ```
#[must_use = "call `verify` or `verify_indices` to verify"]
pub struct Verifier<'a> {
    file: &'a PackedFile,
    faults_max: usize,
    work: Working<'a>,
}

impl<'a> Verifier<'a> {
    pub(crate) fn new(file: &'a PackedFile) -> Self {
        Self { file, faults_max: usize::MAX, work: Working::default() }
    }

    /// Sets the number of faults, at least 1, after which [`verify`](Self::verify) ends; by default
    /// it goes on to the end of the file.
    pub fn faults_max(mut self, faults_max: usize) -> Self {
        self.faults_max = faults_max.max(1);
        self
    }

    working! {
        /// Calls `progress` after each group of records, at most 16 MiB or 16,384 games, or as the
        /// bytes of an index are read; it may stop the work.
    }

    /// Decodes every record and compares checksums. Returns what is wrong, in order:
    /// [`Error::Record`] if a record does not match its original bytes; [`Error::Page`] if a part
    /// of a column is damaged, even if its records can be restored without it; [`Error::Io`] or
    /// [`Error::File`] if a group of records cannot be read at all. Nothing, if the file is sound.
    ///
    /// # Errors
    /// Returns [`Error::Io`] or [`Error::File`] if the file cannot be read at all;
    /// [`Error::Stopped`].
    pub fn verify(self) -> Result<Vec<Error>, Error> {
        let Self { file, faults_max, work } = self;
        let faults = work.run(|work| verify(&file.inner, faults_max, work))?;
        Ok(faults.into_iter().map(Error::file).collect())
    }

    /// Reads the indices beside the file and compares their checksums. Returns those that are not
    /// used, and those that are damaged; nothing, if all are sound or there are none. Progress is
    /// in bytes.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if an index cannot be read; [`Error::Stopped`].
    pub fn verify_indices(self) -> Result<Vec<RefusedIndex>, Error> {
        let Self { file, work, .. } = self;
        if file.contents() != Contents::Games {
            return Ok(Vec::new());
        }
        let refused = work.run(|work| Indices::open(&file.inner).verify(work))?;
        Ok(refused.iter().map(RefusedIndex::of).collect())
    }
}

impl fmt::Debug for Verifier<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Verifier")
            .field("file", &self.file.path())
            .field("faults_max", &self.faults_max)
            .field("threads", &self.work.threads)
            .finish_non_exhaustive()
    }
}
