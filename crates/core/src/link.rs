//! The frame of a share link: the data beside a line's code that makes it self-contained in a URL.
//!
//! Games and codecs are numbers here; callers look them up in the registries. `docs/FORMAT.md`,
//! section 5, has the layout.

use crate::bits::crc16::crc16;
use crate::bits::varint;
use base64ct::{Base64UrlUnpadded, Encoding};
use thiserror::Error;

use crate::error::Error as LineError;
use crate::limits::LINK_CHARACTERS_MAX;

/// The version written. The checksum in the last two bytes is the same in all versions.
const VERSION: u8 = 0;

/// The codecs that two bits of the first byte name, from 1, in every game and for ever: the bits
/// stand for a number, and a number never changes its meaning: `line.uniform`, `line.ranked` and
/// `line.link`, whose tables every reader has.
const SHORT_CODECS: [u16; 3] = [2, 3, 7];

/// The value of those bits if the codec's number follows.
const LONG_CODEC: u8 = 0;
/// The first game number that follows the first byte, whose game bits are then 0.
const LONG_GAME: u8 = 8;

/// Flag: the start is not the usual one.
const START: u8 = 1;
/// Flag: the ply to show is not the last.
const SHOWN: u8 = 2;

/// Why a link cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LinkError {
    /// There is nothing to read.
    #[error("no link here: a link ends in `#` and letters, digits, `-` and `_`")]
    Empty,
    /// It is longer than plypack's links.
    #[error("the link has {length} characters; links have at most {LINK_CHARACTERS_MAX}")]
    TooLong {
        /// Its length.
        length: usize,
    },
    /// A character is not used in links.
    #[error(
        "the link is damaged: character {at}, `{symbol}`, does not occur in links; copy the whole \
             link again"
    )]
    Symbol {
        /// Its position, from 1.
        at: usize,
        /// The character.
        symbol: char,
    },
    /// The checksum does not match.
    #[error("the link is damaged or cut short; copy the whole link again")]
    Damaged,
    /// The link uses something newer than this version of the program.
    #[error("the link was made by a newer plypack: it uses {what}; update plypack to open it")]
    Newer {
        /// What is too new.
        what: String,
    },
    /// The link uses something that builds for browsers exclude.
    #[error(
        "this viewer does not know {what}, which the link uses: reload the page for a newer \
    viewer, or read the link with `plypack unlink`"
    )]
    Unusual {
        /// What is missing.
        what: String,
    },
    /// The checksum matches, but plypack does not write such links.
    #[error("plypack does not write such links: {why}")]
    Odd {
        /// What is wrong.
        why: &'static str,
    },
    /// The requested style of link cannot express it.
    #[error("a link in this style cannot hold it: {why}; omit the style")]
    Style {
        /// What it cannot express.
        why: String,
    },
    /// A position or a move is wrong.
    #[error(transparent)]
    Line(#[from] LineError),
}

/// A start position and its codec.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartCode {
    /// The number of the position codec.
    pub codec: u16,
    /// Its code.
    pub code: Vec<u8>,
}

/// The contents of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// The number of the game.
    pub game: u8,
    /// The number of the line codec.
    pub codec: u16,
    /// The number of plies.
    pub plies: u32,
    /// The start of the line, if not the usual one.
    pub start: Option<StartCode>,
    /// The ply after which to show the board, if not the last; less than `plies`.
    pub shown: Option<u32>,
    /// The line's code.
    pub code: Vec<u8>,
}

impl Frame {
    /// Returns the link's text, without `#`.
    ///
    /// # Errors
    /// Returns [`LinkError::TooLong`] if the text is longer than [`LINK_CHARACTERS_MAX`].
    pub fn to_text(&self) -> Result<String, LinkError> {
        let text = Base64UrlUnpadded::encode_string(&self.to_bytes());
        check_length(&text)?;
        Ok(text)
    }

    /// Reads a link's text, without `#`.
    ///
    /// # Errors
    /// Returns an error if [`Frame::to_text`] does not write it.
    pub fn from_text(text: &str) -> Result<Self, LinkError> {
        if text.is_empty() {
            return Err(LinkError::Empty);
        }
        check_length(text)?;
        let is_ours = |symbol: char| symbol.is_ascii_alphanumeric() || "-_".contains(symbol);
        if let Some((at, symbol)) = text.chars().enumerate().find(|symbol| !is_ours(symbol.1)) {
            return Err(LinkError::Symbol { at: at + 1, symbol });
        }
        // Now only the length can be wrong, or unused bits of the last character.
        let bytes = Base64UrlUnpadded::decode_vec(text).map_err(|_| LinkError::Damaged)?;
        Self::from_bytes(&bytes)
    }

