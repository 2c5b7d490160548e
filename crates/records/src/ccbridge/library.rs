//! The header of a library, and where its games are.

use super::game::{self, put, read_texts, write_texts};
use crate::layout::Rendering;
use crate::split::Splitter;

/// The bytes with which a library begins.
const MAGIC: &[u8; 16] = b"CCBridgeLibrary\0";

/// The length of the header in bytes, without the index.
const HEADER_BYTES: usize = 66_624;

/// The length of an entry of the index in bytes.
const ENTRY_BYTES: usize = 276;

/// The most entries of an index that is part of the first game's record; a longer one would make a
/// record longer than any may be, and is a record of its own.
const ENTRIES_MAX: u32 = 40_000;

/// The most entries of any index.
const ENTRIES_EVER: u32 = 1 << 20;

/// Games begin at multiples of this many bytes behind the index.
pub(super) const SLOT_BYTES: usize = 4096;

/// The place of the number of entries.
const ENTRIES: usize = 60;

/// The tags, with the places of their texts and their lengths in bytes.
const TEXTS: [(&str, usize, usize); 7] = [
    ("LibraryName", 64, 512),
    ("LibrarySource", 576, 256),
    ("LibraryAuthor", 832, 64),
    ("LibraryAuthorEmail", 896, 64),
    ("LibraryCreated", 960, 64),
    ("LibraryModified", 1024, 64),
    ("LibraryRemarks", 1088, 65_536),
];

/// Numbers that most libraries have alike, and their places.
const USUAL: [(usize, &[u8]); 2] = [(16, &[3, 0, 0, 0]), (52, &[0xff, 0xff, 0xff, 0x7f])];

/// Whether bytes begin a library.
pub(super) fn begins(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) && entries(bytes).is_some()
}

/// The number of entries of the index of a library. `None` if these bytes begin with none.
pub(super) fn entries(bytes: &[u8]) -> Option<u32> {
    let number = bytes.get(ENTRIES..)?.first_chunk()?;
    Some(u32::from_le_bytes(*number)).filter(|number| *number <= ENTRIES_EVER)
}

/// The number of bytes before the first game.
fn head_bytes(entries: u32) -> Option<usize> {
    Some(HEADER_BYTES + ENTRY_BYTES * usize::try_from(entries).ok()?)
}

/// The header of a library with this many entries, and the bytes behind its index. `None` if these
/// bytes begin with no library, or with one whose index is a record of its own.
pub(super) fn split(bytes: &[u8]) -> Option<(u32, &[u8], &[u8])> {
    if !begins(bytes) {
        return None;
    }
    let entries = entries(bytes).filter(|number| *number <= ENTRIES_MAX)?;
    let (head, rest) = bytes.split_at_checked(head_bytes(entries)?)?;
    Some((entries, head, rest))
}

/// The tags of a header.
pub(super) fn read(head: &[u8]) -> Vec<(&'static str, String)> {
    read_texts(head, &TEXTS)
}

/// Appends a header and an empty index. `None` if a text is too long.
pub(super) fn write(record: &Rendering<'_>, entries: u32, out: &mut Vec<u8>) -> Option<()> {
    let mut head = vec![0; head_bytes(entries.min(ENTRIES_MAX))?];
    put(&mut head, 0, MAGIC)?;
    put(&mut head, ENTRIES, &entries.to_le_bytes())?;
    for (place, bytes) in USUAL {
        put(&mut head, place, bytes)?;
    }
    write_texts(record, &TEXTS, &mut head)?;
    out.append(&mut head);
    Some(())
}

/// Cuts a library into games, the first with all that comes before it unless that is too long; any
/// other input is one record.
#[derive(Debug, Default)]
pub(super) struct Games {
    /// Whether the input is a library; unknown at first.
    library: Option<bool>,
    /// The place, in the open record, where the next one may begin.
    next: usize,
}

impl Splitter for Games {
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<usize> {
        if self.library.is_none() {
            if bytes.len() < ENTRIES + 4 && !last {
                return None;
            }
            let entries = if begins(bytes) { entries(bytes) } else { None };
            self.library = Some(entries.is_some());
            let first = if entries > Some(ENTRIES_MAX) { 0 } else { SLOT_BYTES };
            self.next = entries.and_then(head_bytes).unwrap_or(0) + first;
        }
        if self.library != Some(true) {
            return None;
        }
        while let Some(slot) = bytes.get(self.next..).and_then(<[u8]>::first_chunk) {
            let end = self.next;
            if slot == game::MAGIC {
                self.next = SLOT_BYTES;
                return Some(end);
            }
            self.next += SLOT_BYTES;
        }
        None
    }

    fn cut(&mut self, bytes: &[u8]) {
        self.library.get_or_insert(false);
        self.next = self.next.saturating_sub(bytes.len());
    }

    fn lines(&self, _: &[u8]) -> u64 {
        1
    }
}
