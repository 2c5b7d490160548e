//! The traits that record formats implement, and the list of formats.

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Range;

use crate::charset::{self, Charset};
use crate::epd::is_comment;
use crate::layout::{Layout, NotationName, is_of, unknown};
use crate::pgn::{Pgn, PgnSplitter, ReviewStyle, ValueStyle};
use crate::record::Record;
use crate::split::Splitter;
#[cfg(feature = "all-formats")]
use crate::{
    cbf::Cbf, ccbridge::CcBridge, dhtmlxq::DhtmlXq, epd::Epd, psq::PsqFormat, sgf::SgfFormat,
    transcript::Transcripts, wthor::Wthor, xqf::Xqf,
};

/// Makes both lists from the same rows. A program that only shows records, such as a web page,
/// links the readers alone: splitters and writers are most of a format, and bring in charset
/// tables.
macro_rules! formats {
    ($($row:path),*) => {
        /// All formats. If several are equally sure of an input or a record, the first wins;
        /// formats that are quick to recognise come first.
        pub const FORMATS: &[&dyn Format] = &[$(&$row),*];

        /// All formats, as readers only.
        pub const READERS: &[&dyn Reader] = &[$(&$row),*];
    };
}

#[cfg(feature = "all-formats")]
formats!(Xqf, CcBridge, Cbf, Wthor, DhtmlXq, PsqFormat, SgfFormat, Pgn, Epd, Transcripts);

// A chess-only build needs only this.
#[cfg(not(feature = "all-formats"))]
formats!(Pgn);

/// The format of records in no other format: it reads every text.
pub const FALLBACK: &dyn Format = &Pgn;

/// The fallback, as a reader only.
pub const FALLBACK_READER: &dyn Reader = &Pgn;

/// The reading half of a format.
pub trait Reader: Debug + Send + Sync {
    /// The facts about the format.
    fn info(&self) -> &'static FormatInfo;

    /// Whether records of this game come in this format.
    fn serves(&self, rules: &dyn Rules) -> bool {
        self.info().every_game || rules.has_format(self.info().name)
    }

    /// Whether its records are no texts.
    fn is_binary(&self) -> bool {
        false
    }

    /// Whether comments have backslashes before signs that would end them.
    fn escapes_comments(&self) -> bool {
        false
    }

    /// Whether the text of a record shows that it is in this format.
    fn announces(&self, _text: &str) -> bool {
        false
    }

    /// The name of the game that a record's text indicates, if several games share this format and
    /// it is one of them.
    fn game(&self, _text: &str) -> Option<&'static str> {
        None
    }

    /// Reads the text of a record; a start that it specifies becomes a [`START_TAG`]. `None` if it
    /// is not in this format.
    ///
    /// [`START_TAG`]: crate::START_TAG
    fn record<'a>(&self, text: &'a str, rules: &dyn Rules) -> Option<Record<'a>>;

    /// Reads a bare list of moves, as people paste them. `None` if the text has anything else.
    fn read_list<'a>(&self, _text: &'a str, _rules: &dyn Rules) -> Option<Record<'a>> {
        None
    }
}

/// A format of records: a folder of this crate, and an entry in [`FORMATS`].
///
/// An input has a format, and so does each of its records. The input's format determines where the
/// input is cut. A record is in the input's format; if that does not read it, in one that its text
/// announces, such as a web page with a game; otherwise in the fallback.
pub trait Format: Reader {
    /// Whether an input with this head is in this format, and which of `games` it holds; by default
    /// it is if its text announces the format.
    fn sniff(&self, head: &Head<'_>, _games: &[&dyn Rules]) -> Option<Sniffed> {
        let sniffed = Sniffed { sure: Sure::Certainly, game: None };
        self.announces(&String::from_utf8_lossy(head.bytes)).then_some(sniffed)
    }

    /// The splitter for an input whose lines end with this byte; by default into records that blank
    /// lines separate.
    fn splitter(&self, newline: u8) -> Box<dyn Splitter> {
        Box::new(PgnSplitter::new(newline))
    }

    /// Describes a binary record as text, which [`read`](Self::read) reads. `None` if the bytes are
    /// text already, or are not understood.
    fn describe(&self, _record: &[u8]) -> Option<String> {
        None
    }

    /// The character set that a record names, for records that are not in UTF-8.
    fn charset(&self, _record: &[u8]) -> Option<Charset> {
        None
    }

