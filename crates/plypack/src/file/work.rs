//! The threads, progress and cancellation of a builder.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::{Progress, Watcher};
use crate::error::Error;
use crate::store::input::opening::BytesRead;
use crate::store::{Done, Work};

/// What builders of work that may take long have in common.
#[derive(Default)]
pub(crate) struct Working<'a> {
    /// The number of threads; 0 means one per core.
    pub threads: usize,
    /// Once set, the work ends at the next record.
    pub stop: Arc<AtomicBool>,
    pub watcher: Option<Watcher<'a>>,
    /// What is read of inputs, where some are packed.
    pub read: BytesRead,
    /// How much there is to read, if known.
    pub size: Option<u64>,
}

impl Working<'_> {
    /// Does `work`, and reports its progress to the watcher.
    ///
    /// # Errors
    /// Returns the error of the work, which is [`Error::Stopped`] if the flag is set before its
    /// last record; and [`Error::Stopped`] if the watcher asks to stop, even after that.
    pub fn run<T>(
        self,
        work: impl FnOnce(&Work<'_>) -> Result<T, crate::store::Error>,
    ) -> Result<T, Error> {
        let Self { threads, stop, watcher, read, size } = self;
        let told = Mutex::new((Progress { size, ..Progress::default() }, watcher));
        let asked = AtomicBool::new(false);
        let progress = |done: Done| {
            // A watcher that panicked is not called again: its panic reaches the caller.
            let Ok(mut told) = told.lock() else { return };
            let (so_far, watcher) = &mut *told;
            so_far.records = so_far.records.saturating_add(done.records);
            so_far.bytes = so_far.bytes.saturating_add(done.bytes);
            so_far.read = read.get();
            if watcher.as_mut().is_some_and(|watcher| watcher(so_far).is_break()) {
                asked.store(true, Ordering::Relaxed);
                stop.store(true, Ordering::Relaxed);
            }
        };
        let work = work(&Work { threads, stop: &stop, progress: &progress });
        let done = work.map_err(Error::file)?;
        if asked.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(done) }
    }
}

impl fmt::Debug for Working<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Working").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// The methods of a builder that set how it works, in an `impl<'a>` for a type whose field `work`
/// is a [`Working<'a>`]. The macro's caller documents when `progress` is called.
macro_rules! working {
    ($(#[$doc:meta])*) => {
        /// Sets the number of threads; 0 (the default) uses one per core.
        pub fn threads(mut self, threads: usize) -> Self {
            self.work.threads = threads;
            self
        }

        /// Ends the work at the next record once this flag is set, from any thread. It is also set
        /// when [`progress`](Self::progress) asks to stop.
        pub fn stop(mut self, stop: std::sync::Arc<std::sync::atomic::AtomicBool>) -> Self {
            self.work.stop = stop;
            self
        }

        $(#[$doc])*
        pub fn progress(
            mut self,
            progress: impl FnMut(&$crate::Progress) -> std::ops::ControlFlow<()> + Send + 'a,
        ) -> Self {
            self.work.watcher = Some(Box::new(progress));
            self
        }
    };
}

/// The method of a builder that sets what happens to an existing output, in an `impl` for a type
/// with a field `existing`.
macro_rules! overwriting {
    () => {
        /// Sets whether an existing output is replaced (the default), or refused with
        /// [`Error::Exists`].
        pub fn overwrite(mut self, overwrite: bool) -> Self {
            self.existing = match overwrite {
                true => crate::store::Existing::Replaced,
                false => crate::store::Existing::Kept,
            };
            self
        }
    };
}

pub(crate) use {overwriting, working};
