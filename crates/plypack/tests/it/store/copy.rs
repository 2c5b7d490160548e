//! Copies rows of packed files verbatim into another file.

#![allow(
    clippy::expect_used,
    clippy::single_range_in_vec_init,
    reason = "clippy spares only functions marked #[test], and a list of runs may have one"
)]

use plypack::store::Work;
use std::ops::Range;
use std::path::{Path, PathBuf};

use plypack::store::{PackedFile, Rowless, Wanted, Writer, export};

use crate::store::common::source;

const GAME: &str = "[White \"Anderssen\"]\n\n1. e4! { good } e5 (1... c5 2. Nf3) 2. f4 exf4 *\n\n";
const ODD: &str = "[UTCDate \"2020.01.31\"]\n[Odd \"tag\"]\n\n1. d4 {[%clk 0:01:00]}  *\r\n\n";

/// Packs inputs with these names and bytes.
fn pack(path: &Path, inputs: &[(&str, String)]) -> PackedFile {
    let sources = inputs.iter().map(|(name, bytes)| source(name, bytes.as_bytes())).collect();
    crate::store::common::pack(path, sources);
    PackedFile::open(path).expect("a packed file")
}

/// Returns the unpacked names and bytes, in order.
fn unpacked(file: &PackedFile) -> Vec<(String, String)> {
    let mut pieces: Vec<(String, String)> = Vec::new();
    let mut sink = |name: &str, bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes);
        match pieces.last_mut().filter(|last| last.0 == name) {
            Some(last) => last.1.push_str(&text),
            None => pieces.push((name.to_owned(), text.into_owned())),
        }
        Ok(())
    };
    export(file, &Work::on(1), &mut sink).expect("whole");
    pieces
}

/// Returns the move codes of some rows.
fn codes(file: &PackedFile, rows: Range<u64>) -> Vec<Vec<u8>> {
    let rows = file.read_rows(&[rows], Wanted::MOVES).expect("rows");
    let code = |row| Some(rows.record(row)?.0.line?.3.to_vec());
    (0..rows.len()).map(|row| code(row).expect("moves")).collect()
}

/// Merges files in order, with the inputs without rows in their places.
fn merge(path: PathBuf, files: &[&PackedFile]) -> PackedFile {
    let output = std::fs::File::create(&path).expect("a file");
    let mut writer = Writer::games(output, &path).expect("a writer");
    let mut rowless: Vec<Rowless> = Vec::new();
    let mut before = 0;
    for file in files {
        for group in 0..file.groups() {
            writer.copy(&file.read_group(group).expect("rows")).expect("a copy");
        }
        let found = file.rowless().expect("a list");
        rowless.extend(found.into_iter().map(|(place, name)| (before + place, name)));
        before += file.sources().expect("names").len();
    }
    writer.finish(&rowless).expect("a file");
    PackedFile::open(&path).expect("a packed file")
}

#[test]
fn merged_files_unpack_to_the_contents_of_both() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let inputs = [("a.pgn", GAME.repeat(600)), ("none.pgn", String::new())];
    let first = pack(&path("1.parquet"), &inputs);
    let others = [("b.pgn", ODD.repeat(3)), ("c.pgn", "junk".into()), ("d.pgn", String::new())];
    let second = pack(&path("2.parquet"), &others);
    let merged = merge(path("merged.parquet"), &[&first, &second]);
    assert_eq!(merged.records(), 604);
    assert_eq!(merged.groups(), 1, "row groups do not end with what was copied");
    let names = ["a.pgn", "none.pgn", "b.pgn", "c.pgn", "d.pgn"];
    assert_eq!(merged.sources().expect("names"), names);
    assert_eq!(unpacked(&merged), [unpacked(&first), unpacked(&second)].concat());
    let expected = [codes(&first, 0..600), codes(&second, 0..3)].concat();
    assert_eq!(codes(&merged, 0..603), expected);
    let faulty = |file: &PackedFile| file.summary().expect("a summary").faulty;
    assert_eq!(faulty(&merged), faulty(&first) + faulty(&second));
}

#[test]
fn a_copy_of_a_copy_is_the_same_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let inputs = [("a.pgn", GAME.repeat(4_000)), ("b.pgn", ODD.repeat(600))];
    let file = pack(&path("packed.parquet"), &inputs);
    merge(path("copy.parquet"), &[&file]);
    let read = |name: &str| std::fs::read(path(name)).expect("a file");
    assert!(read("copy.parquet") == read("packed.parquet"));
}

#[test]
fn a_full_row_group_is_followed_by_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let inputs = [("a.pgn", GAME.repeat(10_000))];
    let file = pack(&path("packed.parquet"), &inputs);
    let merged = merge(path("merged.parquet"), &[&file, &file]);
    let records: Vec<u64> = (0..merged.groups()).map(|group| merged.group_records(group)).collect();
    assert_eq!(records, [16_384, 20_000 - 16_384]);
    assert!(unpacked(&merged)[0].1 == GAME.repeat(20_000));
}
