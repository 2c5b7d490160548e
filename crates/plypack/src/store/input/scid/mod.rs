//! Games in a database of SCID, version 4 (`.si4`) or 3 (`.si3`): an index, names and moves, in
//! three files. It is read as the PGN that its games make, which is what is packed and unpacked.
//!
//! Memory is bounded for any database: the names, and one game.

mod game;
mod index;
mod men;
mod names;

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;

use self::game::Writer;
use self::index::{ENTRY_BYTES_MAX, Header};
use self::names::Names;
use super::database::losses::{BRACES, Losses};
use super::database::{Games, Look, companion, is_binary, missing};
use crate::store::error::Error;

/// The extensions of the index, and those of the files with moves and names beside it.
const EXTENSIONS: [[&str; 3]; 2] = [["si4", "sg4", "sn4"], ["si3", "sg3", "sn3"]];

/// Why a database of another version cannot be read.
const VERSION: &str = "it is the index of a SCID database, cut off or of a version that plypack \
                       cannot read; open the database in SCID and export its games as PGN";
const NEWER: &str = "it is the index of a database of SCID 5, which plypack cannot read; open the \
                     database in SCID and export its games as PGN, or copy them into a database of \
                     version 4 (.si4)";

/// A database, whose games are read one after another.
pub(super) struct Database {
    /// The name under which losses are counted, and which messages about games have.
    name: String,
    losses: Losses,
    header: Header,
    index: BufReader<File>,
    moves: File,
    names: Names,
    writer: Writer,
    /// The number of games read.
    number: u32,
}

impl Database {
    /// Opens a database by its index, which is called `name` in counts and messages about games.
    ///
    /// # Errors
    /// Returns an error if the files beside it are missing, cannot be read or are damaged.
    pub fn open(path: &Path, name: &Path, losses: &Losses) -> Result<Self, Error> {
        let mut index = BufReader::new(File::open(path).map_err(Error::io(path))?);
        let unread = |why: String| Error::Format { path: path.into(), why };
        let header = Header::read(&mut index).map_err(Error::io(path))?;
        let header = header.ok_or_else(|| unread(VERSION.into()))?;
        let beside = |place: usize| {
            let other = extensions(path)[place];
            companion(path, other).ok_or_else(|| unread(missing("SCID", other)))
        };
        let (games, names) = (beside(1)?, beside(2)?);
        let moves = File::open(&games).map_err(Error::io(&games))?;
        let file = File::open(&names).map_err(Error::io(&names))?;
        let names = Names::read(&mut BufReader::new(file)).map_err(Error::io(&names))?;
        let (number, writer) = (0, Writer::default());
        let (losses, name) = (losses.clone(), name.display().to_string());
        losses.begin(&name);
        Ok(Self { name, losses, header, index, moves, names, writer, number })
    }
}

impl Games for Database {
    fn next_game(&mut self, out: &mut Vec<u8>) -> io::Result<()> {
        if self.number == self.header.games {
            return Ok(());
        }
        self.number += 1;
        let number = self.number;
        let fault = |why: &str| io::Error::other(format!("game {number} of {}: {why}", self.name));
        let mut bytes = [0; ENTRY_BYTES_MAX];
        let bytes = bytes.get_mut(..self.header.entry_bytes()).unwrap_or_default();
        self.index.read_exact(bytes).map_err(|_| fault("the index ends before it"))?;
        let entry = self.header.entry(bytes).ok_or_else(|| fault("its entry is too short"))?;
        self.moves.seek(SeekFrom::Start(entry.offset.into()))?;
        let mut data = Vec::new();
        (&mut self.moves).take(entry.length.into()).read_to_end(&mut data)?;
        let written = self.writer.write(&entry, &data, &self.names);
        let (text, braces) = written.ok_or_else(|| fault("it cannot be written as PGN"))?;
        *out = text;
        for _ in 0..braces {
            self.losses.add(&self.name, BRACES, number);
        }
        Ok(())
    }
}

/// Whether these bytes begin the index of a database.
pub fn begins(head: &[u8]) -> bool {
    head.starts_with(index::MAGIC)
}

/// What a file is that begins as the index of a database does.
pub fn look(path: &Path) -> Look {
    let header = File::open(path).and_then(|mut file| Header::read(&mut file));
    // An error is told when the database is opened.
    if header.is_ok_and(|header| header.is_none()) {
        return Look::Unread(VERSION.into());
    }
    let lacking = extensions(path)[1..].iter().find(|other| companion(path, other).is_none());
    lacking.map_or(Look::Database, |other| Look::Unread(missing("SCID", other)))
}

/// What a file is that may be the index of a database of SCID 5, which has no beginning of its own.
pub fn look_at_newer(path: &Path, head: &[u8]) -> Look {
    let is_named = path.extension().is_some_and(|own| own.eq_ignore_ascii_case("si5"));
    if is_named && is_binary(head) { Look::Unread(NEWER.into()) } else { Look::Other }
}

/// The extensions of the files of databases.
pub fn extensions_of_files() -> impl Iterator<Item = &'static str> {
    EXTENSIONS.into_iter().flatten()
}

/// The extensions of the files of a database, by that of its index.
fn extensions(index: &Path) -> &'static [&'static str; 3] {
    let own = index.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    EXTENSIONS.iter().find(|row| row[0] == own).unwrap_or(&EXTENSIONS[0])
}

