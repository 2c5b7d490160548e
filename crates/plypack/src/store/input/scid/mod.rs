//! Games in a database of SCID, version 4 (`.si4`) or 3 (`.si3`): an index, names and moves in three
//! files. It is read as the PGN that its games make, which is what is packed and unpacked.
//!
//! Memory is bounded for any database: the names, and one game.

mod game;
mod index;
mod men;
mod names;

use std::fmt::{self, Debug};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use self::game::Writer;
use self::index::{ENTRY_BYTES_MAX, Header};
use self::names::Names;
use crate::store::error::Error;

/// The extensions of the index, and those of the files with moves and names beside it.
const EXTENSIONS: [[&str; 3]; 2] = [["si4", "sg4", "sn4"], ["si3", "sg3", "sn3"]];

/// A database, read as PGN.
pub struct Database {
    path: PathBuf,
    header: Header,
    index: BufReader<File>,
    moves: File,
    names: Names,
    writer: Writer,
    /// The number of games read.
    number: u32,
    /// The text of the current game, and how much of it was read.
    text: Vec<u8>,
    read: usize,
}

impl Database {
    /// Opens a database by its index; `None` if the file is none.
    ///
    /// # Errors
    /// Returns an error if the files beside it are missing, cannot be read or are damaged.
    pub fn open(path: &Path) -> Result<Option<Self>, Error> {
        let is_file = path.metadata().is_ok_and(|found| found.is_file());
        let mut index = match File::open(path) {
            Ok(file) if is_file => BufReader::new(file),
            _ => return Ok(None),
        };
        let Some(header) = Header::read(&mut index).map_err(Error::io(path))? else {
            return Ok(None);
        };
        let beside = |place: usize| {
            let own = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
            let row = EXTENSIONS.iter().find(|row| row.first() == Some(&&*own));
            let other = row.unwrap_or(&EXTENSIONS[0])[place];
            companion(path, other).ok_or_else(|| Error::Format {
                path: path.into(),
                why: format!(
                    "it is the index of a SCID database, whose file with the extension {other} \
                     is not beside it; put the three files into one folder"
                ),
            })
        };
        let (games, names) = (beside(1)?, beside(2)?);
        let moves = File::open(&games).map_err(Error::io(&games))?;
        let file = File::open(&names).map_err(Error::io(&names))?;
        let names = Names::read(&mut BufReader::new(file)).map_err(Error::io(&names))?;
        let (path, number, text, read) = (path.to_path_buf(), 0, Vec::new(), 0);
        let writer = Writer::default();
        Ok(Some(Self { path, header, index, moves, names, writer, number, text, read }))
    }

    /// Returns the name of the database's PGN: `games.pgn` for `games.si4`.
    pub fn content_name(path: &Path) -> PathBuf {
        path.with_extension("pgn")
    }

    /// Writes the text of the next game; none at the end.
    fn next_text(&mut self) -> io::Result<()> {
        self.text.clear();
        self.read = 0;
        if self.number == self.header.games {
            return Ok(());
        }
        self.number += 1;
        let number = self.number;
        let fault = |why: &str| {
            io::Error::other(format!("game {number} of {}: {why}", self.path.display()))
        };
        let mut bytes = [0; ENTRY_BYTES_MAX];
        let bytes = bytes.get_mut(..self.header.entry_bytes()).unwrap_or_default();
        self.index.read_exact(bytes).map_err(|_| fault("the index ends before it"))?;
        let entry = self.header.entry(bytes).ok_or_else(|| fault("its entry is too short"))?;
        self.moves.seek(SeekFrom::Start(entry.offset.into()))?;
        let mut data = Vec::new();
        (&mut self.moves).take(entry.length.into()).read_to_end(&mut data)?;
        self.text = self
            .writer
            .write(&entry, &data, &self.names)
            .ok_or_else(|| fault("it cannot be written as PGN"))?;
        Ok(())
    }
}

impl Read for Database {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.next_text()?;
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
        formatter.debug_struct("Database").field("path", &self.path).finish_non_exhaustive()
    }
}

/// The file with another extension, in any case, beside an index.
fn companion(index: &Path, extension: &str) -> Option<PathBuf> {
    let spelt = [extension.to_owned(), extension.to_uppercase()];
    spelt.iter().map(|ending| index.with_extension(ending)).find(|path| path.is_file())
}

/// Whether a file belongs to the index of a database that is in the same folder, so that it is no
/// input of its own.
pub fn is_companion(path: &Path) -> bool {
    let own = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let row = EXTENSIONS.iter().find(|row| row[1..].contains(&&*own));
    row.is_some_and(|row| {
        companion(path, row[0]).is_some_and(|index| {
            let mut magic = [0; index::MAGIC.len()];
            let read = || File::open(index).and_then(|mut file| file.read_exact(&mut magic));
            read().is_ok() && magic == *index::MAGIC
        })
    })
}
