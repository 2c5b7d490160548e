//! Position indices beside packed files: building and querying.
//!
//! `games.plyindex` covers row groups of `games.parquet`, identified by content. Queries scan the
//! row groups it does not cover, so that answers stay right when the file grows; an index of a row
//! group that the file no longer has is not used. `plypack-index` defines the bytes; this module
//! handles files, threads and rows.

mod blocks;
mod builder;
mod carry;
mod group_id;
pub(crate) mod head;
mod part;
mod run;
mod scan;
mod sorter;
mod writer;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use plypack_core::key::Structure;
use plypack_index::{
    Block, GROUPS, GroupSums, HEADS_GAMES, Heads, Sum, Visit, find_ratings, read_remains,
};
use rayon::prelude::*;

pub use builder::{Builder, Built};
pub use carry::{Moved, carry_over};
pub use part::{EXTENSION, PARTS_MAX, part_path};
pub use plypack_index::{Head, MoveSum, Spot, Witness};
pub use scan::Scan;
pub use writer::{IndexWriter, Unpublished, remove_others};

use crate::rows::RowError;
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::games::Rows;
use crate::store::ranges::Ranges;
use crate::store::work::{Done, Work};
pub(crate) use group_id::group_id;
use part::{FreeGroup, Part, Unusable};

/// Records scanned at a time.
const CHUNK_RECORDS: usize = 256;

/// Plies scanned at a time: their occurrences take 32 MiB.
const SLICE_PLIES: u64 = 1 << 20;

/// The indices beside a packed file.
#[derive(Debug)]
pub struct Indices {
    parts: Vec<Part>,
    /// Numbers of the parts.
    numbers: Vec<usize>,
    refused: Vec<Refused>,
    uncovered: Vec<usize>,
    /// All row groups of the file.
    groups: Vec<usize>,
    /// The first part found to be damaged. Once set, no index is used.
    damaged: OnceLock<Refused>,
}

/// An index that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Path of the index.
    pub path: PathBuf,
    /// Why it is not used: it is damaged, stale, or of another version.
    pub why: String,
    /// Whether it is merely stale: the file has changed since it was built.
    pub is_stale: bool,
}

/// An index entry for a position.
#[derive(Debug)]
pub enum Entry<'i> {
    /// Rows of the file, ascending. All must be decoded: they come to the position's structure.
    Few(Vec<u64>),
    /// A position that many games share. Its full key was compared.
    Shared(Box<Shared<'i>>),
}

/// A position that many games share.
#[derive(Debug)]
pub struct Shared<'i> {
    part: &'i Part,
    block: Block,
    inner: plypack_index::Shared,
}

/// A game that reaches a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its row in the file, from 0.
    pub row: u64,
    /// The candidate it plays; `None` if it ends here.
    pub candidate: Option<u16>,
    /// What is known of the game.
    pub head: Head,
}

impl Indices {
    /// Opens the indices beside a file.
    pub fn open(file: &PackedFile) -> Self {
        Self::open_each(file, Part::open_at)
    }

    /// Opens indices that are read in ranges, such as those on a server. `parts` is called for each
    /// path that [`part_path`] gives, most of which have no index.
    pub fn open_ranges(
        file: &PackedFile,
        mut parts: impl FnMut(&Path) -> Option<Box<dyn Ranges>>,
    ) -> Self {
        Self::open_each(file, |path, free| Some(Part::open(path, parts(path)?, free)))
    }

    fn open_each(
        file: &PackedFile,
        mut open: impl FnMut(&Path, &mut Vec<FreeGroup>) -> Option<Result<Part, Unusable>>,
    ) -> Self {
        let mut free = free_groups(file);
        let mut indices = Self::none(file);
        for number in 0..PARTS_MAX {
            let path = part_path(file.path(), number);
            match open(&path, &mut free) {
                Some(Ok(part)) => {
                    indices.parts.push(part);
                    indices.numbers.push(number);
                }
                Some(Err(error)) => {
                    let is_stale = matches!(error, Unusable::Stale);
                    indices.refused.push(Refused { path, why: error.to_string(), is_stale });
                }
                None => {}
            }
        }
        indices.uncovered = free.iter().map(|free| free.group).collect();
        indices
    }

    /// Returns the indices of a file that has none.
    pub fn none(file: &PackedFile) -> Self {
        let groups: Vec<usize> = (0..file.groups()).collect();
        Self {
            parts: Vec::new(),
            numbers: Vec::new(),
            refused: Vec::new(),
            uncovered: groups.clone(),
            groups,
            damaged: OnceLock::new(),
        }
    }

