//! How a line of a position file is laid out in bytes.

use std::fmt::{self, Display, Write};
use std::str::FromStr;

use super::line::first_words;
use super::{COUNTERS, NAME, REST, TITLE};
use crate::charset::{self, Charset};
use crate::layout::{self, NotationName, Rendering, SPACE_MAX, letter_of, read_words, space_of};
use crate::record::START_TAG;

/// How a line is laid out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The character set.
    pub charset: Charset,
    /// The gap before the position.
    pub lead: String,
    /// The number of words of the position to write, if not all.
    pub words: Option<u8>,
    /// Whether castling rights are file letters, as in `HAha`.
    pub files: bool,
    /// The gap before the first counter.
    pub gap: String,
    /// The gap before the operations.
    pub stop: String,
    /// The opcodes in order, and whether the operands of each are one quoted string.
    pub operations: Vec<(String, bool)>,
    /// The gap between operations.
    pub between: String,
    /// The end of the line.
    pub end: String,
}

/// The usual gaps before counters and operations, and between operations.
pub(super) const USUAL_GAP: &str = " ";
pub(super) const USUAL_BETWEEN: &str = "; ";

/// Whether a gap may have this character: white space or a semicolon.
pub(super) fn is_gap(symbol: char) -> bool {
    matches!(symbol, ' ' | '\t' | '\r' | '\n' | ';')
}

/// A gap as a layout holds it; empty if a layout cannot hold it.
pub(super) fn gap(text: &str) -> String {
    let held = text.len() <= SPACE_MAX && text.chars().all(is_gap);
    if held { text.to_owned() } else { String::new() }
}

/// A chess position with file letters for castling rights, instead of `K`, `Q`, `k` and `q`, which
/// stand for the outermost rook on that side of the king. `None` if it has no such rights.
fn with_files(position: &str) -> Option<String> {
    let mut words = position.splitn(4, ' ');
    let (men, side, rights) = (words.next()?, words.next()?, words.next()?);
    let rest = words.next()?;
    let mut letters = String::new();
    for right in rights.chars() {
        let white = right.is_ascii_uppercase();
        let rank = if white { men.rsplit('/').next()? } else { men.split('/').next()? };
        letters.push(match right {
            'K' | 'Q' | 'k' | 'q' => {
                let file = rook(rank, white, right.eq_ignore_ascii_case(&'k'))?;
                if white { file.to_ascii_uppercase() } else { file }
            }
            _ => return None,
        });
    }
    Some(format!("{men} {side} {letters} {rest}"))
}

/// The file of the outermost rook of a colour on one side of its king.
fn rook(rank: &str, white: bool, right: bool) -> Option<char> {
    let colour = |man: char| if white { man.to_ascii_uppercase() } else { man };
    let mut files = Vec::with_capacity(8);
    for symbol in rank.chars() {
        match symbol.to_digit(9) {
            Some(count) => files.extend((0..count).map(|_| '1')),
            None => files.push(symbol),
        }
    }
    let king = files.iter().position(|&man| man == colour('k'))?;
    let is_rook = |&(file, man): &(usize, char)| man == colour('r') && (file > king) == right;
    let mut rooks = files.into_iter().enumerate().filter(is_rook);
    let (file, _) = if right { rooks.next_back() } else { rooks.next() }?;
    u8::try_from(file).ok().filter(|&file| file < 8).map(|file| char::from(b'a' + file))
}

impl Layout {
    /// Writes a line: the text of a position, its counters, the operands of the layout's operations
    /// in order, and the rest of the line. `None` if the charset lacks a character.
    pub fn write<'a>(
        &self,
        position: &str,
        counters: [Option<u32>; 2],
        operands: impl Iterator<Item = &'a str>,
        rest: &str,
    ) -> Option<Vec<u8>> {
        let mut out = String::with_capacity(128);
        out.push_str(&self.lead);
        let lettered = Some(position).filter(|_| self.files).and_then(with_files);
        let position = lettered.as_deref().unwrap_or(position);
        out.push_str(self.words.map_or(position, |count| first_words(position, count.into())));
        let mut gap = self.gap.as_str();
        for counter in counters.into_iter().flatten() {
            // Writing to a string cannot fail.
            let _ = write!(out, "{gap}{counter}");
            gap = USUAL_GAP;
        }
        if !self.operations.is_empty() || !rest.is_empty() {
            out.push_str(&self.stop);
        }
        for (place, ((opcode, quoted), operand)) in self.operations.iter().zip(operands).enumerate()
        {
            if place > 0 {
                out.push_str(&self.between);
            }
            out.push_str(opcode);
            let _ = match (quoted, operand) {
                (true, _) => write!(out, " \"{operand}\""),
                (false, "") => Ok(()),
                (false, _) => write!(out, " {operand}"),
            };
        }
        out.push_str(rest);
        out.push_str(&self.end);
        charset::encode(out, self.charset)
    }

    /// The usual end of a line with these operations.
    fn usual_end(&self) -> &'static str {
        if self.operations.is_empty() { "\n" } else { ";\n" }
    }
}

