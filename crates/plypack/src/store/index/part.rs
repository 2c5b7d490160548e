//! An index beside a packed file: its name, and the row groups it covers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use bytes::Bytes;
use plypack_index::{Footer, Opened};

use crate::store::error::Error;
use crate::store::output::behind_links;
use crate::store::ranges::Ranges;

/// Maximum number of indices beside one file.
pub const PARTS_MAX: usize = 8;

/// File name extension of indices.
pub const EXTENSION: &str = "plyindex";

/// Returns the path of a packed file's index, or of its part with this number, from 0:
/// `games.plyindex`, `games.plyindex2`, .. No other file's index has this name: the index of
/// `games.2.parquet` is `games.2.plyindex`. Links are followed.
pub fn part_path(file: &Path, part: usize) -> PathBuf {
    let file = behind_links(file);
    match part {
        0 => file.with_extension(EXTENSION),
        part => file.with_extension(format!("{EXTENSION}{}", part + 1)),
    }
}

/// Bytes copied at once.
const COPIED_BYTES: u64 = 1 << 20;

/// Why an index is not used.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unusable {
    /// It is of another state of the file.
    #[error("the file has changed since")]
    Stale,
    #[error("{0}")]
    Io(#[from] std::io::Error),
    #[error("{0}")]
    Index(#[from] plypack_index::Error),
    /// Its footer has no end.
    #[error("it is damaged")]
    Damaged,
    /// Opening a pipe would block until something writes to it.
    #[error("it is not a regular file")]
    Irregular,
}

/// An open index.
#[derive(Debug)]
pub(super) struct Part {
    /// Its name in messages.
    pub path: PathBuf,
    pub footer: Footer,
    ranges: Box<dyn Ranges>,
    /// For each of its row groups, the first game's number in the index, ascending, and the first
    /// row in the file.
    pub places: Vec<Place>,
    /// The same, sorted by row.
    by_row: Vec<Place>,
}

/// The place of a row group's games.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub game: u32,
    pub row: u64,
}

impl Part {
    /// Opens an index, and removes the row groups it covers from `free`, the row groups of the file
    /// that no other index covers.
    ///
    /// # Errors
    /// Returns why it is not used.
    pub fn open(
        path: &Path,
        ranges: Box<dyn Ranges>,
        free: &mut Vec<FreeGroup>,
    ) -> Result<Self, Unusable> {
        let size = ranges.size()?;
        let read = |range: Range<u64>| -> Result<Opened, Unusable> {
            Ok(Footer::read(size, &fetch(&*ranges, range)?)?)
        };
        let footer = match read(Footer::tail(size))? {
            Opened::Footer(footer) => footer,
            Opened::Needs(range) => match read(range)? {
                Opened::Footer(footer) => footer,
                Opened::Needs(_) => return Err(Unusable::Damaged),
            },
        };
        // Row groups may be identical: each is taken once.
        let mut left: BTreeMap<[u8; 16], Vec<usize>> = BTreeMap::new();
        for (at, group) in free.iter().enumerate().rev() {
            left.entry(group.id).or_default().push(at);
        }
        let (mut places, mut taken) = (Vec::new(), vec![false; free.len()]);
        let mut game = 0;
        for group in footer.groups() {
            let found = left.get_mut(&group.id).and_then(Vec::pop);
            let found = found.and_then(|at| Some((at, free.get(at)?)));
            let same = found.filter(|(_, found)| found.games == u64::from(group.games));
            let Some((at, found)) = same else {
                return Err(Unusable::Stale);
            };
            places.push(Place { game, row: found.row });
            game += group.games;
            taken.get_mut(at).into_iter().for_each(|taken| *taken = true);
        }
        let mut taken = taken.into_iter();
        free.retain(|_| !taken.next().unwrap_or_default());
        let mut by_row: Vec<Place> = places.clone();
        by_row.sort_unstable_by_key(|place| place.row);
        Ok(Self { path: path.into(), footer, ranges, places, by_row })
    }

    /// Opens the index at this path; `None` if there is none.
    pub fn open_at(path: &Path, free: &mut Vec<FreeGroup>) -> Option<Result<Self, Unusable>> {
        match path.metadata() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
            Ok(found) if !found.is_file() => return Some(Err(Unusable::Irregular)),
            _ => {}
        }
        match File::open(path) {
            Ok(file) => Some(Self::open(path, Box::new(file), free)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    /// Returns the row of a game in the file.
    pub fn row(&self, game: u32) -> u64 {
        let behind = self.places.partition_point(|place| place.game <= game);
        let place = behind.checked_sub(1).and_then(|at| self.places.get(at));
        place.map_or(u64::MAX, |place| place.row + u64::from(game - place.game))
    }

    /// Returns the number of the game in this row of the file, if covered.
    pub fn game(&self, row: u64) -> Option<u32> {
        let behind = self.by_row.partition_point(|place| place.row <= row);
        let place = self.by_row.get(behind.checked_sub(1)?)?;
        let at = u32::try_from(row - place.row).ok()?;
        let game = place.game.checked_add(at)?;
        (game < self.end_of(place.game)).then_some(game)
    }

    /// Returns the first game after the row group that begins with this one.
    fn end_of(&self, game: u32) -> u32 {
        let behind = self.places.partition_point(|place| place.game <= game);
        let next = self.places.get(behind).map(|place| place.game);
        next.unwrap_or(self.footer.layout().games())
    }

    /// Reads a range.
    pub fn fetch(&self, range: Range<u64>) -> Result<Bytes, Error> {
        fetch(&*self.ranges, range).map_err(|error| self.unreadable(error))
    }

    /// Reads several ranges.
    pub fn fetch_all(&self, ranges: &[Range<u64>]) -> Result<Vec<Bytes>, Error> {
        self.ranges.fetch(ranges).map_err(|error| self.unreadable(error))
    }

    fn unreadable(&self, error: std::io::Error) -> Error {
        match error.kind() {
            std::io::ErrorKind::UnexpectedEof => self.damaged("the index is cut off"),
            _ => Error::io(&self.path)(error),
        }
    }

    /// Copies the index unchanged.
    pub fn copy(
        &self,
        output: &mut dyn Write,
        stop: &AtomicBool,
        path: &Path,
    ) -> Result<(), Error> {
        let size = self.ranges.size().map_err(Error::io(&self.path))?;
        let mut start = 0;
        while start < size {
            crate::store::work::check(stop)?;
            let end = size.min(start + COPIED_BYTES);
            output.write_all(&self.fetch(start..end)?).map_err(Error::io(path))?;
            start = end;
        }
        Ok(())
    }

    /// Returns the error for a damaged index.
    pub fn damaged(&self, why: impl std::fmt::Display) -> Error {
        Error::Index { path: self.path.clone(), why: why.to_string() }
    }
}

fn fetch(ranges: &dyn Ranges, range: Range<u64>) -> std::io::Result<Bytes> {
    let fetched = ranges.fetch(std::slice::from_ref(&range))?;
    fetched.into_iter().next().ok_or_else(|| std::io::ErrorKind::UnexpectedEof.into())
}

/// A row group that no index is known to cover.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeGroup {
    pub id: [u8; 16],
    pub group: usize,
    pub row: u64,
    pub games: u64,
}

impl FreeGroup {
    /// Returns the row after its last.
    pub fn end(&self) -> u64 {
        self.row.saturating_add(self.games)
    }
}
