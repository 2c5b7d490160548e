//! Conversion between bytes and text, also for records that do not name their character set.

use std::borrow::Cow;

#[cfg(feature = "all-formats")]
use encoding_rs::{BIG5, EUC_KR, Encoding, GBK, SHIFT_JIS};

/// How the text of a record is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8, which includes ASCII.
    #[default]
    Utf8,
    /// Traditional Chinese, as the WHATWG Encoding Standard defines it.
    Big5,
    /// Simplified Chinese, as the WHATWG Encoding Standard defines it.
    Gbk,
    /// ISO 8859-1: one byte per character, U+0000 to U+00FF. Every byte string is valid, so records
    /// in no other charset are read as this.
    Latin1,
    /// Japanese, as the WHATWG Encoding Standard defines it. Only records that name it are read as
    /// this.
    ShiftJis,
    /// Korean, as the WHATWG Encoding Standard defines it. Only records that name it are read as
    /// this.
    EucKr,
    /// Little-endian UTF-16 with a byte order mark.
    Utf16Le,
    /// Big-endian UTF-16 with a byte order mark.
    Utf16Be,
}

impl Charset {
    const NAMES: [(Self, &'static str); 8] = [
        (Self::Utf8, "utf-8"),
        (Self::Big5, "big5"),
        (Self::Gbk, "gbk"),
        (Self::Latin1, "latin-1"),
        (Self::ShiftJis, "shift-jis"),
        (Self::EucKr, "euc-kr"),
        (Self::Utf16Le, "utf-16le"),
        (Self::Utf16Be, "utf-16be"),
    ];

    /// The charset that a record names, in any spelling in common use.
    pub fn of_label(label: &str) -> Option<Self> {
        let letters = label.bytes().filter(u8::is_ascii_alphanumeric);
        let label: Vec<u8> = letters.map(|letter| letter.to_ascii_lowercase()).collect();
        Some(match &label[..] {
            b"utf8" => Self::Utf8,
            b"big5" | b"cp950" => Self::Big5,
            b"gbk" | b"gb2312" | b"gb18030" | b"cp936" | b"euccn" => Self::Gbk,
            b"shiftjis" | b"sjis" | b"cp932" | b"windows31j" => Self::ShiftJis,
            b"euckr" | b"cp949" | b"ksc56011987" => Self::EucKr,
            b"iso88591" | b"latin1" => Self::Latin1,
            _ => return None,
        })
    }

    /// The name that layouts use.
    pub fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The charset with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// Whether bytes begin with a UTF-16 byte order mark.
pub fn is_utf16(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff")
}

/// Decodes bytes in a charset. `None` if they are invalid in it, or if encoding the text does not
/// give them back.
pub fn decode_as(bytes: &[u8], charset: Charset) -> Option<String> {
    match charset {
        Charset::Utf8 => String::from_utf8(bytes.into()).ok(),
        #[cfg(feature = "all-formats")]
        Charset::Big5 => decode_exactly(bytes, BIG5),
        #[cfg(feature = "all-formats")]
        Charset::Gbk => decode_exactly(bytes, GBK),
        #[cfg(feature = "all-formats")]
        Charset::ShiftJis => decode_exactly(bytes, SHIFT_JIS),
        #[cfg(feature = "all-formats")]
        Charset::EucKr => decode_exactly(bytes, EUC_KR),
        #[cfg(not(feature = "all-formats"))]
        Charset::Big5 | Charset::Gbk | Charset::ShiftJis | Charset::EucKr => None,
        Charset::Latin1 => Some(latin1(bytes).into_owned()),
        Charset::Utf16Le | Charset::Utf16Be => {
            let (pairs, rest) = bytes.as_chunks::<2>();
            let unit = |pair: &[u8; 2]| match charset {
                Charset::Utf16Le => u16::from_le_bytes(*pair),
                _ => u16::from_be_bytes(*pair),
            };
            let text = char::decode_utf16(pairs.iter().map(unit)).collect::<Result<_, _>>();
            text.ok().filter(|_| rest.is_empty())
        }
    }
}

/// Decodes bytes as UTF-8 if they are valid; as UTF-16 if they begin with its mark; else in the
/// Chinese charset in which they have most of `signs`, the non-ASCII characters of a game's moves;
/// without any of those, as Latin-1.
pub fn decode<'a>(bytes: &'a [u8], signs: &str) -> (Charset, Cow<'a, str>) {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Charset::Utf8, Cow::Borrowed(text));
    }
    if is_utf16(bytes) {
        let charset =
            if bytes.first() == Some(&0xff) { Charset::Utf16Le } else { Charset::Utf16Be };
        if let Some(text) = decode_as(bytes, charset) {
            return (charset, text.into());
        }
    }
    decode_chinese(bytes, signs).unwrap_or_else(|| (Charset::Latin1, latin1(bytes)))
}

