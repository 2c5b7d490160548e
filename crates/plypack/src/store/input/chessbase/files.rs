//! The files of a database: beside its index, or in an archive.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::archive::{self, Archive};
use super::blocks::Blocks;
use super::header;
use crate::store::error::Error;
use crate::store::input::database::{Look, companion, is_binary, missing};

/// The extension of the index, and those of the files beside it.
pub(super) const INDEX: &str = "cbh";
pub(super) const COMPANIONS: [&str; 27] = [
    "cbg", "cba", "cbp", "cbt", "cbc", "cbs", "cbe", "cbj", "cbl", "cbm", "cbb", "cbgi", "cbtt",
    "cib", "cib2", "cit", "cit2", "cic", "cid", "cie", "cip", "cis", "ckn", "cko", "cpn", "cpo",
    "flags",
];

/// The extensions of the files without which a database cannot be read.
const NEEDED: [&str; 6] = ["cbg", "cba", "cbp", "cbt", "cbc", "cbs"];

/// The extensions of the files of databases.
pub(in crate::store::input) fn extensions_of_files() -> impl Iterator<Item = &'static str> {
    COMPANIONS.into_iter().chain([INDEX])
}

/// Whether these bytes begin an archive.
pub(in crate::store::input) fn begins(head: &[u8]) -> bool {
    archive::files(head).is_some()
}

/// What a file with these first bytes is.
pub(in crate::store::input) fn look(path: &Path, head: &[u8]) -> Look {
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let why = match extension.as_str() {
        _ if header::entries(head).is_some() => {
            let lacking = NEEDED.into_iter().find(|other| companion(path, other).is_none());
            return lacking
                .map_or(Look::Database, |other| Look::Unread(missing("ChessBase", other)));
        }
        _ if begins(head) => return Look::Database,
        _ if !is_binary(head) => return Look::Other,
        "cbz" => {
            "it is an archive of ChessBase with a password, which plypack cannot read; open it in \
             ChessBase and save the database without a password (.cbv), or as PGN"
        }
        "2cbh" => {
            "it is a database in the format of ChessBase 17, which plypack cannot read; in \
             ChessBase save it in the older format (.cbh), or as PGN"
        }
        _ => return Look::Other,
    };
    Look::Unread(why.into())
}

/// Whether a file belongs to the index of a database that is in the same folder and can be read.
pub(in crate::store::input) fn is_companion(path: &Path) -> bool {
    let own = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let index = || companion(path, INDEX);
    let is_read = |index: PathBuf| matches!(Look::at(&index), Look::Database);
    COMPANIONS.contains(&own.as_str()) && index().is_some_and(is_read)
}

/// The files of a database.
pub(super) enum Files {
    /// Beside the index.
    Folder(PathBuf),
    /// In an archive.
    Archive(Archive),
}

impl Files {
    /// The files of the database that a file with these first bytes names: its index, or an archive
    /// with it. `None` if it is neither.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or is a damaged archive.
    pub fn of(path: &Path, head: &[u8]) -> Result<Option<Self>, Error> {
        if header::entries(head).is_some() {
            return Ok(Some(Self::Folder(path.into())));
        }
        if !begins(head) {
            return Ok(None);
        }
        Self::in_archive(path, File::open(path).map_err(Error::io(path))?).map(Some)
    }

    /// The files of the database in an archive, which is called `path` in messages.
    ///
    /// # Errors
    /// Returns an error if the archive cannot be read, is damaged, or does not hold one database.
    pub fn in_archive(path: &Path, file: File) -> Result<Self, Error> {
        Archive::open(path, file).map(Self::Archive)
    }

    /// The file that names the database.
    pub fn path(&self) -> &Path {
        match self {
            Self::Folder(index) => index,
            Self::Archive(archive) => archive.path(),
        }
    }

    /// Opens the file with this extension; `None` if there is none.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, or not be unpacked.
    pub fn open(&mut self, extension: &str) -> Result<Option<Blocks>, Error> {
        match self {
            Self::Folder(index) if extension == INDEX => Blocks::open(index).map(Some),
            Self::Folder(index) => {
                companion(index, extension).map(|path| Blocks::open(&path)).transpose()
            }
            Self::Archive(archive) => archive.unpack(extension),
        }
    }

    /// Opens the file with this extension.
    ///
    /// # Errors
    /// Returns an error if it is missing, cannot be read, or not be unpacked.
    pub fn needed(&mut self, extension: &str) -> Result<Blocks, Error> {
        let why = match self {
            Self::Folder(_) => missing("ChessBase", extension),
            Self::Archive(_) => format!(
                "it is an archive of ChessBase without the database's file with the extension \
                 {extension}; open it in ChessBase and save the database as PGN"
            ),
        };
        let path = self.path().into();
        self.open(extension)?.ok_or(Error::Format { path, why })
    }
}
