//! A folder as an input: every file in it and its subfolders is a source.

use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use super::file_name::text_of;
use crate::store::error::Error;
use crate::store::output::is_unfinished;

/// A file in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its path.
    pub path: PathBuf,
    /// Its path within the folder, separated by `/`.
    pub name: String,
}

/// Returns the files in a folder, sorted by path component, so that the order is the same on every
/// system. Unfinished outputs, also those left by a killed process, are skipped.
///
/// # Errors
/// Returns an error if the operating system does, or if there is anything but files and folders,
/// such as symbolic links, which may lead anywhere.
pub fn files(folder: &Path) -> Result<Vec<Found>, Error> {
    let mut found = Vec::new();
    // A stack: entries are pushed in reverse order.
    let mut open = vec![(folder.to_path_buf(), String::new(), None::<FileType>)];
    while let Some((path, name, kind)) = open.pop() {
        match kind {
            Some(kind) if kind.is_file() => {
                found.push(Found { path, name });
                continue;
            }
            Some(kind) if !kind.is_dir() => {
                let what = if kind.is_symlink() { "a symbolic link" } else { "not a file" };
                let why = format!("it is {what}; pack a copy of the folder without it");
                return Err(Error::io(path)(io::Error::other(why)));
            }
            _ => {}
        }
        let mut entries = Vec::new();
        for entry in fs::read_dir(&path).map_err(Error::io(&path))? {
            let entry = entry.map_err(Error::io(&path))?;
            let (path, own) = (entry.path(), entry.file_name());
            if is_unfinished(&path) {
                continue;
            }
            let own = text_of(&own);
            let name = if name.is_empty() { own } else { format!("{name}/{own}") };
            let kind = entry.file_type().map_err(Error::io(&path))?;
            entries.push((path, name, Some(kind)));
        }
        entries.sort_by(|one, other| other.1.cmp(&one.1));
        open.extend(entries);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_come_in_order() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["b", "empty", "a/c"] {
            fs::create_dir_all(at(name)).expect("a folder");
        }
        for name in ["b/1", "b.sgf", "a/c/2", "a/b", "c", ".hidden", "b/.plypack-123456.tmp"] {
            fs::write(at(name), name).expect("a file");
        }
        let found = files(folder.path()).expect("files");
        let names: Vec<&str> = found.iter().map(|found| found.name.as_str()).collect();
        assert_eq!(names, [".hidden", "a/b", "a/c/2", "b/1", "b.sgf", "c"]);
        for found in found {
            assert_eq!(fs::read_to_string(&found.path).expect("a file"), found.name);
        }
        assert!(files(&at("c")).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::os::unix::fs::symlink("/etc", folder.path().join("x")).expect("a link");
        let error = files(folder.path()).expect_err("a link").to_string();
        assert!(error.contains("x: it is a symbolic link"), "{error}");
    }
}
