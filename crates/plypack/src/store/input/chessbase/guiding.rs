//! A guiding text: a page of words among the games. Numbers have their lowest byte first.

use super::blocks::Bytes;
use super::page::Page;

/// A guiding text, in every language it has.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Text {
    pub titles: Vec<String>,
    /// Plain in older databases, and HTML in newer ones. Those that say the same are there once.
    pub contents: Vec<String>,
    /// Whether there is a table of formats that is not read.
    pub has_formats: bool,
}

impl Text {
    /// Reads a text behind its four bytes of flags and length. `None` if it is damaged.
    pub fn read(bytes: &[u8], page: Page) -> Option<Self> {
        let mut bytes = Bytes(bytes);
        let mut text = Self::default();
        let version = bytes.little(2)?;
        for _ in 0..bytes.little(2)? {
            bytes.take(2)?;
            let title = page.text(sized(&mut bytes, 2)?);
            add(&mut text.titles, title);
        }
        bytes.take(1)?;
        for _ in 0..bytes.little(2)? {
            bytes.take(2)?;
            let width = if version == 1 { 2 } else { 4 };
            let content = page.text(sized(&mut bytes, width)?);
            add(&mut text.contents, content);
            match version {
                1 | 2 => text.has_formats |= !sized(&mut bytes, width)?.is_empty(),
                3 => text.has_formats |= bytes.little(4)? != 0,
                _ => return None,
            }
        }
        Some(text)
    }
}

/// Bytes behind their length, a number of so many bytes.
fn sized<'a>(bytes: &mut Bytes<'a>, width: usize) -> Option<&'a [u8]> {
    let length = usize::try_from(bytes.little(width)?).ok()?;
    bytes.take(length)
}

fn add(texts: &mut Vec<String>, text: String) {
    if !text.is_empty() && texts.last() != Some(&text) {
        texts.push(text);
    }
}
