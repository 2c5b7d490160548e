//! How a game is laid out in an XQF file.

use std::fmt::{self, Display};

use super::cipher::Keys;
use super::{NAME, file};
use crate::charset::Charset;
use crate::layout::{self, NotationName, Rendering, from_words};
use crate::xiangqi::DIGITS;

/// How a game is laid out in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The version, and the numbers that hide the rest of the file.
    pub keys: Keys,
    /// The character set.
    pub charset: Charset,
}

impl Default for Layout {
    fn default() -> Self {
        Self { keys: Keys::default(), charset: Charset::Gbk }
    }
}

impl layout::Layout for Layout {
    fn notation(&self) -> NotationName<'_> {
        NotationName::Named(DIGITS)
    }

    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        file::write(record, *self)
    }
}

impl Display for Layout {
    /// `xqf`, the version, the keys in hexadecimal unless all are 0, and the charset unless it is
    /// GBK.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{NAME} version={}", self.keys.version)?;
        if self.keys != (Keys { version: self.keys.version, ..Keys::default() }) {
            write!(f, " keys={}", self.keys.hexadecimal())?;
        }
        match self.charset {
            Charset::Gbk => Ok(()),
            charset => write!(f, " charset={}", charset.name()),
        }
    }
}

from_words!(|layout, key, value| {
    match key {
        "version" => layout.keys.version = value.parse().ok()?,
        "keys" => layout.keys.set_hexadecimal(value)?,
        "charset" => layout.charset = Charset::of_name(value)?,
        _ => return None,
    }
    Some(())
});