    /// Whether no index is used.
    pub fn is_empty(&self) -> bool {
        self.parts().is_empty()
    }

    /// Returns the parts that are used.
    fn parts(&self) -> &[Part] {
        if self.damaged.get().is_some() { &[] } else { &self.parts }
    }

    /// Returns the part that a query found to be damaged, so that all games had to be searched.
    pub fn damaged(&self) -> Option<&Refused> {
        self.damaged.get()
    }

    /// Queries the indices. Returns `None` if one proves to be damaged; the file must then be
    /// searched without an index.
    ///
    /// # Errors
    /// Returns the query's errors, except that one.
    pub(crate) fn ask<T>(
        &self,
        question: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        match question() {
            Err(Error::Index { path, why }) => {
                _ = self.damaged.set(Refused { path, why, is_stale: false });
                Ok(None)
            }
            // A concurrent query may have found damage that affects this answer.
            answered => Ok(answered.map(Some)?.filter(|_| self.damaged.get().is_none())),
        }
    }

    /// Returns the paths of the indices in use.
    pub fn paths(&self, file: &PackedFile) -> Vec<PathBuf> {
        self.numbers.iter().map(|&number| part_path(file.path(), number)).collect()
    }

    /// Returns the indices that are not used.
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// Returns the row groups that no index covers, ascending; they must be scanned.
    pub fn uncovered(&self) -> &[usize] {
        if self.is_empty() { &self.groups } else { &self.uncovered }
    }

    /// Returns an unused part number; `None` if all are used.
    pub fn free_number(&self) -> Option<usize> {
        (0..PARTS_MAX).find(|number| !self.numbers.contains(number))
    }

    /// Merges the smaller half of the parts. Returns the number of the merged part, the row groups
    /// it must cover, and the parts that stay.
    fn with_room(self, file: &PackedFile) -> (usize, Vec<usize>, Vec<usize>) {
        let mut parts: Vec<(&Part, usize)> = self.parts.iter().zip(self.numbers).collect();
        parts.sort_by_key(|(part, number)| (part.footer.layout().games(), *number));
        let (small, large) = parts.split_at(parts.len() / 2);
        let places = small.iter().flat_map(|(part, _)| &part.places);
        let rows: BTreeSet<u64> = places.map(|place| place.row).collect();
        let mut groups = self.uncovered;
        let free = free_groups(file);
        let joined = free.iter().filter(|free| free.games > 0 && rows.contains(&free.row));
        groups.extend(joined.map(|free| free.group));
        groups.sort_unstable();
        let number = small.iter().map(|(_, number)| *number).min().unwrap_or(0);
        (number, groups, large.iter().map(|(_, number)| *number).collect())
    }

    /// Whether an index covers this row of its file.
    pub fn covers(&self, row: u64) -> bool {
        self.parts().iter().any(|part| part.game(row).is_some())
    }

    /// Returns the heads of the games in these rows, in any order, without reading the file; `None`
    /// for rows that no index covers, or only a damaged one. Nearby blocks are read in one range.
    ///
    /// # Errors
    /// Returns an error if an index cannot be read.
    pub fn heads(&self, rows: &[u64]) -> Result<Vec<Option<Head>>, Error> {
        let found = self.ask(|| {
            let mut found = vec![None; rows.len()];
            for part in self.parts() {
                part.heads(rows, &mut found)?;
            }
            Ok(found)
        })?;
        Ok(found.unwrap_or_else(|| vec![None; rows.len()]))
    }

    /// Returns the rows of the indexed games whose remains
    /// ([`Rules::remains`](plypack_core::Rules::remains)) satisfy `holds`, ascending.
    ///
    /// # Errors
    /// Returns an error if an index cannot be read or is damaged.
    pub fn rows_where(&self, holds: &(dyn Fn(u64) -> bool + Sync)) -> Result<Vec<u64>, Error> {
        let mut rows = Vec::new();
        for part in self.parts() {
            part.rows_where(holds, &mut rows)?;
        }
        rows.sort_unstable();
        Ok(rows)
    }

