//! The formats of records: what each must do, and the list of them.

use std::borrow::Cow;
use std::fmt::Debug;
use std::ops::Range;

use crate::charset::{self, Charset};
use crate::epd::is_comment;
use crate::layout::{Layout, NotationName, is_of, unknown};
use crate::pgn::{Pgn, ReviewStyle, ValueStyle};
use crate::record::Record;
use crate::split::Splitter;
#[cfg(feature = "all-formats")]
use crate::{dhtmlxq::DhtmlXq, epd::Epd, psq::PsqFormat, transcript::Transcripts, wthor::Wthor};

/// Makes the two lists of the same rows. Whoever only shows records, as a page does, does not refer
/// to what cuts and writes them, which is most of a format and brings tables of characters.
macro_rules! formats {
    ($($row:path),*) => {
        /// All formats. Of those that are equally sure of an input or a record, the first has it;
        /// those that are quick to tell come first.
        pub const FORMATS: &[&dyn Format] = &[$(&$row),*];

        /// The same, for reading alone.
        pub const READERS: &[&dyn Reader] = &[$(&$row),*];
    };
}

#[cfg(feature = "all-formats")]
formats!(Wthor, DhtmlXq, PsqFormat, Pgn, Epd, Transcripts);

// The format that chess begins with.
#[cfg(not(feature = "all-formats"))]
formats!(Pgn);

/// The format of whatever is in no other: it reads every text.
pub const FALLBACK: &dyn Format = &Pgn;

/// The same, for reading alone.
pub const FALLBACK_READER: &dyn Reader = &Pgn;

/// What a format says of records.
pub trait Reader: Debug + Send + Sync {
    /// The facts about the format.
    fn info(&self) -> &'static FormatInfo;

    /// Whether records of a game come in it.
    fn serves(&self, rules: &dyn Rules) -> bool {
        self.info().every_game || rules.has_format(self.info().name)
    }

    /// Whether the text of a record says itself that it is in this format.
    fn announces(&self, _text: &str) -> bool {
        false
    }

    /// What the text of a record says; what it says of its start becomes a [`START_TAG`]. `None` if
    /// it is not in this format.
    ///
    /// [`START_TAG`]: crate::START_TAG
    fn record<'a>(&self, text: &'a str, rules: &dyn Rules) -> Option<Record<'a>>;

    /// Reads moves that stand alone, as people paste them. `None` if there is anything else.
    fn read_list<'a>(&self, _text: &'a str, _rules: &dyn Rules) -> Option<Record<'a>> {
        None
    }
}

/// A format of records: one folder of this crate, and one row of [`FORMATS`].
///
/// An input and each of its records find their formats apart. That of an input says where it is
/// cut. A record is in the input's format; if that does not read it, in one that its text
/// announces, as a page with a game does, wherever it stands; else in the fallback.
pub trait Format: Reader {
    /// Whether an input that begins so is in this format, and which of the games with the format it
    /// is of.
    fn sniff(&self, head: &Head<'_>, games: &[&dyn Rules]) -> Option<Sniffed>;

    /// What cuts an input whose lines end with this byte.
    fn splitter(&self, newline: u8) -> Box<dyn Splitter>;

    /// Describes a record that is no text by a text, which [`read`](Self::read) reads. `None` if
    /// its bytes are a text, or what they mean is not known.
    fn describe(&self, _record: &[u8]) -> Option<String> {
        None
    }

    /// Reads the text of a record, and how it is laid out. `None` if it is not in this format.
    fn read<'a>(&self, text: &'a str, charset: Charset, rules: &dyn Rules) -> Option<Reading<'a>>;

    /// Whether a text begins with a move: what is kept of a record from its first move on that is
    /// none begins so, and other words that were not understood do not.
    fn begins_with_move(&self, text: &str) -> bool;

    /// The layout of this text.
    ///
    /// # Errors
    /// The word that is not known, in a sentence: a newer version may have written it.
    fn layout(&self, text: &str) -> Result<Box<dyn Layout>, String>;

    /// The layouts that could be a record's, likeliest first, where reading does not tell.
    fn guess(&self, _read: &Sketch<'_>) -> Vec<Box<dyn Layout>> {
        Vec::new()
    }
}

impl dyn Format + '_ {
    /// The text of a record, and the charset that it is in. Bytes that are no text are described by
    /// one. `signs` are those beyond ASCII that its game has.
    #[must_use]
    pub fn decode<'a>(&self, bytes: &'a [u8], signs: &str) -> (Charset, Cow<'a, str>) {
        match self.describe(bytes) {
            Some(text) => (Charset::Utf8, text.into()),
            None => charset::decode(bytes, signs),
        }
    }
}

/// The facts about a format.
#[derive(Debug)]
pub struct FormatInfo {
    /// Its name, with which the texts of its layouts begin. Games name the formats that their
    /// records have by it.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What its records are.
    pub content: Content,
    /// Whether records of every game come in it, and not only of those that name it.
    pub every_game: bool,
}

