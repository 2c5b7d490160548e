//! Test support shared by all crates: the folder of real games, skipped tests, samples of cases,
//! and the worked examples of the format specification.
//!
//! The games are not part of the repository. A clone without them passes all tests and reports how
//! many could not run; if there are games, a test that does not find its own fails.

#![allow(clippy::panic, reason = "a test that lacks what it needs fails")]

pub mod cbv;
pub mod coder;
pub mod examples;
pub mod sample;

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// The environment variable that names the folder of games.
pub const CORPUS: &str = "PLYPACK_CORPUS";

/// The environment variable that names the file in which skipped tests are noted, one a line.
/// `cargo xtask ci` sets it, and counts them.
pub const SKIPPED: &str = "PLYPACK_SKIPPED";

/// Returns the folder of games: `$PLYPACK_CORPUS`, or else `shared/data` beside the repository.
/// Returns `None` if there is neither; the test is then skipped.
///
/// # Panics
/// Panics if a folder is named but does not exist.
pub fn corpus() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os(CORPUS) {
        let folder = PathBuf::from(named);
        assert!(folder.is_dir(), "${CORPUS} is {}, which is not a folder", folder.display());
        return Some(folder);
    }
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    if beside.is_dir() {
        return Some(beside);
    }
    skip(&format!("no folder of games; set {CORPUS} to its path"));
    None
}

/// Returns the path of a file in the folder of games. Returns `None` if there is no folder; the
/// test is then skipped.
///
/// # Panics
/// Panics if there is a folder and the file is not in it.
pub fn corpus_path(name: &str) -> Option<PathBuf> {
    let path = corpus()?.join(name);
    assert!(path.exists(), "{} is missing from its folder", path.display());
    Some(path)
}

/// Returns the contents of a file in the folder of games, with `.xz` expanded. Returns `None` if
/// there is no folder; the test is then skipped.
///
/// # Panics
/// Panics if there is a folder and the file is not in it, or cannot be read.
pub fn corpus_file(name: &str) -> Option<Vec<u8>> {
    let path = corpus_path(name)?;
    let read = || -> std::io::Result<Vec<u8>> {
        let file = std::fs::File::open(&path)?;
        let mut content = Vec::new();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("xz") => liblzma::read::XzDecoder::new(file).read_to_end(&mut content)?,
            _ => std::io::BufReader::new(file).read_to_end(&mut content)?,
        };
        Ok(content)
    };
    Some(read().unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Reports that a test, or a part of one, did not run, and why. The summary of `cargo xtask ci`
/// counts it.
///
/// # Panics
/// Panics if it cannot be noted.
pub fn skip(why: &str) {
    println!("SKIPPED: {why}");
    if let Some(list) = std::env::var_os(SKIPPED) {
        let noted = note(Path::new(&list), &test_name(), why);
        assert!(noted.is_ok(), "${SKIPPED} cannot be written: {noted:?}");
    }
}

/// Returns the names of the program and the running test; several programs have tests of one name.
fn test_name() -> String {
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_stem).unwrap_or_default();
    let thread = std::thread::current();
    format!("{} {}", program.display(), thread.name().unwrap_or("a test"))
}

/// Appends a line to a list.
fn note(list: &Path, test: &str, why: &str) -> std::io::Result<()> {
    let mut list = OpenOptions::new().append(true).create(true).open(list)?;
    // One write a line, so that lines of several tests do not mix.
    list.write_all(format!("{test}: {why}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skipped_tests_are_noted_a_line_each() {
        let list = std::env::temp_dir().join(format!("plypack-skipped-{}", std::process::id()));
        note(&list, "a", "no games").expect("a temporary file");
        note(&list, "b", "no xz").expect("a temporary file");
        let lines = std::fs::read_to_string(&list).expect("a temporary file");
        std::fs::remove_file(&list).expect("it is there");
        assert_eq!(lines, "a: no games\nb: no xz\n");
    }
}