    fn to_bytes(&self) -> Vec<u8> {
        let place = SHORT_CODECS.iter().position(|&codec| codec == self.codec);
        let place = place.and_then(|at| u8::try_from(at + 1).ok()).unwrap_or(LONG_CODEC);
        let flags = u8::from(self.start.is_some()) * START + u8::from(self.shown.is_some()) * SHOWN;
        let game = if self.game < LONG_GAME { self.game } else { 0 };
        let mut out = vec![VERSION << 6 | game << 3 | place << 1 | u8::from(flags != 0)];
        if game != self.game {
            out.push(self.game);
        }
        if place == LONG_CODEC {
            varint::write_u32(self.codec.into(), &mut out);
        }
        varint::write_u32(self.plies, &mut out);
        if flags != 0 {
            out.push(flags);
        }
        if let Some(start) = &self.start {
            varint::write_u32(start.codec.into(), &mut out);
            varint::write_u32(u32::try_from(start.code.len()).unwrap_or(u32::MAX), &mut out);
            out.extend_from_slice(&start.code);
        }
        if let Some(shown) = self.shown {
            varint::write_u32(shown, &mut out);
        }
        out.extend_from_slice(&self.code);
        let check = crc16(&out);
        out.extend(check.to_be_bytes());
        out
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, LinkError> {
        let (frame, check) = bytes.split_last_chunk::<2>().ok_or(LinkError::Damaged)?;
        if crc16(frame).to_be_bytes() != *check {
            return Err(LinkError::Damaged);
        }
        let mut rest = Reader(frame);
        let first = rest.byte()?;
        if first >> 6 != VERSION {
            let what = format!("version {} of the format", first >> 6);
            return Err(LinkError::Newer { what });
        }
        let game = match first >> 3 & 7 {
            0 => rest.byte().and_then(|game| at_least(game, LONG_GAME))?,
            game => game,
        };
        let codec = match first >> 1 & 3 {
            LONG_CODEC => rest.codec()?,
            place => *SHORT_CODECS
                .get(usize::from(place) - 1)
                .ok_or_else(|| LinkError::Newer { what: format!("the short codec {place}") })?,
        };
        if first >> 1 & 3 == LONG_CODEC && SHORT_CODECS.contains(&codec) {
            return Err(LinkError::Odd { why: "it spells out a codec that two bits name" });
        }
        let plies = rest.number()?;
        let flags =
            if first & 1 == 1 { rest.byte().and_then(|flags| at_least(flags, 1))? } else { 0 };
        if flags & !(START | SHOWN) != 0 {
            return Err(LinkError::Newer { what: format!("the flags {flags:#010b}") });
        }
        let start = if flags & START == 0 { None } else { Some(rest.start()?) };
        let shown = if flags & SHOWN == 0 { None } else { Some(rest.number()?) };
        if shown.is_some_and(|shown| shown >= plies) {
            return Err(LinkError::Odd { why: "the ply to show comes after the last" });
        }
        Ok(Self { game, codec, plies, start, shown, code: rest.0.to_vec() })
    }
}

/// Returns the number of bytes of a link that this line codec's number takes.
pub fn codec_length(codec: u16) -> usize {
    if SHORT_CODECS.contains(&codec) {
        return 0;
    }
    let mut number = Vec::new();
    varint::write_u32(codec.into(), &mut number);
    number.len()
}

fn check_length(text: &str) -> Result<(), LinkError> {
    let length = text.len();
    if u32::try_from(length).is_ok_and(|length| length <= LINK_CHARACTERS_MAX) {
        Ok(())
    } else {
        Err(LinkError::TooLong { length })
    }
}

/// Checks a byte that would have been left out if it were less than `least`.
fn at_least(byte: u8, least: u8) -> Result<u8, LinkError> {
    if byte >= least { Ok(byte) } else { Err(LinkError::Odd { why: "it has a superfluous byte" }) }
}

/// Reads a frame from its front.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    const ENDS: LinkError = LinkError::Odd { why: "it ends inside its header" };

    fn byte(&mut self) -> Result<u8, LinkError> {
        let (&byte, rest) = self.0.split_first().ok_or(Self::ENDS)?;
        self.0 = rest;
        Ok(byte)
    }

    fn number(&mut self) -> Result<u32, LinkError> {
        let (number, length) = varint::read_u32(self.0).ok_or(Self::ENDS)?;
        self.0 = self.0.get(length..).ok_or(Self::ENDS)?;
        Ok(number)
    }

    fn codec(&mut self) -> Result<u16, LinkError> {
        let number = self.number()?;
        u16::try_from(number).map_err(|_| LinkError::Newer { what: format!("codec {number}") })
    }

    fn start(&mut self) -> Result<StartCode, LinkError> {
        let codec = self.codec()?;
        let length = usize::try_from(self.number()?).map_err(|_| Self::ENDS)?;
        let (code, rest) = self.0.split_at_checked(length).ok_or(Self::ENDS)?;
        self.0 = rest;
        Ok(StartCode { codec, code: code.to_vec() })
    }
}

