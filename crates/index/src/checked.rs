//! The checksum behind a part of an index.

use crate::error::{Error, damaged};

/// Appends the checksum of the bytes from this place on.
pub(crate) fn seal(bytes: &mut Vec<u8>, from: usize) {
    let checksum = crc32fast::hash(bytes.get(from..).unwrap_or_default());
    bytes.extend(checksum.to_le_bytes());
}

/// Returns a part without its checksum.
///
/// # Errors
/// Returns the error for such a part, which says so, if the two do not match.
pub(crate) fn unsealed<'b>(part: &'b [u8], wrong: &'static str) -> Result<&'b [u8], Error> {
    match part.split_last_chunk() {
        Some((content, checksum)) if crc32fast::hash(content) == u32::from_le_bytes(*checksum) => {
            Ok(content)
        }
        _ => Err(damaged(wrong)),
    }
}
