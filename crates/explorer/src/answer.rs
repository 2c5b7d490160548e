//! What an answer is, and for how long one is worked on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use plypack_store::find::Watch;
use serde_json::Value;

/// An answer, ready to be sent.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Its media type.
    pub kind: &'static str,
    /// Its bytes.
    pub body: Bytes,
    /// Whether it is all that there is; else whoever asks again may be told more.
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

/// What is set when work is to end.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    /// Nobody waits for the answer any more, or it takes too long.
    pub gone: Arc<AtomicBool>,
    /// It is time to answer with what is there, if that is of use.
    pub late: Arc<AtomicBool>,
}

impl Stop {
    /// How the store is told.
    pub fn watch(&self) -> Watch<'_> {
        Watch { threads: 0, stop: &self.gone, progress: &|_| () }
    }

    /// How it is told where a part is of use; `progress` counts records.
    pub fn watch_part<'w>(&'w self, progress: &'w (dyn Fn(u64) + Sync)) -> Watch<'w> {
        Watch { threads: 0, stop: &self.late, progress }
    }

    /// Ends the work.
    pub fn set(&self) {
        self.late.store(true, Ordering::Relaxed);
        self.gone.store(true, Ordering::Relaxed);
    }
}
