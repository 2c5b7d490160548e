//! The public interface of the crate `plypack`: its items match the list in
//! `crates/plypack/public-api.txt`, so that changes are deliberate, and without files nothing is
//! compiled for them. To accept a change, rewrite the list:
//!
//! ```text
//! PLYPACK_BLESS=1 cargo test --manifest-path api/Cargo.toml
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The version of rustdoc's JSON that is read here: that of Rust 1.95. Other toolchains write other
/// versions, which need another version of `public-api`.
const FORMAT: u64 = 57;

/// Types of libraries that signatures contain: those by which programs exchange tables without
/// copies.
const SHARED: [&str; 2] =
    ["arrow_array::record_batch::RecordBatch", "arrow_schema::schema::SchemaRef"];

/// Names that no signature may contain: internal crates, and libraries that change.
const HIDDEN: [&str; 12] = [
    "plypack_",
    "reading::",
    "rows::",
    "store::",
    "arrow",
    "parquet::",
    "tempfile",
    "thiserror",
    "rayon",
    "chrono",
    "bytes::",
    "cozy_chess",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository")
}

/// Returns the output of a command, which must succeed.
fn run(command: &mut Command) -> String {
    let output = command.current_dir(root()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Returns the metadata files of the workspace's libraries and of their dependencies, by name.
/// `cargo doc` needs the same files.
fn libraries() -> BTreeMap<String, PathBuf> {
    let check = ["check", "--quiet", "--message-format", "json", "--workspace"];
    // Not needed by the public interface, and minutes to compile.
    let heavy = ["plypack-sql", "plypack-cluster", "plypack-sites"];
    let heavy = heavy.iter().flat_map(|name| ["--exclude", name]);
    let mut found = BTreeMap::new();
    for line in run(cargo().args(check).args(heavy)).lines() {
        let message: Value = serde_json::from_str(line).expect("cargo's messages");
        let files = message["filenames"].as_array().into_iter().flatten().filter_map(Value::as_str);
        for file in files.filter(|file| file.ends_with(".rmeta")) {
            let name = message["target"]["name"].as_str().expect("a name");
            found.insert(name.to_owned(), PathBuf::from(file));
        }
    }
    found
}

/// Returns the names of the libraries that `plypack` imports.
fn dependencies() -> Vec<String> {
    let metadata = run(cargo().args(["metadata", "--no-deps", "--format-version", "1"]));
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let face = packages.iter().find(|package| package["name"] == "plypack").expect("plypack");
    let all = face["dependencies"].as_array().expect("dependencies").iter();
    let names = all.filter(|one| one["kind"].is_null()).filter_map(|one| one["name"].as_str());
    names.map(|name| name.replace('-', "_")).collect()
}

/// Makes rustdoc describe `plypack` in JSON. Only rustdoc gets unstable options: cargo would
/// rebuild everything for them.
fn describe(folder: &Path) -> PathBuf {
    let libraries = libraries();
    let all = libraries.get("plypack").and_then(|file| file.parent()).expect("a folder");
    let mut rustdoc = Command::new(std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()));
    rustdoc.env("RUSTC_BOOTSTRAP", "1");
    rustdoc.args(["--crate-name", "plypack", "--edition", "2024", "--cap-lints", "allow"]);
    for feature in ["all-games", "file", "full", "records", "series"] {
        rustdoc.args(["--cfg", &format!("feature=\"{feature}\"")]);
    }
    rustdoc.args(["-Z", "unstable-options", "--output-format", "json"]);
    rustdoc.arg("-L").arg(format!("dependency={}", all.display())).arg("-o").arg(folder);
    for name in dependencies() {
        rustdoc.arg("--extern").arg(format!("{name}={}", libraries[&name].display()));
    }
    run(rustdoc.arg("crates/plypack/src/lib.rs"));
    folder.join("plypack.json")
}

#[test]
fn public_items_are_those_that_are_listed() {
    let folder = tempfile::tempdir().expect("a folder");
    let described = describe(folder.path());
    let json = std::fs::read_to_string(&described).expect("rustdoc's answer");
    let json: Value = serde_json::from_str(&json).expect("JSON");
    if json["format_version"] != FORMAT {
        plypack_testing::skip("this toolchain's rustdoc writes a different JSON from Rust 1.95");
        return;
    }
    let items = public_api::Builder::from_rustdoc_json(described)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
        .expect("a list of items");
    let items = format!("{items}");
    for (line, hidden) in items.lines().flat_map(|line| HIDDEN.map(|hidden| (line, hidden))) {
        let line = SHARED.iter().fold(line.to_owned(), |line, shared| line.replace(shared, ""));
        assert!(!line.contains(hidden), "a signature names `{hidden}`: {line}");
    }
    let list = root().join("crates/plypack/public-api.txt");
    if std::env::var_os("PLYPACK_BLESS").is_some() {
        std::fs::write(&list, &items).expect("the list can be written");
    }
    let listed = std::fs::read_to_string(&list).unwrap_or_default();
    let lacks = |a: &str, b: &str| -> Vec<String> {
        let lines: Vec<&str> = b.lines().collect();
        a.lines().filter(|line| !lines.contains(line)).map(str::to_owned).collect()
    };
    assert!(
        items == listed,
        "public items changed; if that is intended, set PLYPACK_BLESS=1\ngone: {:#?}\nnew: {:#?}",
        lacks(&listed, &items),
        lacks(&items, &listed)
    );
}

#[test]
fn without_files_nothing_is_compiled_for_them() {
    let tree = |features: &[&str]| {
        let tree = ["tree", "-p", "plypack", "--no-default-features", "-e", "normal,build"];
        run(cargo().args(tree).args(["--prefix", "none"]).args(features))
    };
    let heavy = ["arrow", "parquet", "zstd", "lzma-sys", "rayon", "tempfile", "plypack-index"];
    assert!(heavy.iter().all(|name| tree(&["--features", "file"]).contains(name)));
    for features in [&[][..], &["--features", "full"]] {
        let tree = tree(features);
        assert!(tree.contains("plypack-games"), "{tree}");
        for name in heavy {
            assert!(!tree.contains(name), "{name} is compiled:\n{tree}");
        }
    }
}
