//! Databases of many files that other programs keep. Each is read as the PGN that its games make,
//! which is what is packed and unpacked.
//!
//! What their readers share is here: finding the files beside the one that names the database,
//! handing over one game's text after another, playing moves, writing PGN, and counting what PGN
//! has no place for.

pub mod game;
pub mod losses;

use std::fmt::{self, Debug};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use self::losses::Losses;
use super::{chessbase, scid};
use crate::store::error::Error;

/// The games of a database, in order.
pub(super) trait Games: Send {
    /// Writes the PGN of the next game into an empty buffer; nothing at the end.
    ///
    /// # Errors
    /// Returns an error that names the file, and the game if it is one game's.
    fn next_game(&mut self, out: &mut Vec<u8>) -> io::Result<()>;
}

/// A database, read as PGN.
pub struct Database {
    games: Box<dyn Games>,
    /// The text of the current game, and how much of it was read.
    text: Vec<u8>,
    read: usize,
}

impl Database {
    /// Whether a file begins as one that names a database does.
    pub fn begins(path: &Path) -> bool {
        scid::begins(path) || chessbase::begins(path)
    }

    /// Opens a database by the file that names it; `None` if the file is none. What PGN has no
    /// place for is counted in `losses` as games are read.
    ///
    /// # Errors
    /// Returns an error if the files beside it are missing, cannot be read or are damaged.
    pub fn open(path: &Path, losses: &Losses) -> Result<Option<Self>, Error> {
        let games: Option<Box<dyn Games>> = if chessbase::begins(path) {
            Some(Box::new(chessbase::Database::open(path, losses)?))
        } else {
            scid::Database::open(path)?.map(|games| Box::new(games) as Box<dyn Games>)
        };
        Ok(games.map(|games| Self { games, text: Vec::new(), read: 0 }))
    }

    /// Returns the name of the database's PGN: `games.pgn` for `games.si4`.
    pub fn content_name(path: &Path) -> PathBuf {
        path.with_extension("pgn")
    }
}

impl Read for Database {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.text.clear();
            self.read = 0;
            self.games.next_game(&mut self.text)?;
        }
        let rest = self.text.get(self.read..).unwrap_or_default();
        let read = rest.len().min(buffer.len());
        buffer[..read].copy_from_slice(&rest[..read]);
        self.read += read;
        Ok(read)
    }
}

impl Debug for Database {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Database").finish_non_exhaustive()
    }
}

/// Whether a file belongs to a database that is named by another file in the same folder, so that
/// it is no input of its own.
pub fn is_companion(path: &Path) -> bool {
    scid::is_companion(path) || chessbase::is_companion(path)
}

/// The file with another extension, in any case, beside the one that names a database.
pub(super) fn companion(path: &Path, extension: &str) -> Option<PathBuf> {
    let spelt = [extension.to_owned(), extension.to_uppercase()];
    spelt.iter().map(|ending| path.with_extension(ending)).find(|path| path.is_file())
}

/// The error that a file of a database is missing.
pub(super) fn is_missing(path: &Path, program: &str, extension: &str) -> Error {
    Error::Format {
        path: path.into(),
        why: format!(
            "it is the index of a {program} database, whose file with the extension {extension} \
             is not beside it; put the files of the database into one folder"
        ),
    }
}