/// Whether a file belongs to the index of a database that is in the same folder and can be read, so
/// that it is no input of its own.
pub fn is_companion(path: &Path) -> bool {
    let own = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let row = EXTENSIONS.iter().find(|row| row[1..].contains(&&*own));
    let index = row.and_then(|row| companion(path, row[0]));
    index.is_some_and(|index| Look::at(&index) == Look::Database)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::database;
    use super::*;

    /// Writes a database of one game into a folder: its three files.
    fn write(folder: &Path, moves: &[u8]) -> PathBuf {
        let mut index = index::MAGIC.to_vec();
        index.extend([1, 0x90, 0, 0, 0, 0, 0, 0, 1]);
        index.resize(182, 0);
        let length = u8::try_from(moves.len()).expect("a short game");
        index.extend([0, 0, 0, 0, 0, length, 0, 0, 8, 0, 0, 0, 0, 1]);
        index.resize(182 + 21, 0);
        index.extend([0x10, 0]);
        index.resize(182 + 47, 0);
        let mut names = b"Scid.sn\0\0\0\0\0".to_vec();
        names.extend([0, 0, 2, 0, 0, 1, 0, 0, 0, 0, 0, 0]);
        names.extend([0; 12]);
        names.extend(b"\0\0\x01\x01A\0\x01\x01\x02\x01b\0\0\x01\x01E");
        for (name, bytes) in [("x.si4", &index[..]), ("x.sg4", moves), ("x.sn4", &names)] {
            std::fs::write(folder.join(name), bytes).expect("a file");
        }
        folder.join("x.si4")
    }

    /// A comment before the first move, an answer with a glyph and an alternative, and a tag.
    const MOVES: &[u8] =
        b"\xf3\x02Me\x01t\x01x\0\0\x0c\xcf\xcf\x0b\x06\x0d\xbf\x0c\x0e\x68\x0fbefore }\0\xe9\0";

    fn read(path: &Path) -> io::Result<String> {
        read_counting(path, &Losses::default())
    }

    fn read_counting(path: &Path, losses: &Losses) -> io::Result<String> {
        let database = database::Database::open(path, losses);
        let database = database.map_err(io::Error::other)?;
        let mut text = String::new();
        database.ok_or_else(|| io::Error::other("none"))?.read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn a_game_becomes_pgn() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = write(folder.path(), MOVES);
        let losses = Losses::default();
        let text = read_counting(&path, &losses).expect("a database");
        let tags = "[Event \"E\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
                    [White \"A\"]\n[Black \"Ab\"]\n[Result \"1-0\"]\n[ScidFlags \"D\"]\n\
                    [Annotator \"Me\"]\n[t \"x\"]\n\n";
        let moves = "{before )} 1. e4 e5 $6 (1... d5 {é}) 2. Nh3 1-0\n\n";
        assert_eq!(text, format!("{tags}{moves}"));
        let counted = losses.counts().remove(&path.display().to_string()).expect("a database");
        let counted: Vec<_> = counted.into_iter().map(|(kind, loss)| (kind, loss.games)).collect();
        assert_eq!(counted, [(BRACES, vec![1])]);
        let moves = folder.path().join("x.sg4");
        assert!(is_companion(&moves) && !is_companion(&path));
        assert_eq!((Look::at(&path), Look::at(&moves)), (Look::Database, Look::Other));
        std::fs::remove_file(folder.path().join("x.sn4")).expect("a file");
        let error =
            Database::open(&path, &path, &losses).err().expect("two files of three").to_string();
        assert!(error.contains("extension sn4"), "{error}");
        assert!(matches!(Look::at(&path), Look::Unread(why) if why.contains("extension sn4")));
        assert!(!is_companion(&moves));
    }

    #[test]
    fn other_versions_are_refused_with_a_way_out() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let old = [index::MAGIC, &[1, 0x91][..], &[0; 200]].concat();
        for (name, bytes, said) in
            [("a.si4", &old[..], "of a version"), ("b.SI5", &[0; 56], "of SCID 5")]
        {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("a file");
            let Look::Unread(why) = Look::at(&path) else { panic!("{name} is read") };
            assert!(why.contains(said) && why.contains("as PGN"), "{why}");
        }
        let text = folder.path().join("c.si5");
        std::fs::write(&text, "1. e4 *").expect("a file");
        assert_eq!(Look::at(&text), Look::Other);
    }

    #[test]
    fn damaged_games_are_read_up_to_the_fault() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for end in 0..MOVES.len() {
            let path = write(folder.path(), &MOVES[..end]);
            let text = read(&path).expect("a database");
            assert!(text.ends_with("1-0\n\n"), "{text}");
        }
        for place in 0..MOVES.len() {
            for bit in 0..8 {
                let mut damaged = MOVES.to_vec();
                damaged[place] ^= 1 << bit;
                let text = read(&write(folder.path(), &damaged)).expect("a database");
                assert!(text.contains("[White \"A\"]"), "{text}");
            }
        }
    }

    #[test]
    fn damaged_indices_are_refused_or_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = write(folder.path(), MOVES);
        for name in ["x.si4", "x.sn4"] {
            let file = folder.path().join(name);
            let whole = std::fs::read(&file).expect("a file");
            for place in 0..whole.len() {
                let mut damaged = whole.clone();
                damaged[place] ^= 1 << (place % 8);
                std::fs::write(&file, &damaged).expect("a file");
                drop(read(&path));
            }
            std::fs::write(&file, &whole).expect("a file");
        }
    }
}