/// Decodes bytes in the Chinese charset in which they have most of `signs`.
#[cfg(feature = "all-formats")]
fn decode_chinese(bytes: &[u8], signs: &str) -> Option<(Charset, Cow<'static, str>)> {
    let mut most = 0;
    let mut best = None;
    if !signs.is_empty() {
        for (charset, encoding) in [(Charset::Big5, BIG5), (Charset::Gbk, GBK)] {
            let Some(text) = decode_exactly(bytes, encoding) else { continue };
            let count = text.chars().filter(|&sign| !sign.is_ascii() && signs.contains(sign));
            let count = count.count();
            if count > most {
                most = count;
                best = Some((charset, Cow::Owned(text)));
            }
        }
    }
    best
}

/// The Chinese tables would be half of what a browser loads for PGN.
#[cfg(not(feature = "all-formats"))]
fn decode_chinese(_: &[u8], _: &str) -> Option<(Charset, Cow<'static, str>)> {
    None
}

/// Decodes each byte as a character.
fn latin1(bytes: &[u8]) -> Cow<'static, str> {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

/// Decodes bytes, if encoding the text gives them back: several codes may stand for one character.
#[cfg(feature = "all-formats")]
fn decode_exactly(bytes: &[u8], encoding: &'static Encoding) -> Option<String> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let back = encode_exactly(&text, encoding)?;
    (back == bytes).then(|| text.into_owned())
}

/// Encodes text. `None` if the encoding lacks a character.
#[cfg(feature = "all-formats")]
fn encode_exactly(text: &str, encoding: &'static Encoding) -> Option<Vec<u8>> {
    let (bytes, _, unmappable) = encoding.encode(text);
    (!unmappable).then(|| bytes.into_owned())
}

