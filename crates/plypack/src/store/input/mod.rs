//! Inputs as a stream of groups of records; a group is parsed, coded and written at once.
//!
//! The limits of a group bound memory, whatever the input's size.

pub mod archive;
mod beside;
mod chessbase;
pub mod compressed;
pub mod database;
pub mod file_name;
pub mod folder;
pub mod names;
pub mod opening;
mod scid;
mod split;
pub mod table;

use std::io::Read;
use std::ops::Range;
use std::sync::Arc;

use crate::reading::identify::Decoded;
use crate::reading::{Identity, identify};
use plypack_core::ErasedRules;
use plypack_records::wthor::Names;
use plypack_records::{Content, wthor};

use crate::store::error::Error;
use crate::store::revision::InputNames;
use crate::store::schema::{GROUP_BYTES_MAX, GROUP_POSITIONS_MAX, GROUP_RECORDS_MAX};
use crate::store::sources::Rowless;
use split::Input;

/// An input.
pub struct Source {
    /// The name stored in the `source` column.
    pub name: String,
    /// The bytes. If they are compressed ([`compressed::decompress`]), their content is packed.
    pub reader: Box<dyn Read + Send>,
    /// For WTHOR inputs, the names that files beside the input give for the numbers in its records.
    pub names: Option<Arc<Names>>,
}

impl Source {
    /// Creates an input without companion files.
    pub fn new(name: impl Into<String>, reader: Box<dyn Read + Send>) -> Self {
        Self { name: name.into(), reader, names: None }
    }
}

/// A sequence of inputs, each opened when its turn comes.
pub struct Sources(Box<dyn Iterator<Item = Result<Source, Error>> + Send>);

impl Sources {
    /// Wraps an iterator of inputs, which is not polled after an error.
    pub fn new(sources: impl Iterator<Item = Result<Source, Error>> + Send + 'static) -> Self {
        Self(Box::new(sources))
    }
}

impl Iterator for Sources {
    type Item = Result<Source, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl From<Vec<Source>> for Sources {
    fn from(sources: Vec<Source>) -> Self {
        Self::new(sources.into_iter().map(Ok))
    }
}

/// Consecutive records of one or more consecutive inputs.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// The records' bytes, concatenated.
    pub bytes: Vec<u8>,
    /// The records.
    pub records: Vec<Span>,
    /// Their inputs, in order.
    pub origins: Vec<Origin>,
    /// The total length in bytes of the input names, counted once per record.
    names: usize,
}

/// What all records of one input share.
#[derive(Clone, Debug, Default)]
pub(crate) struct Origin {
    /// The name of the input.
    pub name: String,
    /// What kind of input it is.
    pub identity: Identity,
    /// Names from companion files.
    pub names: Option<Arc<Names>>,
}

impl Origin {
    /// Decodes the text of one of its records, and determines the record's game.
    pub fn decode<'a>(
        &self,
        record: &'a [u8],
        usual: &'static dyn ErasedRules,
        detect: bool,
    ) -> Decoded<'a> {
        let mut decoded = self.identity.decode(record, usual, detect);
        let names = self.names.as_ref().filter(|_| self.identity.format.info().name == wthor::NAME);
        if let Some(names) = names {
            decoded.text = names.describe(&decoded.text).into();
        }
        decoded
    }
}

/// A record's place in a group.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// Its range of the group's bytes.
    pub bytes: Range<usize>,
    /// The number of its first line in the input, from 1.
    pub line: u64,
    /// Its number among the records of the input, from 1.
    pub number: u64,
    /// Whether it is the last of the input.
    pub last: bool,
    /// Whether it is a piece of a record that was too long.
    pub piece: bool,
    /// The index of its input in the group.
    pub origin: usize,
}

/// Consecutive records of one input.
struct Part {
    origin: Origin,
    bytes: Vec<u8>,
    records: Vec<Span>,
}

/// The remaining room of a group: the number of records, and the bytes after which it is full.
#[derive(Clone, Copy)]
struct Room {
    records: usize,
    bytes: usize,
}

impl Group {
    /// Returns the bytes of a record.
    pub fn bytes(&self, span: &Span) -> &[u8] {
        &self.bytes[span.bytes.clone()]
    }

    /// Returns the input of a record.
    pub fn origin(&self, span: &Span) -> &Origin {
        &self.origins[span.origin]
    }

    /// Returns the room left for an input with this name, `None` if the group is full. Every record
    /// repeats its input's name, so names count too.
    fn room(&self, kind: Content, name: &str) -> Option<Room> {
        let records_max = match kind {
            Content::Games => GROUP_RECORDS_MAX,
            Content::Positions => GROUP_POSITIONS_MAX,
        };
        let named = GROUP_BYTES_MAX.checked_sub(self.names).filter(|&left| left > 0)?;
        let records = records_max.saturating_sub(self.records.len());
        let records = records.min((named / name.len().max(1)).max(1));
        let bytes = GROUP_BYTES_MAX.saturating_sub(self.bytes.len());
        (records > 0 && bytes > 0).then_some(Room { records, bytes })
    }

