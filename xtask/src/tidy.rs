//! `cargo xtask tidy`: the rules of this repository that neither the compiler nor clippy checks.
//!
//! Rust code is judged by its tokens, without comments, documentation, strings, and modules under
//! `#[cfg(test)]`. Only names are checked: a float behind another crate's alias or macro goes
//! unnoticed. In Markdown, links to files are checked, but not headings.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, ExitCode};

use flate2::Compression;
use flate2::write::DeflateEncoder;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use serde_json::Value;

use crate::toolchain::metadata;
use crate::{CODING, page};

/// One violation of a rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fault {
    file: String,
    line: usize,
    what: String,
    cure: &'static str,
}

impl Fault {
    fn new(file: &str, line: usize, what: impl Into<String>, cure: &'static str) -> Self {
        Self { file: file.into(), line, what: what.into(), cure }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}: {}", self.file, self.line, self.what, self.cure)
    }
}

/// Prints every fault of the work tree at `root`; fails if there are any.
///
/// # Errors
/// Returns an error if the work tree cannot be read.
pub fn run(root: &Path) -> Result<ExitCode, String> {
    let mut faults = BTreeSet::new();
    let files = files(root)?;
    // Build results are not judged.
    for file in files.iter().filter(|file| !file.starts_with(page::FOLDER)) {
        // Binary files are skipped, and a file that git still lists may have been deleted.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        faults.extend(judge_text(file, &text));
        match extension(file) {
            "rs" => faults.extend(judge_rust(file, &text)),
            "md" => faults.extend(judge_links(file, &text, |path| root.join(path).exists())),
            _ => {}
        }
    }
    let metadata = metadata(root, &["--no-deps"])?;
    let manifest = |path: &Path| {
        let file = path.strip_prefix(metadata["workspace_root"].as_str().unwrap_or_default());
        let file = file.unwrap_or(path).to_string_lossy().into_owned();
        (file, std::fs::read_to_string(path).unwrap_or_default())
    };
    let text = |file: &str| std::fs::read_to_string(root.join(file)).unwrap_or_default();
    faults.extend(judge_modules(&files, text));
    faults.extend(judge_imports(&metadata, manifest));
    faults.extend(judge_sizes(&metadata, &crate_sizes(root, &files)));
    faults.extend(judge_page(&page::changed(root)?));
    for fault in &faults {
        println!("{fault}");
    }
    println!("tidy: {} files, {} faults", files.len(), faults.len());
    Ok(if faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn extension(file: &str) -> &str {
    Path::new(file).extension().and_then(|extension| extension.to_str()).unwrap_or_default()
}

/// Judges the files of our crates by whether a module declares them: without one, code is never
/// compiled and tests are never run.
fn judge_modules(files: &[String], text: impl Fn(&str) -> String) -> Vec<Fault> {
    let parent = |file: &str| -> Option<(String, Vec<String>)> {
        let (folder, name) = file.strip_suffix(".rs")?.rsplit_once('/')?;
        let (above, within) = folder.rsplit_once('/')?;
        let is_root = ["main", "lib"].contains(&name)
            || ["bin", "tests", "benches", "examples"].contains(&within);
        match name {
            _ if is_root => None,
            "mod" => {
                let others = ["mod", "main", "lib"].map(|name| format!("{above}/{name}.rs"));
                Some((within.into(), [&others[..], &[format!("{above}.rs")]].concat()))
            }
            _ => {
                let others = ["mod", "main", "lib"].map(|name| format!("{folder}/{name}.rs"));
                Some((name.into(), [&others[..], &[format!("{folder}.rs")]].concat()))
            }
        }
    };
    let of_crates = files.iter().filter(|file| file.starts_with("crates/"));
    let modules = of_crates.filter_map(|file| Some((file, parent(file)?)));
    let lost = modules.filter(|(_, (name, parents))| {
        let declaration = format!("mod {name};");
        let mut found = files.iter().filter(|other| parents.contains(other));
        !found.any(|other| text(other).lines().any(|line| line.ends_with(&declaration)))
    });
    let what = "no module declares it, so it is not compiled";
    let cure = "declare it in the module of its folder";
    lost.map(|(file, _)| Fault::new(file, 1, what, cure)).collect()
}

/// Returns the files of the work tree, as paths from `root`: those tracked by git and those not
/// ignored. Without git, all except build folders.
///
/// # Errors
/// Returns an error if a folder cannot be read.
pub fn files(root: &Path) -> Result<Vec<String>, String> {
    let list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let git = Command::new("git").args(list).current_dir(root).output();
    if let Ok(output) = git
        && output.status.success()
    {
        let paths = String::from_utf8_lossy(&output.stdout);
        return Ok(paths.split_terminator('\0').map(str::to_owned).collect());
    }
    let mut files = Vec::new();
    walk(root, "", &mut files).map_err(|error| format!("{}: {error}", root.display()))?;
    Ok(files)
}

fn walk(folder: &Path, prefix: &str, files: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_file() {
            files.push(path);
        } else if entry.file_type()?.is_dir() && entry.file_name() != ".git" {
            let built = entry.path().join("CACHEDIR.TAG").exists();
            if !built {
                walk(&entry.path(), &format!("{path}/"), files)?;
            }
        }
    }
    Ok(())
}

/// The allowed imports of a crate of the workspace.
struct Layer {
    name: &'static str,
    /// Crates of the workspace.
    ours: &'static [&'static str],
    /// Other crates; `None` allows any. The coding crates must compile quickly.
    others: Option<&'static [&'static str]>,
}