    /// Returns the entries for a position.
    ///
    /// # Errors
    /// Returns an error if an index cannot be read or is damaged.
    pub fn look_up(&self, spot: Spot) -> Result<Vec<Entry<'_>>, Error> {
        Ok(self.look_up_each(&[spot])?.pop().unwrap_or_default())
    }

    /// Returns the entries for each of some positions. Those of one structure mostly lie on one
    /// page, which is read once.
    ///
    /// # Errors
    /// Returns an error if an index cannot be read or is damaged.
    pub fn look_up_each(&self, spots: &[Spot]) -> Result<Vec<Vec<Entry<'_>>>, Error> {
        let mut found: Vec<Vec<Entry<'_>>> = spots.iter().map(|_| Vec::new()).collect();
        for part in self.parts() {
            part.look_up_each(spots, &mut found)?;
        }
        Ok(found)
    }

    /// Returns the rows of the indexed games whose main lines may come to this frame
    /// ([`Structure`]), ascending.
    ///
    /// # Errors
    /// Returns an error if an index cannot be read or is damaged.
    pub fn rows_of_frame(&self, frame: u64) -> Result<Vec<u64>, Error> {
        let mut rows = Vec::new();
        for part in self.parts() {
            let mut games = part.games_of_frame(frame)?;
            games.sort_unstable();
            games.dedup();
            rows.extend(games.into_iter().map(|game| part.row(game)));
        }
        rows.sort_unstable();
        Ok(rows)
    }

    /// Reads all parts and verifies their checksums; returns the faults. Progress is in
    /// bytes.
    ///
    /// # Errors
    /// Returns an error if an index cannot be read or the work is stopped.
    pub fn verify(&self, work: &Work<'_>) -> Result<Vec<Refused>, Error> {
        let mut faults = self.refused.clone();
        for part in &self.parts {
            match part.verify(work) {
                Err(Error::Index { path, why }) => {
                    faults.push(Refused { path, why, is_stale: false });
                }
                checked => checked?,
            }
        }
        Ok(faults)
    }

    /// Returns the total size of the parts, in bytes.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.footer.end()).sum()
    }
}

impl Part {
    /// Adds the entries for each position to its place in `found`.
    fn look_up_each<'i>(
        &'i self,
        spots: &[Spot],
        found: &mut [Vec<Entry<'i>>],
    ) -> Result<(), Error> {
        let layout = self.footer.layout();
        let damaged = |error: plypack_index::Error| self.damaged(error);
        let ranges = spots.iter().map(|spot| self.footer.page(spot.place()));
        let ranges: Vec<Range<u64>> = ranges.collect();
        let mut pages = ranges.clone();
        pages.sort_unstable_by_key(|page| page.start);
        pages.dedup();
        let read = self.fetch_all(&pages)?;
        let mut blocks: Vec<(usize, Block)> = Vec::new();
        for (at, ((spot, range), found)) in spots.iter().zip(&ranges).zip(&mut *found).enumerate() {
            let number = pages.partition_point(|page| page.start < range.start);
            let page = read.get(number).map(|page| &**page).unwrap_or_default();
            for entry in layout.find(spot.place(), page, range.start).map_err(damaged)? {
                match entry {
                    plypack_index::Entry::Few(games) => {
                        let rows = games.into_iter().map(|game| self.row(game));
                        let mut rows: Vec<u64> = rows.collect();
                        rows.sort_unstable();
                        found.push(Entry::Few(rows));
                    }
                    plypack_index::Entry::Block(block) => blocks.push((at, block)),
                }
            }
        }
        let heads: Vec<Range<u64>> = blocks.iter().map(|(_, block)| block.head()).collect();
        for ((at, block), head) in blocks.into_iter().zip(self.fetch_all(&heads)?) {
            let Some((spot, found)) = spots.get(at).zip(found.get_mut(at)) else { continue };
            let shared = plypack_index::Shared::read(layout, spot.key, &head).map_err(damaged)?;
            let shared = shared.map(|inner| Box::new(Shared { part: self, block, inner }));
            found.extend(shared.map(Entry::Shared));
        }
        Ok(())
    }

    /// Returns the games that may come to a frame, in any order.
    fn games_of_frame(&self, frame: u64) -> Result<Vec<u32>, Error> {
        let layout = self.footer.layout();
        let place = Spot { structure: Structure { frame, men: 0 }, key: 0 }.place();
        let damaged = |error: plypack_index::Error| self.damaged(error);
        let mut games = Vec::new();
        for number in self.footer.pages_of_frame(place) {
            let (_, [range, _]) = self.footer.page_at(number);
            let page = self.fetch(range.clone())?;
            let found = layout.find_frame(place, &page, range.start);
            for entry in found.map_err(damaged)? {
                match entry {
                    plypack_index::Entry::Few(few) => games.extend(few),
                    plypack_index::Entry::Block(block) => {
                        let block = self.fetch(block.whole())?;
                        let own = plypack_index::Shared::all_games(layout, &block);
                        games.extend(own.map_err(damaged)?);
                    }
                }
            }
        }
        Ok(games)
    }

