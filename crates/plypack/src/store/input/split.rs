//! Splits an input into records.

use std::io::Read;

use crate::reading::Identity;
use crate::reading::identify::SNIFFED_BYTES;
use plypack_records::Splitter;

use super::compressed::decompress;
use super::{Origin, Part, Room, Source, Span};
use crate::store::error::Error;
use crate::store::schema::RECORD_BYTES_MAX;

/// Bytes read at a time.
const READ_BYTES: usize = 1 << 20;

/// An input being read. `buffer` starts with the open record.
pub(super) struct Input {
    pub(super) source: Source,
    identity: Identity,
    splitter: Box<dyn Splitter>,
    pub(super) buffer: Vec<u8>,
    pub(super) at_end: bool,
    /// The number of the open record's first line.
    line: u64,
    /// The number of records before it.
    records: u64,
    /// Whether the open record continues one that was too long.
    continues: bool,
}

impl Input {
    /// Reads the first bytes, which may block: to be called only when the input's turn comes.
    pub(super) fn new(source: Source) -> Result<Self, Error> {
        let reader = decompress(source.reader).map_err(Error::input(&source.name))?;
        let identity = Identity::default();
        let mut input = Self {
            source: Source { reader, ..source },
            identity,
            splitter: identity.format.splitter(identity.newline),
            buffer: Vec::new(),
            at_end: false,
            line: 1,
            records: 0,
            continues: false,
        };
        while input.buffer.len() < SNIFFED_BYTES && !input.at_end {
            input.read_more()?;
        }
        Ok(input)
    }

    /// Sets how the input is split.
    pub(super) fn cut_as(&mut self, identity: Identity) {
        self.splitter = identity.format.splitter(identity.newline);
        self.identity = identity;
    }

    /// Returns the next records, up to the given room; none at the end of the input.
    pub(super) fn next_records(&mut self, room: Room) -> Result<Part, Error> {
        let mut records = Vec::new();
        let mut start = 0;
        while records.len() < room.records && start < room.bytes {
            let Some((length, cut)) = self.next_record(start)? else { break };
            let bytes = start..start + length;
            let lines = self.splitter.lines(&self.buffer[bytes.clone()]);
            start = bytes.end;
            let piece = cut || self.continues;
            self.records += 1;
            let (line, number) = (self.line, self.records);
            records.push(Span { bytes, line, number, last: false, piece, origin: 0 });
            self.line += lines;
            self.continues = cut;
        }
        let rest = self.buffer.split_off(start);
        let bytes = std::mem::replace(&mut self.buffer, rest);
        let Source { name, names, .. } = &self.source;
        let (name, names) = (name.clone(), names.clone());
        let origin = Origin { name, identity: self.identity, names };
        Ok(Part { origin, bytes, records })
    }

    /// Whether there are no more records.
    pub(super) fn is_done(&mut self) -> Result<bool, Error> {
        if self.buffer.is_empty() && !self.at_end {
            self.read_more()?;
        }
        Ok(self.buffer.is_empty())
    }

    /// Returns the length of the record that begins at `start`, and whether it was cut because it
    /// is too long. `None` at the end of the input.
    fn next_record(&mut self, start: usize) -> Result<Option<(usize, bool)>, Error> {
        loop {
            let open = &self.buffer[start..];
            let open = &open[..open.len().min(RECORD_BYTES_MAX)];
            let full = open.len() == RECORD_BYTES_MAX;
            if let Some(length) = self.splitter.next(open, full || self.at_end) {
                return Ok(Some((length, false)));
            }
            if full {
                self.splitter.cut(open);
                return Ok(Some((RECORD_BYTES_MAX, true)));
            }
            if self.at_end {
                return Ok(Some((open.len(), false)).filter(|(length, _)| *length > 0));
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
            .map_err(Error::input(&self.source.name))?;
        self.at_end = read == 0;
        Ok(())
    }
}
