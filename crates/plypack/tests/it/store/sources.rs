//! The input that a record came from, also in copies made by other tools.

use plypack::store::Work;
use std::fs::File;
use std::path::Path;

use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use plypack::store::schema::SOURCES_KEY;
use plypack::store::{Error, Options, PackedFile, Source, export, import};

const GAME: &str = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 exf4 *\n\n";

/// Packs two inputs of two games each, and an empty one.
#[allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]
fn pack(path: &Path) {
    let source = |name: &str, games: usize| {
        Source::new(name, Box::new(std::io::Cursor::new(GAME.repeat(games).into_bytes())))
    };
    let sources = vec![source("a", 2), source("none", 0), source("\"b\"", 2)];
    let codec = plypack_games::line_codec("chess", "line.uniform").expect("a codec");
    let options = Options { codec, positions: None, detect: false };
    import(sources, path, &options, &Work::on(1)).expect("a packed file");
}

/// Returns the names and lengths of the unpacked inputs, in order.
#[allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]
fn unpack(path: &Path) -> Vec<(String, usize)> {
    let file = PackedFile::open(path).expect("a packed file");
    let mut pieces = Vec::new();
    let mut sink = |source: &str, bytes: &[u8]| {
        pieces.push((source.to_owned(), bytes.len()));
        Ok(())
    };
    export(&file, &Work::on(1), &mut sink).expect("whole");
    pieces
}

/// Copies a packed file as another tool would, with rows in this order and this metadata.
#[allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]
fn copy(from: &Path, to: &Path, rows: &[usize], sources: Option<&str>) {
    let file = File::open(from).expect("a packed file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let batches: Vec<_> = reader
        .build()
        .expect("Parquet")
        .map(|batch| batch.expect("rows"))
        .flat_map(|batch| (0..batch.num_rows()).map(move |row| batch.slice(row, 1)))
        .collect();
    let pairs = sources.map(|text| vec![KeyValue::new(SOURCES_KEY.to_owned(), text.to_owned())]);
    let properties = WriterProperties::builder().set_key_value_metadata(pairs).build();
    let file = File::create(to).expect("a file");
    let mut writer =
        ArrowWriter::try_new(file, batches[0].schema(), Some(properties)).expect("a writer");
    for &row in rows {
        writer.write(&batches[row]).expect("memory");
    }
    writer.close().expect("memory");
}

#[test]
fn a_file_lists_its_inputs() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("packed.parquet");
    pack(&path);
    let file = PackedFile::open(&path).expect("a packed file");
    assert_eq!(file.sources().expect("a list"), ["a", "none", "\"b\""]);
    let length = 2 * GAME.len();
    assert_eq!(unpack(&path), [("a".to_owned(), length), ("\"b\"".to_owned(), length)]);
}

#[test]
fn rows_may_take_turns() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (path, copied) = (folder.path().join("packed.parquet"), folder.path().join("copy.parquet"));
    pack(&path);
    copy(&path, &copied, &[0, 2, 1, 3], None);
    let names: Vec<String> = unpack(&copied).into_iter().map(|piece| piece.0).collect();
    assert_eq!(names, ["a", "\"b\"", "a", "\"b\""]);
    let file = PackedFile::open(&copied).expect("a packed file");
    assert_eq!(file.sources().expect("names"), ["a", "\"b\""], "the one without rows is lost");
}

#[test]
fn a_damaged_list_is_refused_and_the_records_are_not() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (path, copied) = (folder.path().join("packed.parquet"), folder.path().join("copy.parquet"));
    pack(&path);
    for list in ["", "[1]", "[\"a\"]", "[[0,1]]", "{}", "null"] {
        copy(&path, &copied, &[0, 1, 2, 3], Some(list));
        let file = PackedFile::open(&copied).expect("a packed file");
        assert!(matches!(file.sources(), Err(Error::Format { .. })), "{list}");
        assert_eq!(unpack(&copied).len(), 2);
    }
}
