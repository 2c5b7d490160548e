//! Guesses from its first bytes what an input without games and positions is, for messages. It is
//! packed all the same.

/// Leading bytes, and what begins with them, with its article.
const BEGINNINGS: &[(&[u8], &str)] = &[
    (b"PAR1", "a Parquet file"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"SQLite format 3\0", "an SQLite database"),
    (b"Scid.si\0", "the index of a SCID database"),
    (b"\0\0\x24\0\x2e\x01", "the index of a ChessBase database"),
    (b"\0\0\x2c\0\x2e\x01", "the index of a ChessBase database"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
];

/// The place of the magic bytes in the head of a tar archive, and the bytes.
const TAR_MAGIC: (usize, &[u8]) = (257, b"ustar");

/// The number of leading bytes searched for characters that no text has.
const BEGIN_BYTES: usize = 1 << 12;

/// What an input that begins with these bytes seems to be; `None` if it seems to be text.
pub fn kind(begin: &[u8]) -> Option<&'static str> {
    let (place, magic) = TAR_MAGIC;
    if begin.get(place..).is_some_and(|rest| rest.starts_with(magic)) {
        return Some("a tar archive");
    }
    let begin = begin.trim_ascii_start();
    let known = BEGINNINGS.iter().find(|(magic, _)| begin.starts_with(magic));
    let control = |&byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let binary = || begin.iter().take(BEGIN_BYTES).any(control).then_some("binary data");
    known.map(|&(_, what)| what).or_else(binary)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell() {
        let tar = [&[b'a'; 257][..], b"ustar\0"].concat();
        for (begin, what) in [
            (&b"PK\x03\x04rest"[..], Some("a ZIP archive")),
            (&tar, Some("a tar archive")),
            (b"Scid.si\0\x01\x90", Some("the index of a SCID database")),
            (b"\0\0\x2c\0\x2e\x01\0\0\0\x06", Some("the index of a ChessBase database")),
            (b"\n(;GM[1]", None),
            (b"abc\0", Some("binary data")),
            (b"text\r\n\ttext\n", None),
            ("M\u{fc}ller".as_bytes(), None),
            (b"", None),
        ] {
            assert_eq!(kind(begin), what, "{begin:?}");
        }
    }
}
