//! Names of files in archives: bytes in an unknown character set, which may lead anywhere.

use std::borrow::Cow;

use plypack_records::charset::{self, Charset};

/// Decodes a name as UTF-8, or as GBK, which Windows programs in China write; otherwise maps each
/// byte to a character.
pub fn decode(name: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(name) {
        return text.into();
    }
    let chinese = if is_chinese(name) { charset::decode_as(name, Charset::Gbk) } else { None };
    chinese.map_or_else(|| name.iter().map(|&byte| char::from(byte)).collect(), Cow::Owned)
}

/// Whether bytes consist of ASCII and GBK pairs, most of them common characters. Accented letters
/// in other character sets would rarely pass.
fn is_chinese(name: &[u8]) -> bool {
    let (mut usual, mut odd) = (0, 0);
    let mut bytes = name.iter();
    while let Some(&lead) = bytes.next() {
        match (lead, lead.is_ascii().then_some(0).or_else(|| bytes.next().copied())) {
            (0..0x80, _) => {}
            // Symbols and characters of GB 2312.
            (0xa1..=0xa9 | 0xb0..=0xf7, Some(0xa1..=0xfe)) => usual += 1,
            (_, Some(0x40..)) => odd += 1,
            _ => return false,
        }
    }
    usual > 0 && usual >= odd
}

/// Normalises a name to a path within a folder. `None` if it is empty or leads outside.
pub(super) fn inside(name: &str) -> Option<String> {
    let drive = matches!(name.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    if drive || name.starts_with(['/', '\\']) || name.contains('\0') {
        return None;
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    let leaves = parts.iter().any(|part| part.split('\\').any(|part| part == ".."));
    (!parts.is_empty() && !leaves).then(|| parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_their_character_set() {
        let gbk = charset::encode("棋谱/李世石.sgf".into(), Charset::Gbk).expect("its characters");
        assert_eq!(decode(&gbk), "棋谱/李世石.sgf");
        // In GBK, but not in GB 2312.
        let rare = charset::encode("朱镕基/喆.sgf".into(), Charset::Gbk).expect("its characters");
        assert_eq!(decode(&rare), "朱镕基/喆.sgf");
        assert_eq!(decode("棋谱.sgf".as_bytes()), "棋谱.sgf");
        for latin1 in ["Séb.sgf", "Jörg Müller.sgf", "ß", "é"] {
            let bytes = charset::encode(latin1.into(), Charset::Latin1).expect("its characters");
            assert_eq!(decode(&bytes), latin1);
        }
    }

    #[test]
    fn a_name_is_inside_or_refused() {
        for (name, place) in [
            ("a.sgf", "a.sgf"),
            ("./a//b/./c.sgf", "a/b/c.sgf"),
            ("..a/b..", "..a/b.."),
            ("a\\b", "a\\b"),
            ("12:30.sgf", "12:30.sgf"),
        ] {
            assert_eq!(inside(name).as_deref(), Some(place), "{name}");
        }
        for name in [
            "",
            ".",
            "/",
            "./",
            "/a",
            "//a",
            "..",
            "../a",
            "a/../../b",
            "a/..",
            "C:",
            "c:\\a",
            "C:a",
            "\\a",
            "\\\\host\\a",
            "a\\..\\b",
            "a\0b",
        ] {
            assert_eq!(inside(name), None, "{name:?}");
        }
    }
}
