//! Indices of positions beside packed files: building them, and asking them.
//!
//! `games.plyindex` covers row groups of `games.parquet`, which it knows by their content. What it
//! does not cover is scanned by whoever asks, so that a file that grew is asked rightly; an index
//! that covers a row group which the file no longer has is not used. `plypack-index` knows the
//! bytes; here are files, threads and rows.

mod blocks;
mod builder;
mod carry;
pub(crate) mod fact;
mod group_id;
mod part;
mod scan;
mod sorter;
mod writer;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use plypack_index::{Block, HEADS_GAMES, Heads, Outcome, Sum, Visit, read_remains};
use rayon::prelude::*;

pub use builder::{Builder, Built};
pub use carry::{Moved, carry_over};
pub use part::{EXTENSION, PARTS_MAX, part_path};
pub use plypack_index::{Head, MoveSum, Witness};
pub use scan::Scan;
pub use writer::{IndexWriter, Unpublished, remove_others};

use crate::columns::Wanted;
use crate::error::Error;
use crate::file::PackedFile;
use crate::games::Rows;
use crate::import::go_on;
use crate::ranges::Ranges;
pub(crate) use group_id::group_id;
use part::{FreeGroup, Part, STALE};

/// How many records are scanned at a time.
const CHUNK_RECORDS: usize = 256;

/// How many plies are scanned at a time: their occurrences take 24 MiB.
const SLICE_PLIES: u64 = 1 << 20;

/// The indices beside a packed file.
#[derive(Debug)]
pub struct Indices {
    parts: Vec<Part>,
    /// The numbers of the parts.
    numbers: Vec<usize>,
    refused: Vec<Refused>,
    uncovered: Vec<usize>,
    /// All row groups of the file.
    groups: Vec<usize>,
    /// The first of them that proved to be damaged. From then on it is as if there were none.
    damaged: OnceLock<Refused>,
}

/// An index that is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Where it stands.
    pub path: PathBuf,
    /// What is wrong with it: it is damaged, or of another version.
    pub why: String,
    /// Whether nothing is: the file has changed since it was built.
    pub is_stale: bool,
}

/// What an index tells of a key.
#[derive(Debug)]
pub enum Entry<'i> {
    /// Rows of the file, ascending. All have to be decoded: any may be a stranger's.
    Few(Vec<u64>),
    /// A position that many games share. Its whole key was compared.
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
    /// Which candidate it plays; `None`: it ends here.
    pub candidate: Option<u16>,
    /// White's name, in xiangqi Red's; one of more than 100 bytes is cut.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// White's rating.
    pub white_rating: Option<u16>,
    /// Black's rating.
    pub black_rating: Option<u16>,
    /// The year in which it was played.
    pub year: Option<u16>,
    /// How it ended.
    pub outcome: Option<Outcome>,
}

impl Indices {
    /// Opens the indices beside a file.
    #[must_use]
    pub fn open(file: &PackedFile) -> Self {
        Self::open_each(file, Part::open_at)
    }

    /// Opens indices whose bytes come in ranges, as those of a file on a server do: `parts` is
    /// asked for the index of each path that [`part_path`] gives, and has none for most.
    pub fn open_ranges(
        file: &PackedFile,
        mut parts: impl FnMut(&Path) -> Option<Box<dyn Ranges>>,
    ) -> Self {
        Self::open_each(file, |path, free| Some(Part::open(path, parts(path)?, free)))
    }