    /// Reads the whole part and verifies its checksums.
    fn verify(&self, work: &Work<'_>) -> Result<(), Error> {
        let layout = self.footer.layout();
        let done = |bytes: usize| (work.progress)(Done { records: 0, bytes: bytes as u64 });
        let damaged = |error: plypack_index::Error| self.damaged(error);
        let page = |number: usize| {
            work.check()?;
            let (_, [range, _]) = self.footer.page_at(number);
            let page = self.fetch(range.clone())?;
            done(page.len());
            for block in layout.blocks(&page, range.start).map_err(damaged)? {
                let bytes = self.fetch(block.whole())?;
                let shared = plypack_index::Shared::whole(layout, &bytes).map_err(damaged)?;
                done(bytes.len());
                if shared.is_rated() {
                    self.by_rating(&block, &shared)?;
                }
            }
            Ok::<(), Error>(())
        };
        (0..self.footer.pages()).into_par_iter().try_for_each(page)?;
        for game in (0..layout.games()).step_by(HEADS_GAMES as usize) {
            work.check()?;
            let block = self.fetch(self.footer.heads(game))?;
            Heads::read(layout, game, &block).map_err(damaged)?;
            done(block.len());
        }
        for number in 0..self.footer.remains_blocks() {
            work.check()?;
            let block = self.fetch(self.footer.remains(number))?;
            read_remains(layout, number, &block).map_err(damaged)?;
            done(block.len());
        }
        for number in 0..self.footer.ratings_blocks() {
            work.check()?;
            let block = self.fetch(self.footer.ratings_at(number))?;
            find_ratings(&block, 0).map_err(damaged)?;
            done(block.len());
        }
        Ok(())
    }

    /// Returns the games of a shared position by rating group; `None` if the index has no sums of
    /// them.
    fn by_rating(
        &self,
        block: &Block,
        shared: &plypack_index::Shared,
    ) -> Result<Option<[GroupSums; GROUPS]>, Error> {
        let start = block.whole().start;
        let range = self.footer.ratings(start);
        if range.is_empty() || !shared.is_rated() {
            return Ok(shared.unrated());
        }
        let block = self.fetch(range)?;
        let found = find_ratings(&block, start).map_err(|error| self.damaged(error))?;
        let read = |bytes| shared.by_rating(self.footer.layout(), bytes);
        found.map(read).transpose().map_err(|error| self.damaged(error))
    }
}