/// Encodes text in a charset. `None` if the charset lacks a character.
pub fn encode(text: String, charset: Charset) -> Option<Vec<u8>> {
    match charset {
        Charset::Utf8 => Some(text.into_bytes()),
        #[cfg(feature = "all-formats")]
        Charset::Big5 => encode_exactly(&text, BIG5),
        #[cfg(feature = "all-formats")]
        Charset::Gbk => encode_exactly(&text, GBK),
        #[cfg(feature = "all-formats")]
        Charset::ShiftJis => encode_exactly(&text, SHIFT_JIS),
        #[cfg(feature = "all-formats")]
        Charset::EucKr => encode_exactly(&text, EUC_KR),
        #[cfg(not(feature = "all-formats"))]
        Charset::Big5 | Charset::Gbk | Charset::ShiftJis | Charset::EucKr => None,
        Charset::Utf16Le => Some(text.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        Charset::Utf16Be => Some(text.encode_utf16().flat_map(u16::to_be_bytes).collect()),
        Charset::Latin1 => text.chars().map(|symbol| u8::try_from(symbol).ok()).collect(),
    }
}

/// The charset of Chinese texts that belong together, none of which names it: GBK, unless Big5 fits
/// better.
pub(crate) fn of_chinese(texts: &[&[u8]]) -> Charset {
    let all = texts.join(&b'\n');
    let fits = |charset| decode_as(&all, charset).is_some();
    if (is_simplified(&all) && fits(Charset::Gbk)) || !fits(Charset::Big5) {
        Charset::Gbk
    } else {
        Charset::Big5
    }
}

/// Whether most pairs of bytes are in GB 2312, whose second bytes are all above ASCII, while those
/// of Big5 often are not.
fn is_simplified(bytes: &[u8]) -> bool {
    let (mut usual, mut odd) = (0usize, 0usize);
    let mut bytes = bytes.iter();
    while let Some(&lead) = bytes.next() {
        if lead.is_ascii() {
            continue;
        }
        match bytes.next() {
            Some(0xa1..) if lead >= 0xa1 => usual += 1,
            _ => odd += 1,
        }
    }
    usual >= 8 * odd
}

/// Decodes bytes in a charset; what is invalid becomes U+FFFD.
pub(crate) fn decode_roughly(bytes: &[u8], charset: Charset) -> String {
    if let Some(text) = decode_as(bytes, charset) {
        return text;
    }
    match charset {
        #[cfg(feature = "all-formats")]
        Charset::Big5 => BIG5.decode_without_bom_handling(bytes).0.into_owned(),
        #[cfg(feature = "all-formats")]
        Charset::Gbk => GBK.decode_without_bom_handling(bytes).0.into_owned(),
        Charset::Utf16Le => {
            let units = bytes.as_chunks::<2>().0.iter().map(|pair| u16::from_le_bytes(*pair));
            char::decode_utf16(units).map(|sign| sign.unwrap_or('\u{fffd}')).collect()
        }
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Encodes text in a charset, with a question mark for each character that it lacks.
pub(crate) fn encode_roughly(text: &str, charset: Charset) -> Vec<u8> {
    encode(text.to_owned(), charset).unwrap_or_else(|| {
        let bytes = |sign: char| encode(sign.into(), charset).unwrap_or_else(|| vec![b'?']);
        text.chars().flat_map(bytes).collect()
    })
}

#[cfg(feature = "all-formats")]
#[cfg(test)]
mod tests {
    use super::*;

    const SIGNS: &str = "炮馬马兵平進进";

    #[test]
    fn every_byte_comes_back() {
        let bytes: Vec<u8> = (0..=255).collect();
        for signs in ["", SIGNS] {
            let (charset, text) = decode(&bytes, signs);
            assert_eq!(charset, Charset::Latin1);
            assert_eq!(encode(text.into_owned(), charset), Some(bytes.clone()));
        }
        assert_eq!(decode("Móra".as_bytes(), SIGNS).0, Charset::Utf8);
        for charset in [Charset::Latin1, Charset::Big5, Charset::Gbk] {
            assert_eq!(encode("棋♚".into(), charset), None);
        }
    }

    #[test]
    fn the_charset_is_the_one_with_moves_in_it() {
        for (text, charset) in [
            ("[Red \"許銀川\"]\n\n1. 炮二平五 馬８進７", Charset::Big5),
            ("[Red \"许银川\"]\n\n1. 炮二平五 马８进７", Charset::Gbk),
            // Big5 codes that contain the bytes of a backslash, brackets and braces.
            ("功久也廾弓 炮", Charset::Big5),
        ] {
            let bytes = encode(text.into(), charset).expect("its characters are in it");
            let expected = (charset, Cow::Owned::<str>(text.into()));
            assert_eq!(decode(&bytes, SIGNS), expected);
            assert_eq!(decode(&bytes, "").0, Charset::Latin1);
        }
        let latin1 = b"[White \"M\xf3ra, \xc1d\xe1m\"]\n\n1. e4";
        assert_eq!(decode(latin1, SIGNS).0, Charset::Latin1);
    }

    #[test]
    fn a_charset_that_is_named_is_taken() {
        for (label, charset) in [
            ("GB2312", Charset::Gbk),
            ("gb-18030", Charset::Gbk),
            ("Shift_JIS", Charset::ShiftJis),
            ("EUC-KR", Charset::EucKr),
            ("ISO-8859-1", Charset::Latin1),
        ] {
            assert_eq!(Charset::of_label(label), Some(charset), "{label}");
            assert_eq!(Charset::of_name(charset.name()), Some(charset));
        }
        assert_eq!(Charset::of_label("koi8-r"), None);
        for (text, charset) in [("囲碁", Charset::ShiftJis), ("바둑", Charset::EucKr)] {
            let bytes = encode(text.into(), charset).expect("its characters");
            assert_eq!(decode_as(&bytes, charset).as_deref(), Some(text));
        }
        for charset in [Charset::Utf16Le, Charset::Utf16Be] {
            let bytes = encode("\u{feff}(;囲)".into(), charset).expect("any text");
            assert_eq!(decode(&bytes, ""), (charset, "\u{feff}(;囲)".into()));
            let cut = &bytes[..bytes.len() - 1];
            assert_eq!(decode(cut, "").0, Charset::Latin1);
        }
    }

    #[test]
    fn chinese_texts_have_a_charset() {
        let gbk = encode("中国象棋：马八进七".into(), Charset::Gbk).expect("its characters");
        let big5 = encode("中國象棋：馬八進七".into(), Charset::Big5).expect("its characters");
        assert_eq!(of_chinese(&[&gbk, b"a"]), Charset::Gbk);
        assert_eq!(of_chinese(&[b"", &big5]), Charset::Big5);
        assert_eq!(of_chinese(&[b"plain"]), Charset::Gbk);
        // A character that a field had no room for.
        let cut = &gbk[..gbk.len() - 1];
        assert_eq!(of_chinese(&[cut]), Charset::Gbk);
        let text = decode_roughly(cut, Charset::Gbk);
        assert_eq!(text, "中国象棋：马八进\u{fffd}");
        let back = encode_roughly(&text, Charset::Gbk);
        assert_eq!((back.len(), &back[..back.len() - 1]), (cut.len(), &cut[..cut.len() - 1]));
        assert_eq!(decode_roughly(b"a\0\x00\xd8b\0", Charset::Utf16Le), "a\u{fffd}b");
    }

    /// Stored records depend on the tables with which they were decoded.
    #[test]
    fn tables_have_not_changed() {
        for (charset, expected) in [
            (Charset::Big5, (29_306, 11_554_120_545_478_960_213)),
            (Charset::Gbk, (47_913, 11_187_753_276_226_434_179)),
            (Charset::ShiftJis, (14_720, 2_062_325_175_877_468_502)),
            (Charset::EucKr, (34_096, 10_187_931_207_489_809_748)),
        ] {
            let mut found = (0, 0xcbf2_9ce4_8422_2325_u64);
            for symbol in ('\u{80}'..=char::MAX).filter(|symbol| !symbol.is_ascii()) {
                for byte in encode(symbol.into(), charset).unwrap_or_default() {
                    found.0 += 1;
                    for byte in [u64::from(u32::from(symbol)), byte.into()] {
                        found.1 = (found.1 ^ byte).wrapping_mul(0x0100_0000_01b3);
                    }
                }
            }
            assert_eq!(found, expected, "{charset:?}");
        }
    }
}
