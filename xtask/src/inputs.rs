//! What decides a result that is kept, as a hash: a check is repeated only when it has changed.

use std::fmt::Write;
use std::path::Path;

use flate2::Crc;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use sha2::{Digest, Sha256};

use crate::tidy;
use crate::toolchain::hex;

/// The hashes of the inputs of checks that passed, one in each line behind the check's name.
const PASSED: &str = "xtask/passed.txt";

/// A check that passes again as long as none of its inputs changes.
pub struct Check {
    /// Its command: `cargo xtask NAME`.
    pub name: &'static str,
    /// The inputs. A name that ends in `/` is a folder with everything in it.
    pub inputs: &'static [&'static str],
}

impl Check {
    /// Whether it passed on these inputs.
    ///
    /// # Errors
    /// Returns an error if an input cannot be read.
    pub fn has_passed(&self, root: &Path) -> Result<bool, String> {
        let now = self.hash(root)?;
        let known = std::fs::read_to_string(root.join(PASSED)).unwrap_or_default();
        Ok(known.lines().any(|line| line.split_once(' ') == Some((self.name, &now))))
    }

    /// Notes that it passed.
    ///
    /// # Errors
    /// Returns an error if an input cannot be read, or the note not written.
    pub fn note(&self, root: &Path) -> Result<(), String> {
        let path = root.join(PASSED);
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        let others = known.lines().filter(|line| line.split(' ').next() != Some(self.name));
        let mut lines: Vec<String> = others.map(str::to_owned).collect();
        lines.push(format!("{} {}", self.name, self.hash(root)?));
        lines.sort();
        let written = std::fs::write(path, lines.join("\n") + "\n");
        written.map_err(|error| format!("{PASSED}: {error}"))
    }

    fn hash(&self, root: &Path) -> Result<String, String> {
        hash(root, |file| is_among(file, self.inputs))
    }
}

/// Whether a file, by its path from the root, is one of these or in a folder among them.
pub fn is_among(file: &str, inputs: &[&str]) -> bool {
    let is =
        |input: &str| if input.ends_with('/') { file.starts_with(input) } else { file == input };
    inputs.iter().any(|input| is(input))
}

/// A hash of all files of the work tree that are inputs.
///
/// # Errors
/// Returns an error if a folder cannot be read.
pub fn hash(root: &Path, is_input: impl Fn(&str) -> bool) -> Result<String, String> {
    let mut files = tidy::files(root)?;
    files.sort();
    let mut hash = Sha256::new();
    for file in files.iter().filter(|file| is_input(file)) {
        // A file that git still lists may have been deleted.
        let Ok(bytes) = std::fs::read(root.join(file)) else { continue };
        let bytes = match file.as_str() {
            "Cargo.toml" => without_other_profiles(&String::from_utf8_lossy(&bytes)).into_bytes(),
            // Comments and tests decide nothing.
            file if file.ends_with(".rs") => {
                checksum(root, file).map_or(bytes, |sum| sum.to_le_bytes().into())
            }
            _ => bytes,
        };
        hash.update(format!("{file}\n{}\n", bytes.len()));
        hash.update(&bytes);
    }
    Ok(hex(&hash.finalize()))
}

/// Returns a manifest without the profiles that the page is not built with; no result of tests
/// depends on theirs.
fn without_other_profiles(manifest: &str) -> String {
    let mut kept = true;
    let mut lines = Vec::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            let profile = line.strip_prefix("[profile.");
            let ours = |rest: &str| rest.starts_with("web") || rest.starts_with("release");
            kept = profile.is_none_or(ours);
        }
        if kept {
            lines.push(line);
        }
    }
    lines.join("\n")
}

/// The checksum of a file; `None` if it cannot be read.
pub fn checksum(root: &Path, path: &str) -> Option<u32> {
    let bytes = std::fs::read(root.join(path)).ok()?;
    let text = std::str::from_utf8(&bytes).ok().filter(|_| path.ends_with(".rs"));
    let mut crc = Crc::new();
    match text.and_then(code) {
        Some(tokens) => crc.update(tokens.as_bytes()),
        None => crc.update(&bytes),
    }
    Some(crc.sum())
}