const fn layer(
    name: &'static str,
    ours: &'static [&'static str],
    others: Option<&'static [&'static str]>,
) -> Layer {
    Layer { name, ours, others }
}

/// The direction of imports: kernels <- core <- games <- plypack <- sql <- cli, with tables beside
/// kernels, records and index beside games, and web beside plypack. Nothing imports the command
/// line or these chores. The oracle, in its own workspace, may import anything.
const LAYERS: &[Layer] = &[
    layer("plypack-kernels", &[], Some(&[])),
    layer("plypack-tables", &[], Some(&[])),
    layer(
        "plypack-core",
        &["plypack-kernels", "plypack-tables"],
        Some(&["base64ct", "dashu-int", "lzma-rust2", "ppmd-rust", "thiserror"]),
    ),
    layer("plypack-games", &["plypack-core", "plypack-tables"], Some(&["base64ct", "cozy-chess"])),
    layer("plypack-records", &[], Some(&["encoding_rs", "memchr"])),
    layer("plypack-index", &["plypack-core"], Some(&["crc32fast", "thiserror"])),
    layer("plypack", &["plypack-core", "plypack-games", "plypack-records", "plypack-index"], None),
    layer(
        "plypack-web",
        &["plypack-core", "plypack-games", "plypack-records", "plypack-index", "plypack"],
        Some(&["cozy-chess-types", "sha2", "wasm-bindgen"]),
    ),
    layer("plypack-sql", &["plypack-core", "plypack-games", "plypack-records", "plypack"], None),
    layer("plypack-cluster", &["plypack-sql"], None),
    layer("plypack-testing", &[], Some(&["liblzma"])),
    layer("plypack-cli", LIBRARIES, None),
    layer("plypack-sites", &["plypack"], None),
    layer("xtask", &[], None),
    layer("xtask-demo", &[], None),
    layer("xtask-finding", LIBRARIES, None),
    layer("xtask-training", LIBRARIES, None),
    layer("xtask-trust", &[], None),
];

const LIBRARIES: &[&str] = &[
    "plypack-kernels",
    "plypack-core",
    "plypack-games",
    "plypack-records",
    "plypack",
    "plypack-sql",
    "plypack-cluster",
];

/// The direction of imports within crates: a folder, and the modules it may name after `crate::`.
const ROOMS: &[(&str, &[&str])] = &[
    ("crates/core/src/bits/", &["bits"]),
    ("crates/plypack/src/reading/", &["reading"]),
    ("crates/plypack/src/rows/", &["reading", "rows"]),
    ("crates/plypack/src/store/", &["reading", "rows", "store"]),
    ("crates/cli/src/explorer/", &["explorer"]),
];

/// Crates that any crate's tests may import.
const TEST_CRATES: &[&str] = &["liblzma", "plypack-testing", "proptest", "sha2"];

