//! How a game is laid out in a CBF file.

use std::fmt::{self, Display, Write};

use super::NAME;
use super::parse::{NO_MOVE, RESULT, element_name, escape};
use crate::described::{Step, Tree, number_of_result};
use crate::layout::{self, NotationName, Rendering, from_words, read_space, write_space};
use crate::record::START_TAG;
use crate::xiangqi::{DIGITS, Move, read_move};

/// How a game is laid out in its file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Whether a byte order mark comes first.
    pub mark: bool,
    /// Whether lines end with `\r\n` instead of `\n`.
    pub crlf: bool,
    /// Whether comments are plain text and not marked as such.
    pub plain: bool,
    /// Whether empty elements have an end of their own.
    pub closed: bool,
    /// White space behind the last element.
    pub end: String,
}

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        NotationName::Named(DIGITS)
    }

    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        let newline = if self.crlf { "\r\n" } else { "\n" };
        let mut out = String::from(if self.mark { "\u{feff}" } else { "" });
        for line in [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<ChineseChessRecord Version=\"1.0\">",
            " <Head>",
        ] {
            out.extend([line, newline]);
        }
        for (tag, value) in record.tags.iter().filter(|tag| tag.0 != START_TAG) {
            let name = element_name(tag);
            let number = number_of_result(value);
            // Writing to a string cannot fail.
            let _ = if value.is_empty() && !self.closed {
                write!(out, "  <{name} />")
            } else if *tag == RESULT && number > 0 {
                write!(out, "  <{name}>{number}</{name}>")
            } else {
                let _ = write!(out, "  <{name}>");
                escape(value, &mut out);
                write!(out, "</{name}>")
            };
            out.push_str(newline);
        }
        out.extend([" </Head>", newline, " <MoveList>", newline]);
        for step in Tree::of_pieces(record.pieces)?.steps() {
            self.write_move(step, &mut out)?;
            out.push_str(newline);
        }
        out.extend([" </MoveList>", newline, "</ChineseChessRecord>", &self.end]);
        Some(out.into_bytes())
    }
}

impl Layout {
    /// Writes the element of a move. `None` if there is another alternative to it.
    fn write_move(&self, step: Step<'_>, out: &mut String) -> Option<()> {
        let Step { text, comment, continues, alternative } = step;
        (!alternative).then_some(())?;
        let squares = match read_move(text) {
            Some(Move::Squares(_)) => format!("{}-{}", text.get(..2)?, text.get(2..)?),
            None if text.is_empty() => NO_MOVE.into(),
            _ => return None,
        };
        let end = if continues { "" } else { " end=\"1\"" };
        // Writing to a string cannot fail.
        let _ = write!(out, "  <Move value=\"{squares}\"{end}");
        if comment.is_empty() {
            out.push_str(" />");
        } else if self.plain {
            out.push('>');
            escape(comment, out);
            out.push_str("</Move>");
        } else {
            out.extend(["><![CDATA[", comment, "]]></Move>"]);
        }
        Some(())
    }
}

impl Display for Layout {
    /// `cbf`, then `key=value` for each non-default setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        f.write_str(if self.mark { " mark=bom" } else { "" })?;
        f.write_str(if self.crlf { " newline=crlf" } else { "" })?;
        f.write_str(if self.plain { " comments=plain" } else { "" })?;
        f.write_str(if self.closed { " empty=closed" } else { "" })?;
        match self.end.is_empty() {
            true => Ok(()),
            false => write!(f, " end={}", write_space(&self.end).unwrap_or_default()),
        }
    }
}

from_words!(|layout, key, value| {
    match (key, value) {
        ("mark", "bom") => layout.mark = true,
        ("newline", "crlf") => layout.crlf = true,
        ("comments", "plain") => layout.plain = true,
        ("empty", "closed") => layout.closed = true,
        ("end", _) => layout.end = read_space(value)?,
        _ => return None,
    }
    Some(())
});
