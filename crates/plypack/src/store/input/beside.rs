//! What belongs to all games of a WTHOR file: the names of players and tournaments, to which they
//! refer by number, in files beside it, and the year in its header.

use std::fs::File;
use std::io::{Read, Result};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plypack_records::wthor::{HEADER_BYTES, Names};

/// The usual names of name files, without extension.
const USUAL: [&str; 2] = ["wthor", "wth"];

/// The most bytes read of a name file: more than 65,536 names take.
const BYTES_MAX: u64 = 2 << 20;

/// Returns the names and the year that belong to an input, if it has the extension of WTHOR files.
pub(super) fn names(input: &Path) -> Option<Arc<Names>> {
    if !has_extension(input, "wtb") {
        return None;
    }
    let mut names = Names::default();
    // A file that is not a name file is ignored: the numbers stay.
    if let Some(bytes) = find(input, "jou").and_then(|path| read(&path, BYTES_MAX).ok()) {
        names.read_players(&bytes);
    }
    if let Some(bytes) = find(input, "trn").and_then(|path| read(&path, BYTES_MAX).ok()) {
        names.read_tournaments(&bytes);
    }
    if let Ok(begin) = read(input, HEADER_BYTES as u64) {
        names.read_year(&begin);
    }
    Some(Arc::new(names)).filter(|names| !names.is_empty())
}

/// Finds the file with this extension, in any case, beside an input: the one with the input's name,
/// else one with a usual name, else the only one.
fn find(input: &Path, extension: &str) -> Option<PathBuf> {
    let folder = input.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = folder.unwrap_or(Path::new(".")).read_dir().ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut found: Vec<PathBuf> = paths.filter(|path| has_extension(path, extension)).collect();
    // Directory entries come in arbitrary order.
    found.sort();
    let stem = |path: &Path| path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase());
    let called = |name: &str| found.iter().find(|path| stem(path).is_some_and(|stem| stem == name));
    let own = stem(input)?;
    let best = std::iter::once(own.as_str()).chain(USUAL).find_map(called);
    best.or_else(|| found.first().filter(|_| found.len() == 1)).cloned()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Reads the first bytes of a file.
fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // A pipe may never end.
    if path.metadata()?.is_file() {
        File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
