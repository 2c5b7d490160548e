//! The interface to databases.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use rustix::fs::{Advice, fadvise};

use crate::layout::{Layout, Row, Value};
use crate::lines::{Key, Rows};

/// A database with a table of every layout.
pub trait Database {
    /// Creates and fills the table of a layout, with its key and an index of its positions; `of`
    /// has a row for every opening.
    fn load(&mut self, layout: Layout, rows: Rows, of: &[Row]) -> Result<()>;

    /// Returns the sizes of the table and its indices.
    fn sizes(&mut self, layout: Layout) -> Result<Sizes>;

    /// Clears caches, so that data is read from the disk again.
    fn forget(&mut self) -> Result<()>;

    /// Fetches rows.
    fn fetch(&mut self, layout: Layout, question: &Question) -> Result<Vec<Row>>;

    /// Reads every row of a table, and returns the total size of their lines in bytes.
    fn scan(&mut self, layout: Layout) -> Result<u64>;

    /// Returns the number of bytes read from the disk so far, if known.
    fn disk(&mut self) -> Option<u64>;
}

/// A query of a site.
#[derive(Clone, Debug)]
pub enum Question {
    /// Lines by their keys, anywhere in the table.
    Keys(Vec<Key>),
    /// All lines of a user.
    User(i32),
    /// The lines of any user that end in one of these positions.
    Positions(Vec<Value>),
}

/// Sizes on disk, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// The table. In SQLite it includes the index of keys.
    pub table: u64,
    /// The index of keys, if separate.
    pub keys: u64,
    /// The index of positions.
    pub positions: u64,
}

/// Flushes all files in a folder and evicts them from the system's cache.
pub fn forget_files(folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let (path, kind) = entry.and_then(|entry| Ok((entry.path(), entry.file_type()?)))?;
        if kind.is_dir() {
            forget_files(&path)?;
        } else if kind.is_file() {
            let file = File::open(&path).with_context(|| path.display().to_string())?;
            file.sync_all()?;
            fadvise(&file, 0, None, Advice::DontNeed)?;
        }
    }
    Ok(())
}

/// Returns the number of bytes that a process has read from the disk.
pub fn disk_of(process: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("read_bytes: ")).and_then(|n| n.parse().ok())
}