/// Checks the imports of the workspace's crates, given the output of `cargo metadata`. `manifest`
/// returns a manifest's path from the root, and its text.
fn judge_imports(metadata: &Value, manifest: impl Fn(&Path) -> (String, String)) -> Vec<Fault> {
    let mut faults = Vec::new();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    for package in list(&metadata["packages"]) {
        let name = package["name"].as_str().unwrap_or_default();
        let path = package["manifest_path"].as_str().unwrap_or_default();
        let (file, text) = manifest(Path::new(path));
        let Some(layer) = LAYERS.iter().find(|layer| layer.name == name) else {
            let cure = "give it a row in LAYERS of xtask/src/tidy.rs";
            faults.push(Fault::new(&file, 1, format!("{name} is in no layer"), cure));
            continue;
        };
        for dependency in list(&package["dependencies"]) {
            let import = dependency["name"].as_str().unwrap_or_default();
            let ours = !dependency["path"].is_null() || LAYERS.iter().any(|l| l.name == import);
            let for_tests = dependency["kind"] == "dev" && TEST_CRATES.contains(&import);
            let line = text.lines().position(|line| declares(line, import)).map_or(1, |at| at + 1);
            if ours && !for_tests && !layer.ours.contains(&import) {
                let what = format!("{name} imports {import}, against the direction of imports");
                let cure = "move the code to where both crates may see it";
                faults.push(Fault::new(&file, line, what, cure));
            }
            if !ours && !for_tests && layer.others.is_some_and(|list| !list.contains(&import)) {
                let what = format!("{name} imports {import}, but coding crates stay light");
                let cure = "do without it, or name it in LAYERS of xtask/src/tidy.rs";
                faults.push(Fault::new(&file, line, what, cure));
            }
        }
    }
    faults
}

/// Judges the kept page by its changed sources.
fn judge_page(changed: &[String]) -> Option<Fault> {
    let first = changed.first()?;
    let others = changed.len() - 1;
    let what = format!("{first} and {others} other sources have changed since it was built");
    let cure = "run `cargo xtask web` and commit what it builds";
    Some(Fault::new(page::FOLDER, 1, what, cure))
}

/// The largest compressed size of a crate. The registry's limit is 10 MiB; only plypack-tables
/// comes near it, and the difference leaves time to split it.
const CRATE_MAX: u64 = 8 << 20;

/// Returns the compressed size of each crate, file by file, by its folder in `crates`.
fn crate_sizes(root: &Path, files: &[String]) -> BTreeMap<String, u64> {
    let mut sizes: BTreeMap<String, u64> = BTreeMap::new();
    for file in files {
        let Some((folder, _)) = file.strip_prefix("crates/").and_then(|f| f.split_once('/')) else {
            continue;
        };
        let Ok(bytes) = std::fs::read(root.join(file)) else { continue };
        let mut packed = DeflateEncoder::new(std::io::sink(), Compression::fast());
        // Writing to a sink cannot fail.
        let _ = packed.write_all(&bytes);
        let _ = packed.try_finish();
        *sizes.entry(folder.to_owned()).or_default() += packed.total_out();
    }
    sizes
}

/// Checks the sizes of the publishable crates, given the output of `cargo metadata`.
fn judge_sizes(metadata: &Value, sizes: &BTreeMap<String, u64>) -> Vec<Fault> {
    let mut faults = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        let folder = manifest.parent().and_then(Path::file_name).unwrap_or_default();
        let size = sizes.get(folder.to_string_lossy().as_ref()).copied().unwrap_or(0);
        // `publish = false` is an empty list of registries.
        let published = package["publish"].as_array().is_none_or(|list| !list.is_empty());
        if published && size > CRATE_MAX {
            let name = package["name"].as_str().unwrap_or_default();
            let what = format!("{name} takes {size} of the registry's 10,485,760 bytes");
            let cure =
                "give the largest game of plypack-tables a crate of its own (docs/models.md)";
            let file = format!("crates/{}/Cargo.toml", folder.to_string_lossy());
            faults.push(Fault::new(&file, 1, what, cure));
        }
    }
    faults
}

/// Whether a line of a manifest names this dependency.
fn declares(line: &str, import: &str) -> bool {
    let rest = line.trim_start().strip_prefix(import);
    rest.is_some_and(|rest| rest.starts_with([' ', '.', '=']))
}

