//! Answers, and the flags that stop work on them.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
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

/// Texts shorter than this are not worth compressing: they fit into one packet.
const PACKED_MIN: usize = 1_400;

/// Compresses a body with gzip, unless that does not pay.
pub fn packed(kind: &str, body: &Bytes) -> Option<Bytes> {
    // The page's cores are compressed already.
    if body.len() < PACKED_MIN || kind == "application/octet-stream" {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
    encoder.write_all(body).ok()?;
    let bytes = encoder.finish().ok()?;
    (bytes.len() < body.len()).then(|| bytes.into())
}

/// Returns the entity tag of a body: its checksum and length.
pub fn entity_tag(body: &[u8]) -> String {
    format!("\"{:08x}-{:x}\"", crc32fast::hash(body), body.len())
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
