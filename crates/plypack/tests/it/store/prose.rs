//! Comments, which are coded in blocks of consecutive rows: in files of one block and of several,
//! in new versions of files, in copies by other tools, and where they are damaged.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::fmt::Write as _;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, RecordBatch, UInt32Array};
use arrow_select::concat::concat_batches;
use arrow_select::take::take_record_batch;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use plypack::store::revision::{delete, merge};
use plypack::store::{Condition, Error, Options, PackedFile, Wanted, Work, export, import, verify};
use tempfile::TempDir;

use crate::store::common::{pack, source};

/// The words of the comments.
const WORDS: [&str; 16] = [
    "the", "knight", "was", "better", "zugzwang", "after", "this", "bishop", "queen", "and",
    "rook", "Nf3", "a", "strong", "threat", "draw",
];

/// Returns games, each with a comment of this many words. Every third has none.
fn games(count: u32, words: u32) -> Vec<String> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        WORDS[state as usize >> 28]
    };
    let game = |number: u32| {
        let mut text = format!("[Event \"{number}\"]\n\n1. e4 ");
        if number % 3 != 2 {
            let comment: Vec<&str> = (0..words).map(|_| next()).collect();
            write!(text, "{{ {} }} ", comment.join(" ")).expect("a string takes everything");
        }
        text + "1... e5 $1 *\n\n"
    };
    (0..count).map(game).collect()
}

fn packed(folder: &TempDir, games: &[String]) -> PathBuf {
    let path = folder.path().join("packed.parquet");
    pack(&path, vec![source("in.pgn", games.concat().as_bytes())]);
    path
}

fn unpacked(path: &Path) -> Result<String, Error> {
    let file = PackedFile::open(path)?;
    let mut bytes = Vec::new();
    let mut sink = |_: &str, piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    export(&file, &Work::on(1), &mut sink)?;
    assert!(verify(&file, 1, &Work::on(1))?.is_empty());
    Ok(String::from_utf8(bytes).expect("the text is UTF-8"))
}

/// Returns all rows as another tool sees them.
fn rows(path: &Path) -> RecordBatch {
    let file = File::open(path).expect("a packed file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let schema = Arc::clone(reader.schema());
    let batches: Vec<_> = reader.build().expect("Parquet").map(|b| b.expect("rows")).collect();
    concat_batches(&schema, &batches).expect("one schema")
}

/// Writes rows as another tool does.
fn write(path: &Path, rows: &RecordBatch) -> PathBuf {
    let path = path.with_file_name("copy.parquet");
    let file = File::create(&path).expect("a file");
    let mut writer = ArrowWriter::try_new(file, rows.schema(), None).expect("a writer");
    writer.write(rows).expect("memory");
    writer.close().expect("memory");
    path
}

/// Returns these rows.
fn take(rows: &RecordBatch, places: impl IntoIterator<Item = u32>) -> RecordBatch {
    take_record_batch(rows, &UInt32Array::from_iter_values(places)).expect("rows")
}

/// Returns the rows that have a code.
fn coded(rows: &RecordBatch) -> Vec<usize> {
    let codes = rows.column_by_name("prose");
    let has = |codes: &ArrayRef| (0..codes.len()).filter(|&at| codes.is_valid(at)).collect();
    codes.map(has).unwrap_or_default()
}

/// Returns the texts of annotations.
fn texts(rows: &RecordBatch) -> Vec<Option<String>> {
    let list = rows.column_by_name("annotations").expect("a column").as_list::<i32>();
    let texts = list.values().as_struct().column_by_name("text").expect("a part");
    texts.as_string::<i32>().iter().map(|text| text.map(str::to_owned)).collect()
}

#[test]
fn texts_are_in_blocks_and_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = games(50, 12);
    let path = packed(&folder, &all);
    let seen = rows(&path);
    assert_eq!(coded(&seen), [49]);
    assert!(texts(&seen).iter().flatten().all(String::is_empty));
    assert_eq!(unpacked(&path).expect("a packed file"), all.concat());
    let file = PackedFile::open(&path).expect("a packed file");
    for row in [0, 1, 2, 49] {
        let one =
            file.read_rows(std::slice::from_ref(&(row..row + 1)), Wanted::All).expect("a row");
        let (record, checksum, _) = one.record(0).expect("a row");
        let at = usize::try_from(row).expect("few");
        assert_eq!(*record.original(checksum).expect("whole"), *all[at].as_bytes());
    }
}

#[test]
fn few_texts_and_those_of_the_quickest_tier_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let few = games(2, 12);
    let path = packed(&folder, &few);
    assert!(rows(&path).column_by_name("prose").is_none());
    assert_eq!(unpacked(&path).expect("a packed file"), few.concat());

    let all = games(50, 12);
    let codec = plypack_games::line_codec("chess", "line.fast").expect("a codec");
    let options = Options { codec, positions: None, detect: false };
    let sources = vec![source("in.pgn", all.concat().as_bytes())];
    import(sources, &path, &options, &Work::on(1)).expect("a packed file");
    let seen = rows(&path);
    assert!(seen.column_by_name("prose").is_none());
    assert!(texts(&seen).iter().flatten().any(|text| text.contains("zugzwang")));
    assert_eq!(unpacked(&path).expect("a packed file"), all.concat());
    // A tool may pick games there.
    let copy = write(&path, &take(&seen, (0..50).filter(|at| at % 2 == 0)));
    assert!(unpacked(&copy).is_ok());
}