/// Represents a literal float among tokens; no token contains a space.
const FLOAT: &str = "literal float";

/// Tokens banned from the code of the coding crates. Clippy checks the other bans (`clippy.toml`),
/// but has no lint for a type in only some crates.
const BANNED: [&str; 3] = ["f32", "f64", FLOAT];

/// The maximum width of a line of Rust.
const WIDTH: usize = 100;

/// Checks a Rust file.
fn judge_rust(file: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    if !text.starts_with("//!") {
        let cure = "open the file with a `//!` sentence that says why it exists";
        faults.push(Fault::new(file, 1, "no opening sentence", cure));
    }
    for (line, number) in text.lines().zip(1..) {
        let width = line.chars().count();
        if width > WIDTH {
            let what = format!("{width} columns");
            faults.push(Fault::new(file, number, what, "break the line at 100"));
        }
    }
    let within = |name: &str| file.starts_with(&format!("crates/{name}/src/"));
    let is_coding = CODING.into_iter().any(within);
    let room = ROOMS.iter().find(|(folder, _)| file.starts_with(folder));
    if !is_coding && room.is_none() {
        return faults;
    }
    let Ok(stream) = text.parse::<TokenStream>() else {
        faults.push(Fault::new(file, 1, "this is not Rust", "fix the syntax"));
        return faults;
    };
    let mut code = Vec::new();
    flatten(stream, &mut code);
    for [(crate_, line), (first, _), (second, _), (module, _)] in code.array_windows() {
        let names = [crate_, first, second].map(String::as_str) == ["crate", ":", ":"];
        if names && room.is_some_and(|(_, modules)| !modules.contains(&module.as_str())) {
            let cure = "move the code to where both modules may see it";
            let what = format!("`crate::{module}` against the direction of imports");
            faults.push(Fault::new(file, *line, what, cure));
        }
    }
    let banned = |token: &&Token| is_coding && BANNED.contains(&token.0.as_str());
    for (token, line) in code.iter().filter(banned) {
        let cure = "coded bits depend on integers alone";
        faults.push(Fault::new(file, *line, format!("`{token}` in code"), cure));
    }
    faults
}

/// A token as text, and its line. Brackets are tokens, too.
type Token = (String, usize);

/// Flattens a tree of tokens, without the modules under `#[cfg(test)]`.
fn flatten(stream: TokenStream, code: &mut Vec<Token>) {
    let mut trees = stream.into_iter();
    while let Some(tree) = trees.next() {
        let line = tree.span().start().line;
        match tree {
            TokenTree::Group(group) => {
                let brackets = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket => ["[", "]"],
                    Delimiter::None => ["", ""],
                };
                let test = group.delimiter() == Delimiter::Bracket
                    && group.stream().to_string().replace(' ', "") == "cfg(test)";
                let [open, close] = brackets.map(str::to_owned);
                code.push((open, line));
                flatten(group.stream(), code);
                code.push((close, group.span_close().start().line));
                if test {
                    skip_module(&mut trees);
                }
            }
            TokenTree::Literal(literal) => {
                let text = literal.to_string();
                // `pair.0.1` reads as the float 0.1; `0..0.1` does contain one.
                let mut before = code.iter().rev().map(|token| token.0.as_str());
                let field = before.next() == Some(".") && before.next() != Some(".");
                let kind = if is_float(&text) && !field { FLOAT } else { "" };
                code.push((kind.into(), line));
            }
            other => code.push((other.to_string(), line)),
        }
    }
}

/// Skips a module with its attributes, if one follows.
pub fn skip_module(trees: &mut proc_macro2::token_stream::IntoIter) {
    let mut ahead = trees.clone();
    while let Some(tree) = ahead.next() {
        match tree {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                ahead.next();
            }
            TokenTree::Ident(ident) if ident == "pub" => {}
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {}
            TokenTree::Ident(ident) if ident == "mod" => {
                // Its name, and its body or a semicolon.
                ahead.nth(1);
                *trees = ahead;
                return;
            }
            _ => return,
        }
    }
}

