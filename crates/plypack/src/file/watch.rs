//! Reports progress from any thread to a watcher.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Progress, Watcher};
use crate::error::Error;

/// Counts records, reports them to the watcher, and keeps its request to stop.
pub(crate) struct Watching<'a> {
    told: Mutex<(Progress, Option<Watcher<'a>>)>,
    pub stop: AtomicBool,
}

impl<'a> Watching<'a> {
    pub fn new(watcher: Option<Watcher<'a>>) -> Self {
        Self { told: Mutex::new((Progress::default(), watcher)), stop: AtomicBool::new(false) }
    }

    /// Adds this many records.
    pub fn add(&self, records: u64) {
        // A watcher that panicked is not called again: its panic reaches the caller.
        let Ok(mut told) = self.told.lock() else { return };
        let (so_far, watcher) = &mut *told;
        so_far.records = so_far.records.saturating_add(records);
        if watcher.as_mut().is_some_and(|watcher| watcher(so_far).is_break()) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Finishes. A stop requested after the last record counts, too.
    ///
    /// # Errors
    /// Returns [`Error::Stopped`] if the watcher asked to stop.
    pub fn finish(self) -> Result<(), Error> {
        if self.stop.into_inner() { Err(Error::Stopped) } else { Ok(()) }
    }
}
