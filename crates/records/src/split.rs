//! Cuts an input into records as its bytes arrive.
//!
//! The pieces always add up to the input: a wrong cut costs size, never data.

use memchr::{memchr, memchr_iter};

/// Finds the ends of records.
pub trait Splitter: Send {
    /// Returns the length of the record at the beginning of `bytes`; `None` if it may extend beyond
    /// them.
    ///
    /// After `None`, the next call must pass the same bytes and more; after a record, the bytes
    /// that follow it. With `last`, the input ends here, or the record has reached its maximum
    /// length; only then may `bytes` end within a line.
    fn next(&mut self, bytes: &[u8], last: bool) -> Option<usize>;

    /// Skips these bytes, all that `next` was given: the caller took them as a piece of a record
    /// that is too long.
    fn cut(&mut self, bytes: &[u8]);

    /// The number of lines in a record, or in a piece of one, for line numbers in messages.
    fn lines(&self, record: &[u8]) -> u64;

    /// The records of a whole input.
    fn records<'a>(&mut self, input: &'a [u8]) -> Vec<&'a [u8]> {
        let mut records = Vec::new();
        let mut rest = input;
        while let Some((record, others)) = self.next(rest, true).map(|end| rest.split_at(end)) {
            records.push(record);
            rest = others;
        }
        records.extend(Some(rest).filter(|rest| !rest.is_empty()));
        records
    }
}

/// Records of one line each.
#[derive(Debug)]
pub struct Lines {
    newline: u8,
    /// The number of bytes of the open record already scanned.
    scanned: usize,
}

impl Lines {
    /// Lines that end with this byte.
    pub fn new(newline: u8) -> Self {
        Self { newline, scanned: 0 }
    }
}

impl Splitter for Lines {
    fn next(&mut self, bytes: &[u8], _: bool) -> Option<usize> {
        let end = bytes.get(self.scanned..).and_then(|rest| memchr(self.newline, rest));
        match end {
            Some(end) => Some(std::mem::take(&mut self.scanned) + end + 1),
            None => {
                self.scanned = bytes.len();
                None
            }
        }
    }

    fn cut(&mut self, _: &[u8]) {
        self.scanned = 0;
    }

    fn lines(&self, record: &[u8]) -> u64 {
        count(self.newline, record)
    }
}

/// Counts the newlines in these bytes.
pub(crate) fn count(newline: u8, bytes: &[u8]) -> u64 {
    memchr_iter(newline, bytes).count() as u64
}

/// Records of equal length, except for the first. Each counts as one line.
#[derive(Debug)]
pub struct Blocks {
    first: Option<usize>,
    others: usize,
}

impl Blocks {
    /// Blocks of `first` bytes, then of `others` bytes each; neither may be 0.
    pub fn new(first: usize, others: usize) -> Self {
        Self { first: Some(first), others }
    }
}

impl Splitter for Blocks {
    fn next(&mut self, bytes: &[u8], _: bool) -> Option<usize> {
        let length = self.first.unwrap_or(self.others);
        if bytes.len() < length {
            return None;
        }
        self.first = None;
        Some(length)
    }

    fn cut(&mut self, _: &[u8]) {}

    fn lines(&self, _: &[u8]) -> u64 {
        1
    }
}

/// One record, the whole input. It counts as one line.
#[derive(Debug)]
pub struct Whole;

impl Splitter for Whole {
    fn next(&mut self, _: &[u8], _: bool) -> Option<usize> {
        None
    }

    fn cut(&mut self, _: &[u8]) {}

    fn lines(&self, _: &[u8]) -> u64 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_when_they_are_whole() {
        let mut lines = Lines::new(b'\n');
        assert_eq!(lines.next(b"ab", false), None);
        assert_eq!(lines.next(b"ab\ncd\ne", false), Some(3));
        assert_eq!(lines.next(b"cd\ne", false), Some(3));
        assert_eq!(lines.next(b"e", true), None);
        lines.cut(b"e");
        assert_eq!(lines.next(b"f\n", true), Some(2));
        assert_eq!(lines.lines(b"a\nb\n"), 2);
        assert_eq!(Lines::new(b'\r').records(b"a\rb"), [b"a\r", &b"b"[..]]);
    }

    #[test]
    fn the_first_block_may_be_longer() {
        let records = Blocks::new(3, 2).records(b"abcdefgh");
        assert_eq!(records, [&b"abc"[..], b"de", b"fg", b"h"]);
        assert_eq!(Blocks::new(3, 2).lines(b"a\nb"), 1);
        assert_eq!((Whole.records(b"a\nb"), Whole.lines(b"a\nb")), (vec![&b"a\nb"[..]], 1));
    }
}