/// Returns a Rust file as tokens, without documentation and test modules; `None` if it does not
/// parse.
fn code(text: &str) -> Option<String> {
    let mut code = String::new();
    write_code(text.parse().ok()?, &mut code);
    Some(code)
}

fn write_code(stream: TokenStream, code: &mut String) {
    let mut trees = stream.into_iter();
    while let Some(tree) = trees.next() {
        if let TokenTree::Punct(punct) = &tree
            && punct.as_char() == '#'
        {
            // It opens an attribute of the next item or, with another mark, of the enclosing one.
            let mut ahead = trees.clone();
            let attribute = ahead.find(|tree| !matches!(tree, TokenTree::Punct(_)));
            let attribute = attribute.map(|tree| tree.to_string().replace(' ', ""));
            let attribute = attribute.unwrap_or_default();
            if attribute.starts_with("[doc=") {
                trees = ahead;
                continue;
            }
            if attribute == "[cfg(test)]" {
                tidy::skip_module(&mut ahead);
                trees = ahead;
                continue;
            }
        }
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                code.push_str(open);
                write_code(group.stream(), code);
                code.push_str(close);
            }
            other => {
                let _ = write!(code, "{other} ");
            }
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// The hash would leave out what has another name now.
    pub fn are_there(check: &Check) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for input in check.inputs {
            assert!(root.join(input).exists(), "{input} is no longer there");
        }
    }

    fn folder(name: &str) -> std::path::PathBuf {
        let root = std::env::temp_dir().join(format!("plypack-{name}-{}", std::process::id()));
        std::fs::create_dir_all(root.join("xtask")).expect("a temporary folder");
        root
    }

    #[test]
    fn comments_and_tests_change_no_checksum_and_code_does() {
        let root = folder("inputs");
        let sum = |name: &str, text: &str| {
            std::fs::write(root.join(name), text).expect("a temporary file");
            checksum(&root, name).expect("a file")
        };
        let code = sum("a.rs", "//! A.\n/// B.\nfn b() -> f64 { 1.5 }\n");
        let test =
            "//! C.\nfn b() -> f64 {\n // D.\n 1.5 }\n#[cfg(test)]\nmod tests { fn c() {} }\n";
        assert_eq!(sum("a.rs", test), code);
        assert_ne!(sum("a.rs", "//! A.\n/// B.\nfn b() -> f64 { 2.5 }\n"), code);
        assert_ne!(sum("a.rs", "//! A.\n#[inline]\nfn b() -> f64 { 1.5 }\n"), code);
        assert_ne!(sum("a.ts", "// A.\n"), sum("b.ts", "// B.\n"));
        assert_eq!(checksum(&root, "nothing.ts"), None);
        std::fs::remove_dir_all(&root).expect("it is there");
    }

    #[test]
    fn manifests_count_without_the_profiles_of_tests() {
        let manifest = "[a]\n[profile.dev]\nb\n[profile.web.package.c]\nd\n[e]";
        assert_eq!(without_other_profiles(manifest), "[a]\n[profile.web.package.c]\nd\n[e]");
    }

    #[test]
    fn a_check_that_passed_is_repeated_once_an_input_changes() {
        let root = folder("passed");
        let write = |name: &str, text: &str| {
            std::fs::write(root.join(name), text).expect("a temporary file");
        };
        let [one, other] = ["one", "other"].map(|name| Check { name, inputs: &["a"] });
        write("a", "1");
        assert_eq!(one.has_passed(&root), Ok(false));
        assert_eq!(other.note(&root).and_then(|()| one.note(&root)), Ok(()));
        assert_eq!([one.has_passed(&root), other.has_passed(&root)], [Ok(true), Ok(true)]);
        write("b", "2");
        assert_eq!(one.has_passed(&root), Ok(true));
        write("a", "2");
        assert_eq!(one.has_passed(&root), Ok(false));
        assert_eq!(one.note(&root), Ok(()));
        assert_eq!([one.has_passed(&root), other.has_passed(&root)], [Ok(true), Ok(false)]);
        std::fs::remove_dir_all(&root).expect("it is there");
    }
}
