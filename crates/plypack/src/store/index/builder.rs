//! Builds an index from scanned records.

use std::fs::File;
use std::io::{self, BufWriter, Seek, Write};
use std::path::Path;
use std::sync::atomic::AtomicBool;

use plypack_index::{
    Counts, Footer, Group, Head, Layout, Lengths, Occurrence, Page, PageLengths, PageWriter,
    Players, RatingsLength, Source, Summand, Witness,
};
use rayon::prelude::*;

use super::blocks::{BlocksWriter, RatingsCollector, WrittenBlocks};
use super::run::PREFIX_BITS;
use super::scan::{Details, Scan};
use super::sorter::{Sorted, Sorter};
use crate::store::error::Error;
use crate::store::ranges::{Ranges, read_exact_at};

/// The number of units whose pages are in memory at once, for each thread.
const UNITS_AT_ONCE: usize = 4;

/// The number of occurrences in a unit, about; there are at most 4,096 units.
const UNIT_OCCURRENCES: u64 = 1 << 17;

/// Statistics of a built index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Built {
    /// Games, including those without moves.
    pub games: u64,
    /// Distinct positions; positions in variations count separately.
    pub positions: u64,
    /// Pairs of a position and a game that reaches it.
    pub pairs: u64,
    /// Size of the index in bytes.
    pub bytes: u64,
}

/// Collects the records of row groups, in order, and builds an index of them. Data that does not
/// fit into memory goes to unnamed files beside the index.
#[derive(Debug)]
pub struct Builder {
    sorter: Sorter,
    details: DetailsWriter,
    heads: BlocksWriter<Head>,
    remains: BlocksWriter<u64>,
    pages: PagesWriter,
    /// Whether positions have structures other than themselves.
    structured: bool,
    /// Games in each row group.
    groups: Vec<u32>,
    /// Games so far, and games up to the end of the last row group.
    games: u32,
    grouped: u32,
}

impl Builder {
    /// Creates a builder with its temporary files in this folder.
    ///
    /// # Errors
    /// Returns an error if no file can be created there.
    pub fn new(folder: &Path) -> Result<Self, Error> {
        let details = DetailsWriter::new(folder).map_err(Error::io(folder))?;
        let heads = BlocksWriter::heads(folder).map_err(Error::io(folder))?;
        let remains = BlocksWriter::remains(folder).map_err(Error::io(folder))?;
        let pages = PagesWriter::new(folder).map_err(Error::io(folder))?;
        let (sorter, groups) = (Sorter::new(folder), Vec::new());
        let (structured, games, grouped) = (false, 0, 0);
        Ok(Self { sorter, details, heads, remains, pages, structured, groups, games, grouped })
    }

    /// Adds the next records of a row group, in order.
    ///
    /// # Errors
    /// Returns an error if a temporary file cannot be written, or if there are 2^32 games or more.
    pub fn add(&mut self, scans: impl Iterator<Item = Scan>) -> io::Result<()> {
        for scan in scans {
            let game = self.games;
            self.structured |= scan.structured;
            let occurrences = scan.occurrences.into_iter();
            self.sorter.add(occurrences.map(|occurrence| Occurrence { game, ..occurrence }))?;
            self.details.push(&scan.details, scan.head.summand())?;
            self.heads.push(scan.head)?;
            self.remains.push(scan.remains)?;
            let next = self.games.checked_add(1);
            self.games = next.ok_or_else(|| io::Error::other("too many games for one index"))?;
        }
        Ok(())
    }

    /// Ends the current row group.
    pub fn end_group(&mut self) {
        self.groups.push(self.games - self.grouped);
        self.grouped = self.games;
    }

