//! How the fields of a page are laid out in bytes.

use std::fmt::{self, Display, Write};

use super::NAME;
use super::parse::{MOVES, OPENS, field_name};
use crate::charset::{self, Charset};
use crate::layout::{self, NotationName, Rendering, from_words, read_space, write_space};
use crate::record::START_TAG;

/// How fields are laid out in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The character set.
    pub charset: Charset,
    /// White space between fields.
    pub gap: String,
    /// The number of fields before the moves; `None` if all precede them.
    pub before_moves: Option<u16>,
}

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        NotationName::Named(NAME)
    }

    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        let moves: String = record.pieces.iter().map(|piece| piece.1).collect();
        let named = record.tags.iter().filter(|tag| tag.0 != START_TAG);
        let mut fields: Vec<(&str, &str)> =
            named.map(|&(name, value)| (field_name(name), value)).collect();
        let before = self.before_moves.map_or(fields.len(), usize::from).min(fields.len());
        fields.insert(before, (MOVES, &moves));
        let mut out = String::new();
        for (at, (name, value)) in fields.into_iter().enumerate() {
            if at > 0 {
                out.push_str(&self.gap);
            }
            // Writing to a string cannot fail.
            let _ = write!(out, "{OPENS}{name}]{value}[/DhtmlXQ_{name}]");
        }
        charset::encode(out, self.charset)
    }
}

impl Display for Layout {
    /// `dhtmlxq`, then `key=value` for each non-default setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        layout::write_charset(self.charset, f)?;
        if !self.gap.is_empty() {
            write!(f, " gap={}", write_space(&self.gap).unwrap_or_default())?;
        }
        if let Some(before) = self.before_moves {
            write!(f, " moves=after-{before}")?;
        }
        Ok(())
    }
}

from_words!(|layout, key, value| {
    match key {
        "charset" => layout.charset = Charset::of_name(value)?,
        "gap" => layout.gap = read_space(value)?,
        "moves" => layout.before_moves = Some(value.strip_prefix("after-")?.parse().ok()?),
        _ => return None,
    }
    Some(())
});