    /// Reads the text of a record, and its layout. `None` if it is not in this format.
    fn read<'a>(&self, text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Reading<'a>>;

    /// Reads a layout's text.
    ///
    /// # Errors
    /// Returns an error that names the unknown word; a newer version may have written it.
    fn layout(&self, text: &str) -> Result<Box<dyn Layout>, String>;

    /// The layouts that a record may have, likeliest first, if reading does not determine it.
    fn guess(&self, _read: &Sketch<'_>) -> Vec<Box<dyn Layout>> {
        Vec::new()
    }
}

impl dyn Format + '_ {
    /// Decodes a record to text, and returns its charset. Binary records are described as text.
    /// `signs` are the non-ASCII characters of the game's moves.
    pub fn decode<'a>(&self, bytes: &'a [u8], signs: &str) -> (Charset, Cow<'a, str>) {
        match self.describe(bytes) {
            Some(text) => (Charset::Utf8, text.into()),
            None => {
                let named = || self.charset(bytes).filter(|_| !charset::is_utf16(bytes));
                let foreign = std::str::from_utf8(bytes).is_err();
                let named = if foreign { named() } else { None };
                match named.and_then(|charset| Some((charset, charset::decode_as(bytes, charset)?)))
                {
                    Some((charset, text)) => (charset, text.into()),
                    None => charset::decode(bytes, signs),
                }
            }
        }
    }
}

/// The facts about a format.
#[derive(Debug)]
pub struct FormatInfo {
    /// Its name, with which its layouts begin, and by which games refer to it.
    pub name: &'static str,
    /// Its title, for messages.
    pub title: &'static str,
    /// What its records hold.
    pub content: Content,
    /// Whether it serves every game, not only those that name it.
    pub every_game: bool,
}

/// What records hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Games, or anything unknown.
    #[default]
    Games,
    /// Positions.
    Positions,
}

/// What formats need to know about a game, whose rules are not part of this crate.
pub trait Rules {
    /// Its name.
    fn name(&self) -> &str;

    /// Whether it uses the format with this name.
    fn has_format(&self, name: &str) -> bool;

    /// The non-ASCII characters of its moves.
    fn signs(&self) -> &str;

    /// Derives the start of a record from the words of its head and the texts of its moves. `None`
    /// if it is the usual one, or unknown.
    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<String>;

    /// The position that a text stands for, in canonical spelling. `None` if it is not a position.
    fn position(&self, text: &str) -> Option<String>;

    /// Whether all of these moves are legal, from this start or the usual one.
    fn plays(&self, start: Option<&str>, moves: &[&str]) -> bool;
}

/// The beginning of an input.
#[derive(Clone, Debug)]
pub struct Head<'a> {
    /// Its first bytes.
    pub bytes: &'a [u8],
    /// Its lines, without blank lines, comments and a truncated last line.
    pub lines: Vec<&'a [u8]>,
    /// Whether the user named the game.
    pub game_told: bool,
}

impl<'a> Head<'a> {
    /// Makes the head of an input from its first bytes, or from all of them (`whole`).
    pub fn new(bytes: &'a [u8], whole: bool, game_told: bool) -> Self {
        let newline = newline(bytes);
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == newline).collect();
        if !whole && lines.len() > 1 {
            // A truncated line may look like anything.
            lines.pop();
        }
        lines.retain(|line| !is_comment(line));
        Self { bytes, lines, game_told }
    }
}

/// The byte that ends the lines of an input that begins with these bytes.
pub fn newline(bytes: &[u8]) -> u8 {
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') { b'\r' } else { b'\n' }
}

/// How sure a format is of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sure {
    /// It may fit by chance.
    Perhaps,
    /// It fits well.
    Likely,
    /// Nothing else looks like this.
    Certainly,
}

/// The result of recognising the format of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sniffed {
    /// How sure the format is.
    pub sure: Sure,
    /// The game of all its records, as an index into the games passed. `None` if each record names
    /// its own.
    pub game: Option<usize>,
}

/// A record that was read.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Its tags and moves.
    pub record: Record<'a>,
    /// The layout; `None` if [`Format::guess`] is to find it.
    pub layout: Option<Box<dyn Layout>>,
    /// The part of the text that the layout writes; `None` for all of it.
    pub place: Option<Range<usize>>,
    /// The time that each move took, in units of 10^-`decimals` seconds, if the record gives it
    /// outside comments.
    pub times: Vec<u32>,
    /// The number of decimals of a second in `times`.
    pub decimals: u8,
}