    /// Writes the index. `ids` are those of the row groups, as in the
    /// [`Report`](crate::store::Report) of a packing; `name` is for messages.
    ///
    /// # Errors
    /// Returns an error if reading back or writing fails, or `stop` is set.
    pub fn finish(
        self,
        ids: &[[u8; 16]],
        output: &mut (dyn Write + Send),
        name: &Path,
        stop: &AtomicBool,
    ) -> Result<Built, Error> {
        let failed = || Error::io(name);
        let groups = ids.iter().zip(&self.groups).map(|(&id, &games)| Group { id, games });
        let groups: Vec<Group> = groups.collect();
        let count = self.sorter.count();
        let layout = Layout::new(count, self.games, self.structured);
        let sorted = self.sorter.finish(layout).map_err(failed())?;
        let source = self.details.finish().map_err(failed())?;
        let heads = self.heads.finish().map_err(failed())?;
        let remains = self.remains.finish().map_err(failed())?;
        let mut built = Built { games: self.games.into(), ..Built::default() };
        let mut written = self.pages;
        output.write_all(Footer::head()).map_err(failed())?;
        let units = units(count);
        let at_once = UNITS_AT_ONCE * rayon::current_num_threads();
        for first in (0..units).step_by(at_once) {
            crate::store::work::check(stop)?;
            let some = first..units.min(first + at_once);
            let pages = some.into_par_iter().map(|unit| {
                crate::store::work::check(stop)?;
                pages_of(layout, unit, units, &sorted, &source).map_err(failed())
            });
            for (counts, pages) in pages.collect::<Result<Vec<_>, _>>()? {
                built.positions += counts.keys;
                built.pairs += counts.visits;
                for page in pages {
                    written.write(&page, output).map_err(failed())?;
                }
            }
        }
        let ends = written.finish(heads, remains).map_err(failed())?;
        built.bytes = ends.write(groups, layout, output).map_err(failed())?;
        Ok(built)
    }
}

/// The number of units, each of whole prefixes.
fn units(occurrences: u64) -> usize {
    let units = usize::try_from(occurrences / UNIT_OCCURRENCES).unwrap_or(usize::MAX);
    units.clamp(1, 1 << PREFIX_BITS).next_power_of_two()
}

/// Builds the pages of one of `units` units.
fn pages_of(
    layout: Layout,
    unit: usize,
    units: usize,
    sorted: &Sorted,
    source: &DetailsReader,
) -> io::Result<(Counts, Vec<Page>)> {
    let prefixes = (1 << PREFIX_BITS) / units;
    let occurrences = sorted.of(unit * prefixes..(unit + 1) * prefixes)?;
    let mut pages = Vec::new();
    let counts = PageWriter::new(layout).write(occurrences, source, |page| {
        pages.push(page);
        Ok(())
    })?;
    Ok((counts, pages))
}

/// Writes the pages of an index, which follow its head, and collects what comes behind them.
#[derive(Debug)]
pub(super) struct PagesWriter {
    /// Where the next page begins.
    start: u64,
    lengths: Vec<PageLengths>,
    ratings: RatingsCollector,
}

impl PagesWriter {
    /// Creates a writer with its temporary file in this folder.
    pub fn new(folder: &Path) -> io::Result<Self> {
        let (start, lengths) = (Footer::head().len() as u64, Vec::new());
        Ok(Self { start, lengths, ratings: RatingsCollector::new(folder)? })
    }

    /// Writes the next page.
    pub fn write(&mut self, page: &Page, output: &mut dyn Write) -> io::Result<()> {
        output.write_all(&page.entries)?;
        output.write_all(&page.blocks)?;
        let entries = u32::try_from(page.entries.len()).unwrap_or(u32::MAX);
        let blocks = page.blocks.len() as u64;
        self.lengths.push(PageLengths { place: page.place, entries, blocks });
        self.start += u64::from(entries);
        self.ratings.add(page, self.start)?;
        self.start += blocks;
        Ok(())
    }

    /// Ends the pages; the other parts are yet to be written.
    pub fn finish(self, heads: WrittenBlocks, remains: WrittenBlocks) -> io::Result<OtherParts> {
        let ratings = self.ratings.finish()?;
        Ok(OtherParts { pages: self.lengths, heads, remains, ratings })
    }
}

/// What comes behind the pages of an index.
pub(super) struct OtherParts {
    /// The lengths of the pages.
    pages: Vec<PageLengths>,
    heads: WrittenBlocks,
    remains: WrittenBlocks,
    ratings: WrittenBlocks<RatingsLength>,
}

impl OtherParts {
    /// Writes it, and returns the size of the whole index.
    pub fn write(
        self,
        groups: Vec<Group>,
        layout: Layout,
        output: &mut (dyn Write + Send),
    ) -> io::Result<u64> {
        let Self { pages, heads, remains, ratings } = self;
        let lengths = Lengths {
            pages: &pages,
            heads: &heads.lengths,
            remains: &remains.lengths,
            ratings: &ratings.lengths,
        };
        let footer = Footer::new(groups, layout, lengths);
        heads.copy(output)?;
        remains.copy(output)?;
        ratings.copy(output)?;
        let bytes = footer.to_bytes();
        output.write_all(&bytes)?;
        Ok(footer.end() + bytes.len() as u64)
    }
}

