//! Cuts an input into trees, by the parentheses outside brackets, and into lists of bare nodes, by
//! lines.

use crate::charset::is_utf16;
use crate::split::{Splitter, count};

/// The splitter for SGF.
#[derive(Debug)]
pub(super) struct Trees {
    newline: u8,
    /// The number of bytes of the open record already scanned.
    scanned: usize,
    state: State,
}

/// Where the scanned bytes end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Before the record.
    Before,
    /// In a line that is not a tree.
    Line,
    /// At this depth in a tree.
    Tree(u64),
    /// In a value, at this depth in a tree.
    Value(u64),
    /// After a backslash in a value.
    Escaped(u64),
    /// After the tree.
    Behind,
    /// In an input in UTF-16, which is one record.
    Wide,
}

impl Trees {
    /// A splitter for an input whose lines end with this byte.
    pub fn new(newline: u8) -> Self {
        Self { newline, scanned: 0, state: State::Before }
    }
}

impl Splitter for Trees {
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<usize> {
        if self.scanned == 0 && self.state == State::Before {
            if bytes.len() < 2 && !last {
                return None;
            }
            if is_utf16(bytes) {
                self.state = State::Wide;
            }
        }
        let rest = bytes.get(self.scanned..).unwrap_or_default();
        for (at, &byte) in (self.scanned..).zip(rest) {
            let (state, ends) = match (self.state, byte) {
                (State::Wide, _) => return None,
                (State::Before, b'(') => (State::Tree(1), None),
                (State::Before, b) if b.is_ascii_whitespace() => (State::Before, None),
                // A byte order mark.
                (State::Before, 0xef | 0xbb | 0xbf) => (State::Before, None),
                (State::Line, b) if b == self.newline => (State::Before, Some(at + 1)),
                (State::Before | State::Line, _) => (State::Line, None),
                (State::Tree(depth), b'(') => (State::Tree(depth + 1), None),
                (State::Tree(0 | 1), b')') => (State::Behind, None),
                (State::Tree(depth), b')') => (State::Tree(depth - 1), None),
                (State::Tree(depth), b'[') => (State::Value(depth), None),
                (State::Value(depth), b']') => (State::Tree(depth), None),
                (State::Value(depth), b'\\') => (State::Escaped(depth), None),
                (State::Escaped(depth), _) => (State::Value(depth), None),
                (State::Behind, b) if b.is_ascii_whitespace() => (State::Behind, None),
                (State::Behind, _) => (State::Before, Some(at)),
                (state, _) => (state, None),
            };
            self.state = state;
            if let Some(end) = ends {
                self.scanned = 0;
                return Some(end);
            }
        }
        self.scanned = bytes.len();
        None
    }

    fn cut(&mut self, _: &[u8]) {
        self.scanned = 0;
        if self.state == State::Behind {
            self.state = State::Before;
        }
    }

    fn lines(&self, record: &[u8]) -> u64 {
        count(self.newline, record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(text: &str) -> Vec<String> {
        let records = Trees::new(b'\n').records(text.as_bytes());
        records.into_iter().map(|record| String::from_utf8_lossy(record).into_owned()).collect()
    }

    #[test]
    fn trees_are_cut_where_they_end() {
        assert_eq!(
            records("(;B[aa](;W[bb])(;C[)\\])]))\n\n(;)\n"),
            ["(;B[aa](;W[bb])(;C[)\\])]))\n\n", "(;)\n"]
        );
        assert_eq!(
            records("1\t;B[aa]\n2\t;B[bb];W[cc]\n3"),
            ["1\t;B[aa]\n", "2\t;B[bb];W[cc]\n", "3"]
        );
        assert_eq!(records("x\n(;)(;B[a"), ["x\n", "(;)", "(;B[a"]);
        let wide: Vec<u8> = "\u{feff}(;)\n(;)".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(Trees::new(b'\n').records(&wide), [&wide[..]]);
    }
}
