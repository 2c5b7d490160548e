//! How a plain record is laid out in bytes, in one short text that many records share.
//!
//! A layout and what a record says give the record's bytes back. Layouts are guessed from one
//! record and then proved by writing the record out and comparing: nothing depends on the guess.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use super::{RESULTS, Record};
use crate::charset::{self, Charset};

/// The layout of a record without annotations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// How characters become bytes.
    pub charset: Charset,
    /// Whether lines end with `\r\n` instead of `\n`.
    pub crlf: bool,
    /// Newlines before the first tag.
    pub lead: u16,
    /// Blank lines between the tags and the movetext.
    pub gap: u16,
    /// Whether moves are in coordinate notation (UCI) instead of the customary one (SAN).
    pub coordinates: bool,
    /// How move numbers are written.
    pub numbers: Numbers,
    /// The longest line of movetext, in characters; 0 if it is all one line.
    pub width: u16,
    /// The result at the end of the movetext.
    pub result: ResultMark,
    /// Spaces before the result.
    pub result_gap: u16,
    /// Newlines after the movetext.
    pub end: u16,
}

/// How move numbers are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// `1. e4`, and a line may end after the number.
    #[default]
    Spaced,
    /// `1. e4`, on one line.
    Unbroken,
    /// `1.e4`
    Joined,
    /// No numbers.
    Absent,
}

/// The result at the end of the movetext.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResultMark {
    /// That of the Result tag.
    #[default]
    Same,
    /// None.
    Absent,
    /// This one, whatever the tag says.
    Marker(&'static str),
}

/// What a record says, for writing it out.
#[derive(Clone, Debug)]
pub struct Rendering<'a, M> {
    /// Tags in order.
    pub tags: &'a [(&'a str, &'a str)],
    /// The texts of the moves.
    pub moves: M,
    /// The number of the first move.
    pub number: u32,
    /// Whether the second player makes the first move.
    pub second: bool,
}

impl Default for Layout {
    fn default() -> Self {
        Self {
            charset: Charset::Utf8,
            crlf: false,
            lead: 0,
            gap: 1,
            coordinates: false,
            numbers: Numbers::Spaced,
            width: 80,
            result: ResultMark::Same,
            result_gap: 1,
            end: 2,
        }
    }
}

impl Layout {
    /// The layouts that could be this record's, likeliest first.
    ///
    /// `text` is the record, `charset` what it was decoded from, `coordinates` whether its moves
    /// are in coordinate notation.
    #[must_use]
    pub fn guess(
        text: &str,
        record: &Record<'_>,
        charset: Charset,
        coordinates: bool,
    ) -> Vec<Self> {
        let count = |part: &str| -> u16 {
            let newlines = part.bytes().filter(|&byte| byte == b'\n').count();
            u16::try_from(newlines).unwrap_or(u16::MAX)
        };
        let before = &text[..text.len() - record.movetext.len()];
        let first = before.len() - before.trim_start().len();
        let body = record.movetext.trim_end();
        let mut layout = Self {
            charset,
            crlf: text.contains("\r\n"),
            lead: count(&before[..first]),
            gap: count(&before[before.trim_end().len()..]).saturating_sub(1),
            coordinates,
            end: count(&record.movetext[body.len()..]),
            ..Self::default()
        };
        if record.tags.is_empty() {
            layout.gap = 0;
        }
        let number = body.split_ascii_whitespace().next().filter(|word| word.contains('.'));
        layout.numbers = match number {
            Some(word) if word.ends_with('.') => Numbers::Spaced,
            Some(_) => Numbers::Joined,
            None if record.moves.is_empty() => Numbers::Spaced,
            None => Numbers::Absent,
        };
        let result = RESULTS.into_iter().find(|&marker| record.result == Some(marker));
        layout.result = match result {
            None => ResultMark::Absent,
            Some(marker) if record.tag("Result") == Some(marker) => ResultMark::Same,
            Some(marker) => ResultMark::Marker(marker),
        };
        if let Some(result) = result {
            let head = body.trim_end_matches(result);
            let spaces = head.len() - head.trim_end_matches(' ').len();
            layout.result_gap = u16::try_from(spaces).unwrap_or(1).max(1);
        }
        let mut layouts = Vec::new();
        layout.width = line_width(body, false);
        layouts.push(layout.clone());
        if layout.numbers == Numbers::Spaced {
            layout.numbers = Numbers::Unbroken;
            layout.width = line_width(body, true);
            layouts.push(layout);
        }
        layouts
    }

