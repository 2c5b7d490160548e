//! An index beside a packed file: its name, and what it covers of the file.

use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};

use bytes::Bytes;
use plypack_index::{Footer, Opened};

use crate::ranges::Ranges;

/// How many indices may stand beside one file.
pub const PARTS_MAX: usize = 8;

/// What indices are called behind the name of their file.
pub const EXTENSION: &str = "plyindex";

/// Where the index of a packed file stands, or another part of it, counted from 0:
/// `games.plyindex`, `games.plyindex2`, .. No other file's index is called so: that of
/// `games.2.parquet` is `games.2.plyindex`.
#[must_use]
pub fn part_path(file: &Path, part: usize) -> PathBuf {
    match part {
        0 => file.with_extension(EXTENSION),
        part => file.with_extension(format!("{EXTENSION}{}", part + 1)),
    }
}

/// An index that is open.
#[derive(Debug)]
pub(super) struct Part {
    pub footer: Footer,
    pub ranges: Box<dyn Ranges>,
    /// Of each of its row groups the number of its first game in the index, ascending, and the
    /// first row in the file.
    pub places: Vec<Place>,
}

/// Where the games of a row group are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub game: u32,
    pub row: u64,
}

impl Part {
    /// Opens an index. Of `free`, the row groups of the file that no other index covers, those that
    /// it covers are taken away.
    ///
    /// # Errors
    /// Why it is not used, in words.
    pub fn open(ranges: Box<dyn Ranges>, free: &mut Vec<FreeGroup>) -> Result<Self, String> {
        let words = |error: std::io::Error| error.to_string();
        let size = ranges.size().map_err(words)?;
        let fetch = |range: Range<u64>| fetch(&*ranges, range).map_err(words);
        let read = |range: Range<u64>| {
            Footer::read(size, &fetch(range)?).map_err(|error| error.to_string())
        };
        let footer = match read(Footer::tail(size))? {
            Opened::Footer(footer) => footer,
            Opened::Needs(range) => match read(range)? {
                Opened::Footer(footer) => footer,
                Opened::Needs(_) => return Err("the index is damaged".into()),
            },
        };
        let (mut places, mut left) = (Vec::new(), free.clone());
        let mut game = 0;
        for group in footer.groups() {
            let found = left.iter().position(|free| free.id == group.id);
            let Some(found) = found.map(|at| left.remove(at)) else {
                return Err("the file has changed since".into());
            };
            if found.games != u64::from(group.games) {
                return Err("the file has changed since".into());
            }
            places.push(Place { game, row: found.row });
            game += group.games;
        }
        *free = left;
        Ok(Self { footer, ranges, places })
    }

    /// Opens the index at this path; `None` if there is none.
    pub fn open_at(path: &Path, free: &mut Vec<FreeGroup>) -> Option<Result<Self, String>> {
        match File::open(path) {
            Ok(file) => Some(Self::open(Box::new(file), free)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            Err(error) => Some(Err(error.to_string())),
        }
    }

    /// The row of a game in the file.
    pub fn row(&self, game: u32) -> u64 {
        let behind = self.places.partition_point(|place| place.game <= game);
        let place = behind.checked_sub(1).and_then(|at| self.places.get(at));
        place.map_or(u64::MAX, |place| place.row + u64::from(game - place.game))
    }

    /// The number of the game in this row of the file, if it covers it.
    pub fn game(&self, row: u64) -> Option<u32> {
        let behind = self.places.iter().skip(1).map(|place| place.game);
        let ends = behind.chain([self.footer.layout().games()]);
        self.places.iter().zip(ends).find_map(|(place, end)| {
            let at = u32::try_from(row.checked_sub(place.row)?).ok()?;
            (at < end.saturating_sub(place.game)).then(|| place.game + at)
        })
    }

    /// Reads a range.
    pub fn fetch(&self, range: Range<u64>) -> std::io::Result<Bytes> {
        fetch(&*self.ranges, range)
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
