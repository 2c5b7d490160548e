//! Queries: which games reach a position, and what was played there.
//!
//! Several files are queried as one. For each row group, candidate rows are listed: all of them, or
//! those that an index names. A condition on tags narrows them; the rest is decoded, and the games
//! that reach the position are kept. So every returned game is verified.

mod branches;
mod games;
mod known;
mod plays;
mod positions;
mod repertoire;
mod scan;
mod successors;
mod tree;

use std::path::{Path, PathBuf};

use plypack_core::{ErasedLineCodec, ErasedRules, Pattern};
use plypack_games::without_nulls;
use plypack_records::Content;

use crate::rows::RowError;
use crate::store::columns::Wanted;
use crate::store::condition::Condition;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::index::{Indices, Spot};
use crate::store::row::StoredRecord;

pub(crate) use self::scan::runs;
pub use crate::rows::{CandidateTexts, Hit, PatternText, Target, spoken};
pub use crate::store::index::{Example, MoveSum};
pub use branches::{Branch, Branches, PLIES_MAX, Reach, branches, move_text};
pub use games::{Found, Order, Separator, Sink, count, count_told, find, records};
pub use known::{Known, Limits, Speed};
pub use plays::{Play, plays};
pub use plypack_index::{GROUPS, RATED_MIN, RATING_GROUPS, Sum, Summand};
pub use positions::{find_positions, game_of_positions};
pub use repertoire::{Departure, Followed, departures, follow};
pub use scan::rows_named;
pub use successors::successors;
pub use tree::{Tree, tree, tree_by_rating};

/// Returns what a position is listed under in indices.
pub(crate) fn spot(target: &Target) -> Spot {
    Spot { structure: target.structure(), key: target.key() }
}

/// A file to query.
#[derive(Debug)]
pub struct Asked {
    /// The file.
    pub file: PackedFile,
    /// Its indices; row groups without one are scanned.
    pub indices: Indices,
    /// Optional cache of game facts, for servers.
    pub known: Option<Known>,
}

/// A query.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question<'q> {
    /// The position to reach; `None` matches any game.
    pub target: Option<&'q Target>,
    /// The pattern to match, on main lines.
    pub pattern: Option<&'q Pattern>,
    /// A condition on the games.
    pub condition: Option<&'q Condition>,
    /// Limits on facts of the games.
    pub limits: Option<&'q Limits>,
    /// Whether positions in variations count.
    pub variations: bool,
}

/// Returns the packed files in a folder, sorted by name, without hidden ones.
///
/// # Errors
/// Returns an error if the folder cannot be read or has none.
pub fn packed_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let paths = packed_files_if_any(folder)?;
    if paths.is_empty() {
        let why = "it is a folder without packed files (*.parquet)".into();
        return Err(Error::Format { path: folder.into(), why });
    }
    Ok(paths)
}

/// Returns the packed files in a folder, sorted by name, without hidden ones; it may have none.
///
/// # Errors
/// Returns an error if the folder cannot be read.
pub fn packed_files_if_any(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !hidden && path.is_file() && path.extension().is_some_and(|found| found == "parquet") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Returns the game of the first record that has moves; `None` if no record has.
///
/// # Errors
/// Returns an error if the file holds positions or cannot be read, or if its moves were coded by
/// another version of the program.
pub fn game_of(file: &PackedFile) -> Result<Option<&'static dyn ErasedRules>, Error> {
    Ok(codec_of(file)?.map(ErasedLineCodec::game))
}

/// Returns the codec of the first record that has moves, or its counterpart without null moves;
/// `None` if no record has moves.
///
/// # Errors
/// Returns an error if the file holds positions or cannot be read, or if its moves were coded by
/// another version of the program.
pub fn codec_of(file: &PackedFile) -> Result<Option<&'static dyn ErasedLineCodec>, Error> {
    if file.kind() != Content::Games {
        let why = "it holds positions, not games; pack games to search them".into();
        return Err(Error::Format { path: file.path().into(), why });
    }
    let mut before = 0;
    for group in 0..file.groups() {
        let records = file.group_records(group);
        // The first record is nearly always enough.
        for rows in [before..before + records.min(1), before..before + records] {
            let rows = file.read_rows(&[rows], Wanted::MOVES)?;
            let told = |row| rows.record(row).and_then(|record| record.0.line);
            if let Some((codec, ..)) = (0..rows.len()).find_map(told) {
                let codec = StoredRecord::codec(codec);
                let fail =
                    |why: RowError| Error::Format { path: file.path().into(), why: why.into() };
                return Ok(Some(without_nulls(codec.map_err(fail)?)));
            }
        }
        before += records;
    }
    Ok(None)
}

/// Something that was read in the notation of a game, such as a position.
#[derive(Clone, Copy)]
pub struct ReadIn<T> {
    /// The game.
    pub game: &'static dyn ErasedRules,
    /// The first file that has the game, by its position in the list.
    pub file: usize,
    /// What was read, or why it cannot be.
    pub read: T,
}

/// Reads something in the first game of these files that can read it; where none can, tells why the
/// first one cannot. `None` if no record has moves. Only the files before that game are looked at.
///
/// # Errors
/// As [`game_of`].
pub fn read_in_game<T, E>(
    files: &[Asked],
    read: impl Fn(&'static dyn ErasedRules) -> Result<T, E>,
) -> Result<Option<ReadIn<Result<T, E>>>, Error> {
    let (mut tried, mut first) = (Vec::new(), None);
    for (file, asked) in files.iter().enumerate() {
        let Some(game) = game_of(&asked.file)? else { continue };
        if tried.contains(&game.info().id) {
            continue;
        }
        tried.push(game.info().id);
        let read = ReadIn { game, file, read: read(game) };
        if read.read.is_ok() {
            return Ok(Some(read));
        }
        first.get_or_insert(read);
    }
    Ok(first)
}