    fn append(&mut self, part: Part) {
        let (start, origin) = (self.bytes.len(), self.origins.len());
        self.names += part.records.len() * part.origin.name.len();
        if self.bytes.is_empty() {
            self.bytes = part.bytes;
        } else {
            self.bytes.extend_from_slice(&part.bytes);
        }
        let moved = part.records.into_iter().map(|span| Span {
            bytes: span.bytes.start + start..span.bytes.end + start,
            origin,
            ..span
        });
        self.records.extend(moved);
        self.origins.push(part.origin);
    }
}

/// Splits inputs into groups, with the content type of the first non-empty input.
pub(crate) struct Groups {
    sources: Sources,
    games: Vec<&'static dyn ErasedRules>,
    /// Whether positions are read as games, too.
    games_only: bool,
    current: Option<Current>,
    /// The number of inputs opened.
    opened: usize,
    kind: Option<Content>,
    /// The names of inputs of the other content type.
    misfits: Vec<String>,
    /// Inputs without records.
    rowless: Vec<Rowless>,
    /// The input names taken so far, if names must be unique.
    names: Option<InputNames>,
    /// Renamed inputs: both names.
    renamed: Vec<(String, String)>,
}

/// The input being read.
struct Current {
    input: Input,
    place: usize,
}

impl Groups {
    /// Creates groups of games, or of positions that one of `games` reads.
    pub fn new(sources: impl Into<Sources>, games: Vec<&'static dyn ErasedRules>) -> Self {
        Self {
            sources: sources.into(),
            games,
            games_only: false,
            current: None,
            opened: 0,
            kind: None,
            misfits: Vec::new(),
            rowless: Vec::new(),
            names: None,
            renamed: Vec::new(),
        }
    }

    /// Continues after the inputs with these names, for a file with this content.
    pub fn behind(mut self, kind: Content, inputs: &[String]) -> Self {
        self.kind = Some(kind);
        self.opened = inputs.len();
        self.names = Some(InputNames::of(inputs));
        self
    }

    /// Creates groups of games, even if the inputs are positions.
    pub fn of_games(sources: impl Into<Sources>, games: Vec<&'static dyn ErasedRules>) -> Self {
        Self { games_only: true, ..Self::new(sources, games) }
    }

    /// Returns the content type of the groups so far.
    pub fn kind(&self) -> Content {
        self.kind.unwrap_or_default()
    }

    /// Returns the names of inputs of the other content type, each once.
    pub fn take_misfits(&mut self) -> Vec<String> {
        std::mem::take(&mut self.misfits)
    }

    /// Returns the inputs renamed because their name was taken, each once.
    pub fn take_renamed(&mut self) -> Vec<(String, String)> {
        std::mem::take(&mut self.renamed)
    }

    /// Returns the inputs without records, with their places among all.
    pub fn rowless(&self) -> &[Rowless] {
        &self.rowless
    }

    /// Returns the next group, or `None` at the end of the last input.
    pub fn next_group(&mut self) -> Result<Option<Group>, Error> {
        let mut group = Group::default();
        loop {
            let Some(current) = &mut self.current else {
                match self.sources.next().transpose()? {
                    Some(source) => self.current = Some(self.open(source)?),
                    None => return Ok(Some(group).filter(|group| !group.records.is_empty())),
                }
                continue;
            };
            let name = &current.input.source.name;
            let Some(room) = group.room(self.kind.unwrap_or_default(), name) else {
                return Ok(Some(group));
            };
            let part = current.input.next_records(room)?;
            if part.records.is_empty() {
                self.rowless.push((current.place, part.origin.name));
                self.current = None;
                continue;
            }
            group.append(part);
            if current.input.is_done()? {
                // Marks the end of the input, so that an incomplete file can be recognised.
                if let Some(last) = group.records.last_mut() {
                    last.last = true;
                }
                self.current = None;
            }
        }
    }

    fn open(&mut self, mut source: Source) -> Result<Current, Error> {
        if let Some(new) = self.names.as_mut().and_then(|names| names.take(&source.name)) {
            self.renamed.push((std::mem::replace(&mut source.name, new.clone()), new));
        }
        let mut input = Input::new(source)?;
        if !input.buffer.is_empty() {
            let mut identity = identify(&input.buffer, input.at_end, &self.games);
            if self.games_only && identity.content() == Content::Positions {
                identity = Identity::default();
            }
            let kind = *self.kind.get_or_insert(identity.content());
            if kind == identity.content() {
                input.cut_as(identity);
            } else {
                input.cut_as(Identity::holding(kind));
                self.misfits.push(input.source.name.clone());
            }
        }
        let place = self.opened;
        self.opened += 1;
        Ok(Current { input, place })
    }
}

