//! The names of players, tournaments, annotators, sources and teams, to which games refer by
//! number: a file for each, of a header and records of equal length. Numbers have their lowest
//! byte first.

use std::io;

use super::blocks::{Blocks, Bytes};
use super::header::date;
use super::page::{Guess, Page};
use crate::store::error::Error;

/// A number in the header of each of these files.
const MAGIC: u32 = 1_234_567_890;

/// The bytes of a record before its own.
const LINKS_BYTES: u32 = 9;

/// The link of a record that was deleted.
const DELETED: u32 = (-999_i32).cast_unsigned();

/// The most records that are looked at to guess the code page.
const SAMPLE: u32 = 5000;

/// The pairings and the paces of tournaments, by number and by bit.
const PAIRINGS: [&str; 9] =
    ["", "game", "match", "tourn", "swiss", "team", "k.o.", "simul", "schev"];
const PACES: [&str; 3] = ["blitz", "rapid", "corr"];

/// A file of names.
#[derive(Debug)]
pub(super) struct Entities {
    blocks: Blocks,
    header_bytes: u32,
    record_bytes: u32,
    count: u32,
    /// The number of the record that was read last, and its bytes.
    last: Option<u32>,
    record: Vec<u8>,
}

/// A tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tournament {
    pub title: String,
    pub place: String,
    pub date: Option<String>,
    pub kind: String,
    /// The number of its country, 0 if there is none.
    pub country: u8,
    pub category: u8,
    pub rounds: u8,
}

/// A source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Source {
    pub title: String,
    pub publisher: String,
    pub date: Option<String>,
}

impl Entities {
    /// Reads a file whose records have at least so many bytes of their own.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or has no such records.
    pub fn read(mut blocks: Blocks, least: u32) -> Result<Self, Error> {
        let path = blocks.path.clone();
        let mut header = Vec::new();
        let damaged = |why: &str| Error::Format { path: path.clone(), why: why.into() };
        let is_read = blocks.read(0, 28, &mut header).map_err(Error::io(&path))?;
        let read = |at: usize| header.get(at..).and_then(|bytes| Bytes(bytes).little(4));
        let fields = || Some((read(0)?, read(8)?, read(12)?, read(24)?));
        let (count, magic, own, more) = fields()
            .filter(|_| is_read)
            .ok_or_else(|| damaged("it is shorter than the header of a file of names"))?;
        if magic != MAGIC || own < least || own > 1 << 16 || more > 1 << 16 {
            return Err(damaged("it is damaged, or not a file of names of a ChessBase database"));
        }
        let (header_bytes, record_bytes) = (28 + more, own + LINKS_BYTES);
        Ok(Self { blocks, header_bytes, record_bytes, count, last: None, record: Vec::new() })
    }

    /// The bytes of a record; `None` if there is none with this number.
    pub fn record(&mut self, number: u32) -> io::Result<Option<&[u8]>> {
        if self.last != Some(number) {
            self.last = None;
            self.record.clear();
            let before = u64::from(number) * u64::from(self.record_bytes);
            let length = usize::try_from(self.record_bytes).map_err(io::Error::other)?;
            let place = u64::from(self.header_bytes) + before;
            if number >= self.count || !self.blocks.read(place, length, &mut self.record)? {
                return Ok(None);
            }
            self.last = Some(number);
        }
        let mut bytes = Bytes(&self.record);
        if bytes.little(4) == Some(DELETED) {
            return Ok(None);
        }
        bytes.take(5);
        Ok(Some(bytes.0))
    }

    /// Shows texts of these lengths to a guess of the code page.
    pub fn sample(&mut self, lengths: &[usize], guess: &mut Guess) -> io::Result<()> {
        for number in 0..self.count.min(SAMPLE) {
            let Some(record) = self.record(number)? else { continue };
            let mut bytes = Bytes(record);
            for &length in lengths {
                guess.see(field(&mut bytes, length));
            }
        }
        Ok(())
    }

    /// The first text of a record, of this length; `None` if there is no such record.
    pub fn name(&mut self, number: u32, length: usize, page: Page) -> io::Result<Option<String>> {
        Ok(self.record(number)?.map(|record| page.text(field(&mut Bytes(record), length))))
    }

    /// The name of a player.
    pub fn player(&mut self, number: u32, page: Page) -> io::Result<Option<String>> {
        Ok(self.record(number)?.map(|record| {
            let mut bytes = Bytes(record);
            let last = page.text(field(&mut bytes, 30));
            let first = page.text(field(&mut bytes, 20));
            match (last.as_str(), first.as_str()) {
                (_, "") => last,
                ("", _) => first,
                _ => format!("{last}, {first}"),
            }
        }))
    }

    /// A tournament.
    pub fn tournament(&mut self, number: u32, page: Page) -> io::Result<Option<Tournament>> {
        let Some(record) = self.record(number)? else { return Ok(None) };
        let mut bytes = Bytes(record);
        let title = page.text(field(&mut bytes, 40));
        let place = page.text(field(&mut bytes, 30));
        let date = bytes.little(4).and_then(date);
        let mut rest = [0; 7];
        rest.iter_mut().zip(bytes.0).for_each(|(to, from)| *to = *from);
        let [kind, _, country, _, category, _, rounds] = rest;
        let pairing = PAIRINGS.get(usize::from(kind & 31)).copied().unwrap_or_default();
        let pace = PACES.iter().zip(5..).find(|(_, bit)| kind >> bit & 1 != 0);
        let kind = match (pairing, pace) {
            (pairing, None) => pairing.to_owned(),
            ("", Some((pace, _))) => (*pace).to_owned(),
            (pairing, Some((pace, _))) => format!("{pairing} ({pace})"),
        };
        Ok(Some(Tournament { title, place, date, kind, country, category, rounds }))
    }

    /// The name of a team, and the number of its country, 0 if there is none.
    pub fn team(&mut self, number: u32, page: Page) -> io::Result<Option<(String, u8)>> {
        Ok(self.record(number)?.map(|record| {
            let mut bytes = Bytes(record);
            let name = page.text(field(&mut bytes, 45));
            (name, bytes.0.get(9).copied().unwrap_or_default())
        }))
    }

    /// A source.
    pub fn source(&mut self, number: u32, page: Page) -> io::Result<Option<Source>> {
        let Some(record) = self.record(number)? else { return Ok(None) };
        let mut bytes = Bytes(record);
        let title = page.text(field(&mut bytes, 25));
        let publisher = page.text(field(&mut bytes, 16));
        bytes.take(4);
        let date = bytes.little(4).and_then(date);
        Ok(Some(Source { title, publisher, date }))
    }
}

/// A text in a field of this length: up to the first zero.
fn field<'a>(bytes: &mut Bytes<'a>, length: usize) -> &'a [u8] {
    let field = bytes.take(length).unwrap_or_default();
    field.split(|byte| *byte == 0).next().unwrap_or_default()
}