    fn open_each(
        file: &PackedFile,
        mut open: impl FnMut(&Path, &mut Vec<FreeGroup>) -> Option<Result<Part, String>>,
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
                Some(Err(why)) => {
                    let is_stale = why == STALE;
                    indices.refused.push(Refused { path, why, is_stale });
                }
                None => {}
            }
        }
        indices.uncovered = free.iter().map(|free| free.group).collect();
        indices
    }

    /// As if there were none.
    #[must_use]
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
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts().is_empty()
    }

    /// The parts that are used.
    fn parts(&self) -> &[Part] {
        if self.damaged.get().is_some() { &[] } else { &self.parts }
    }

    /// The part of which a question found out that it is damaged, so that all games had to be
    /// searched for its answer.
    #[must_use]
    pub fn damaged(&self) -> Option<&Refused> {
        self.damaged.get()
    }

    /// What a question to the indices gives; `None` if one proves to be damaged: then the file is
    /// searched as if there were none.
    ///
    /// # Errors
    /// Those of the question but for that one.
    pub(crate) fn ask<T>(
        &self,
        question: impl FnOnce() -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        match question() {
            Err(Error::Index { path, why }) => {
                _ = self.damaged.set(Refused { path, why, is_stale: false });
                Ok(None)
            }
            // Another question may have found it out meanwhile, on the way to the answer.
            answered => Ok(answered.map(Some)?.filter(|_| self.damaged.get().is_none())),
        }
    }

    /// Where those that are used stand.
    #[must_use]
    pub fn paths(&self, file: &PackedFile) -> Vec<PathBuf> {
        self.numbers.iter().map(|&number| part_path(file.path(), number)).collect()
    }

    /// The indices that are not used.
    #[must_use]
    pub fn refused(&self) -> &[Refused] {
        &self.refused
    }

    /// The row groups that no index covers, ascending: they are to be scanned.
    #[must_use]
    pub fn uncovered(&self) -> &[usize] {
        if self.is_empty() { &self.groups } else { &self.uncovered }
    }

    /// The number of a part that there can be besides those that are used; `None` if these are as
    /// many as may be.
    #[must_use]
    pub fn free_number(&self) -> Option<usize> {
        (0..PARTS_MAX).find(|number| !self.numbers.contains(number))
    }

    /// The number of the part that takes the place of the smaller half of all parts, the row groups
    /// that it covers, and the parts that stay.
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
    #[must_use]
    pub fn covers(&self, row: u64) -> bool {
        self.parts().iter().any(|part| part.game(row).is_some())
    }

    /// The heads of the games in these rows of a file, in any order: what is told of each without
    /// reading the file. `None` for rows that no index covers, or a damaged one. Blocks of heads
    /// that lie close together are read in one range.
    ///
    /// # Errors
    /// If an index cannot be read.
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

    /// The rows of those games of which this holds, by what was left of them
    /// ([`Game::remains`](plypack_core::Game::remains)), ascending; of those that an index covers.
    ///
    /// # Errors
    /// If an index cannot be read or is damaged.
    pub fn rows_where(&self, holds: &(dyn Fn(u64) -> bool + Sync)) -> Result<Vec<u64>, Error> {
        let mut rows = Vec::new();
        for part in self.parts() {
            part.rows_where(holds, &mut rows)?;
        }
        rows.sort_unstable();
        Ok(rows)
    }

    /// What the indices of a file tell of a key.
    ///
    /// # Errors
    /// If one cannot be read or is damaged.
    pub fn look_up(&self, key: u64) -> Result<Vec<Entry<'_>>, Error> {
        let mut found = Vec::new();
        for part in self.parts() {
            part.look_up(key, &mut found)?;
        }
        Ok(found)
    }

    /// Reads all of every part and compares its checksums; `progress` is told of how many bytes.
    /// Gives what is wrong.
    ///
    /// # Errors
    /// If one cannot be read, or `stop` was set.
    pub fn verify(
        &self,
        stop: &AtomicBool,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Refused>, Error> {
        let mut faults = self.refused.clone();
        for part in &self.parts {
            match part.verify(stop, progress) {
                Err(Error::Index { path, why }) => {
                    faults.push(Refused { path, why, is_stale: false });
                }
                checked => checked?,
            }
        }
        Ok(faults)
    }

    /// How many bytes the parts have that are used.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.footer.end()).sum()
    }
}

impl Part {
    fn look_up<'i>(&'i self, key: u64, found: &mut Vec<Entry<'i>>) -> Result<(), Error> {
        let layout = self.footer.layout();
        let range = self.footer.page(key);
        let page = self.fetch(range.clone())?;
        let damaged = |error: plypack_index::Error| self.damaged(error);
        for entry in layout.find(key, &page, range.start).map_err(damaged)? {
            match entry {
                plypack_index::Entry::Few(games) => {
                    let mut rows: Vec<u64> = games.into_iter().map(|game| self.row(game)).collect();
                    rows.sort_unstable();
                    found.push(Entry::Few(rows));
                }
                plypack_index::Entry::Block(block) => {
                    let head = self.fetch(block.head())?;
                    let shared = plypack_index::Shared::read(layout, key, &head);
                    if let Some(inner) = shared.map_err(damaged)? {
                        let shared = Shared { part: self, block, inner };
                        found.push(Entry::Shared(Box::new(shared)));
                    }
                }
            }
        }
        Ok(())
    }

    /// Reads all of it and compares its checksums.
    fn verify(&self, stop: &AtomicBool, progress: &(dyn Fn(u64) + Sync)) -> Result<(), Error> {
        let layout = self.footer.layout();
        let damaged = |error: plypack_index::Error| self.damaged(error);
        let page = |number: usize| {
            go_on(stop)?;
            let range = self.footer.page(*layout.keys(number).start());
            let page = self.fetch(range.clone())?;
            progress(page.len() as u64);
            for block in layout.blocks(&page, range.start).map_err(damaged)? {
                let bytes = self.fetch(block.whole())?;
                plypack_index::Shared::check(layout, &bytes).map_err(damaged)?;
                progress(bytes.len() as u64);
            }
            Ok::<(), Error>(())
        };
        (0..layout.pages()).into_par_iter().try_for_each(page)?;
        for game in (0..layout.games()).step_by(HEADS_GAMES as usize) {
            go_on(stop)?;
            let block = self.fetch(self.footer.heads(game))?;
            Heads::read(layout, game, &block).map_err(damaged)?;
            progress(block.len() as u64);
        }
        for number in 0..self.footer.remains_blocks() {
            go_on(stop)?;
            let block = self.fetch(self.footer.remains(number))?;
            read_remains(layout, number, &block).map_err(damaged)?;
            progress(block.len() as u64);
        }
        Ok(())
    }
}