impl<'a> Reading<'a> {
    /// A record that this layout writes completely.
    pub fn new(record: Record<'a>, layout: Box<dyn Layout>) -> Self {
        Self { layout: Some(layout), ..Self::without_layout(record) }
    }

    /// A record whose layout is to be guessed.
    pub fn without_layout(record: Record<'a>) -> Self {
        Self { record, layout: None, place: None, times: Vec::new(), decimals: 0 }
    }
}

/// A record with its moves resolved, for guessing its layout.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// The record's text.
    pub text: &'a str,
    /// The character set of its bytes.
    pub charset: Charset,
    /// Its contents.
    pub record: &'a Record<'a>,
    /// The main line's moves, as far as they were understood, in `notation`.
    pub moves: &'a [&'a str],
    /// The notation of its moves.
    pub notation: NotationName<'a>,
    /// The style of clock readings and evaluations in comments, if there are any.
    pub values: Option<ValueStyle>,
    /// The style of reviews, if there are any.
    pub reviews: Option<&'a ReviewStyle>,
    /// Whether the second player makes the first move.
    pub second: bool,
}

/// The format with this name.
pub fn format(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.info().name == name)
}

/// Reads the text of a layout of any format.
///
/// # Errors
/// Returns an error that names the unknown word; a newer version may have written it.
pub fn layout(text: &str) -> Result<Box<dyn Layout>, String> {
    let word = || text.split(' ').next().unwrap_or_default();
    of_layout(text).ok_or_else(|| unknown(word()))?.layout(text)
}

/// The format that the text of a layout names.
pub fn of_layout(text: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| is_of(format.info().name, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_found_by_their_first_word() {
        let text = |text| layout(text).map(|layout| layout.to_string());
        assert_eq!(text("psq newline=crlf").as_deref(), Ok("psq newline=crlf"));
        assert_eq!(text("pgn").as_deref(), Ok("pgn"));
        for (odd, word) in [("hex order=main-first", "hex"), ("", ""), ("psq x=y", "x=y")] {
            let why = text(odd).expect_err("an unknown word");
            assert!(why.contains(&format!("`{word}`")), "{why}");
        }
        assert!(format("pgn").is_some() && format("PGN").is_none());
    }

    #[test]
    fn unknown_words_are_refused() {
        for text in [
            "dhtmlxq gap",
            "dhtmlxq gap=x",
            "dhtmlxq moves=1",
            "dhtmlxq new=1",
            "transcript gap=none",
            "transcript new",
            "transcript moves=after-300",
            "xqf version=x",
            "xqf keys=12",
            "xqf charset=x",
            "xqf new=1",
            "cbf mark=x",
            "cbf end=x",
            "cbf newline=lf",
            "cbf new=1",
            "wthor header=12",
            "wthor new",
            "wthor header=é",
            "psq new",
            "psq newline=lf",
            "psq charset=x",
            "ccbridge entries=x",
            "ccbridge slots=-1",
            "ccbridge new=1",
        ] {
            assert!(layout(text).is_err(), "{text}");
        }
        // A format refuses the layouts of another.
        for format in FORMATS {
            let name = format.info().name;
            assert!(format.layout(name).is_ok(), "{name}");
            assert!(format.layout("other").is_err() && format.layout("").is_err(), "{name}");
        }
    }

    #[test]
    fn a_head_has_lines_that_are_whole() {
        let head = |bytes, whole| Head::new(bytes, whole, false).lines.len();
        assert_eq!(head(b"a\n\n# b\n% c\nd", true), 2);
        assert_eq!(head(b"a\n\n# b\n% c\nd", false), 1);
        assert_eq!((head(b"a", false), head(b"", true)), (1, 0));
        assert_eq!((head(b"a\rb", true), head(b"a\r\nb", true)), (2, 2));
        assert_eq!((newline(b"a\rb"), newline(b"a\r\n"), newline(b"a")), (b'\r', b'\n', b'\n'));
    }

    #[test]
    fn bytes_that_are_no_text_are_described() {
        let wthor = format("wthor").expect("a format");
        let (charset, text) = wthor.decode(&[0; 68], "");
        assert_eq!((charset, &*text), (Charset::Utf8, "\t0\t0\t0\t0\t0\t"));
        assert_eq!(wthor.decode(b"\xe9", "").0, Charset::Latin1);
    }
}
