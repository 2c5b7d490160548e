//! Answers to questions: which games reach a position, and what was played there.
//!
//! Several files are asked as one. Of each row group, rows are named that may answer: all of them,
//! or those that an index names. What a condition on tags leaves of them is decoded, and the games
//! that reach the position are kept: that proves every game that is shown.

mod games;
mod known;
mod plays;
mod scan;
mod tree;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use plypack_core::{ErasedGame, ErasedLineCodec, Pattern};
use plypack_games::without_nulls;
use plypack_records::Content;

use crate::columns::Wanted;
use crate::condition::Condition;
use crate::error::Error;
use crate::file::PackedFile;
use crate::index::Indices;
use crate::row::StoredRecord;

pub use crate::index::{Example, MoveSum};
pub use games::{Found, Order, Separator, find, records};
pub use known::{Known, Limits, Speed};
pub use plays::{Play, plays};
pub use plypack_index::{Outcome, Sum};
pub use plypack_rows::{Hit, PatternText, Target};
pub use scan::rows_named;
pub use tree::{Tree, tree};

/// A file that is asked.
#[derive(Debug)]
pub struct Asked {
    /// The file.
    pub file: PackedFile,
    /// Its indices; what they do not cover is scanned.
    pub indices: Indices,
    /// What is known of its games, for who asks many questions; else the file tells.
    pub known: Option<Known>,
}

/// What is asked of files.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question<'q> {
    /// The position that games are to reach; `None` if any game will do.
    pub target: Option<&'q Target>,
    /// The pattern that they are to match, on their main lines.
    pub pattern: Option<&'q Pattern>,
    /// What is to hold of them.
    pub condition: Option<&'q Condition>,
    /// What is to be known of them.
    pub limits: Option<&'q Limits>,
    /// Whether a position in a variation will do as well.
    pub variations: bool,
}

/// How the work goes on.
#[derive(Clone, Copy)]
pub struct Watch<'w> {
    /// The number of threads; 0 means one a core.
    pub threads: usize,
    /// Set by who wants it to end.
    pub stop: &'w AtomicBool,
    /// Is told how many records were gone through since it was last told.
    pub progress: &'w (dyn Fn(u64) + Sync),
}

/// The packed files in a folder, by their names; hidden files are none.
///
/// # Errors
/// If the folder cannot be read, or there are none.
pub fn packed_files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut paths = Vec::new();
    for entry in folder.read_dir().map_err(Error::io(folder))? {
        let path = entry.map_err(Error::io(folder))?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if !hidden && path.is_file() && path.extension().is_some_and(|found| found == "parquet") {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        let why = "it is a folder without packed files: none is called *.parquet".into();
        return Err(Error::Format { path: folder.into(), why });
    }
    paths.sort();
    Ok(paths)
}

/// The game of the first record of a file that has moves; `None` if no record has.
///
/// # Errors
/// If the file holds positions, or cannot be read; if another version of the program coded the
/// moves.
pub fn game_of(file: &PackedFile) -> Result<Option<&'static dyn ErasedGame>, Error> {
    Ok(codec_of(file)?.map(ErasedLineCodec::game))
}

/// The codec of the first record of a file that has moves, or the one that codes others like it if
/// it has null moves; `None` if no record has moves.
///
/// # Errors
/// If the file holds positions, or cannot be read; if another version of the program coded the
/// moves.
pub fn codec_of(file: &PackedFile) -> Result<Option<&'static dyn ErasedLineCodec>, Error> {
    if file.kind() != Content::Games {
        let why = "it holds positions, not games; pack games to search them".into();
        return Err(Error::Format { path: file.path().into(), why });
    }
    let mut before = 0;
    for group in 0..file.groups() {
        let records = file.group_records(group);
        // Nearly always the first record tells.
        for rows in [before..before + records.min(1), before..before + records] {
            let rows = file.read_rows(&[rows], Wanted::MOVES)?;
            let told = |row| rows.record(row).and_then(|record| record.0.line);
            if let Some((codec, ..)) = (0..rows.len()).find_map(told) {
                let codec = StoredRecord::codec(codec);
                let fail = |why| Error::Format { path: file.path().into(), why };
                return Ok(Some(without_nulls(codec.map_err(fail)?)));
            }
        }
        before += records;
    }
    Ok(None)
}
