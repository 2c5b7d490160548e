//! Prose: what people write between the moves.
//!
//! Texts of many records are coded together by PPMd var. H, a model that predicts each byte from
//! those before it. It first reads a fixed text of common words, so that a few comments gain, too.
//! Its code of that text begins every code, and so is left out: it is a table, too, so that a
//! decoder needs no encoder.

use std::io::{Read, Write};

use plypack_tables::series::{PROSE_CODE, PROSE_TEXT};
use ppmd_rust::{Ppmd7Decoder, Ppmd7Encoder};

use crate::bits::varint;
use crate::codec::{CodecInfo, CodecRow};
use crate::codecs::series::Registry;
use crate::error::Error;
use crate::table::Head;

/// The most bytes of text that a code may have, with an end for each text. A record has 16 MiB at
/// most, of characters that may take several bytes each here.
pub const PROSE_BYTES_MAX: u32 = 64 << 20;

/// The number of bytes before the one predicted.
const ORDER: u32 = 8;

/// How much memory the model has, in bytes. It touches some twelve times the size of the text.
const MEMORY: u32 = 16 << 20;

/// Ends each text. It is in no text, as these are UTF-8.
const END: u8 = 0xff;

/// Ends each line of the text that is read first.
const LINE_END: u8 = b'\n';

/// The number of bytes of the text that is read first.
const PRIMING_BYTES: usize = PROSE_TEXT.len() - Head::BYTES;

/// A codec of prose.
#[derive(Debug)]
pub struct ProseCodec {
    /// The description of the codec.
    pub info: CodecInfo,
}

static PROSE_1: ProseCodec = ProseCodec {
    info: CodecInfo {
        name: "prose.ppmd",
        id: 1,
        summary: "texts of many records, by PPMd var. H, which knows common words",
        source: "D. Shkarin, PPM: one step to practicality, 2002; I. Pavlov, 7-Zip",
    },
};

/// The codecs of prose.
pub static PROSE: Registry<ProseCodec> = Registry { newest: &PROSE_1, older: &[] };

impl CodecRow for &'static ProseCodec {
    fn codec_info(self) -> &'static CodecInfo {
        &self.info
    }
}

/// Texts that were decoded together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    text: String,
    /// Where each text ends.
    ends: Vec<usize>,
}

impl Texts {
    /// Returns the texts in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        let start = |at: usize| at.checked_sub(1).and_then(|before| self.ends.get(before).copied());
        self.ends.iter().enumerate().map(move |(at, &end)| {
            let range = start(at).unwrap_or(0)..end;
            self.text.get(range).unwrap_or_default()
        })
    }

    /// Returns all texts as one.
    pub fn joined(&self) -> &str {
        &self.text
    }
}

impl ProseCodec {
    /// Encodes texts. Returns `None` if they have more than [`PROSE_BYTES_MAX`] bytes.
    #[must_use]
    pub fn encode(&self, texts: &[&str]) -> Option<Vec<u8>> {
        let bytes = texts.iter().map(|text| text.len().saturating_add(1));
        let bytes = bytes.fold(0, usize::saturating_add);
        let length = u32::try_from(bytes).ok().filter(|&length| length <= PROSE_BYTES_MAX)?;
        let mut out = Vec::new();
        varint::write_u32(u32::try_from(texts.len()).ok()?, &mut out);
        varint::write_u32(length, &mut out);
        let mut encoder = primed()?;
        for text in texts {
            encoder.write_all(text.as_bytes()).ok()?;
            encoder.write_all(&[END]).ok()?;
        }
        let code = encoder.finish(false).ok()?;
        out.extend_from_slice(code.get(beginning().len()..)?);
        Some(out)
    }

    /// Returns how many bytes the texts of a code are said to have, with an end each; `None` if it
    /// is cut.
    #[must_use]
    pub fn length(&self, code: &[u8]) -> Option<u32> {
        head(code).map(|(_, length, _)| length)
    }

    /// Decodes texts.
    ///
    /// # Errors
    /// Returns [`Error::Cell`] if the code is not one of texts.
    pub fn decode(&self, code: &[u8]) -> Result<Texts, Error> {
        let damaged = |why| Error::Cell { at: 0, why };
        let (count, length, code) = head(code).ok_or(damaged("a number is cut"))?;
        if length > PROSE_BYTES_MAX {
            return Err(damaged("its texts are too long"));
        }
        let bytes = bytes(code, length).ok_or(damaged("its texts end early"))?;
        let texts = split(&bytes).ok_or(damaged("its texts are no texts"))?;
        match u32::try_from(texts.ends.len()) {
            Ok(found) if found == count => Ok(texts),
            _ => Err(damaged("it has another number of texts")),
        }
    }
}

/// Returns the number of texts, the number of their bytes, and the rest of a code.
fn head(code: &[u8]) -> Option<(u32, u32, &[u8])> {
    let (count, taken) = varint::read_u32(code)?;
    let code = code.get(taken..)?;
    let (length, taken) = varint::read_u32(code)?;
    Some((count, length, code.get(taken..)?))
}

