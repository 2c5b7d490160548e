//! File names as text. Most systems allow any bytes in a name, so not every name is UTF-8. A byte
//! that is not part of a character becomes one of 128 private-use characters, from U+EF80 for 0x80
//! to U+EFFF for 0xFF; such characters in a name are themselves encoded byte by byte. So every name
//! round-trips.

use std::ffi::{OsStr, OsString};

/// Added to a byte, gives its private-use character.
const PRIVATE: u32 = 0xef00;

/// Converts a name to text.
pub fn text_of(name: &OsStr) -> String {
    let Some(bytes) = bytes_of(name) else { return name.to_string_lossy().into_owned() };
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for letter in chunk.valid().chars() {
            if byte_of(letter).is_some() {
                let mut own = [0; 4];
                text.extend(letter.encode_utf8(&mut own).bytes().map(private));
            } else {
                text.push(letter);
            }
        }
        text.extend(chunk.invalid().iter().copied().map(private));
    }
    text
}

/// Converts text back to a name; where names are not arbitrary bytes, returns the text.
pub fn name_of(text: &str) -> OsString {
    let mut bytes = Vec::with_capacity(text.len());
    let mut own = [0; 4];
    for letter in text.chars() {
        match byte_of(letter) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(letter.encode_utf8(&mut own).bytes()),
        }
    }
    os_of(bytes).unwrap_or_else(|| text.into())
}

/// Returns the character for a non-ASCII byte.
fn private(byte: u8) -> char {
    char::from_u32(PRIVATE + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn byte_of(letter: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(letter).checked_sub(PRIVATE)?).ok()?;
    (byte >= 0x80).then_some(byte)
}

#[cfg(unix)]
fn bytes_of(name: &OsStr) -> Option<&[u8]> {
    Some(std::os::unix::ffi::OsStrExt::as_bytes(name))
}

#[cfg(not(unix))]
fn bytes_of(_: &OsStr) -> Option<&[u8]> {
    None
}

#[cfg(unix)]
fn os_of(bytes: Vec<u8>) -> Option<OsString> {
    Some(std::os::unix::ffi::OsStringExt::from_vec(bytes))
}

#[cfg(not(unix))]
fn os_of(_: Vec<u8>) -> Option<OsString> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_themselves() {
        for name in ["games.pgn", "Šarić.pgn", "炮.xqf", ""] {
            assert_eq!(text_of(OsStr::new(name)), name);
            assert_eq!(name_of(name), name);
        }
    }

    #[cfg(unix)]
    #[test]
    fn every_name_comes_back() {
        use std::os::unix::ffi::OsStrExt;
        for (name, text) in [
            (&b"\xff\xfe.pgn"[..], "\u{efff}\u{effe}.pgn"),
            (b"a\x80\xc5\xa0b", "a\u{ef80}\u{160}b"),
            // U+EF80 itself.
            (b"\xee\xbe\x80", "\u{efee}\u{efbe}\u{ef80}"),
        ] {
            let name = OsStr::from_bytes(name);
            assert_eq!(text_of(name), text);
            assert_eq!(name_of(text), name);
        }
        for first in 0..=255 {
            for second in [0x2e, 0x80, 0xbe, 0xee, 0xff] {
                let bytes = [first, second, 0x80];
                let name = OsStr::from_bytes(&bytes);
                assert_eq!(name_of(&text_of(name)), name);
            }
        }
    }
}