#[cfg(test)]
#[allow(clippy::unusual_byte_groupings, reason = "the groups are the fields of the first byte")]
mod tests {
    use super::*;

    fn frames() -> Vec<Frame> {
        let plain = Frame { game: 2, codec: 3, plies: 0, start: None, shown: None, code: vec![] };
        let start = StartCode { codec: 25, code: vec![1, 2, 3] };
        vec![
            plain.clone(),
            Frame { game: 9, codec: 300, plies: 200, code: vec![7; 40], ..plain.clone() },
            Frame { shown: Some(0), plies: 1, ..plain.clone() },
            Frame { start: Some(start), shown: Some(129), plies: 130, code: vec![0], ..plain },
        ]
    }

    /// Returns the text of a frame with the right checksum.
    fn sealed(frame: &[u8]) -> String {
        Base64UrlUnpadded::encode_string(&[frame, &crc16(frame).to_be_bytes()].concat())
    }

    #[test]
    fn frames_come_back() {
        for frame in frames() {
            let text = frame.to_text().expect("a short link");
            assert_eq!(Frame::from_text(&text), Ok(frame));
        }
    }

    /// Published links keep their meaning.
    #[test]
    fn two_bits_name_these_numbers_for_ever() {
        for (place, codec) in [(1, 2), (2, 3), (3, 7)] {
            let frame = Frame { codec, ..frames().remove(0) };
            assert_eq!(frame.to_bytes()[0], 0b00_010_00_0 | place << 1);
            assert_eq!(codec_length(codec), 0);
        }
        for (codec, length) in [(1, 1), (5, 1), (127, 1), (128, 2), (u16::MAX, 3)] {
            let short = frames().remove(0).to_bytes().len();
            let frame = Frame { codec, ..frames().remove(0) };
            assert_eq!((frame.to_bytes().len() - short, codec_length(codec)), (length, length));
        }
    }

    #[test]
    fn a_frame_by_hand() {
        let frame = Frame { plies: 2, code: vec![0xab], ..frames().remove(0) };
        assert_eq!(frame.to_bytes()[..3], [0b00_010_10_0, 2, 0xab]);
        let frame = Frame { shown: Some(1), codec: 1, ..frame };
        assert_eq!(frame.to_bytes()[..6], [0b00_010_00_1, 1, 2, 0b10, 1, 0xab]);
    }

    #[test]
    fn one_changed_character_or_two_swapped_are_always_found() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
        for frame in frames() {
            let text = frame.to_text().expect("a short link").into_bytes();
            for at in 0..text.len() {
                let mut damaged = text.clone();
                for symbol in alphabet.bytes().filter(|&symbol| symbol != text[at]) {
                    damaged[at] = symbol;
                    let damaged = str::from_utf8(&damaged).expect("ASCII");
                    assert!(Frame::from_text(damaged).is_err(), "{damaged}");
                }
                let mut swapped = text.clone();
                swapped.swap(at, (at + 1).min(text.len() - 1));
                let same = swapped == text;
                let swapped = str::from_utf8(&swapped).expect("ASCII");
                assert_eq!(Frame::from_text(swapped).is_ok(), same, "{swapped}");
            }
        }
    }

    #[test]
    fn what_is_cut_is_found() {
        for frame in frames() {
            let text = frame.to_text().expect("a short link");
            for length in 1..text.len() {
                assert_eq!(Frame::from_text(&text[..length]), Err(LinkError::Damaged), "{text}");
            }
        }
        assert_eq!(Frame::from_text(""), Err(LinkError::Empty));
    }

    #[test]
    fn what_is_newer_is_named() {
        for (frame, word) in [
            (&[0b01_010_10_0, 0][..], "version 1"),
            (&[0b11_111_11_1], "version 3"),
            (&[0b00_010_00_0, 0xff, 0xff, 0xff, 0x7f, 0], "codec 268435455"),
            (&[0b00_010_10_1, 0, 0b100], "flags 0b00000100"),
        ] {
            let error = Frame::from_text(&sealed(frame)).expect_err("newer").to_string();
            assert!(error.contains(word) && error.contains("update plypack"), "{error}");
        }
    }

    #[test]
    fn what_nobody_writes_is_refused() {
        for frame in [
            &[][..],
            &[0b00_010_10_0],
            &[0b00_010_10_0, 0x80, 0],
            &[0b00_000_10_0, 3, 0],
            &[0b00_010_00_0, 3, 0],
            &[0b00_010_10_1, 0, 0],
            &[0b00_010_10_1, 4, 2, 4],
            &[0b00_010_10_1, 4, 1, 25, 200, 1],
            &[0b00_010_10_1, 4, 1, 25, 0xff, 0xff, 0xff, 0xff, 0x0f],
        ] {
            let error = Frame::from_text(&sealed(frame)).expect_err("odd");
            assert!(matches!(error, LinkError::Odd { .. }), "{frame:?}: {error}");
        }
    }
}
