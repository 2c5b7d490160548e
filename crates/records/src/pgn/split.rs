//! Finds where records end and begin, line by line.

use memchr::memchr;

use super::RESULTS;
use crate::split::{Splitter, count};

/// Cuts PGN, and any other text, into records.
#[derive(Debug)]
pub struct PgnSplitter {
    newline: u8,
    lines: Lines,
    /// The number of bytes of the open record already scanned.
    scanned: usize,
    /// Whether the scanned bytes end within a line.
    within_line: bool,
}

impl PgnSplitter {
    /// A splitter for a text whose lines end with this byte.
    pub fn new(newline: u8) -> Self {
        Self { newline, lines: Lines::default(), scanned: 0, within_line: false }
    }

    /// Takes the next line, or the beginning of it. Returns whether a record begins here.
    fn take(&mut self, line: &[u8]) -> bool {
        let begins = !self.within_line && self.lines.line(line);
        self.within_line = !line.ends_with(&[self.newline]);
        begins
    }
}

impl Splitter for PgnSplitter {
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<usize> {
        while let Some(rest) = bytes.get(self.scanned..).filter(|rest| !rest.is_empty()) {
            let end = match memchr(self.newline, rest) {
                Some(end) => end + 1,
                None if last => rest.len(),
                None => return None,
            };
            let length = self.scanned;
            if self.take(&rest[..end]) && length > 0 {
                self.scanned = end;
                return Some(length);
            }
            self.scanned = length + end;
        }
        None
    }

    fn cut(&mut self, _: &[u8]) {
        self.scanned = 0;
    }

    fn lines(&self, record: &[u8]) -> u64 {
        count(self.newline, record)
    }
}

/// Decides, line by line, which lines begin a record.
#[derive(Debug, Default)]
struct Lines {
    part: Part,
    /// The name of the record's first tag: if it comes again, another record begins.
    first_tag: Vec<u8>,
    /// Whether the line before was blank.
    blank: bool,
    /// Whether the movetext so far ends with a result.
    ended: bool,
    in_comment: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Part {
    #[default]
    Nothing,
    Tags,
    Movetext,
}

impl Lines {
    /// Takes the next line of the input, newline included. Returns whether a record begins here.
    fn line(&mut self, line: &[u8]) -> bool {
        let content = line.trim_ascii();
        let content = content.strip_prefix(b"\xef\xbb\xbf").unwrap_or(content);
        if content.is_empty() {
            self.blank = true;
            return false;
        }
        let after_blank = std::mem::take(&mut self.blank);
        let tag = tag_name(content);
        if self.in_comment {
            // A brace that is never closed must not swallow the rest of the file.
            if !(after_blank && tag.is_some_and(|name| name == self.first_tag)) {
                self.scan_movetext(content);
                return false;
            }
            self.in_comment = false;
        }
        if line.starts_with(b"%") {
            return false;
        }
        let Some(name) = tag else {
            let begins = self.part == Part::Movetext && self.ended && after_blank;
            if begins {
                self.first_tag.clear();
            }
            self.part = Part::Movetext;
            self.scan_movetext(content);
            return begins;
        };
        let begins = match self.part {
            Part::Nothing => false,
            Part::Tags => after_blank && name == self.first_tag,
            Part::Movetext => true,
        };
        if begins || self.part == Part::Nothing {
            self.first_tag.clear();
            self.first_tag.extend_from_slice(name);
        }
        self.ended = false;
        self.part = Part::Tags;
        // Moves may follow on the same line as the last tag.
        if let Some(bracket) = memchr::memrchr(b']', content)
            && !content[bracket + 1..].trim_ascii().is_empty()
        {
            self.part = Part::Movetext;
            self.scan_movetext(&content[bracket + 1..]);
        }
        begins
    }

    /// Follows comments, and notes whether the line ends with a result.
    fn scan_movetext(&mut self, mut content: &[u8]) {
        loop {
            if self.in_comment {
                let Some(close) = memchr::memchr(b'}', content) else { return };
                self.in_comment = false;
                content = &content[close + 1..];
            }
            match memchr::memchr2(b'{', b';', content) {
                Some(open) if content[open] == b'{' => {
                    self.in_comment = true;
                    self.ended = false;
                    content = &content[open + 1..];
                }
                Some(rest) => {
                    content = &content[..rest];
                    break;
                }
                None => break,
            }
        }
        let last = content.rsplit(u8::is_ascii_whitespace).find(|token| !token.is_empty());
        if let Some(last) = last {
            self.ended = RESULTS.iter().any(|result| last.ends_with(result.as_bytes()));
        }
    }
}

/// The name of the tag that a line begins with, if any.
fn tag_name(content: &[u8]) -> Option<&[u8]> {
    let rest = content.strip_prefix(b"[")?;
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
    (end > 0 && rest[0].is_ascii_alphabetic() && rest[end].is_ascii_whitespace())
        .then(|| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The records of a text.
    fn split(text: &str) -> Vec<String> {
        let records = PgnSplitter::new(b'\n').records(text.as_bytes()).into_iter();
        records.map(|record| String::from_utf8_lossy(record).into_owned()).collect()
    }

    #[test]
    fn games_with_and_without_moves() {
        let text =
            "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n[Event \"d\"]\n\n*\n";
        assert_eq!(split(text).len(), 3);
        assert_eq!(split(text).concat(), text);
    }

    #[test]
    fn a_blank_line_between_tags_ends_no_record() {
        assert_eq!(split("[Event \"a\"]\n\n[Date \"b\"]\n\n1. e4 e5\n\n2. Nf3 *\n").len(), 1);
    }

    #[test]
    fn games_without_tags() {
        assert_eq!(split("1. e4 e5 1-0\n\n1. d4 d5 0-1\n\n1. c4").len(), 3);
        assert_eq!(split("\n\n1. e4\n\ne5\n").len(), 1);
    }

    #[test]
    fn brackets_in_comments_are_no_tags() {
        let text = "[Event \"a\"]\n\n1. e4 {one\n[%clk 0:01]\n\n[Site \"x\"]} e5 *\n\n";
        assert_eq!(split(text).len(), 1);
        let semicolon = "[Event \"a\"]\n\n1. e4 ; a { brace\ne5 *\n\n[Event \"b\"]\n\n*\n";
        assert_eq!(split(semicolon).len(), 2);
    }

    #[test]
    fn an_open_comment_ends_at_the_next_game() {
        let text = "[Event \"a\"]\n\n1. e4 {never closed\n\n[Event \"b\"]\n\n1. d4 *\n";
        assert_eq!(split(text).len(), 2);
    }

    #[test]
    fn moves_on_the_line_of_a_tag() {
        assert_eq!(split("[Event \"a\"] 1. e4 *\n[Event \"b\"] 1. d4 *\n").len(), 2);
    }
}
