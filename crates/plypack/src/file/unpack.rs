//! Unpacking: the original bytes back.

use std::fmt;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use plypack_store::export;
use plypack_store::output::{Existing, Output};

use super::{PackedFile, Progress, Watcher, check_apart, open};
use crate::error::Error;

/// Unpacks one file into another: `games.parquet` into `games.pgn`, the same bytes that were
/// packed. What is at `output` is replaced, once all of the new file is on disk. Several inputs
/// come one after the other; [`Unpacker::for_each`] tells them apart.
///
/// # Errors
/// [`Error::Io`], [`Error::File`], or [`Error::Record`] if a record does not come back to its
/// original bytes.
pub fn unpack(packed: impl AsRef<Path>, output: impl AsRef<Path>) -> Result<(), Error> {
    open(packed)?.unpacker().to_file(output)
}

/// Gives the original bytes of a packed file back, with choices: [`PackedFile::unpacker`].
///
/// Every record's checksum is compared before its bytes are given.
#[must_use = "nothing is unpacked before it is said where to"]
pub struct Unpacker<'a> {
    file: &'a PackedFile,
    threads: usize,
    progress: Option<Watcher<'a>>,
}

impl<'a> Unpacker<'a> {
    pub(crate) fn new(file: &'a PackedFile) -> Self {
        Self { file, threads: 0, progress: None }
    }

    /// Works on so many threads; 0, the usual number, is one a core.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Calls `progress` after each group of records, at most 16 MiB or 16,384 games; it may stop
    /// the work.
    pub fn progress(
        mut self,
        progress: impl FnMut(&Progress) -> ControlFlow<()> + Send + 'a,
    ) -> Self {
        self.progress = Some(Box::new(progress));
        self
    }

    /// Writes all bytes, of all inputs, to `writer`.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::File`], [`Error::Record`], [`Error::Stopped`]. Then a part of the
    /// bytes may be written.
    pub fn to_writer(self, mut writer: impl Write + Send) -> Result<(), Error> {
        let path = self.file.path();
        self.for_each(|_, bytes| writer.write_all(bytes))?;
        writer.flush().map_err(Error::io(path))
    }

    /// Writes all bytes, of all inputs, to a file at `output`. What is there is replaced, once all
    /// of the new file is on disk; after an error it is as it was.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::File`], [`Error::Record`], [`Error::Stopped`].
    pub fn to_file(self, output: impl AsRef<Path>) -> Result<(), Error> {
        let output = output.as_ref();
        check_apart(self.file.path(), output)?;
        let mut output = Output::begin(output, Existing::Replaced).map_err(Error::file)?;
        self.to_writer(&mut output)?;
        output.publish().map_err(Error::file)
    }

    /// Gives the bytes piece by piece, each with the name of the input that it is of. The pieces of
    /// an input come in order and follow one another, unless another tool sorted the file.
    ///
    /// # Errors
    /// [`Error::Io`], also if `sink` fails; [`Error::File`], [`Error::Record`], [`Error::Stopped`].
    pub fn for_each(
        self,
        mut sink: impl FnMut(&str, &[u8]) -> std::io::Result<()> + Send,
    ) -> Result<(), Error> {
        let Self { file, threads, mut progress } = self;
        let stop = AtomicBool::new(false);
        let bytes_so_far = AtomicU64::new(0);
        let mut give = |name: &str, bytes: &[u8]| {
            bytes_so_far.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            sink(name, bytes).map_err(plypack_store::Error::io(file.path()))
        };
        let mut tell = |records| {
            let bytes = bytes_so_far.load(Ordering::Relaxed);
            let so_far = Progress { records, bytes };
            if progress.as_mut().is_some_and(|progress| progress(&so_far).is_break()) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        export(&file.inner, threads, &stop, &mut give, &mut tell).map_err(Error::file)?;
        // Whoever stops behind the last record means it, too.
        if stop.into_inner() { Err(Error::Stopped) } else { Ok(()) }
    }
}

impl fmt::Debug for Unpacker<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, threads) = (self.file.path(), self.threads);
        f.debug_struct("Unpacker")
            .field("file", &file)
            .field("threads", &threads)
            .finish_non_exhaustive()
    }
}
