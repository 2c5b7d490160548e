//! Inputs as a stream of groups of records: the unit that is parsed, coded and written at once.
//!
//! Memory is bounded by the limits of a group, whatever the size of the input.

mod bzip2;
pub mod compressed;
mod split;

use std::io::Read;
use std::ops::Range;

use plypack_core::ErasedGame;
use plypack_reading::{Identity, identify};
use plypack_records::Content;

use crate::error::Error;
use split::Input;

/// One input.
pub struct Source {
    /// The name that the `source` column keeps.
    pub name: String,
    /// Where the bytes come from. If they are compressed ([`compressed::decompress`]), their content is
    /// packed.
    pub reader: Box<dyn Read + Send>,
}

/// Consecutive records of one input.
#[derive(Debug, Default)]
pub(crate) struct Group {
    /// The name of the input.
    pub source: String,
    /// The records' bytes, one after the other.
    pub bytes: Vec<u8>,
    /// The records.
    pub records: Vec<Span>,
    /// What the input is.
    pub identity: Identity,
}

/// A record's place in a group.
#[derive(Clone, Debug)]
pub(crate) struct Span {
    /// Its bytes within the group's.
    pub bytes: Range<usize>,
    /// The number of its first line in the input, from 1.
    pub line: u64,
    /// Whether it is a piece of a record that was too long.
    pub piece: bool,
}

/// Splits inputs into groups, all in the way of the first input that is not empty.
pub(crate) struct Groups {
    sources: std::vec::IntoIter<Source>,
    games: Vec<&'static dyn ErasedGame>,
    /// Whether positions are not looked for.
    games_only: bool,
    current: Option<Input>,
    kind: Option<Content>,
    /// The names of the inputs that are of the other kind.
    misfits: Vec<String>,
}

impl Groups {
    /// Groups of games, or of positions that one of `games` reads.
    pub fn new(sources: Vec<Source>, games: Vec<&'static dyn ErasedGame>) -> Self {
        let sources = sources.into_iter();
        let (games_only, misfits) = (false, Vec::new());
        Self { sources, games, games_only, current: None, kind: None, misfits }
    }

    /// Groups of games, even if they are positions.
    pub fn of_games(sources: Vec<Source>, games: Vec<&'static dyn ErasedGame>) -> Self {
        Self { games_only: true, ..Self::new(sources, games) }
    }

    /// What the groups so far hold.
    pub fn kind(&self) -> Content {
        self.kind.unwrap_or_default()
    }

    /// The names of the inputs so far that are of the other kind; each is told once.
    pub fn take_misfits(&mut self) -> Vec<String> {
        std::mem::take(&mut self.misfits)
    }

    /// The next group, or `None` at the end of the last input.
    pub fn next_group(&mut self) -> Result<Option<Group>, Error> {
        loop {
            if let Some(input) = &mut self.current {
                let group = input.next_group()?;
                if !group.records.is_empty() {
                    return Ok(Some(group));
                }
                self.current = None;
            }
            match self.sources.next() {
                Some(source) => self.current = Some(self.open(source)?),
                None => return Ok(None),
            }
        }
    }

    fn open(&mut self, source: Source) -> Result<Input, Error> {
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
        Ok(input)
    }
}

/// A game as an input has it.
#[derive(Clone, Debug, Default)]
pub struct RawRecord {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What the input is.
    pub identity: Identity,
}

/// The record of this number in an input, counted from 1; `Err` of how many records there are if
/// there is no such record. The game that the input says is one of `games`.
///
/// # Errors
/// If the input cannot be read.
pub fn read_record(
    source: Source,
    number: u64,
    games: Vec<&'static dyn ErasedGame>,
) -> Result<Result<RawRecord, u64>, Error> {
    let mut groups = Groups::of_games(vec![source], games);
    let mut before = 0;
    while let Some(group) = groups.next_group()? {
        let at = number.checked_sub(before + 1).and_then(|at| usize::try_from(at).ok());
        if let Some(span) = at.and_then(|at| group.records.get(at)) {
            let bytes = group.bytes[span.bytes.clone()].to_vec();
            return Ok(Ok(RawRecord { bytes, identity: group.identity }));
        }
        before += group.records.len() as u64;
    }
    Ok(Err(before))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{GROUP_RECORDS_MAX, RECORD_BYTES_MAX};

    fn groups(inputs: &[&[u8]]) -> Vec<Group> {
        let sources = inputs
            .iter()
            .zip(1..)
            .map(|(&bytes, number)| Source {
                name: number.to_string(),
                reader: Box::new(std::io::Cursor::new(bytes.to_vec())),
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
        assert_eq!(counts, [GROUP_RECORDS_MAX, 3, 1]);
        assert_eq!(groups[1].records[2].line, 4 * (GROUP_RECORDS_MAX as u64 + 2) + 1);
        for group in &groups {
            let mut ends = group.records.iter().map(|record| record.bytes.end);
            let starts = group.records.iter().map(|record| record.bytes.start);
            assert!(starts.skip(1).eq(ends.clone().take(group.records.len() - 1)));
            assert_eq!(ends.next_back(), Some(group.bytes.len()));
        }
        let all: Vec<u8> = groups[..2].iter().flat_map(|group| group.bytes.clone()).collect();
        assert_eq!(all, file);
        assert_eq!(groups[2].source, "3");
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
