//! Names records by row and checksum, to recognise them in a file whose rows move when others are
//! deleted.

use std::fmt;
use std::str::FromStr;

/// The name of a record. As text it is the record's number and its checksum in eight hexadecimal
/// digits.
///
/// ```
/// let id: plypack::RecordId = "41-9c0e11d2".parse()?;
/// assert_eq!((id.record, id.checksum), (41, 0x9c0e_11d2));
/// # Ok::<(), plypack::NoRecordId>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId {
    /// Its number in the file, counted from 1, as in `cat --records`.
    pub record: u64,
    /// The CRC-32 of its bytes.
    pub checksum: u32,
}

impl RecordId {
    /// Returns its row in the file, counted from 0.
    pub(crate) fn row(&self) -> u64 {
        self.record.saturating_sub(1)
    }
}

impl fmt::Display for RecordId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}-{:08x}", self.record, self.checksum)
    }
}

/// The error for a text that is not the name of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a record is named by its number and its checksum, as in 41-9c0e11d2")]
pub struct NoRecordId;

impl FromStr for RecordId {
    type Err = NoRecordId;

    fn from_str(text: &str) -> Result<Self, NoRecordId> {
        let (number, checksum) = text.split_once('-').ok_or(NoRecordId)?;
        let record: u64 = number.parse().map_err(|_| NoRecordId)?;
        let checksum = u32::from_str_radix(checksum, 16).map_err(|_| NoRecordId)?;
        let id = Self { record, checksum };
        // A name has only one spelling.
        if record > 0 && id.to_string() == text { Ok(id) } else { Err(NoRecordId) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_spelling() {
        for (record, checksum, text) in [
            (41, 0x9c0e_11d2, "41-9c0e11d2"),
            (1, 0, "1-00000000"),
            (u64::MAX, u32::MAX, "18446744073709551615-ffffffff"),
        ] {
            let id = RecordId { record, checksum };
            assert_eq!((id.to_string().as_str(), text.parse()), (text, Ok(id)));
        }
        for text in
            ["", "41", "-", "0-00000000", "1-0", "01-00000000", "+1-00000000", "1-9C0E11D2", "a-b"]
        {
            assert_eq!(text.parse::<RecordId>(), Err(NoRecordId), "{text}");
        }
    }
}
