//! Databases of many files that other programs keep. Each is read as the PGN that its games make,
//! which is what is packed and unpacked.
//!
//! What their readers share is here: finding the files beside the one that names the database,
//! handing over one game's text after another, playing moves, writing PGN, and counting what PGN
//! has no place for.

pub mod game;
pub mod losses;
pub(super) mod sources;

use std::fmt::{self, Debug};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use self::losses::Losses;
use super::{chessbase, scid};
use crate::store::error::Error;

/// The number of bytes that tell what a file is.
pub const HEAD_BYTES: usize = 64;

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

/// What a file is to the readers of databases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    /// It does not name a database.
    Other,
    /// It names a database, whose files are there.
    Database,
    /// It names a database that cannot be read: why, and the way out.
    Unread(String),
}

impl Look {
    /// Looks at the first bytes of a file and at what is beside it.
    pub fn at(path: &Path) -> Self {
        let head = head(path);
        if scid::begins(&head) {
            return scid::look(path);
        }
        match chessbase::look(path, &head) {
            Self::Other => scid::look_at_newer(path, &head),
            found => found,
        }
    }
}

impl Database {
    /// Opens a database by the file that names it; `None` if the file is none. What PGN has no
    /// place for is counted in `losses` as games are read.
    ///
    /// # Errors
    /// Returns an error if files of it are missing, cannot be read or are damaged.
    pub fn open(path: &Path, losses: &Losses) -> Result<Option<Self>, Error> {
        Self::open_as(path, path, losses)
    }

    /// Opens a database in the same way, which is called `name` in counts and messages about games.
    ///
    /// # Errors
    /// Returns an error if files of it are missing, cannot be read or are damaged.
    fn open_as(path: &Path, name: &Path, losses: &Losses) -> Result<Option<Self>, Error> {
        let head = head(path);
        if scid::begins(&head) {
            return Ok(Some(Self::of(scid::Database::open(path, name, losses)?)));
        }
        Ok(chessbase::Database::open(path, name, &head, losses)?.map(Self::of))
    }

    /// Opens the database in an archive that was copied into a file; `path` is what it is called in
    /// messages.
    ///
    /// # Errors
    /// Returns an error if the archive or a file in it is damaged.
    pub fn in_archive(path: &Path, copy: File, losses: &Losses) -> Result<Self, Error> {
        Ok(Self::of(chessbase::Database::in_archive(path, copy, losses)?))
    }

    fn of(games: impl Games + 'static) -> Self {
        Self { games: Box::new(games), text: Vec::new(), read: 0 }
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

/// Whether these bytes begin an archive with a database.
pub(super) fn begins_archive(head: &[u8]) -> bool {
    chessbase::begins(head)
}

/// Creates a file without a name, which is gone with the process.
pub(super) fn unnamed_file() -> io::Result<File> {
    tempfile::tempfile().map_err(not_unpacked)
}

/// Says where files are unpacked if that fails.
pub(super) fn not_unpacked(error: io::Error) -> io::Error {
    if error.kind() == io::ErrorKind::Interrupted {
        return error;
    }
    let folder = std::env::temp_dir();
    io::Error::other(format!(
        "it cannot be unpacked into {} ({error}); name a folder with room for it in the \
         environment variable TMPDIR",
        folder.display()
    ))
}

/// Whether a file belongs to a database that is named by another file in the same folder, so that
/// it is no input of its own.
pub fn is_companion(path: &Path) -> bool {
    scid::is_companion(path) || chessbase::is_companion(path)
}

/// Whether a file with this name and these first bytes may be one of a database of several files.
fn may_be_part(name: &Path, head: &[u8]) -> bool {
    let own = name.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_named = scid::extensions_of_files().any(|known| known == own)
        || chessbase::extensions_of_files().any(|known| known == own);
    is_named && (head.is_empty() || is_binary(head))
}

/// The file with another extension, in any case, beside the one that names a database.
pub(super) fn companion(path: &Path, extension: &str) -> Option<PathBuf> {
    let spelt = [extension.to_owned(), extension.to_uppercase()];
    spelt.iter().map(|ending| path.with_extension(ending)).find(|path| path.is_file())
}

/// Why a database without one of its files cannot be read.
pub(super) fn missing(program: &str, extension: &str) -> String {
    format!(
        "it is the index of a {program} database, whose file with the extension {extension} is \
         not beside it; put the files of the database into one folder"
    )
}

/// The first bytes of a file, none if it cannot be read or is a pipe.
fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    let mut read = || File::open(path)?.take(HEAD_BYTES as u64).read_to_end(&mut head);
    let is_read = path.metadata().is_ok_and(|found| found.is_file()) && read().is_ok();
    if is_read { head } else { Vec::new() }
}

/// Whether these bytes are none of a text.
pub(super) fn is_binary(head: &[u8]) -> bool {
    head.iter().any(|byte| byte.is_ascii_control() && !byte.is_ascii_whitespace())
}