    /// Writes a record out. `None` if a character is not in the layout's charset.
    #[must_use]
    pub fn render<'a, M: Iterator<Item = &'a str>>(
        &self,
        record: Rendering<'_, M>,
    ) -> Option<Vec<u8>> {
        let newline = if self.crlf { "\r\n" } else { "\n" };
        let mut out = String::with_capacity(1024);
        let newlines = |out: &mut String, count: u16| {
            (0..count).for_each(|_| out.push_str(newline));
        };
        newlines(&mut out, self.lead);
        for (name, value) in record.tags {
            out.push('[');
            out.push_str(name);
            out.push_str(" \"");
            for symbol in value.chars() {
                if matches!(symbol, '"' | '\\') {
                    out.push('\\');
                }
                out.push(symbol);
            }
            out.push_str("\"]");
            out.push_str(newline);
        }
        newlines(&mut out, self.gap);
        let mut body = Body { out, newline, width: self.width.into(), column: 0 };
        body.moves(record.moves, record.number, record.second, self.numbers);
        let tagged = || record.tags.iter().find(|tag| tag.0 == "Result").map(|tag| tag.1);
        let result = match self.result {
            ResultMark::Same => tagged(),
            ResultMark::Absent => None,
            ResultMark::Marker(marker) => Some(marker),
        };
        if let Some(result) = result {
            body.word(&[result], self.result_gap.into());
        }
        let mut out = body.out;
        newlines(&mut out, self.end);
        charset::encode(out, self.charset)
    }
}

/// The width at which the lines of a movetext are filled, as far as they show it.
fn line_width(body: &str, unbroken: bool) -> u16 {
    /// Widths that writers of PGN use, the commonest first.
    const USUAL: [usize; 6] = [80, 79, 78, 75, 72, 255];
    let mut longest = 0;
    let mut fits_below = usize::MAX;
    let mut lines = body.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(next) = lines.peek() else {
            if fits_below == usize::MAX {
                return 0;
            }
            longest = longest.max(line.len());
            break;
        };
        longest = longest.max(line.len());
        let mut words = next.split_ascii_whitespace().map(str::len);
        let mut first = words.next().unwrap_or(0);
        if unbroken && next[..first].ends_with('.') {
            first += 1 + words.next().unwrap_or(0);
        }
        fits_below = fits_below.min(line.len() + 1 + first);
    }
    let usual = USUAL.into_iter().find(|&width| longest <= width && width < fits_below);
    u16::try_from(usual.unwrap_or(longest)).unwrap_or(0)
}

/// Movetext that is being written, line by line.
struct Body<'n> {
    out: String,
    newline: &'n str,
    width: usize,
    column: usize,
}

impl Body<'_> {
    fn moves<'a>(
        &mut self,
        moves: impl Iterator<Item = &'a str>,
        first: u32,
        mut second: bool,
        style: Numbers,
    ) {
        let mut number = first;
        let mut label = String::new();
        for (index, mv) in moves.enumerate() {
            let numbered = style != Numbers::Absent && (!second || index == 0);
            if numbered {
                label.clear();
                // Writing to a string cannot fail.
                let _ = write!(label, "{number}{}", if second { "..." } else { "." });
                match style {
                    Numbers::Spaced => {
                        self.word(&[&label], 1);
                        self.word(&[mv], 1);
                    }
                    Numbers::Unbroken => self.word(&[&label, " ", mv], 1),
                    Numbers::Joined | Numbers::Absent => self.word(&[&label, mv], 1),
                }
            } else {
                self.word(&[mv], 1);
            }
            number += u32::from(second);
            second = !second;
        }
    }

    /// Writes a word after `gap` spaces, or on a new line where it would not fit.
    fn word(&mut self, parts: &[&str], gap: usize) {
        let length: usize = parts.iter().map(|part| part.len()).sum();
        if self.column > 0 {
            if self.width > 0 && self.column + gap + length > self.width {
                self.out.push_str(self.newline);
                self.column = 0;
            } else {
                (0..gap).for_each(|_| self.out.push(' '));
                self.column += gap;
            }
        }
        parts.iter().for_each(|part| self.out.push_str(part));
        self.column += length;
    }
}

impl Display for Layout {
    /// `pgn`, then `key=value` for everything that differs from the default.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let usual = Self::default();
        f.write_str("pgn")?;
        if self.charset == Charset::Latin1 {
            f.write_str(" charset=latin-1")?;
        }
        if self.crlf {
            f.write_str(" newline=crlf")?;
        }
        if self.coordinates {
            f.write_str(" moves=coordinates")?;
        }
        match self.numbers {
            Numbers::Spaced => {}
            Numbers::Unbroken => f.write_str(" numbers=unbroken")?,
            Numbers::Joined => f.write_str(" numbers=joined")?,
            Numbers::Absent => f.write_str(" numbers=absent")?,
        }
        match self.result {
            ResultMark::Same => {}
            ResultMark::Absent => f.write_str(" result=absent")?,
            ResultMark::Marker(marker) => write!(f, " result={marker}")?,
        }
        for (key, value, usual) in [
            ("lead", self.lead, usual.lead),
            ("gap", self.gap, usual.gap),
            ("width", self.width, usual.width),
            ("result-gap", self.result_gap, usual.result_gap),
            ("end", self.end, usual.end),
        ] {
            if value != usual {
                write!(f, " {key}={value}")?;
            }
        }
        Ok(())
    }
}

