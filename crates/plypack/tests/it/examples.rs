//! Each example runs, prints what it should, is short, and is in the documentation.

#![cfg(feature = "file")]
#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The most lines of an example, not counting blank lines and the head comment.
const LINES_MAX: usize = 15;

/// Parts of what each example prints.
const EXAMPLES: [(&str, &[&str]); 14] = [
    (
        "annotations",
        &[
            "6 \"Bg4\" Some(169s) Some(Centipawns(105))",
            "7 \"Ng5\"",
            "Mate(2)",
            "The queen is bait.",
        ],
    ),
    ("cell", &["e4 e5 Nf3 Nc6 Bb5: ", " bytes by chess/line.default/"]),
    (
        "explore",
        &["3 games", "e5: 2 games, 2 won by White", "Kasparov, Garry", "1. e4 e5 {2 games"],
    ),
    ("find", &["Morphy, Paul", "after 3 plies: d6"]),
    ("games", &["Some(1851)", "Some(WhiteWon)", "Some(\"Morphy, Paul\")", "Rd8#", "Be7#"]),
    ("grow", &["567 games came in", "of 1142 games deleted"]),
    ("link", &["https://example.org/play#FAPEYFs", "Chess: e2e4 e7e5 g1f3"]),
    ("pack", &["4 games", "0 faulty"]),
    ("position", &["r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 1"]),
    ("positions", &["RNB1K1NR w KQkq -", "Some(\"Qxf7\")"]),
    ("progress", &["6 games so far", "6 games, "]),
    ("record", &["1n1Rkb1r/p4ppp/4q3/4p1B1/4P3/8/PPP2PPP/2K5 b k - 1 17 after 33 plies", "[Event"]),
    (
        "repertoire",
        &[
            "1: Own by Some(\"f4\"), not [\"Nf3\"]",
            "2: Opponent by Some(\"Bg4\"), not [\"exd4\"]",
            "4: Opponent by Some(\"d6\"), not [\"e5\"]",
        ],
    ),
    ("repetition", &["ply 8, Ng8: rnbqkbnr/"]),
];

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn examples_say_what_they_should() {
    let built = std::env::current_exe().expect("this program");
    let built = built.parent().and_then(Path::parent).expect("cargo's folder").join("examples");
    let temporary = tempfile::tempdir().expect("a folder");
    for (name, expected) in EXAMPLES {
        let program = built.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
        assert!(program.exists(), "{name} is missing: run `cargo build -p plypack --examples`");
        let mut command = Command::new(program);
        command.current_dir(folder().join("../..")).env("TMPDIR", temporary.path());
        let output = command.output().expect("an example runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        for words in expected {
            assert!(said.contains(words), "{name} does not print `{words}`: {said}");
        }
    }
}

/// Returns the examples by name.
fn sources() -> BTreeMap<String, String> {
    let files = std::fs::read_dir(folder().join("examples")).expect("examples");
    let read = |path: PathBuf| {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, std::fs::read_to_string(&path).expect("an example"))
    };
    files.map(|file| read(file.expect("an example").path())).collect()
}

#[test]
fn examples_are_short_and_documented() {
    let documentation = std::fs::read_to_string(folder().join("src/lib.rs")).expect("there");
    let sources = sources();
    assert!(sources.keys().eq(EXAMPLES.map(|example| example.0)), "{:?}", sources.keys());
    for (name, source) in sources {
        let lines = source.lines().filter(|line| !line.is_empty() && !line.starts_with("//!"));
        assert!(lines.count() <= LINES_MAX, "{name} is too long");
        let place = format!("include_str!(\"../examples/{name}.rs\")");
        assert!(documentation.contains(&place), "{name} is not in the documentation");
    }
}