impl layout::Layout for Layout {
    /// There are no moves.
    fn notation(&self) -> NotationName<'_> {
        NotationName::Customary
    }

    fn render(&self, record: &Rendering<'_>) -> Option<Vec<u8>> {
        let (position, mut tags) = record.tags.split_first()?;
        let position = Some(position).filter(|tag| tag.0 == START_TAG)?.1;
        let counters = COUNTERS.map(|name| {
            let (counter, rest) = tags.split_first().filter(|(tag, _)| tag.0 == name)?;
            tags = rest;
            counter.1.parse().ok()
        });
        let (operations, rest) = tags.split_at_checked(self.operations.len())?;
        let rest = rest.first().filter(|tag| tag.0 == REST).map_or("", |tag| tag.1);
        self.write(position, counters, operations.iter().map(|tag| tag.1), rest)
    }
}

impl Display for Layout {
    /// `epd`, then `key=value` for each non-default setting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(NAME)?;
        layout::write_charset(self.charset, f)?;
        if let Some(words) = self.words {
            write!(f, " words={words}")?;
        }
        if self.files {
            f.write_str(" rights=files")?;
        }
        if !self.operations.is_empty() {
            let name = |(opcode, quoted): &(String, bool)| {
                format!("{opcode}{}", if *quoted { "\"" } else { "" })
            };
            let names: Vec<String> = self.operations.iter().map(name).collect();
            write!(f, " operations={}", names.join(","))?;
        }
        for (key, gap, usual) in [
            ("lead", &self.lead, ""),
            ("gap", &self.gap, USUAL_GAP),
            ("stop", &self.stop, USUAL_GAP),
            ("between", &self.between, USUAL_BETWEEN),
            ("end", &self.end, self.usual_end()),
        ] {
            if gap != usual {
                let letters = gap.chars().map(|symbol| letter_of(symbol).unwrap_or(';'));
                write!(f, " {key}={}", letters.collect::<String>())?;
            }
        }
        Ok(())
    }
}

impl FromStr for Layout {
    type Err = String;

    /// # Errors
    /// Returns an error that names the unknown word; a newer version may have written it.
    fn from_str(text: &str) -> Result<Self, String> {
        let usual = Self {
            gap: USUAL_GAP.into(),
            stop: USUAL_GAP.into(),
            between: USUAL_BETWEEN.into(),
            ..Self::default()
        };
        let mut end = None;
        let mut layout = read_words((NAME, TITLE), text, usual, |layout, key, value| {
            match key {
                "charset" => layout.charset = Charset::of_name(value)?,
                "words" => layout.words = Some(value.parse().ok()?),
                "rights" if value == "files" => layout.files = true,
                "operations" => {
                    let name = |name: &str| match name.strip_suffix('"') {
                        Some(opcode) => (opcode.to_owned(), true),
                        None => (name.to_owned(), false),
                    };
                    layout.operations = value.split(',').map(name).collect();
                }
                "lead" => layout.lead = read_gap(value)?,
                "gap" => layout.gap = read_gap(value)?,
                "stop" => layout.stop = read_gap(value)?,
                "between" => layout.between = read_gap(value)?,
                "end" => end = Some(read_gap(value)?),
                _ => return None,
            }
            Some(())
        })?;
        layout.end = end.unwrap_or_else(|| layout.usual_end().into());
        Ok(layout)
    }
}

/// Reads a gap as layouts write it: white space as letters, and semicolons as they are.
fn read_gap(letters: &str) -> Option<String> {
    let symbol = |letter| if letter == ';' { Some(letter) } else { space_of(letter) };
    letters.chars().map(symbol).collect::<Option<_>>().filter(|_| letters.len() <= SPACE_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_are_letters_of_files() {
        for (position, lettered) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq -", Some("r3k2r/8/8/8/8/8/8/R3K2R w HAha -")),
            ("1r2kr2/8/8/8/8/8/8/RR1K2R1 b KQq e3", Some("1r2kr2/8/8/8/8/8/8/RR1K2R1 b GAb e3")),
            ("4k3/8/8/8/8/8/8/4K3 w - -", None),
            ("4k3/8/8/8/8/8/8/4K3 w K -", None),
            ("r3k2r/8/8/8/8/8/8/R3K2R w HAha -", None),
            ("", None),
        ] {
            assert_eq!(with_files(position).as_deref(), lettered, "{position}");
        }
        let layout: Layout = "epd rights=files".parse().expect("a layout");
        assert_eq!(layout.to_string(), "epd rights=files");
    }

    #[test]
    fn unknown_layouts_are_refused() {
        for text in ["", "pgn", "epd x", "epd x=y", "epd end=x", "epd words=-1", "epd charset=x"] {
            assert!(text.parse::<Layout>().is_err(), "{text}");
        }
        let long = format!("epd end={}", "n".repeat(SPACE_MAX + 1));
        assert!(long.parse::<Layout>().is_err());
    }
}
