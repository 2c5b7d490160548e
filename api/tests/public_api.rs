//! What the crate `plypack` is to others: its public items are those that
//! `crates/plypack/public-api.txt` lists, so that nobody changes them unawares, and who wants no
//! files compiles nothing for them. If a change is meant, write the list anew:
//!
//! ```text
//! PLYPACK_BLESS=1 cargo test --manifest-path api/Cargo.toml
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The version of rustdoc's JSON that is read here: that of Rust 1.95. Another toolchain writes
/// another, which only another version of `public-api` reads.
const FORMAT: u64 = 57;

/// What no signature may name: what stands behind the face, and libraries that change.
const HIDDEN: [&str; 9] = [
    "plypack_",
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

/// What a command prints, if it succeeds.
fn run(command: &mut Command) -> String {
    let output = command.current_dir(root()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// What libraries of the workspace, and those that they use, look like from outside, by their
/// names. `cargo doc` needs the same files.
fn libraries() -> BTreeMap<String, PathBuf> {
    let check = ["check", "--quiet", "--message-format", "json", "--workspace"];
    // What the face does without, and would take minutes to compile.
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

/// Makes rustdoc describe `plypack` in JSON. Only rustdoc is asked for what is not stable yet:
/// cargo would build everything anew for it.
fn describe(folder: &Path) -> PathBuf {
    let libraries = libraries();
    let all = libraries.get("plypack_store").and_then(|file| file.parent()).expect("a folder");
    let mut rustdoc = Command::new(std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into()));
    rustdoc.env("RUSTC_BOOTSTRAP", "1");
    rustdoc.args(["--crate-name", "plypack", "--edition", "2024", "--cap-lints", "allow"]);
    rustdoc.args(["--cfg", "feature=\"file\"", "--cfg", "feature=\"full\""]);
    rustdoc.args(["-Z", "unstable-options", "--output-format", "json"]);
    rustdoc.arg("-L").arg(format!("dependency={}", all.display())).arg("-o").arg(folder);
    for name in [
        "plypack_core",
        "plypack_games",
        "plypack_records",
        "plypack_store",
        "tempfile",
        "thiserror",
    ] {
        rustdoc.arg("--extern").arg(format!("{name}={}", libraries[name].display()));
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
        plypack_testing::skip(
            "this toolchain's rustdoc writes another JSON than that of Rust 1.95",
        );
        return;
    }
    let items = public_api::Builder::from_rustdoc_json(described)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()
        .expect("a list of items");
    let items = format!("{items}");
    for (line, hidden) in items.lines().flat_map(|line| HIDDEN.map(|hidden| (line, hidden))) {
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
        "public items changed; if that is meant, set PLYPACK_BLESS=1\ngone: {:#?}\nnew: {:#?}",
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
    let heavy = ["arrow", "parquet", "zstd", "lzma-sys", "rayon", "tempfile", "plypack-store"];
    assert!(heavy.iter().all(|name| tree(&["--features", "file"]).contains(name)));
    for features in [&[][..], &["--features", "full"]] {
        let tree = tree(features);
        assert!(tree.contains("plypack-games"), "{tree}");
        for name in heavy {
            assert!(!tree.contains(name), "{name} is in it:\n{tree}");
        }
    }
}
