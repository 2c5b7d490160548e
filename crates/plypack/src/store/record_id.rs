//! Names records by row and checksum, to recognise them in a file whose rows move when others are
//! deleted.

use std::fmt;
use std::str::FromStr;

/// The name of a record. As text it is the record's number, counted from 1 as in `cat --records`,
/// and its checksum in eight hexadecimal digits.
///
/// ```
/// let id: plypack::RecordId = "41-9c0e11d2".parse()?;
/// assert_eq!((id.row, id.checksum), (40, 0x9c0e_11d2));
/// # Ok::<(), plypack::NoRecordId>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId {
    /// Its row in the file, counted from 0.
    pub row: u64,
    /// The CRC-32 of its bytes.
    pub checksum: u32,
}

impl fmt::Display for RecordId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = u128::from(self.row) + 1;
        write!(formatter, "{number}-{:08x}", self.checksum)
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
        let number: u64 = number.parse().map_err(|_| NoRecordId)?;
        let row = number.checked_sub(1).ok_or(NoRecordId)?;
        let checksum = u32::from_str_radix(checksum, 16).map_err(|_| NoRecordId)?;
        let id = Self { row, checksum };
        // A name has only one spelling.
        if id.to_string() == text { Ok(id) } else { Err(NoRecordId) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_one_spelling() {
        for (row, checksum, text) in [
            (40, 0x9c0e_11d2, "41-9c0e11d2"),
            (0, 0, "1-00000000"),
            (u64::MAX - 1, u32::MAX, "18446744073709551615-ffffffff"),
        ] {
            let id = RecordId { row, checksum };
            assert_eq!((id.to_string().as_str(), text.parse()), (text, Ok(id)));
        }
        for text in
            ["", "41", "-", "0-00000000", "1-0", "01-00000000", "+1-00000000", "1-9C0E11D2", "a-b"]
        {
            assert_eq!(text.parse::<RecordId>(), Err(NoRecordId), "{text}");
        }
    }
}
