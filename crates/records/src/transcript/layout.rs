//! How a line with a transcript is laid out in bytes.

use std::fmt::{self, Display};

use super::NAME;
use super::parse::{AFTER, BEFORE};
use crate::charset::{self, Charset};
use crate::layout::{self, NotationName, Rendering, from_words};
use crate::record::{ItemKind, START_TAG};

/// The separator of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gap {
    /// Nothing.
    #[default]
    Nothing,
    /// A space.
    Space,
    /// A comma.
    Comma,
}

impl Gap {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Nothing => "",
            Self::Space => " ",
            Self::Comma => ",",
        }
    }
}

/// The end of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Newline {
    /// `\n`.
    #[default]
    Lf,
    /// `\r\n`.
    Crlf,
    /// Nothing: the last line of a file.
    Absent,
}

impl Newline {
    pub(super) fn text(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::Crlf => "\r\n",
            Self::Absent => "",
        }
    }
}

/// How a line is laid out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The character set.
    pub charset: Charset,
    /// The end of the line.
    pub newline: Newline,
    /// The number of fields before the one with the moves.
    pub before_moves: u8,
    /// Whether the letters of moves are capitals.
    pub capital: bool,
    /// The separator of moves.
    pub gap: Gap,
}

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        NotationName::Customary
    }

    /// Expects the record's moves in lower case.
    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        let beside = |name| record.tag(name).unwrap_or_default();
        let is_field = |tag: &&(&str, &str)| ![BEFORE, AFTER, START_TAG].contains(&tag.0);
        let mut fields = record.tags.iter().filter(is_field).map(|tag| tag.1);
        let mut line = String::new();
        for field in fields.by_ref().take(self.before_moves.into()) {
            line.push_str(field);
            line.push('\t');
        }
        line.push_str(beside(BEFORE));
        for (number, &(kind, text)) in record.pieces.iter().enumerate() {
            if number > 0 {
                line.push_str(self.gap.text());
            }
            let begin = line.len();
            line.push_str(text);
            if let (true, ItemKind::Move, Some(text)) = (self.capital, kind, line.get_mut(begin..))
            {
                text.make_ascii_uppercase();
            }
        }
        line.push_str(beside(AFTER));
        for field in fields {
            line.push('\t');
            line.push_str(field);
        }
        line.push_str(self.newline.text());
        charset::encode(line, self.charset)
    }
}

impl Display for Layout {
    /// `transcript`, then `key=value` for each non-default setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        layout::write_charset(self.charset, f)?;
        f.write_str(match self.newline {
            Newline::Lf => "",
            Newline::Crlf => " newline=crlf",
            Newline::Absent => " newline=absent",
        })?;
        if self.before_moves > 0 {
            write!(f, " moves=after-{}", self.before_moves)?;
        }
        if self.capital {
            f.write_str(" letters=capital")?;
        }
        f.write_str(match self.gap {
            Gap::Nothing => "",
            Gap::Space => " gap=space",
            Gap::Comma => " gap=comma",
        })
    }
}

from_words!(|layout, key, value| {
    match (key, value) {
        ("charset", _) => layout.charset = Charset::of_name(value)?,
        ("newline", "crlf") => layout.newline = Newline::Crlf,
        ("newline", "absent") => layout.newline = Newline::Absent,
        ("moves", _) => layout.before_moves = value.strip_prefix("after-")?.parse().ok()?,
        ("letters", "capital") => layout.capital = true,
        ("gap", "space") => layout.gap = Gap::Space,
        ("gap", "comma") => layout.gap = Gap::Comma,
        _ => return None,
    }
    Some(())
});
