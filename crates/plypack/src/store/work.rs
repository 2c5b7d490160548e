//! Threads, cancellation and progress of everything that takes long.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::store::error::Error;

static NEVER: AtomicBool = AtomicBool::new(false);

/// How long work is done: on how many threads, until when, and who is told.
#[derive(Clone, Copy)]
pub struct Work<'w> {
    /// The number of threads; 0 means one per core.
    pub threads: usize,
    /// Cancellation flag: once it is set, work ends at the next record.
    pub stop: &'w AtomicBool,
    /// Called with what was done since the last call, from any thread.
    pub progress: &'w (dyn Fn(Done) + Sync),
}

/// A part of some work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Number of records.
    pub records: u64,
    /// Bytes of records as they are before packing; 0 where only records are counted.
    pub bytes: u64,
}

impl Done {
    /// Returns a number of records, without their bytes.
    pub fn records(records: u64) -> Self {
        Self { records, bytes: 0 }
    }
}

impl<'w> Work<'w> {
    /// Work on this many threads that nobody stops or watches.
    pub fn on(threads: usize) -> Self {
        Self { threads, stop: &NEVER, progress: &|_| () }
    }

    /// Returns the same work without progress.
    pub fn unwatched(&self) -> Self {
        Self { progress: &|_| (), ..*self }
    }

    /// Returns an error once the flag is set.
    ///
    /// # Errors
    /// Returns [`Error::Stopped`].
    pub fn check(&self) -> Result<(), Error> {
        check(self.stop)
    }

    /// Runs `work` on the threads.
    pub(crate) fn run<T: Send>(
        &self,
        work: impl FnOnce() -> Result<T, Error> + Send,
    ) -> Result<T, Error> {
        // The default threads already exist.
        if self.threads == 0 {
            return work();
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let failed = |error| Error::io("threads")(std::io::Error::other(error));
        pool.map_err(failed)?.install(work)
    }

    /// Reports that these records are done.
    pub(crate) fn done(&self, records: u64) {
        (self.progress)(Done::records(records));
    }
}

/// Returns an error once the flag is set.
pub(crate) fn check(stop: &AtomicBool) -> Result<(), Error> {
    if stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
}

impl fmt::Debug for Work<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Work").field("threads", &self.threads).finish_non_exhaustive()
    }
}
