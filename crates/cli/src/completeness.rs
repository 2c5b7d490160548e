//! Notices about partial copies of packed files, so that they are not taken for the whole.

use std::path::Path;

use plypack::Completeness;
use serde_json::{Value, json};

use crate::progress::{self, count, counted};

/// Reports on standard error if a file lacks records of what was packed.
pub fn tell(path: &Path, completeness: Option<Completeness>) {
    if let Some(part) = completeness.filter(|completeness| !completeness.is_whole()) {
        progress::say(format_args!("{}: {}", path.display(), notice(&part)));
    }
}

/// Describes what is missing or out of order.
fn notice(part: &Completeness) -> String {
    let records = counted(part.records, "record");
    match part.packed {
        Some(packed) if packed == part.records => {
            format!("all {records} are here, but not in their original order")
        }
        Some(packed) => {
            let packed = counted(packed, "record");
            format!("a part of what was packed: {} of {packed}", count(part.records))
        }
        None => {
            format!("a part of what was packed: {records} of {} or more", count(part.packed_min))
        }
    }
}

/// Returns JSON keys with how many records were packed, and whether these are all of them, in
/// order. Null if unknown.
pub fn json(completeness: Option<Completeness>) -> [(&'static str, Value); 2] {
    let packed = completeness.and_then(|completeness| completeness.packed);
    let whole = completeness.map(|completeness| completeness.is_whole());
    [("packed_records", json!(packed)), ("whole", json!(whole))]
}
