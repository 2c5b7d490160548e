//! The small mode: every layout restores the same lines, from every available database.

#![allow(clippy::panic, clippy::expect_used, reason = "a test fails")]

use std::path::Path;
use std::process::Command;

fn sites(arguments: &[&str]) -> String {
    let done = Command::new(env!("CARGO_BIN_EXE_plypack-sites")).args(arguments).output();
    let done = done.expect("the program");
    let error = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{arguments:?}: {error}");
    String::from_utf8(done.stdout).expect("a table")
}

/// Loads and reads all layouts. The program itself checks the lines.
fn load_and_read(database: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // If we are root, the server is run by another user.
    let open = Command::new("chmod").arg("755").arg(folder.path()).status();
    assert!(open.expect("chmod").success());
    let folder = folder.path().to_str().expect("a path in UTF-8");
    let lines = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openings.pgn");
    let tables = [database, lines, "--folder", folder, "--rows", "7000"];
    let loaded = sites(&[&["load"], &tables[..]].concat());
    let mut sizes = std::collections::BTreeMap::new();
    for row in loaded.lines().skip(2) {
        let fields: Vec<&str> = row.split('|').map(str::trim).collect();
        sizes.insert(fields[1].to_owned(), fields[2].parse::<f64>().expect("bytes a row"));
    }
    assert!(sizes["key"] < sizes["cell"] && sizes["cell"] < sizes["san"], "{loaded}");
    let ways = ["--rounds", "2", "--lookups", "300", "--fill", "100", "--scan"];
    let read = sites(&[&["read"], &tables[..], &ways].concat());
    for (way, rows) in [("a user's lines, cold", "5000"), ("the whole table, cold", "7000")] {
        for layout in ["pgn", "san", "cell", "key"] {
            let row = format!("| {way} | {layout} | {rows} |");
            assert!(read.contains(&row), "no `{row}` in\n{read}");
        }
    }
}

#[test]
fn sqlite_gives_back_what_it_was_given() {
    load_and_read("sqlite");
}

#[test]
fn postgresql_gives_back_what_it_was_given() {
    if !Path::new("/usr/lib/postgresql").is_dir() && std::env::var_os("PG_BIN").is_none() {
        println!("SKIPPED: there is no PostgreSQL");
        return;
    }
    load_and_read("postgres");
}

#[test]
fn codecs_are_compared() {
    let table = sites(&["codecs", concat!(env!("CARGO_MANIFEST_DIR"), "/tests/openings.pgn")]);
    assert!(table.contains("| `line.uniform` |") && table.contains("| `chess.san-bits` |"));
}
