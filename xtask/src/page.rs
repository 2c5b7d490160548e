//! The built viewer kept in `crates/cli/page`, so that every install of `plypack serve` has it, and
//! the check that it is up to date.
//!
//! Beside it stands a list of its sources with checksums: of Rust code without comments and tests,
//! of other files as they are. At its top is a hash of everything that decides the page's bytes and
//! its cores' decoding, including dependencies and compiler flags. While it is unchanged,
//! `cargo xtask ci` does not rebuild the page.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use crate::inputs::{self, checksum, is_among};

/// The folder of the page.
pub const FOLDER: &str = "crates/cli/page";

/// The files of the page.
const FILES: [&str; 15] = [
    "index.html",
    "example.html",
    "explorer.html",
    "plypack-board.js",
    "plypack-core-all.js",
    "plypack-core-all.lzma",
    "plypack-core-patterns.js",
    "plypack-core-patterns.lzma",
    "plypack-core.js",
    "plypack-core.lzma",
    "plypack-explorer.js",
    "plypack-games.js",
    "plypack-openings.lzma",
    "plypack-series.lzma",
    "plypack-static.js",
];

/// The inputs to the build and the tests of the page and its cores. A name that ends in `/` is a
/// folder with everything in it.
const INPUTS: [&str; 19] = [
    "Cargo.lock",
    "Cargo.toml",
    "rust-toolchain.toml",
    "crates/tables/",
    "crates/web/bindgen/",
    "crates/web/build.mjs",
    "crates/web/npm.md",
    "crates/web/package-lock.json",
    "crates/web/package.json",
    "crates/web/tests/vectors.mjs",
    "crates/web/tests/vectors.test.mjs",
    "crates/web/tests/viewer.test.mjs",
    "crates/web/tsconfig.json",
    "crates/web/viewer/",
    "vectors/",
    "xtask/src/inputs.rs",
    "xtask/src/page.rs",
    "xtask/src/toolchain.rs",
    "xtask/src/web.rs",
];

/// The crates of the cores, whose sources and manifests are inputs as well; of `tables`, named
/// above, the tables are.
const CRATES: [&str; 7] = ["core", "games", "index", "kernels", "plypack", "records", "web"];

/// What the cores are built without.
const FOR_FILES: [&str; 2] = ["crates/plypack/src/file/", "crates/plypack/src/store/"];

/// The list of its sources.
const LIST: &str = "sources.txt";

/// The inputs of the page other than compiled code; for a folder, its files.
const OTHERS: [&str; 9] = [
    "crates/web/bindgen/Cargo.lock",
    "crates/web/bindgen/src/main.rs",
    "crates/web/build.mjs",
    "crates/web/package-lock.json",
    "crates/web/package.json",
    "crates/web/tsconfig.json",
    "crates/web/viewer",
    "crates/web/viewer/explorer",
    "crates/games/src/chess/openings.tsv",
];

/// Keeps the page built in `built`, with a list of its sources: those in the compiler's `notes`, in
/// make format, and the others. `compiler` is the compiler's version.
///
/// # Errors
/// Returns an error if something cannot be read or written.
pub fn keep(root: &Path, built: &Path, notes: &str, compiler: &str) -> Result<(), String> {
    let folder = root.join(FOLDER);
    for name in FILES {
        let copied = std::fs::copy(built.join(name), folder.join(name));
        copied.map_err(|error| format!("{name}: {error}"))?;
    }
    let mut paths: BTreeSet<String> = compiled(root, notes)?;
    for other in OTHERS {
        match std::fs::read_dir(root.join(other)) {
            Ok(entries) => paths.extend(
                entries
                    .flatten()
                    .filter(|entry| !entry.path().is_dir())
                    .map(|entry| format!("{other}/{}", entry.file_name().to_string_lossy())),
            ),
            Err(_) => drop(paths.insert(other.into())),
        }
    }
    let mut list = format!("# {compiler}\n# inputs {}\n", inputs(root)?);
    for path in paths {
        let sum = checksum(root, &path).ok_or_else(|| format!("{path} cannot be read"))?;
        let _ = writeln!(list, "{sum:08x} {path}");
    }
    std::fs::write(folder.join(LIST), list).map_err(|error| format!("{LIST}: {error}"))
}