#[test]
fn one_game_of_a_large_file_costs_its_block() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = games(4_200, 150);
    let path = packed(&folder, &all);
    let codes = coded(&rows(&path));
    assert!(codes.len() > 1 && codes.last() == Some(&4_199), "{codes:?}");
    let file = PackedFile::open(&path).expect("a packed file");
    let first = u64::try_from(codes[0]).expect("few");
    for run in [0..1, first - 2..first + 3, 4_198..4_200] {
        let found = file.read_rows(std::slice::from_ref(&run), Wanted::All).expect("rows");
        for (at, row) in run.enumerate() {
            let (record, checksum, _) = found.record(at).expect("a row");
            let expected = &all[usize::try_from(row).expect("few")];
            assert_eq!(*record.original(checksum).expect("whole"), *expected.as_bytes());
        }
    }
    assert_eq!(unpacked(&path).expect("a packed file"), all.concat());
}

#[test]
fn new_versions_have_blocks_of_their_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = games(60, 12);
    let path = packed(&folder, &all);
    let file = PackedFile::open(&path).expect("a packed file");
    let new = folder.path().join("new.parquet");
    let mut bytes = Vec::new();
    delete(&file, &[0, 7, 59], &mut bytes, &new, &Work::on(1)).expect("a new version");
    std::fs::write(&new, bytes).expect("a file");
    let left: Vec<&str> =
        (0..60).filter(|at| ![0, 7, 59].contains(at)).map(|at| &*all[at]).collect();
    assert_eq!(unpacked(&new).expect("a new version"), left.concat());
    assert_eq!(coded(&rows(&new)), [56]);

    let files = [path, new].map(|path| PackedFile::open(&path).expect("a packed file"));
    let both = folder.path().join("both.parquet");
    let mut bytes = Vec::new();
    merge(&files, &mut bytes, &both, &Work::on(1)).expect("memory");
    std::fs::write(&both, bytes).expect("a file");
    let merged = PackedFile::open(&both).expect("a packed file");
    assert!(verify(&merged, 1, &Work::on(1)).expect("it can be read").is_empty());
    assert_eq!(coded(&rows(&both)), [116]);
}

#[test]
fn copies_need_all_rows_of_a_block_in_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = games(60, 12);
    let path = packed(&folder, &all);
    let seen = rows(&path);
    assert_eq!(unpacked(&write(&path, &seen)).expect("a copy"), all.concat());
    // A game without comments may be left out.
    assert!(unpacked(&write(&path, &take(&seen, (0..60).filter(|at| *at != 2)))).is_err());
    let dropped = take(&seen, (0..60).filter(|at| *at != 7));
    let cut = take(&seen, 0..30);
    let turned = take(&seen, [1, 0].into_iter().chain(2..60));
    let index = seen.schema().index_of("prose").expect("a column");
    let lost: Vec<usize> = (0..seen.num_columns()).filter(|&at| at != index).collect();
    let lost = seen.project(&lost).expect("columns");
    for (rows, what) in [(dropped, "dropped"), (cut, "cut"), (turned, "turned"), (lost, "lost")] {
        let copy = write(&path, &rows);
        let error = unpacked(&copy).expect_err(what).to_string();
        assert!(error.contains("--model fast"), "{what}: {error}");
        let file = PackedFile::open(&copy).expect(what);
        let error = file.read_rows(std::slice::from_ref(&(0..1)), Wanted::LINES);
        let error = error.expect_err(what).to_string();
        assert!(error.contains("--model fast"), "{what}: {error}");
    }
}

#[test]
fn damage_never_gives_another_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(&folder, &games(60, 12));
    let seen = rows(&path);
    let at = seen.schema().index_of("prose").expect("a column");
    let code = seen.column(at).as_binary::<i32>().value(59).to_vec();
    for place in (0..code.len()).step_by(37) {
        let mut code = code.clone();
        code[place] ^= 0x10;
        let codes = (0..60).map(|row| (row == 59).then_some(code.as_slice()));
        let mut columns = seen.columns().to_vec();
        columns[at] = Arc::new(BinaryArray::from_iter(codes));
        let damaged = RecordBatch::try_new(seen.schema(), columns).expect("columns");
        assert!(unpacked(&write(&path, &damaged)).is_err(), "byte {place}");
    }
}

#[test]
fn comments_are_searched() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = games(60, 12);
    let file = PackedFile::open(&packed(&folder, &all)).expect("a packed file");
    for (text, word) in [("comments LIKE '%zugzwang%'", "zugzwang"), ("comments IS NOT NULL", "{")]
    {
        let expected: Vec<usize> = (0..60).filter(|&at| all[at].contains(word)).collect();
        assert!(!expected.is_empty() && expected.len() < 60);
        let condition = Condition::parse(text).expect(text);
        let found = file.select(0, None, &condition).expect(text);
        assert_eq!(found.set_indices().collect::<Vec<_>>(), expected, "{text}");
        let few = [1, 2, 40];
        let found = file.select(0, Some(&few), &condition).expect(text);
        let found: Vec<bool> = found.iter().collect();
        let expected: Vec<bool> = few.iter().map(|at| expected.contains(&(*at as usize))).collect();
        assert_eq!(found, expected, "{text}");
    }
}