impl Shared<'_> {
    /// Returns the number of games that reach the position.
    pub fn records(&self) -> u64 {
        self.inner.records
    }

    /// Returns the moves played there, most frequent first.
    pub fn moves(&self) -> &[MoveSum] {
        &self.inner.moves
    }

    /// Returns the sum of the games that end there.
    pub fn ended(&self) -> Option<Sum> {
        self.inner.ended
    }

    /// Returns the best-rated games; none if few games share the position.
    pub fn examples(&self) -> Vec<Example> {
        let example = |example: &plypack_index::Example| Example {
            row: self.part.row(example.game),
            candidate: example.candidate,
            head: example.head.clone(),
        };
        self.inner.examples.iter().map(example).collect()
    }

    /// Returns its games by rating group ([`RATING_GROUPS`](super::find::RATING_GROUPS)); `None` if
    /// the index has no sums of them: fewer than a thousand games share the position, or the index
    /// is older than such sums.
    ///
    /// # Errors
    /// Returns an error if the index cannot be read or is damaged.
    pub fn by_rating(&self) -> Result<Option<[GroupSums; GROUPS]>, Error> {
        self.part.by_rating(&self.block, &self.inner)
    }

    /// Returns the row of a game in the file.
    pub(crate) fn row(&self, game: u32) -> u64 {
        self.part.row(game)
    }

    /// Whether the game in this row was indexed in the same part: if it reaches the position, it is
    /// one of these games.
    pub fn covers(&self, row: u64) -> bool {
        self.part.game(row).is_some()
    }

    /// Returns the rows of the best-rated games, with what they play there.
    pub fn best(&self) -> Vec<(u64, Option<u16>)> {
        self.rows(self.inner.best.iter().copied())
    }

    /// Returns the error for a damaged index.
    pub(crate) fn damaged(&self, why: impl std::fmt::Display) -> Error {
        self.part.damaged(format!("it is damaged: {why}"))
    }

    /// Returns a line that leads to the position; `None` if the best game proves it.
    pub fn witness(&self) -> Option<&Witness> {
        self.inner.witness.as_ref()
    }

    /// Returns up to `most` of the games with the lowest rows, with what they play there. Games at
    /// hand are not read again, unless the file's row groups are in another order than the index's.
    ///
    /// # Errors
    /// Returns an error if the index cannot be read or is damaged.
    pub fn first_games(&self, most: usize) -> Result<Vec<(u64, Option<u16>)>, Error> {
        let at_hand = self.inner.is_whole() || most <= self.inner.first_games().len();
        if at_hand && self.part.places.is_sorted_by_key(|place| place.row) {
            return Ok(self.rows(self.inner.first_games().iter().copied().take(most)));
        }
        let mut games = self.games()?;
        games.truncate(most);
        Ok(games)
    }

    /// Returns all games by ascending row, with what they play there; `None` if the game ends. A
    /// game that returns and plays something else is listed twice.
    ///
    /// # Errors
    /// Returns an error if the index cannot be read or is damaged.
    pub fn games(&self) -> Result<Vec<(u64, Option<u16>)>, Error> {
        if self.inner.is_whole() {
            return Ok(self.ascending(self.inner.first_games().iter().copied()));
        }
        let block = self.part.fetch(self.block.whole())?;
        let games = self.inner.games(&block).collect::<Result<Vec<_>, _>>();
        let games = games.map_err(|error| self.part.damaged(error))?;
        Ok(self.ascending(games.into_iter()))
    }

    fn ascending(&self, visits: impl Iterator<Item = Visit>) -> Vec<(u64, Option<u16>)> {
        let mut rows = self.rows(visits);
        if !rows.is_sorted_by_key(|row| row.0) {
            rows.sort_by_key(|row| row.0);
        }
        rows
    }

    fn rows(&self, visits: impl Iterator<Item = Visit>) -> Vec<(u64, Option<u16>)> {
        visits.map(|visit| (self.part.row(visit.game), visit.candidate)).collect()
    }
}

/// Returns all row groups of a file.
fn free_groups(file: &PackedFile) -> Vec<FreeGroup> {
    let mut row = 0;
    let ids = file.group_ids().into_iter().enumerate();
    let free = ids.map(|(group, id)| {
        let games = file.group_records(group);
        let free = FreeGroup { id, group, row, games };
        row += games;
        free
    });
    free.collect()
}

/// Indexes the row groups of a packed file that no index covers. Adds a part if there is room for
/// one; otherwise merges the smaller half of the parts into the new one, so that a file that is
/// often appended to is seldom scanned again. Unused parts are removed. Returns `None` if
/// everything is covered. `anew` rebuilds existing indices.
///
/// # Errors
/// Returns an error if the file holds no games, cannot be read or is damaged, or if nothing can be
/// written beside it. Nothing is left behind then.
pub fn index(file: &PackedFile, anew: bool, work: &Work<'_>) -> Result<Option<Built>, Error> {
    if file.kind() != plypack_records::Content::Games {
        let why = "it holds positions; only games can be indexed".into();
        return Err(Error::Format { path: file.path().into(), why });
    }
    let indices = if anew { Indices::none(file) } else { Indices::open(file) };
    if !indices.is_empty() && indices.uncovered.is_empty() {
        remove_others(file.path(), &indices.numbers)?;
        return Ok(None);
    }
    let (number, groups, mut kept) = match indices.free_number() {
        Some(number) => (number, indices.uncovered, indices.numbers),
        None => indices.with_room(file),
    };
    let built = build(file, &groups, &part_path(file.path(), number), work)?;
    kept.push(number);
    remove_others(file.path(), &kept)?;
    Ok(Some(built))
}