/// The files of the repository named in a compiler's notes.
fn compiled(root: &Path, notes: &str) -> Result<BTreeSet<String>, String> {
    let root = root.canonicalize().map_err(|error| format!("{}: {error}", root.display()))?;
    let names = notes.lines().filter_map(|line| line.split_once(": ")).flat_map(|(_, names)| {
        // A blank in a name is escaped by a backslash.
        names
            .replace("\\ ", "\0")
            .split(' ')
            .map(|name| name.replace('\0', " "))
            .collect::<Vec<_>>()
    });
    let names = names.filter_map(|name| {
        let path = Path::new(&name).canonicalize().ok()?;
        Some(path.strip_prefix(&root).ok()?.to_string_lossy().into_owned())
    });
    Ok(names.filter(|name| !name.starts_with("target/")).collect())
}

/// A hash of everything that decides the page, its cores and their decoding.
fn inputs(root: &Path) -> Result<String, String> {
    inputs::hash(root, is_input)
}

/// Whether a file, by its path from the root, is an input of the page.
fn is_input(file: &str) -> bool {
    let in_crate = |name: &str| {
        let rest = file.strip_prefix("crates/").and_then(|rest| rest.strip_prefix(name));
        rest.is_some_and(|rest| rest.starts_with("/src/") || rest == "/Cargo.toml")
    };
    let needs_files = FOR_FILES.into_iter().any(|folder| file.starts_with(folder));
    is_among(file, &INPUTS) || CRATES.into_iter().any(in_crate) && !needs_files
}

/// Whether all inputs of the kept page are unchanged since it was built and tested.
///
/// # Errors
/// Returns an error if there is no list of sources.
pub fn is_as_built(root: &Path) -> Result<bool, String> {
    let (list, now) = (list(root)?, inputs(root)?);
    Ok(list.lines().nth(1).is_some_and(|line| line.strip_prefix("# inputs ") == Some(&now)))
}

/// Copies the kept page to the build folder.
///
/// # Errors
/// Returns an error if a file cannot be copied.
pub fn lay_out(root: &Path, built: &Path) -> Result<(), String> {
    std::fs::create_dir_all(built).map_err(|error| format!("{}: {error}", built.display()))?;
    for name in FILES {
        let copied = std::fs::copy(root.join(FOLDER).join(name), built.join(name));
        copied.map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

/// Returns the names of the kept files that differ from those in `built`.
pub fn differing(root: &Path, built: &Path) -> Vec<&'static str> {
    let differs = |name: &&str| {
        let files = [root.join(FOLDER).join(name), built.join(name)].map(std::fs::read);
        !matches!(files, [Ok(kept), Ok(built)] if kept == built)
    };
    FILES.into_iter().filter(differs).collect()
}

/// The list of sources, with the compiler on its first line.
fn list(root: &Path) -> Result<String, String> {
    let list = format!("{FOLDER}/{LIST}");
    std::fs::read_to_string(root.join(&list)).map_err(|error| format!("{list}: {error}"))
}

/// Whether the kept page was built by this version of the compiler: others produce other bytes.
///
/// # Errors
/// Returns an error if there is no list of sources.
pub fn is_by(root: &Path, compiler: &str) -> Result<bool, String> {
    Ok(list(root)?.lines().next().is_some_and(|line| line.strip_prefix("# ") == Some(compiler)))
}

/// Returns the sources that have changed since the page was built.
///
/// # Errors
/// Returns an error if there is no list of sources.
pub fn changed(root: &Path) -> Result<Vec<String>, String> {
    let list = list(root)?;
    let entries = list.lines().filter(|line| !line.starts_with('#'));
    let entries = entries.filter_map(|line| line.split_once(' '));
    let differs = |(sum, path): &(&str, &str)| {
        checksum(root, path).is_none_or(|now| format!("{now:08x}") != *sum)
    };
    Ok(entries.filter(differs).map(|(_, path)| path.to_owned()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_the_page_is_known() {
        for file in [
            "Cargo.lock",
            "crates/core/src/a.rs",
            "crates/tables/go/fast.gate",
            "crates/web/Cargo.toml",
            "vectors/a",
        ] {
            assert!(is_input(file), "{file}");
        }
        for file in [
            "README.md",
            "crates/games/tests/it/a.rs",
            "crates/plypack/src/store/a.rs",
            "crates/webby/src/a.rs",
        ] {
            assert!(!is_input(file), "{file}");
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let files = crate::tidy::files(&root).expect("the work tree");
        for input in INPUTS {
            assert!(files.iter().any(|file| file.starts_with(input)), "{input} is no longer there");
        }
        assert_eq!(inputs(&root), inputs(&root));
    }

    #[test]
    fn a_compiler_s_notes_name_sources() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let here = root.display();
        let notes =
            format!("{here}/a.wasm: {here}/src/main.rs {here}/src/no\\ file.rs /etc/hosts\n");
        let names = compiled(root, &notes).expect("a list");
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["src/main.rs"]);
    }
}
