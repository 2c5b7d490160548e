//! What an answer is, and for how long one is worked on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
}

impl Answer {
    /// An answer in JSON.
    pub fn json(value: &Value) -> Self {
        Self { kind: "application/json", body: value.to_string().into() }
    }

    /// A text in UTF-8.
    pub fn text(text: String) -> Self {
        Self { kind: "text/plain; charset=utf-8", body: text.into() }
    }
}

/// Is set when nobody waits for the answer any more, or it takes too long.
#[derive(Clone, Debug, Default)]
pub struct Stop(pub Arc<AtomicBool>);

impl Stop {
    /// How the store is told.
    pub fn watch(&self) -> Watch<'_> {
        Watch { threads: 0, stop: &self.0, progress: &|_| () }
    }
}
