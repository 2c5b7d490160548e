//! What a database is asked for.

use std::fs::File;
use std::path::Path;

use anyhow::{Context, Result};
use rustix::fs::{Advice, fadvise};

use crate::layout::{Layout, Row, Value};
use crate::lines::{Key, Rows};

/// A database with a table of every layout.
pub trait Database {
    /// Makes the table of a layout, its key and an index of its positions, and fills it: `of` has a
    /// row for every opening.
    fn load(&mut self, layout: Layout, rows: Rows, of: &[Row]) -> Result<()>;

    /// How many bytes the table and its indexes take.
    fn sizes(&mut self, layout: Layout) -> Result<Sizes>;

    /// Forgets what is in memory, so that it is read from the disk again.
    fn forget(&mut self) -> Result<()>;

    /// Asks for rows.
    fn fetch(&mut self, layout: Layout, question: &Question) -> Result<Vec<Row>>;

    /// Reads every row of a table, and returns how many bytes their lines have.
    fn scan(&mut self, layout: Layout) -> Result<u64>;

    /// How many bytes were read from the disk so far, if the system tells.
    fn disk(&mut self) -> Option<u64>;
}

/// What a site asks for.
#[derive(Clone, Debug)]
pub enum Question {
    /// Lines by their keys, anywhere in the table.
    Keys(Vec<Key>),
    /// All lines of a user.
    User(i32),
    /// The lines of whoever that end in one of these positions.
    Positions(Vec<Value>),
}

/// Bytes on the disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// The table. In SQLite the index of keys is part of it.
    pub table: u64,
    /// The index of keys, if it stands alone.
    pub keys: u64,
    /// The index of positions.
    pub positions: u64,
}

/// Writes all files below a folder out and takes them out of the system's cache.
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

/// Bytes that a process had read from the disk.
pub fn disk_of(process: &str) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/io")).ok()?;
    text.lines().find_map(|line| line.strip_prefix("read_bytes: ")).and_then(|n| n.parse().ok())
}