/// Whether a literal is a float: `1.5`, `1.`, `1e9`, `1f64`. Integers continue with a base or a
/// type.
fn is_float(literal: &str) -> bool {
    let rest = literal.trim_start_matches(|symbol: char| symbol.is_ascii_digit() || symbol == '_');
    rest.len() < literal.len() && rest.starts_with(['.', 'e', 'E', 'f'])
}

/// Folders of one machine, split so that this file does not name them.
const PRIVATE_FOLDERS: [&str; 2] = [concat!("/wo", "rk/"), concat!("/tm", "p/")];

/// Marks of unfinished work, split for the same reason.
const MARKS: [&str; 3] = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X")];

/// The extensions of source files; a script may have none.
const SOURCES: [&str; 9] = ["", "css", "html", "js", "rs", "sh", "toml", "ts", "yml"];

/// Checks any text.
fn judge_text(file: &str, text: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    let in_word = |symbol: char| symbol.is_alphanumeric() || symbol == '_';
    for (line, number) in text.lines().zip(1..) {
        for folder in PRIVATE_FOLDERS {
            // Folders of these names deeper in a path, or in an address, are fine.
            let part = |symbol: char| in_word(symbol) || matches!(symbol, '.' | '-' | '~' | '}');
            if line.match_indices(folder).any(|(at, _)| !line[..at].ends_with(part)) {
                let what = format!("a path of one machine, {folder}");
                let cure = "use a variable, or a path from the root of the repository";
                faults.push(Fault::new(file, number, what, cure));
            }
        }
        for mark in MARKS {
            let whole = |(at, _): (usize, &str)| {
                !line[..at].ends_with(in_word) && !line[at + mark.len()..].starts_with(in_word)
            };
            if SOURCES.contains(&extension(file)) && line.match_indices(mark).any(whole) {
                let cure = "do it now, or say in words what is missing and why";
                faults.push(Fault::new(file, number, format!("the mark {mark}"), cure));
            }
        }
    }
    faults
}

/// Checks a Markdown file's links to files. `exists` is called with paths from the root.
fn judge_links(file: &str, text: &str, exists: impl Fn(&str) -> bool) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut fence = None;
    for (line, number) in text.lines().zip(1..) {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        if let Some(mark) = mark
            && (fence.is_none() || fence == Some(mark))
        {
            fence = if fence.is_none() { Some(mark) } else { None };
            continue;
        }
        if fence.is_some() {
            continue;
        }
        for target in links(line) {
            let path = target.split(['#', '?']).next().unwrap_or_default();
            if path.is_empty() || target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            if !resolve(file, path).is_some_and(|path| exists(&path)) {
                let what = format!("a link to {target}, which is not in the repository");
                faults.push(Fault::new(file, number, what, "fix or remove the link"));
            }
        }
    }
    faults
}

/// Returns the targets of `[text](target "title")` and `[name]: target` on a line, outside code
/// spans.
fn links(line: &str) -> Vec<String> {
    let prose: String = line.split('`').step_by(2).collect();
    let inline = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap_or(rest));
    let definition = prose.trim_start().strip_prefix('[').filter(|rest| !rest.starts_with('^'));
    let definition = definition.and_then(|rest| rest.split_once("]:")).map(|(_, target)| target);
    let first_word = |target: &str| {
        let word = target.split_whitespace().next().unwrap_or_default();
        word.trim_start_matches('<').trim_end_matches('>').to_owned()
    };
    inline.chain(definition).map(first_word).collect()
}