/// The bytes of a game in an input.
#[derive(Clone, Debug, Default)]
pub struct RawRecord {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What kind of input it is.
    pub identity: Identity,
}

/// Reads the record with this number in an input, from 1; `Err` holds the number of records if
/// there is none. The input's game is one of `games`.
///
/// # Errors
/// Returns an error if the input cannot be read.
pub fn read_record(
    sources: impl Into<Sources>,
    number: u64,
    games: Vec<&'static dyn ErasedRules>,
) -> Result<Result<RawRecord, u64>, Error> {
    let mut groups = Groups::of_games(sources.into(), games);
    let mut before = 0;
    while let Some(group) = groups.next_group()? {
        let at = number.checked_sub(before + 1).and_then(|at| usize::try_from(at).ok());
        if let Some(span) = at.and_then(|at| group.records.get(at)) {
            let identity = group.origin(span).identity;
            return Ok(Ok(RawRecord { bytes: group.bytes(span).to_vec(), identity }));
        }
        before += group.records.len() as u64;
    }
    Ok(Err(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::RECORD_BYTES_MAX;

    fn groups(inputs: &[&[u8]]) -> Vec<Group> {
        let sources: Vec<Source> = inputs
            .iter()
            .zip(1..)
            .map(|(&bytes, number)| {
                let reader = Box::new(std::io::Cursor::new(bytes.to_vec()));
                Source::new(number.to_string(), reader)
            })
            .collect();
        let mut groups = Groups::new(sources, plypack_games::GAMES.to_vec());
        std::iter::from_fn(|| groups.next_group().expect("memory")).collect()
    }

    #[test]
    fn records_lie_side_by_side() {
        let game = b"[Event \"x\"]\n\n1. e4 e5 *\n\n";
        let file = game.repeat(GROUP_RECORDS_MAX + 3);
        let groups = groups(&[&file, b"", b"junk"]);
        let counts: Vec<usize> = groups.iter().map(|group| group.records.len()).collect();
        assert_eq!(counts, [GROUP_RECORDS_MAX, 3 + 1]);
        assert_eq!(groups[1].records[2].line, 4 * (GROUP_RECORDS_MAX as u64 + 2) + 1);
        for group in &groups {
            let mut ends = group.records.iter().map(|record| record.bytes.end);
            let starts = group.records.iter().map(|record| record.bytes.start);
            assert!(starts.skip(1).eq(ends.clone().take(group.records.len() - 1)));
            assert_eq!(ends.next_back(), Some(group.bytes.len()));
        }
        let all: Vec<u8> = groups.iter().flat_map(|group| group.bytes.clone()).collect();
        assert_eq!(all, [&file[..], b"junk"].concat());
        let names: Vec<&str> = groups[1].origins.iter().map(|o| o.name.as_str()).collect();
        assert_eq!(names, ["1", "3"]);
        let last = &groups[1].records[3];
        assert_eq!((last.line, groups[1].bytes(last)), (1, &b"junk"[..]));
        assert_eq!(groups[1].origin(last).name, "3");
    }

    #[test]
    fn a_group_ends_with_its_limits_and_not_with_its_inputs() {
        let game = b"[Event \"x\"]\n\n1. e4 e5 *\n\n";
        let long = [b"{", &[b'x'; 6 << 20][..], b"}\n\n"].concat();
        let inputs = [&game[..], &long, &long, &long, game, b"", game];
        let groups = groups(&inputs);
        let origins = |group: &Group| group.records.iter().map(|span| span.origin).collect();
        let found: Vec<Vec<usize>> = groups.iter().map(origins).collect();
        // The third long record is the last one that fits.
        assert_eq!(found, [vec![0, 1, 2, 3], vec![0, 1]]);
        assert!(groups[0].bytes.len() >= GROUP_BYTES_MAX);
    }

    #[test]
    fn long_names_count() {
        let name = "n".repeat(1 << 20);
        let reader = || Box::new(std::io::Cursor::new(b"[A \"\"]\n\n*\n\n".to_vec()));
        let source = |number| Source::new(format!("{name}{number}"), reader());
        let sources: Vec<Source> = (0..70).map(source).collect();
        let mut groups = Groups::new(sources, plypack_games::GAMES.to_vec());
        let mut counts = Vec::new();
        while let Some(group) = groups.next_group().expect("memory") {
            counts.push(group.records.len());
        }
        assert_eq!(counts, [16, 16, 16, 16, 6]);
    }

    #[test]
    fn a_record_without_end_is_cut() {
        let line = vec![b'x'; 2 * RECORD_BYTES_MAX + 5];
        let groups = groups(&[&line]);
        let pieces: Vec<&Span> = groups.iter().flat_map(|group| &group.records).collect();
        let lengths: Vec<usize> = pieces.iter().map(|piece| piece.bytes.len()).collect();
        assert_eq!(lengths, [RECORD_BYTES_MAX, RECORD_BYTES_MAX, 5]);
        assert!(pieces.iter().all(|piece| piece.piece));
    }
}
