//! What is said of a packed file that is a copy of a part of another, so that nobody takes what
//! comes of it for the whole.

use plypack_store::{Coverage, PackedFile};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::progress::{self, count, counted};

/// Says it on standard error if a file is not all of what was packed. Gives what it found.
pub fn tell(file: &PackedFile) -> Result<Option<Coverage>, Failure> {
    let coverage = file.coverage()?;
    if let Some(part) = coverage.filter(|coverage| !coverage.is_whole()) {
        progress::say(format_args!("{}: {}", file.path().display(), notice(&part)));
    }
    Ok(coverage)
}

/// What is missing or out of its place.
fn notice(part: &Coverage) -> String {
    let records = counted(part.records, "record");
    match part.packed {
        Some(packed) if packed == part.records => {
            format!("all {records} are here, but not in the order that they had")
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

/// The keys that tell it: how many records were packed, and whether these are all of them, in
/// their order. Null where the file does not tell.
pub fn json(coverage: Option<Coverage>) -> [(&'static str, Value); 2] {
    let packed = coverage.and_then(|coverage| coverage.packed);
    let whole = coverage.map(|coverage| coverage.is_whole());
    [("packed_records", json!(packed)), ("whole", json!(whole))]
}
