//! Notices about partial copies of packed files, so that they are not taken for the whole.

use plypack::store::{Coverage, PackedFile};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::progress::{self, count, counted};

/// Reports on standard error if a file lacks records of what was packed. Returns its coverage.
pub fn tell(file: &PackedFile) -> Result<Option<Coverage>, Failure> {
    let coverage = file.coverage()?;
    if let Some(part) = coverage.filter(|coverage| !coverage.is_whole()) {
        progress::say(format_args!("{}: {}", file.path().display(), notice(&part)));
    }
    Ok(coverage)
}

/// Describes what is missing or out of order.
fn notice(part: &Coverage) -> String {
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
pub fn json(coverage: Option<Coverage>) -> [(&'static str, Value); 2] {
    let packed = coverage.and_then(|coverage| coverage.packed);
    let whole = coverage.map(|coverage| coverage.is_whole());
    [("packed_records", json!(packed)), ("whole", json!(whole))]
}