/// Builds an index of these row groups at this path.
fn build(
    file: &PackedFile,
    groups: &[usize],
    path: &Path,
    work: &Work<'_>,
) -> Result<Built, Error> {
    let mut writer = IndexWriter::begin(path)?;
    let written = work.run(|| {
        let before = free_groups(file);
        let read = |group: Option<&usize>| {
            let read = |&group| {
                let rows = file.read_game_rows(group, None, Wanted::LINES)?;
                Ok::<_, Error>((rows, head::of_group(file, group, None)?))
            };
            group.map(read).transpose()
        };
        let mut next = read(groups.first())?;
        for (place, &group) in groups.iter().enumerate() {
            let Some((rows, heads)) = next else { break };
            let first = before.get(group).map_or(0, |free| free.row);
            let builder = writer.builder();
            let (added, following) = rayon::join(
                || {
                    for slice in slices(&rows) {
                        let scans = scan_rows(file, &rows, &heads, slice, first, work)?;
                        builder.add(scans.into_iter()).map_err(Error::io(path))?;
                    }
                    builder.end_group();
                    Ok::<_, Error>(())
                },
                || read(groups.get(place + 1)),
            );
            added?;
            next = following?;
        }
        let ids = groups.iter().filter_map(|&group| before.get(group).map(|free| free.id));
        let ids: Vec<[u8; 16]> = ids.collect();
        writer.finish(&ids, work.stop)
    })?;
    work.check()?;
    written.publish()
}

/// Splits the rows of a row group into runs to scan at once. Each has up to [`SLICE_PLIES`] plies,
/// as declared, which may far exceed the bytes of the codes, or one row.
fn slices(rows: &Rows) -> Vec<Range<usize>> {
    let mut slices: Vec<Range<usize>> = Vec::new();
    let mut plies = u64::MAX;
    for row in 0..rows.len() {
        let own = rows.record(row).map_or(0, |(record, ..)| scan::plies(&record));
        plies = plies.saturating_add(own);
        match slices.last_mut().filter(|_| plies <= SLICE_PLIES) {
            Some(slice) => slice.end = row + 1,
            None => {
                slices.push(row..row + 1);
                plies = own;
            }
        }
    }
    slices
}

/// Scans these rows of a row group that starts at row `first` of the file.
fn scan_rows(
    file: &PackedFile,
    rows: &Rows,
    heads: &[Head],
    slice: Range<usize>,
    first: u64,
    work: &Work<'_>,
) -> Result<Vec<Scan>, Error> {
    let scan = |row: usize| {
        let lost = || RowError::from("it is missing");
        let record = rows.record(row).map(|found| found.0).ok_or_else(lost);
        let head = heads.get(row).cloned().unwrap_or_default();
        let scan = record.and_then(|record| Scan::of_record(&record, head, work.stop));
        scan.map_err(|why| match work.check() {
            Err(interrupted) => interrupted,
            Ok(()) => Error::record(file.path(), first + row as u64)(why),
        })
    };
    let starts: Vec<usize> = slice.clone().step_by(CHUNK_RECORDS).collect();
    let chunks = starts.into_par_iter().map(|start| {
        work.check()?;
        let end = slice.end.min(start + CHUNK_RECORDS);
        let scans: Vec<Scan> = (start..end).map(scan).collect::<Result<_, _>>()?;
        work.done(scans.len() as u64);
        Ok(scans)
    });
    let chunks: Vec<Vec<Scan>> = chunks.collect::<Result<_, Error>>()?;
    Ok(chunks.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::import::{Options, import};
    use crate::store::input::Source;

    #[test]
    fn eight_parts_and_one_become_five() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.parquet");
        // Nine inputs, each filling one row group.
        let games = "[Variant \"tictactoe\"]\n\n1. a1 b2 *\n\n".repeat(16_384);
        let inputs = (0..9).map(|number| {
            let bytes = std::io::Cursor::new(games.clone().into_bytes());
            Source::new(format!("{number}.pgn"), Box::new(bytes))
        });
        let codec = plypack_games::line_codec("tictactoe", "line.uniform").expect("a codec");
        let options = Options { codec, positions: None, detect: true };
        let inputs: Vec<Source> = inputs.collect();
        import(inputs, &path, &options, &Work::on(2)).expect("a packed file");
        let file = PackedFile::open(&path).expect("a packed file");
        let work = Work::on(2);
        for part in 0..PARTS_MAX {
            build(&file, &[part], &part_path(&path, part), &work).expect("room");
        }
        assert_eq!(Indices::open(&file).uncovered(), [8]);
        let built = index(&file, false, &work).expect("room").expect("a row group is not covered");
        assert_eq!(built.games, 5 * 16_384);
        let indices = Indices::open(&file);
        assert!(indices.uncovered().is_empty() && indices.numbers == [0, 4, 5, 6, 7]);
        assert!((1..4).all(|part| !part_path(&path, part).exists()));
    }
}
