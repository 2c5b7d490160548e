//! The threads and progress of a builder.

use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Progress, Watcher};
use crate::error::Error;
use crate::store::{Done, Work};

/// What builders of long work have in common.
#[derive(Default)]
pub(crate) struct Working<'a> {
    /// The number of threads; 0 means one per core.
    pub threads: usize,
    pub watcher: Option<Watcher<'a>>,
}

impl Working<'_> {
    /// Does `work`, and reports its progress to the watcher.
    ///
    /// # Errors
    /// Returns the error of the work, or [`Error::Stopped`] if the watcher asks to stop, even after
    /// the last record.
    pub fn run<T>(
        self,
        work: impl FnOnce(&Work<'_>) -> Result<T, crate::store::Error>,
    ) -> Result<T, Error> {
        let stop = AtomicBool::new(false);
        let told = Mutex::new((Progress::default(), self.watcher));
        let progress = |done: Done| {
            // A watcher that panicked is not called again: its panic reaches the caller.
            let Ok(mut told) = told.lock() else { return };
            let (so_far, watcher) = &mut *told;
            so_far.records = so_far.records.saturating_add(done.records);
            so_far.bytes = so_far.bytes.saturating_add(done.bytes);
            if watcher.as_mut().is_some_and(|watcher| watcher(so_far).is_break()) {
                stop.store(true, Ordering::Relaxed);
            }
        };
        let work = work(&Work { threads: self.threads, stop: &stop, progress: &progress });
        let done = work.map_err(Error::file)?;
        if stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(done) }
    }
}

impl fmt::Debug for Working<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Working").field("threads", &self.threads).finish_non_exhaustive()
    }
}

/// The methods of a builder by which it is told how to work, of `impl<'a>` for a type whose field
/// `work` is a [`Working<'a>`]. When progress is called is said in place.
macro_rules! working {
    ($(#[$doc:meta])*) => {
        /// Sets the number of threads; 0 (the default) uses one per core.
        pub fn threads(mut self, threads: usize) -> Self {
            self.work.threads = threads;
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

pub(crate) use working;
