//! One input, cut into records.

use std::io::Read;
use std::ops::Range;
use std::path::PathBuf;

use plypack_reading::kind::{Content, Kind};
use plypack_records::pgn::Splitter;
use plypack_records::{Syntax, wthor};

use super::compressed::decompress;
use super::{Origin, Part, Room, Source, Span};
use crate::error::Error;
use crate::schema::RECORD_BYTES_MAX;

/// How much is read at a time, in bytes.
const READ_BYTES: usize = 1 << 20;

/// An input that is being read. `buffer` begins with the record that is open.
pub(super) struct Input {
    pub(super) source: Source,
    pub(super) content: Content,
    splitter: Splitter,
    pub(super) buffer: Vec<u8>,
    pub(super) at_end: bool,
    /// How many bytes of the open record have been looked at.
    scanned: usize,
    /// The number of the next line to look at.
    line: u64,
    /// The number of the open record's first line.
    first_line: u64,
    /// Whether the open record continues one that was too long.
    continues: bool,
}

impl Input {
    /// Looks at the first bytes, and so waits for them: each input only when it is its turn.
    pub(super) fn new(Source { name, reader }: Source) -> Result<Self, Error> {
        let reader = decompress(reader).map_err(Error::io(PathBuf::from(&name)))?;
        Ok(Self {
            source: Source { name, reader },
            content: Content::GAMES,
            splitter: Splitter::default(),
            buffer: Vec::new(),
            at_end: false,
            scanned: 0,
            line: 1,
            first_line: 1,
            continues: false,
        })
    }

    /// The next records, as far as there is room; none at the end of the input.
    pub(super) fn next_records(&mut self, room: Room) -> Result<Part, Error> {
        let mut records = Vec::new();
        let mut start = 0;
        let Content { kind, syntax, newline, .. } = self.content;
        if syntax == Syntax::Wthor {
            return self.next_records_of_wthor(room);
        }
        let by_line = kind == Kind::Positions || syntax == Syntax::Transcript;
        while records.len() < room.records && start < room.bytes {
            let at = start + self.scanned;
            let Some(end) = self.line_end(at, start + RECORD_BYTES_MAX)? else {
                if at > start {
                    records.push(self.close(start..at, false));
                }
                start = at;
                break;
            };
            let line = &self.buffer[at..end];
            let whole = at == 0 || self.buffer[at - 1] == newline;
            let begins = whole && (by_line || self.splitter.line(line));
            let lines = u64::from(line.ends_with(&[newline]));
            if begins && at > start {
                records.push(self.close(start..at, false));
                start = at;
            }
            self.line += lines;
            self.scanned = end - start;
            if self.scanned >= RECORD_BYTES_MAX {
                records.push(self.close(start..end, true));
                start = end;
            }
        }
        Ok(self.take(start, records))
    }

    /// Games that all have the same length, the first with the header. What is left at the end of
    /// the input is a record of its own. Lines are numbered as records are.
    fn next_records_of_wthor(&mut self, room: Room) -> Result<Part, Error> {
        let mut records = Vec::new();
        let mut start = 0;
        while records.len() < room.records && start < room.bytes {
            let end = start + wthor::record_bytes(self.line == 1);
            while self.buffer.len() < end && !self.at_end {
                self.read_more()?;
            }
            let end = end.min(self.buffer.len());
            if end == start {
                break;
            }
            self.line += 1;
            records.push(self.close(start..end, false));
            start = end;
        }
        Ok(self.take(start, records))
    }

    /// These records, which end at `end`.
    fn take(&mut self, end: usize, records: Vec<Span>) -> Part {
        let rest = self.buffer.split_off(end);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let Content { game, syntax, .. } = self.content;
        let origin = Origin { name: self.source.name.clone(), game, syntax };
        Part { origin, bytes, records }
    }

    /// Closes the open record and opens the next behind it.
    fn close(&mut self, bytes: Range<usize>, cut: bool) -> Span {
        let piece = cut || self.continues;
        let span = Span { bytes, line: self.first_line, piece, origin: 0 };
        self.scanned = 0;
        self.first_line = self.line;
        self.continues = cut;
        span
    }

    /// The end of the line that begins at `at`, or `limit` if the line goes on beyond it. `None`
    /// at the end of the input.
    fn line_end(&mut self, at: usize, limit: usize) -> Result<Option<usize>, Error> {
        let mut searched = at;
        loop {
            let within = &self.buffer[searched..self.buffer.len().min(limit)];
            if let Some(newline) = memchr::memchr(self.content.newline, within) {
                return Ok(Some(searched + newline + 1));
            }
            searched += within.len();
            if searched >= limit {
                return Ok(Some(limit));
            }
            if self.at_end {
                return Ok(Some(searched).filter(|&end| end > at));
            }
            self.read_more()?;
        }
    }

    pub(super) fn read_more(&mut self) -> Result<(), Error> {
        let wanted = READ_BYTES as u64;
        let read = self
            .source
            .reader
            .by_ref()
            .take(wanted)
            .read_to_end(&mut self.buffer)
            .map_err(Error::io(PathBuf::from(&self.source.name)))?;
        self.at_end = read == 0;
        Ok(())
    }
}