/// Returns a link's path from the root of the repository, or `None` if it leads out.
fn resolve(file: &str, path: &str) -> Option<String> {
    let mut resolved = PathBuf::new();
    let folder = Path::new(file).parent().filter(|_| !path.starts_with('/'));
    let path = Path::new(path.trim_start_matches('/'));
    for component in folder.into_iter().flat_map(Path::components).chain(path.components()) {
        match component {
            Component::ParentDir if !resolved.pop() => return None,
            Component::Normal(name) => resolved.push(name),
            _ => {}
        }
    }
    Some(resolved.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// Returns the faults of a snippet in a file with the strictest rules, as `line: what`.
    fn faults(code: &str) -> Vec<String> {
        faults_in("crates/core/src/x.rs", code)
    }

    fn faults_in(file: &str, code: &str) -> Vec<String> {
        let text = format!("//! Why.\n{code}");
        let faults = judge_rust(file, &text).into_iter().chain(judge_text(file, &text));
        faults.map(|fault| format!("{}: {}", fault.line, fault.what)).collect()
    }

    #[test]
    fn each_banned_token_is_caught() {
        for (code, what) in [
            ("fn f(x: f32) {}", "`f32` in code"),
            ("type F = core::primitive::f64;", "`f64` in code"),
            ("const A: u8 = g(1.5);", "`literal float` in code"),
            ("const A: u8 = g(1e9);", "`literal float` in code"),
            ("const A: u8 = g(1.);", "`literal float` in code"),
            ("const A: u8 = g(1f64);", "`literal float` in code"),
            ("const A: u8 = g(0..0.1);", "`literal float` in code"),
            ("macro_rules! m { () => { 1.5 } }", "`literal float` in code"),
        ] {
            assert_eq!(faults(code), [format!("2: {what}")], "{code}");
        }
    }

    #[test]
    fn what_is_no_code_or_no_fault_passes() {
        for code in [
            "// f32, 1.5\n/* f64 */",
            "/// At 1.5.\nfn f() {}",
            "const A: &str = \"f64 1.5\";",
            "const A: u32 = 0x1e5 + 0b1 + 1_000 + pair.0.1 + 1_usize;",
            "const A: [u8; 2] = r[1..2];",
            "#[expect(clippy::panic, reason = \"1.5\")]\nfn f() {}",
            "#[cfg(test)]\nmod tests { fn f() -> f64 { 1.5 } }",
            "#[cfg(test)]\n#[allow(dead_code)]\npub(crate) mod tests { fn f() -> f64 { 1.5 } }",
        ] {
            assert_eq!(faults(code), Vec::<String>::new(), "{code}");
        }
    }

    #[test]
    fn only_modules_of_tests_are_left_out() {
        let after = "#[cfg(test)]\nmod tests { fn f() -> f64 { 1.5 } }\ntype F = f32;";
        assert_eq!(faults(after), ["4: `f32` in code"]);
        assert_eq!(faults("#[cfg(test)]\nuse a::f32;"), ["3: `f32` in code"]);
        assert_eq!(faults("#[cfg(not(test))]\nmod m { type F = f32; }"), ["3: `f32` in code"]);
    }

    #[test]
    fn the_rules_depend_on_the_place() {
        let code = "fn f() { let x: f64 = g(); }";
        for folder in CODING {
            assert_eq!(faults_in(&format!("crates/{folder}/src/a/b.rs"), code).len(), 1);
        }
        for file in ["crates/core/tests/it/a.rs", "crates/plypack/src/a.rs", "xtask/src/a.rs"] {
            assert_eq!(faults_in(file, code), Vec::<String>::new());
        }
    }

    #[test]
    fn modules_import_downwards() {
        let code = "use crate::rows::Row;\n#[cfg(test)]\nmod tests { use crate::store::A; }";
        let judged = faults_in("crates/plypack/src/reading/a.rs", code);
        assert_eq!(judged, ["2: `crate::rows` against the direction of imports"]);
        for place in ["rows/a.rs", "store/a/b.rs", "file/a.rs"] {
            let judged = faults_in(&format!("crates/plypack/src/{place}"), code);
            assert_eq!(judged, Vec::<String>::new());
        }
    }

    #[test]
    fn files_open_with_a_sentence() {
        let judged = judge_rust("xtask/src/x.rs", "use std::fmt;\n//! Late.\n");
        assert_eq!(judged.len(), 1);
        assert_eq!(judged[0].what, "no opening sentence");
        assert!(judged[0].to_string().starts_with("xtask/src/x.rs:1: no opening sentence: open"));
    }

    #[test]
    fn lines_are_not_too_wide() {
        assert_eq!(faults(&format!("//{}", "é".repeat(98))), Vec::<String>::new());
        assert_eq!(faults(&format!("//{}", "é".repeat(99))), ["2: 101 columns"]);
    }

    #[test]
    fn broken_syntax_is_no_way_out() {
        assert_eq!(faults("fn f( {"), ["1: this is not Rust"]);
    }

    #[test]
    fn paths_of_one_machine_are_caught() {
        for folder in PRIVATE_FOLDERS {
            for text in [format!("see {folder}a"), format!("\"{folder}\""), format!("={folder}")] {
                let judged = judge_text("docs/a.md", &text);
                assert_eq!(judged.len(), 1, "{text}");
                assert!(judged[0].what.contains(folder), "{text}");
            }
            let elsewhere = format!("target{folder} https://example.org{folder} $X{folder}");
            assert_eq!(judge_text("docs/a.md", &elsewhere), []);
        }
    }

    #[test]
    fn unfinished_work_is_caught() {
        for mark in MARKS {
            assert_eq!(faults(&format!("// {mark}: later")), [format!("2: the mark {mark}")]);
            assert_eq!(faults(&format!("// {mark}_LIST A{mark}")), Vec::<String>::new());
            assert_eq!(judge_text(".ci/run", &format!("# {mark}")).len(), 1);
            assert_eq!(judge_text("samples/a.pgn", &format!("[Site \"{mark}\"]")), []);
        }
    }

    #[test]
    fn dead_links_are_caught() {
        let judge = |line: &str| {
            let text = format!("# A\n\n{line}\n");
            let there = ["docs/b.md", "README.md"];
            let judged = judge_links("docs/a.md", &text, |path| there.contains(&path));
            assert!(judged.iter().all(|fault| fault.line >= 3), "{judged:?}");
            judged.len()
        };
        for bad in [
            "see [b](c.md)",
            "[b](b.md), [c](c.md \"title\")",
            "[b]: ../b.md",
            "![picture](<b.png>)",
            "[b](../../README.md)",
            "[b](/docs/README.md#part)",
            "```\n```\n[b](c.md)",
        ] {
            assert_eq!(judge(bad), 1, "{bad}");
        }
        for good in [
            "[b](b.md#part) [c](../README.md) [d](/README.md) [e](#here)",
            "[b](https://example.org/x.md) [c](mailto:a@example.org)",
            "`[b](c.md)` is a link",
            "```\n[b](c.md)\n~~~\n[b](c.md)\n```",
            "[^1]: a note",
            "[b]: <../README.md>",
        ] {
            assert_eq!(judge(good), 0, "{good}");
        }
    }

    /// Returns the faults of a crate with these imports, each with its kind.
    fn imports(name: &str, imports: &[(&str, Value)]) -> Vec<String> {
        let dependencies: Vec<_> =
            imports.iter().map(|(name, kind)| json!({ "name": name, "kind": kind })).collect();
        let package = json!({ "name": name, "manifest_path": "m", "dependencies": dependencies });
        let text = "[dependencies]\nplypack-core.workspace = true\nplypack = { path = \"\" }\n";
        let manifest = |_: &Path| ("m".into(), text.into());
        let faults = judge_imports(&json!({ "packages": [package] }), manifest);
        faults.into_iter().map(|fault| format!("{}: {}", fault.line, fault.what)).collect()
    }

    #[test]
    fn wrong_directions_are_caught() {
        for (name, import) in [
            ("plypack-kernels", "plypack-games"),
            ("plypack-kernels", "plypack-core"),
            ("plypack-kernels", "plypack-tables"),
            ("plypack-tables", "plypack-core"),
            ("plypack-games", "plypack-kernels"),
            ("plypack-core", "plypack-games"),
            ("plypack-games", "plypack-records"),
            ("plypack-records", "plypack-games"),
            ("plypack-games", "plypack"),
            ("plypack-index", "plypack-games"),
            ("plypack-web", "plypack-sql"),
            ("plypack", "plypack-sql"),
            ("plypack-sql", "plypack-cli"),
            ("plypack", "plypack-cli"),
            ("plypack-cli", "xtask"),
            ("xtask", "plypack-cli"),
        ] {
            for kind in [Value::Null, json!("dev"), json!("build")] {
                let faults = imports(name, &[(import, kind)]);
                let what = format!("{name} imports {import}, against the direction of imports");
                assert!(faults.len() == 1 && faults[0].ends_with(&what), "{faults:?}");
            }
        }
        assert!(imports("plypack-kernels", &[("plypack-core", Value::Null)])[0].starts_with("2: "));
        assert!(imports("plypack-kernels", &[("plypack", Value::Null)])[0].starts_with("3: "));
    }

    #[test]
    fn files_that_no_module_declares_are_caught() {
        let texts = [
            ("crates/a/src/lib.rs", "pub mod b;\n    mod c;\n"),
            ("crates/a/src/b.rs", "pub(crate) mod d;\n"),
            ("crates/a/src/b/d.rs", ""),
            ("crates/a/src/b/lost.rs", ""),
            ("crates/a/src/c/mod.rs", ""),
            ("crates/a/src/gone/mod.rs", ""),
            ("crates/a/tests/whole.rs", ""),
            ("crates/a/tests/it/main.rs", "mod e;\n"),
            ("crates/a/tests/it/e.rs", ""),
            ("crates/a/tests/it/f.rs", ""),
            ("xtask/src/g.rs", ""),
        ];
        let files: Vec<String> = texts.iter().map(|(file, _)| (*file).to_owned()).collect();
        let text = |file: &str| {
            let found = texts.iter().find(|(other, _)| *other == file);
            found.map_or(String::new(), |(_, text)| (*text).to_owned())
        };
        let lost: Vec<String> =
            judge_modules(&files, text).into_iter().map(|fault| fault.file).collect();
        let expected = ["src/b/lost.rs", "src/gone/mod.rs", "tests/it/f.rs"];
        assert_eq!(lost, expected.map(|file| format!("crates/a/{file}")));
    }

    #[test]
    fn a_stale_page_is_caught() {
        assert_eq!(judge_page(&[]), None);
        let fault = judge_page(&["a.rs".into(), "b.ts".into()]).map(|fault| fault.to_string());
        let what = "crates/cli/page:1: a.rs and 1 other sources have changed since it was built";
        assert!(fault.is_some_and(|fault| fault.starts_with(what)));
    }

    #[test]
    fn crates_by_path_are_ours() {
        let dependency = json!({ "name": "plypack-oracle", "kind": null, "path": "oracle" });
        let package =
            json!({ "name": "plypack-cli", "manifest_path": "", "dependencies": [dependency] });
        let metadata = json!({ "packages": [package] });
        assert_eq!(judge_imports(&metadata, |_| (String::new(), String::new())).len(), 1);
    }

    #[test]
    fn coding_crates_stay_light() {
        let what = "1: plypack-kernels imports serde, but coding crates stay light";
        assert_eq!(imports("plypack-kernels", &[("serde", Value::Null)]), [what]);
        assert_eq!(imports("plypack-kernels", &[("serde", json!("dev"))]), [what]);
        assert_eq!(imports("plypack-kernels", &[("proptest", json!("dev"))]), Vec::<String>::new());
        assert_eq!(imports("plypack-kernels", &[("proptest", Value::Null)]).len(), 1);
        assert_eq!(imports("plypack", &[("serde", Value::Null)]), Vec::<String>::new());
    }

    #[test]
    fn crates_that_no_registry_takes_are_caught() {
        let package = |name: &str, publish: Value| {
            let path = format!("crates/{name}/Cargo.toml");
            json!({ "name": format!("plypack-{name}"), "manifest_path": path, "publish": publish })
        };
        let packages = [package("games", Value::Null), package("web", json!([]))];
        let metadata = json!({ "packages": packages });
        let judge = |size| {
            let sizes = ["games", "web"].map(|folder| (folder.to_owned(), size));
            judge_sizes(&metadata, &BTreeMap::from(sizes))
        };
        assert_eq!(judge(CRATE_MAX), []);
        let faults = judge(CRATE_MAX + 1);
        assert!(faults.len() == 1 && faults[0].what.contains("plypack-games takes 8388609 of"));
    }

    #[test]
    fn new_crates_need_a_layer() {
        assert_eq!(imports("plypack-new", &[]), ["1: plypack-new is in no layer"]);
    }

    #[test]
    fn every_file_is_found_without_git() {
        let mut files = Vec::new();
        walk(Path::new(env!("CARGO_MANIFEST_DIR")), "", &mut files).expect("this crate");
        assert!(files.contains(&"Cargo.toml".into()) && files.contains(&"src/tidy.rs".into()));
    }
}