impl Shared<'_> {
    /// How many games reach the position.
    #[must_use]
    pub fn records(&self) -> u64 {
        self.inner.records
    }

    /// What they play there, the most frequent move first.
    #[must_use]
    pub fn moves(&self) -> &[MoveSum] {
        &self.inner.moves
    }

    /// Those that end there.
    #[must_use]
    pub fn ended(&self) -> Option<Sum> {
        self.inner.ended
    }

    /// The best-rated of them; none where few games share the position.
    #[must_use]
    pub fn examples(&self) -> Vec<Example> {
        let example = |example: &plypack_index::Example| Example {
            row: self.part.row(example.game),
            candidate: example.candidate,
            white: example.players.white.clone(),
            black: example.players.black.clone(),
            white_rating: example.players.white_rating,
            black_rating: example.players.black_rating,
            year: example.year,
            outcome: example.outcome,
        };
        self.inner.examples.iter().map(example).collect()
    }

    /// Whether the game in this row was indexed with its games, so that it is one of them if it
    /// reaches the position.
    #[must_use]
    pub fn covers(&self, row: u64) -> bool {
        self.part.game(row).is_some()
    }

    /// The best-rated of its games, with what they play there.
    #[must_use]
    pub fn best(&self) -> Vec<(u64, Option<u16>)> {
        self.rows(self.inner.best.iter().copied())
    }

    /// That the index is damaged.
    pub(crate) fn damaged(&self, why: impl std::fmt::Display) -> Error {
        self.part
            .damaged(format!("the index is damaged: {why}; build it anew with `plypack index -f`"))
    }

    /// A line that leads to the position; `None`: the best game shows it.
    #[must_use]
    pub fn witness(&self) -> Option<&Witness> {
        self.inner.witness.as_ref()
    }

    /// Up to so many of its games, those of the first rows, with what they play there. What is at
    /// hand is not read again, unless the file has its row groups in another order than it was
    /// indexed in.
    ///
    /// # Errors
    /// If the index cannot be read or is damaged.
    pub fn first_games(&self, most: usize) -> Result<Vec<(u64, Option<u16>)>, Error> {
        let at_hand = self.inner.is_whole() || most <= self.inner.first_games().len();
        if at_hand && self.part.places.is_sorted_by_key(|place| place.row) {
            return Ok(self.rows(self.inner.first_games().iter().copied().take(most)));
        }
        let mut games = self.games()?;
        games.truncate(most);
        Ok(games)
    }

    /// All of its games by their rows, ascending, with what they play there; `None`: the game ends
    /// there. A game that comes back and plays something else is there twice.
    ///
    /// # Errors
    /// If the index cannot be read or is damaged.
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

/// All row groups of a file.
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

/// How an index is to be built.
#[derive(Clone, Copy)]
pub struct Building<'b> {
    /// The number of threads; 0 means one a core.
    pub threads: usize,
    /// Whether indices that are there already are built anew.
    pub anew: bool,
    /// Is told where the index is until it is complete, for who may have to remove it.
    pub unfinished: &'b (dyn Fn(&Path) + Sync),
    /// Set by who wants it to end.
    pub stop: &'b AtomicBool,
    /// Is told how many records were scanned since it was last told.
    pub progress: &'b (dyn Fn(u64) + Sync),
}

