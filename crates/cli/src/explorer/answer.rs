//! Answers, and the flags that stop work on them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use plypack::store::{Done, Work};
use serde_json::Value;

/// An answer, ready to be sent.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its media type.
    pub kind: &'static str,
    /// Its bytes.
    pub body: Bytes,
    /// Whether the answer is complete; if not, a later request may return more.
    pub whole: bool,
}

impl Answer {
    /// An answer in JSON.
    pub fn json(value: &Value) -> Self {
        Self { kind: "application/json", body: value.to_string().into(), whole: true }
    }

    /// A text in UTF-8.
    pub fn text(text: String) -> Self {
        Self { kind: "text/plain; charset=utf-8", body: text.into(), whole: true }
    }
}

/// Flags that end work on an answer.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// Cancels: the client is gone, or the answer takes too long.
    pub gone: Arc<AtomicBool>,
    /// Asks for a partial answer now, if that is useful.
    pub late: Arc<AtomicBool>,
}

impl Stop {
    /// Returns the store's view of the cancellation flag.
    pub fn work(&self) -> Work<'_> {
        Work { threads: 0, stop: &self.gone, progress: &|_| () }
    }

    /// Returns a view for work whose partial result is useful; `progress` counts records.
    pub fn work_in_part<'w>(&'w self, progress: &'w (dyn Fn(Done) + Sync)) -> Work<'w> {
        Work { threads: 0, stop: &self.late, progress }
    }

    /// Ends the work.
    pub fn set(&self) {
        self.late.store(true, Ordering::Relaxed);
        self.gone.store(true, Ordering::Relaxed);
    }
}
