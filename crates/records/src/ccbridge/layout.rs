//! How a game is laid out in a file of its own, or in a library.

use std::fmt::{self, Display};

use super::{NAME, game, library};
use crate::described;
use crate::layout::{self, NotationName, Rendering, from_words};
use crate::xiangqi::DIGITS;

/// How a game is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The number of entries of the index, if this is the first game of a library.
    pub entries: Option<u32>,
    /// The number of slots of a library that the game takes; `None` if it has a file of its own.
    pub slots: Option<u32>,
}

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        NotationName::Named(DIGITS)
    }

    /// Pads a game of a library with zeros. `None` if it does not fit its slots.
    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        if let Some(entries) = self.entries {
            library::write(record, entries, &mut out)?;
        }
        let head = out.len();
        game::write(record, &mut out)?;
        if let Some(slots) = self.slots {
            let room = usize::try_from(slots).ok()?.checked_mul(library::SLOT_BYTES)?;
            let game = out.len() - head;
            (game <= room).then_some(())?;
            // More slots than the game needs are not padded: nothing is allocated by a number.
            let most = game.checked_next_multiple_of(library::SLOT_BYTES)?;
            out.resize(head + room.min(most), 0);
        }
        Some(out)
    }
}

/// Describes a game as text, with the header of a library if that comes before it. `None` if these
/// bytes are neither.
pub(super) fn describe(bytes: &[u8]) -> Option<String> {
    let (entries, head, rest) = match library::split(bytes) {
        Some((entries, head, rest)) => (Some(entries), head, rest),
        None => (None, &[][..], bytes),
    };
    let mut tags = library::read(head);
    let game = game::read(rest)?;
    tags.extend(game.tags);
    let slots = rest.len().is_multiple_of(library::SLOT_BYTES);
    let slots = u32::try_from(rest.len() / library::SLOT_BYTES).ok().filter(|_| slots);
    let layout = Layout { entries, slots };
    Some(described::describe(&layout.to_string(), &tags, &game.tree))
}

impl Display for Layout {
    /// `ccbridge`, and what a library has of its own.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        if let Some(entries) = self.entries {
            write!(f, " entries={entries}")?;
        }
        match self.slots {
            Some(slots) => write!(f, " slots={slots}"),
            None => Ok(()),
        }
    }
}

from_words!(|layout, key, value| {
    let number = value.parse().ok()?;
    match key {
        "entries" => layout.entries = Some(number),
        "slots" => layout.slots = Some(number),
        _ => return None,
    }
    Some(())
});
