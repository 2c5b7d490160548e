//! Bytes to text and back, for records that do not say how they are encoded.

use std::borrow::Cow;

/// How the text of a record is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8, and so ASCII.
    #[default]
    Utf8,
    /// One byte a character, U+0000 to U+00FF: ISO 8859-1. Every byte string is valid, so this is
    /// what a record that is not UTF-8 is read as.
    Latin1,
}

/// Reads bytes as UTF-8 if they are, otherwise as Latin-1.
#[must_use]
pub fn decode(bytes: &[u8]) -> (Charset, Cow<'_, str>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (Charset::Utf8, Cow::Borrowed(text)),
        Err(_) => (Charset::Latin1, bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// Writes text in a charset. `None` if a character is not in it.
#[must_use]
pub fn encode(text: String, charset: Charset) -> Option<Vec<u8>> {
    match charset {
        Charset::Utf8 => Some(text.into_bytes()),
        Charset::Latin1 => text.chars().map(|symbol| u8::try_from(symbol).ok()).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_comes_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        let (charset, text) = decode(&bytes);
        assert_eq!(charset, Charset::Latin1);
        assert_eq!(encode(text.into_owned(), charset), Some(bytes));
        assert_eq!(decode("Móra".as_bytes()).0, Charset::Utf8);
        assert_eq!(encode("棋".into(), Charset::Latin1), None);
    }
}