/// Returns what every code begins with, and which is left out: the code of the text that is read
/// first.
pub fn beginning() -> &'static [u8] {
    const CODE: &[u8] = Head::PRIMING.part(PROSE_CODE);
    CODE
}

/// Returns the lines of the table, each with its end.
fn table() -> Vec<u8> {
    const TABLE: &[u8] = Head::TEXT.part(PROSE_TEXT);
    TABLE.iter().map(|&byte| if byte == LINE_END { END } else { byte }).collect()
}

/// Returns an encoder that has read the table.
fn primed() -> Option<Ppmd7Encoder<Vec<u8>>> {
    let mut encoder = Ppmd7Encoder::new(Vec::new(), ORDER, MEMORY).ok()?;
    encoder.write_all(&table()).ok()?;
    Some(encoder)
}

/// Decodes this many bytes; `None` if the code has fewer.
fn bytes(code: &[u8], length: u32) -> Option<Vec<u8>> {
    let mut decoder = Ppmd7Decoder::new(beginning().chain(code), ORDER, MEMORY).ok()?;
    decoder.read_exact(&mut [0; PRIMING_BYTES]).ok()?;
    // It grows with what is decoded, whatever the length says.
    let mut bytes = Vec::new();
    decoder.take(length.into()).read_to_end(&mut bytes).ok()?;
    (u32::try_from(bytes.len()) == Ok(length)).then_some(bytes)
}

/// Splits bytes into texts; `None` if one is no text or does not end.
fn split(bytes: &[u8]) -> Option<Texts> {
    let Some(whole) = bytes.strip_suffix(&[END]) else {
        return bytes.is_empty().then(Texts::default);
    };
    let mut texts = Texts { text: String::with_capacity(whole.len()), ends: Vec::new() };
    for text in whole.split(|&byte| byte == END) {
        texts.text.push_str(std::str::from_utf8(text).ok()?);
        texts.ends.push(texts.text.len());
    }
    Some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn decoded(code: &[u8]) -> Result<Vec<String>, Error> {
        PROSE.newest.decode(code).map(|texts| texts.iter().map(String::from).collect())
    }

    fn encoded(texts: &[&str]) -> Vec<u8> {
        PROSE.newest.encode(texts).expect("few texts")
    }

    #[test]
    fn known_words_take_few_bytes() {
        let text = "White has the better position because of the bishop pair.";
        let code = encoded(&[text]);
        assert_eq!(decoded(&code).as_deref(), Ok(&[text.to_owned()][..]));
        assert!(code.len() < 16, "{}", code.len());
        let other = encoded(&["qxj vkz wpq jjq zvx kqp wxz qqv pzk xvj qzw kxq vzj pqx"]);
        assert!(other.len() > 40, "{}", other.len());
    }

    /// With `PLYPACK_BLESS=1` it writes the table anew.
    #[test]
    fn every_code_begins_with_that_of_the_text_read_first() {
        let encoder = primed().expect("short");
        let code = Head::PRIMING.file(encoder.get_ref());
        if std::env::var_os("PLYPACK_BLESS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables/series/prose.code");
            std::fs::write(path, &code).expect("a table");
        }
        assert_eq!(PROSE_CODE[..], code[..]);
    }

    #[test]
    fn the_table_is_short_lines_of_text() {
        let table = table();
        assert_eq!(table.last(), Some(&END));
        assert!(split(&table).is_some_and(|texts| texts.iter().len() > 80));
    }

    #[test]
    fn no_texts_are_a_code_too() {
        assert_eq!(decoded(&encoded(&[])), Ok(Vec::new()));
        assert_eq!(decoded(&encoded(&["", ""])), Ok(vec![String::new(); 2]));
    }

    #[test]
    fn damage_is_an_error_or_other_texts() {
        let code = encoded(&["The point!", "was better", "Лучше было сыграть"]);
        for at in 0..code.len() {
            assert!(decoded(&code[..at]).is_err(), "cut to {at}");
            for bit in 0..8 {
                let mut code = code.clone();
                code[at] ^= 1 << bit;
                let _ = decoded(&code);
            }
        }
    }

    #[test]
    fn a_length_allocates_nothing() {
        let mut code = vec![1];
        varint::write_u32(PROSE_BYTES_MAX, &mut code);
        assert!(decoded(&code).is_err());
        let mut code = vec![1];
        varint::write_u32(PROSE_BYTES_MAX + 1, &mut code);
        code.extend([0; 64]);
        assert!(decoded(&code).is_err());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn texts_come_back(texts: Vec<String>) {
            let all: Vec<&str> = texts.iter().map(String::as_str).collect();
            prop_assert_eq!(decoded(&encoded(&all)), Ok(texts));
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..4096)) {
            let _ = decoded(&bytes);
            // As many texts of any length: the model follows whatever the bytes say.
            let mut code = vec![1];
            varint::write_u32(PROSE_BYTES_MAX, &mut code);
            code.extend(bytes);
            prop_assert!(decoded(&code).is_err());
        }
    }
}