/// Indexes the row groups of a packed file that no index beside it covers, in another part if there
/// is room for one, or else in one with those of the smaller half of the parts: so that a file to
/// which much is appended is seldom scanned again. Parts that are not used any more are removed.
/// `None` if all is covered.
///
/// # Errors
/// If the file has no games, cannot be read or is damaged, or nothing can be written beside it.
/// Then nothing is left behind.
pub fn index(file: &PackedFile, how: &Building<'_>) -> Result<Option<Built>, Error> {
    if file.kind() != plypack_records::Content::Games {
        let why = "it holds positions, and an index finds positions in games".into();
        return Err(Error::Format { path: file.path().into(), why });
    }
    let indices = if how.anew { Indices::none(file) } else { Indices::open(file) };
    if !indices.is_empty() && indices.uncovered.is_empty() {
        remove_others(file.path(), &indices.numbers)?;
        return Ok(None);
    }
    let (number, groups, mut kept) = match indices.free_number() {
        Some(number) => (number, indices.uncovered, indices.numbers),
        None => indices.with_room(file),
    };
    let built = build(file, &groups, &part_path(file.path(), number), how)?;
    kept.push(number);
    remove_others(file.path(), &kept)?;
    Ok(Some(built))
}

/// Builds an index of these row groups at this path.
fn build(
    file: &PackedFile,
    groups: &[usize],
    path: &Path,
    how: &Building<'_>,
) -> Result<Built, Error> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(how.threads).build();
    let pool = pool.map_err(|error| Error::io(path)(std::io::Error::other(error)))?;
    let mut writer = IndexWriter::begin(path)?;
    writer.unfinished().into_iter().for_each(how.unfinished);
    let written = pool.install(|| {
        let before = free_groups(file);
        let read = |group: Option<&usize>| {
            let read = |&group| {
                let rows = file.read_game_rows(group, None, Wanted::Of(&scan::COLUMNS))?;
                Ok::<_, Error>((rows, fact::of_group(file, group, None)?))
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
                        let scans = scan_rows(file, &rows, &heads, slice, first, how)?;
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
        writer.finish(&ids, how.stop)
    })?;
    go_on(how.stop)?;
    written.publish()
}

/// The rows of a row group in runs that are scanned at once: of as many plies as they say that they
/// have, which may be far more than their codes have bytes, or of one row.
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

/// Scans these rows of a row group, whose first row is this one of the file.
fn scan_rows(
    file: &PackedFile,
    rows: &Rows,
    heads: &[Head],
    slice: Range<usize>,
    first: u64,
    how: &Building<'_>,
) -> Result<Vec<Scan>, Error> {
    let scan = |row: usize| {
        let lost = || "it is not there".to_owned();
        let record = rows.record(row).map(|found| found.0).ok_or_else(lost);
        let head = heads.get(row).cloned().unwrap_or_default();
        let scan = record.and_then(|record| Scan::of_record(&record, head, how.stop));
        scan.map_err(|why| match go_on(how.stop) {
            Err(interrupted) => interrupted,
            Ok(()) => {
                let path = file.path().into();
                Error::Record { path, record: first + row as u64 + 1, why }
            }
        })
    };
    let starts: Vec<usize> = slice.clone().step_by(CHUNK_RECORDS).collect();
    let chunks = starts.into_par_iter().map(|start| {
        go_on(how.stop)?;
        let end = slice.end.min(start + CHUNK_RECORDS);
        let scans: Vec<Scan> = (start..end).map(scan).collect::<Result<_, _>>()?;
        (how.progress)(scans.len() as u64);
        Ok(scans)
    });
    let chunks: Vec<Vec<Scan>> = chunks.collect::<Result<_, Error>>()?;
    Ok(chunks.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{Options, import};
    use crate::input::Source;

    #[test]
    fn eight_parts_and_one_become_five() {
        let never = AtomicBool::new(false);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.parquet");
        // As many games as nine row groups have, in nine inputs.
        let games = "[Variant \"tictactoe\"]\n\n1. a1 b2 *\n\n".repeat(16_384);
        let inputs = (0..9).map(|number| {
            let bytes = std::io::Cursor::new(games.clone().into_bytes());
            Source::new(format!("{number}.pgn"), Box::new(bytes))
        });
        let codec = plypack_games::line_codec("tictactoe", "line.uniform").expect("a codec");
        let options = Options { codec, positions: None, detect: true, threads: 2 };
        import(inputs.collect(), &path, &options, &never, &mut |_| {}).expect("a packed file");
        let file = PackedFile::open(&path).expect("a packed file");
        let how = Building {
            threads: 2,
            anew: false,
            unfinished: &|_| {},
            stop: &never,
            progress: &|_| {},
        };
        for part in 0..PARTS_MAX {
            build(&file, &[part], &part_path(&path, part), &how).expect("room");
        }
        assert_eq!(Indices::open(&file).uncovered(), [8]);
        let built = index(&file, &how).expect("room").expect("a row group is not covered");
        assert_eq!(built.games, 5 * 16_384);
        let indices = Indices::open(&file);
        assert!(indices.uncovered().is_empty() && indices.numbers == [0, 4, 5, 6, 7]);
        assert!((1..4).all(|part| !part_path(&path, part).exists()));
    }
}