/// What records are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Content {
    /// Games; also whatever cannot be told.
    #[default]
    Games,
    /// Positions.
    Positions,
}

/// What a format may ask of a game, whose rules this crate does not know.
pub trait Rules {
    /// Whether its records come in the format of this name.
    fn has_format(&self, name: &str) -> bool;

    /// The characters beyond ASCII of its notations.
    fn signs(&self) -> &str;

    /// The start of a record by the words at its head and by the texts of its moves. `None` if it
    /// is the usual one or they do not tell.
    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<String>;

    /// The position that a text names, in canonical spelling. `None` if it names none.
    fn position(&self, text: &str) -> Option<String>;

    /// Whether all of these moves can be played, from this start or the usual one.
    fn plays(&self, start: Option<&str>, moves: &[&str]) -> bool;
}

/// The beginning of an input.
#[derive(Clone, Debug)]
pub struct Head<'a> {
    /// Its first bytes.
    pub bytes: &'a [u8],
    /// Its lines, but for blank ones, comments and a last one that is cut off.
    pub lines: Vec<&'a [u8]>,
    /// Whether somebody said which game the input is of.
    pub game_told: bool,
}

impl<'a> Head<'a> {
    /// The head of an input of which these are the first bytes, or all (`whole`).
    #[must_use]
    pub fn new(bytes: &'a [u8], whole: bool, game_told: bool) -> Self {
        let newline = newline(bytes);
        let mut lines: Vec<&[u8]> = bytes.split(|&byte| byte == newline).collect();
        if !whole && lines.len() > 1 {
            // Whatever was cut off may look like anything.
            lines.pop();
        }
        lines.retain(|line| !is_comment(line));
        Self { bytes, lines, game_told }
    }
}

/// The byte that ends the lines of an input that begins so.
#[must_use]
pub fn newline(bytes: &[u8]) -> u8 {
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') { b'\r' } else { b'\n' }
}

/// How sure a format is of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sure {
    /// It may be by chance that it fits.
    Perhaps,
    /// It fits well.
    Likely,
    /// Nothing else looks so.
    Certainly,
}

/// That an input is in a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sniffed {
    /// How sure that is.
    pub sure: Sure,
    /// The place, among the games that were asked about, of the game that all its records are of.
    /// `None` if each record says that itself.
    pub game: Option<usize>,
}

/// What the text of a record says.
#[derive(Debug)]
pub struct Reading<'a> {
    /// Its tags and moves.
    pub record: Record<'a>,
    /// The layout; `None` if [`Format::guess`] is to find it.
    pub layout: Option<Box<dyn Layout>>,
    /// Where in the text stands what the layout writes; `None` if that is all of the record.
    pub place: Option<Range<usize>>,
    /// How long each move took, in units of 10^-`decimals` seconds, if the record says it elsewhere
    /// than in comments.
    pub times: Vec<u32>,
    /// The decimals of a second that the times have.
    pub decimals: u8,
}

impl<'a> Reading<'a> {
    /// A record, all of which this layout writes.
    #[must_use]
    pub fn new(record: Record<'a>, layout: Box<dyn Layout>) -> Self {
        Self { layout: Some(layout), ..Self::without_layout(record) }
    }

    /// A record whose layout is to be guessed.
    #[must_use]
    pub fn without_layout(record: Record<'a>) -> Self {
        Self { record, layout: None, place: None, times: Vec::new(), decimals: 0 }
    }
}

/// A record of which the moves were understood, for guessing how it is laid out.
#[derive(Clone, Copy, Debug)]
pub struct Sketch<'a> {
    /// The record's text.
    pub text: &'a str,
    /// What that was decoded from.
    pub charset: Charset,
    /// What it says.
    pub record: &'a Record<'a>,
    /// The main line's moves, as far as they were understood, in the notation.
    pub moves: &'a [&'a str],
    /// The notation that its moves are in.
    pub notation: NotationName<'a>,
    /// How clock readings and evaluations stand in comments, if they do.
    pub values: Option<ValueStyle>,
    /// How reviews are written, if there are any.
    pub reviews: Option<&'a ReviewStyle>,
    /// Whether the second player makes the first move.
    pub second: bool,
}

/// The format of this name.
#[must_use]
pub fn format(name: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.info().name == name)
}

/// The layout of this text, in whichever format.
///
/// # Errors
/// What is not known, in a sentence: a newer version may have written it.
pub fn layout(text: &str) -> Result<Box<dyn Layout>, String> {
    let word = || text.split(' ').next().unwrap_or_default();
    of_layout(text).ok_or_else(|| unknown(word()))?.layout(text)
}

/// The format whose layout has this text.
#[must_use]
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
        for (odd, word) in [("sgf order=main-first", "sgf"), ("", ""), ("psq x=y", "x=y")] {
            let why = text(odd).expect_err("an unknown word");
            assert!(why.contains(&format!("`{word}`")), "{why}");
        }
        assert!(format("pgn").is_some() && format("PGN").is_none());
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
