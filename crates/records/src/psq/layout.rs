//! How a PSQ record is laid out in bytes.

use std::fmt::{self, Display, Write};

use super::parse::{BEGINS, players};
use super::{NAME, SIZE};
use crate::charset::{self, Charset};
use crate::layout::{self, NotationName, Rendering, from_words};
use crate::record::ItemKind;

/// How a record is laid out in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The character set.
    pub charset: Charset,
    /// Whether lines end with `\r\n` instead of `\n`.
    pub crlf: bool,
}

impl Layout {
    pub(super) fn newline(self) -> &'static str {
        if self.crlf { "\r\n" } else { "\n" }
    }
}

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        NotationName::Named(NAME)
    }

    /// Each move's line ends with its clock value, here the time that the move took.
    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        let newline = self.newline();
        let tag = |name| record.tag(name).unwrap_or_default();
        let (size, levels, beginner) = (tag(SIZE), tag("Levels"), tag("Beginner"));
        let mut text = format!("{BEGINS}{size}, {levels}, {beginner}{newline}");
        let mut times = record.values.iter().map_while(|values| values.clock);
        for &(kind, piece) in record.pieces {
            text.push_str(piece);
            if kind == ItemKind::Move {
                // Writing to a string cannot fail.
                let _ = write!(text, ",{}", times.next()?);
            }
            text.push_str(newline);
        }
        let names = players(beginner).unwrap_or_default();
        for name in names.into_iter().filter_map(|name| record.tag(name)) {
            text.push_str(name);
            text.push_str(newline);
        }
        text.push_str(tag("After"));
        charset::encode(text, self.charset)
    }
}

impl Display for Layout {
    /// `psq`, then `key=value` for each non-default setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        layout::write_charset(self.charset, f)?;
        f.write_str(if self.crlf { " newline=crlf" } else { "" })
    }
}

from_words!(|layout, key, value| {
    match (key, value) {
        ("charset", _) => layout.charset = Charset::of_name(value)?,
        ("newline", "crlf") => layout.crlf = true,
        _ => return None,
    }
    Some(())
});
