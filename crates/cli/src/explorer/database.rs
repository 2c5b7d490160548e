//! Packed files queried as one, and numbers for their games.

use std::path::{Path, PathBuf};

use plypack::store::find::{Asked, Known, game_of, packed_files};
use plypack::store::index::Indices;
use plypack::store::{Error, PackedFile};
use plypack_core::ErasedRules;

use crate::explorer::answer::Stop;
use crate::explorer::error::Refusal;
use crate::explorer::names::{LazyNames, Names};

/// A database: open packed files of one game, with their indices, and eight bytes of facts per game
/// in memory.
#[derive(Debug)]
pub struct Database {
    name: String,
    files: Vec<Asked>,
    game: &'static dyn ErasedRules,
    records: u64,
    names: LazyNames,
}

impl Database {
    /// Opens a packed file, or all packed files of a folder.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or holds positions, or if there is none.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let paths = if path.is_dir() { packed_files(path)? } else { vec![PathBuf::from(path)] };
        // A folder may be given as `.`.
        let whole = path.canonicalize().unwrap_or_else(|_| path.into());
        let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        let files: Vec<Asked> =
            paths.iter().map(|path| open_file(path)).collect::<Result<_, Error>>()?;
        let mut game = None;
        for asked in &files {
            let its = game_of(&asked.file)?;
            match (game, its) {
                (Some(game), Some(its)) if !same(game, its) => {
                    let why = format!(
                        "it holds games of {}, but the other files games of {}: a database \
                         has one kind of game",
                        its.info().title,
                        game.info().title
                    );
                    return Err(Error::Format { path: asked.file.path().into(), why });
                }
                (None, its) => game = its,
                _ => {}
            }
        }
        // Without any moves no position is reached, whatever the game.
        let game = game.or(plypack_games::game("chess"));
        let game = game
            .ok_or_else(|| Error::Format { path: path.into(), why: "it holds no games".into() })?;
        let records = files.iter().map(|asked| asked.file.records()).sum();
        Ok(Self { name, files, game, records, names: LazyNames::default() })
    }

    /// Its name: that of its file or folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its files.
    pub fn files(&self) -> &[Asked] {
        &self.files
    }

    /// The game of all its records.
    pub fn game(&self) -> &'static dyn ErasedRules {
        self.game
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.records
    }

    /// Returns the names of players and events, which the first request for them reads.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read, or another request is still reading them.
    pub fn names(&self, stop: &Stop) -> Result<&Names, Refusal> {
        self.names.get(self, stop)
    }

    /// Returns the number of the record in this row of a file, counted from 1 over all files.
    pub fn id(&self, file: usize, row: u64) -> u64 {
        let before = self.files.iter().take(file).map(|asked| asked.file.records());
        before.sum::<u64>() + row + 1
    }

    /// Returns the file and the row of a record's number.
    pub fn place(&self, id: u64) -> Option<(usize, u64)> {
        let mut row = id.checked_sub(1)?;
        for (file, asked) in self.files.iter().enumerate() {
            match row.checked_sub(asked.file.records()) {
                None => return Some((file, row)),
                Some(rest) => row = rest,
            }
        }
        None
    }
}

fn same(one: &dyn ErasedRules, other: &dyn ErasedRules) -> bool {
    one.info().id == other.info().id
}

fn open_file(path: &Path) -> Result<Asked, Error> {
    let file = PackedFile::open(path)?;
    // Also fails for files of positions.
    game_of(&file)?;
    file.load_index()?;
    let indices = Indices::open(&file);
    let known = Some(Known::read(&file)?);
    Ok(Asked { file, indices, known })
}
