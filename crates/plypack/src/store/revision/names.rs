//! Renames inputs whose names are already taken in a file.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::store::input::compressed::content_name;

/// The name of standard input, which is unpacked to a file.
const STANDARD: &str = "-";

/// The name of the file that standard input is unpacked to.
const STANDARD_FILE: &str = "stdin.pgn";

/// The names of a file's inputs, no two of which are unpacked to the same place.
#[derive(Debug, Default)]
pub struct InputNames {
    places: BTreeSet<PathBuf>,
}

impl InputNames {
    /// Collects the names of these inputs of one file.
    pub fn of<'a>(names: impl IntoIterator<Item = &'a String>) -> Self {
        Self { places: names.into_iter().map(|name| place(name)).collect() }
    }

    /// Adds an input of this name. Returns the new name if it has to be renamed: `games.2.pgn` if
    /// there is a `games.pgn`.
    pub fn take(&mut self, name: &str) -> Option<String> {
        if self.is_free(&place(name)) {
            self.places.insert(place(name));
            return None;
        }
        let base = if name == STANDARD { STANDARD_FILE } else { name };
        // A file cannot also be a folder.
        let mut folders = base.match_indices('/').map(|(at, _)| base.split_at(at));
        let taken = folders.find(|(folder, _)| self.places.contains(Path::new(folder)));
        let (clashing, rest) = taken.unwrap_or((base, ""));
        let mut new = (2u64..).map(|number| numbered(clashing, number) + rest);
        let new = new.find(|new| self.is_free(&place(new)));
        new.inspect(|new| {
            self.places.insert(place(new));
        })
    }

    /// Returns whether the place is free, and no file is where a folder would have to be.
    fn is_free(&self, wanted: &Path) -> bool {
        // In this order, whatever lies within a place follows it directly.
        let next = self.places.range(wanted.to_path_buf()..).next();
        let within = next.is_some_and(|other| other.starts_with(wanted));
        !within && !wanted.ancestors().any(|folder| self.places.contains(folder))
    }
}

/// Returns where an input is unpacked: under its content's name, without a compression ending.
fn place(name: &str) -> PathBuf {
    if name == STANDARD { STANDARD_FILE.into() } else { content_name(Path::new(name)) }
}

/// Inserts a number before a name's endings, those of its format and its compression.
fn numbered(name: &str, number: u64) -> String {
    let content = content_name(Path::new(name));
    let content = content.to_string_lossy();
    let (content, compression) = match name.strip_prefix(content.as_ref()) {
        Some(compression) => (content.as_ref(), compression),
        None => (name, ""),
    };
    let ending = Path::new(content).extension().map_or(0, |ending| ending.len() + 1);
    let (stem, ending) = content.split_at(content.len() - ending);
    format!("{stem}.{number}{ending}{compression}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_taken_get_numbers() {
        let mut names = InputNames::of(&["games.pgn".to_owned(), "a/b.sgf".to_owned()]);
        for (name, expected) in [
            ("games.pgn.gz", Some("games.2.pgn.gz")),
            ("games.pgn", Some("games.3.pgn")),
            ("other.pgn", None),
            ("a", Some("a.2")),
            ("games.pgn/x", Some("games.4.pgn/x")),
            ("-", None),
            ("-", Some("stdin.2.pgn")),
            ("a/b.sgf", Some("a/b.2.sgf")),
            ("a/c.sgf", None),
        ] {
            assert_eq!(names.take(name).as_deref(), expected, "{name}");
        }
    }
}