/// The bytes of a game in the file of places: where its details begin, and its summand.
const PLACE_BYTES: u64 = OFFSET_BYTES + SUMMAND_BYTES as u64;
const OFFSET_BYTES: u64 = 8;
const SUMMAND_BYTES: usize = 4;

/// If so many games lie from game to game, or fewer, chunks of the file of places are read.
const CLOSE_GAMES: u64 = 64;
const CHUNK_BYTES: usize = 8 << 10;

/// Writes the details of each game to one file, and their places with its summand to another.
#[derive(Debug)]
pub(super) struct DetailsWriter {
    content: BufWriter<File>,
    places: BufWriter<File>,
    written: u64,
}

impl DetailsWriter {
    pub fn new(folder: &Path) -> io::Result<Self> {
        let file = || Ok::<_, io::Error>(BufWriter::new(tempfile::tempfile_in(folder)?));
        Ok(Self { content: file()?, places: file()?, written: 0 })
    }

    /// Adds the next game, encoded by [`Details::to_bytes`].
    pub fn push(&mut self, details: &[u8], summand: Summand) -> io::Result<()> {
        self.content.write_all(details)?;
        self.places.write_all(&self.written.to_le_bytes())?;
        self.places.write_all(&summand.to_bits().to_le_bytes())?;
        self.written += details.len() as u64;
        Ok(())
    }

    pub fn finish(mut self) -> io::Result<DetailsReader> {
        self.places.write_all(&self.written.to_le_bytes())?;
        let places_end = self.places.stream_position()?;
        let [content, places] = [self.content, self.places]
            .map(|file| file.into_inner().map_err(io::IntoInnerError::into_error));
        Ok(DetailsReader { content: content?, places: places?, places_end })
    }
}

/// Reads the details back.
#[derive(Debug)]
pub(super) struct DetailsReader {
    content: File,
    places: File,
    places_end: u64,
}

impl DetailsReader {
    fn read(&self, game: u32, plies: usize) -> io::Result<Details> {
        let (at, next) = (place_of(game), place_of(game) + PLACE_BYTES);
        let places = self.places.fetch(&[at..at + OFFSET_BYTES, next..next + OFFSET_BYTES])?;
        let place = |bytes: &bytes::Bytes| bytes.first_chunk().copied().map(u64::from_le_bytes);
        let [Some(start), Some(end)] = [places.first(), places.get(1)].map(|p| p.and_then(place))
        else {
            return Err(lost());
        };
        let content = self.content.fetch(&[start..end])?;
        let content = content.first().ok_or_else(lost)?;
        Details::read(content, plies).ok_or_else(lost)
    }
}

/// Where a game is in the file of places.
fn place_of(game: u32) -> u64 {
    u64::from(game) * PLACE_BYTES
}

fn lost() -> io::Error {
    io::ErrorKind::InvalidData.into()
}

impl Source for DetailsReader {
    type Error = io::Error;

    fn summands(&self, games: &[u32]) -> io::Result<Vec<Summand>> {
        let [Some(&first), Some(&last)] = [games.first(), games.last()] else {
            return Ok(Vec::new());
        };
        let span = u64::from(last - first);
        let is_close = span / (games.len() as u64) < CLOSE_GAMES;
        let together = if is_close { CHUNK_BYTES } else { SUMMAND_BYTES };
        let mut chunk = [0; CHUNK_BYTES];
        let mut held = 0..0;
        let mut summand = |&game: &u32| {
            let at = place_of(game) + OFFSET_BYTES;
            if at + SUMMAND_BYTES as u64 > held.end {
                held = at..self.places_end.min(at + together as u64);
                let length = usize::try_from(held.end - at).unwrap_or(CHUNK_BYTES);
                read_exact_at(&self.places, chunk.get_mut(..length).ok_or_else(lost)?, at)?;
            }
            let within = usize::try_from(at - held.start).map_err(io::Error::other)?;
            let bits = chunk.get(within..).and_then(|bytes| bytes.first_chunk()).copied();
            Ok(Summand::of_bits(u32::from_le_bytes(bits.ok_or_else(lost)?)))
        };
        games.iter().map(&mut summand).collect()
    }

    fn players(&self, game: u32) -> io::Result<Players> {
        Ok(self.read(game, 0)?.players)
    }

    fn line(&self, game: u32, plies: u16) -> io::Result<Option<Witness>> {
        Ok(Some(self.read(game, plies.into())?.line))
    }
}