impl FromStr for Layout {
    type Err = String;

    /// # Errors
    /// The word that is not known, in a sentence: a newer version may have written it.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut layout = Self::default();
        let mut words = text.split(' ');
        if words.next() != Some("pgn") {
            return Err(format!("`{text}` is not a PGN layout"));
        }
        for word in words {
            let unknown = || format!("layout word `{word}` is unknown; a newer plypack wrote it");
            let (key, value) = word.split_once('=').ok_or_else(unknown)?;
            match (key, value) {
                ("charset", "latin-1") => layout.charset = Charset::Latin1,
                ("newline", "crlf") => layout.crlf = true,
                ("moves", "coordinates") => layout.coordinates = true,
                ("numbers", "unbroken") => layout.numbers = Numbers::Unbroken,
                ("numbers", "joined") => layout.numbers = Numbers::Joined,
                ("numbers", "absent") => layout.numbers = Numbers::Absent,
                ("result", "absent") => layout.result = ResultMark::Absent,
                ("result", marker) => {
                    let known = RESULTS.into_iter().find(|&known| known == marker);
                    layout.result = ResultMark::Marker(known.ok_or_else(unknown)?);
                }
                _ => {
                    let value = value.parse().map_err(|_| unknown())?;
                    match key {
                        "lead" => layout.lead = value,
                        "gap" => layout.gap = value,
                        "width" => layout.width = value,
                        "result-gap" => layout.result_gap = value,
                        "end" => layout.end = value,
                        _ => return Err(unknown()),
                    }
                }
            }
        }
        Ok(layout)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::parse;

    /// The layout that gives `bytes` back, if there is one.
    fn layout_of(bytes: &[u8]) -> Option<String> {
        let (charset, text) = charset::decode(bytes);
        let record = parse(&text);
        let tags: Vec<(&str, &str)> = record.tags.iter().map(|t| (t.0, t.1.as_ref())).collect();
        let guesses = Layout::guess(&text, &record, charset, false);
        let found = guesses.into_iter().find(|layout| {
            let moves = record.moves.iter().copied();
            let rendering = Rendering { tags: &tags, moves, number: 1, second: false };
            layout.render(rendering).as_deref() == Some(bytes)
        })?;
        let text = found.to_string();
        assert_eq!(text.parse(), Ok(found));
        Some(text)
    }

    #[test]
    fn layouts_of_the_wild() {
        for (bytes, expected) in [
            (&b"[Result \"1-0\"]\n\n1. e4 e5 1-0\n\n"[..], "pgn width=0"),
            (b"[Result \"1-0\"]\r\n\r\n1.e4 e5 1-0\r\n\r\n", "pgn newline=crlf numbers=joined width=0"),
            (b"[White \"M\xf3ra\"]\n1. e4  *\n", "pgn charset=latin-1 result=* gap=0 width=0 result-gap=2 end=1"),
            (b"e4 e5", "pgn numbers=absent result=absent gap=0 width=0 end=0"),
            (b"\n[A \"\\\\ \\\"\"]\n\n*", "pgn result=* lead=1 width=0 end=0"),
            (b"", "pgn result=absent gap=0 end=0"),
        ] {
            assert_eq!(layout_of(bytes).as_deref(), Some(expected));
        }
        assert_eq!(layout_of(b"[A  \"two spaces\"]\n\n*\n"), None);
        assert_eq!(layout_of(b"1. e4 \n e5 *\n"), None);
    }

    #[test]
    fn filled_lines() {
        let moves = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "O-O", "Be7", "Re1"];
        for numbers in [Numbers::Spaced, Numbers::Unbroken, Numbers::Joined, Numbers::Absent] {
            for width in 8..60 {
                let layout = Layout { numbers, width, gap: 0, ..Layout::default() };
                let rendering = Rendering {
                    tags: &[("Result", "*")],
                    moves: moves.into_iter().chain(["b5", "Bb3", "d6", "c3", "O-O"]),
                    number: 1,
                    second: false,
                };
                let bytes = layout.render(rendering).expect("ASCII");
                let text = String::from_utf8(bytes.clone()).expect("ASCII");
                assert!(text.lines().skip(1).all(|line| line.len() <= width.into()), "{text}");
                assert!(layout_of(&bytes).is_some(), "{text}");
            }
        }
    }

    #[test]
    fn black_may_begin() {
        let layout = Layout { numbers: Numbers::Joined, ..Layout::default() };
        let moves = ["e5", "Nf3"].into_iter();
        let rendering = Rendering { tags: &[], moves, number: 9, second: true };
        assert_eq!(layout.render(rendering), Some(b"\n9...e5 10.Nf3\n\n".to_vec()));
    }

    #[test]
    fn unknown_words_are_refused() {
        for text in ["", "sgf", "pgn width", "pgn width=x", "pgn new=1", "pgn result=2-0"] {
            assert!(text.parse::<Layout>().is_err(), "{text}");
        }
    }
}
