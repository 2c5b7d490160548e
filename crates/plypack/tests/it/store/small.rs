//! Small files: they lack the columns in which they have no value, and say little in their footer.
//! Files with different columns are read, merged and appended to alike.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, UInt32Array};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::file::properties::WriterProperties;
use plypack::store::revision::{delete, merge};
use plypack::store::{Destination, Options, PackedFile, Work, append_to, export, import, verify};
use plypack_games::usual_line_codec;
use tempfile::TempDir;

use crate::store::common::source;

const GAME: &str = "[Event \"London 'Immortal game'\"]\n[Site \"London\"]\n[Date \"1851.06.21\"]\n\
    [Round \"?\"]\n[White \"Anderssen, Adolf\"]\n[Black \"Kieseritzky, Lionel\"]\n\
    [Result \"1-0\"]\n\n\
    1. e4 e5 2. f4 exf4 3. Bc4 Qh4+ 4. Kf1 b5 5. Bxb5 Nf6 6. Nf3 Qh6 7. d3 Nh5 8. Nh4\n\
    Qg5 9. Nf5 c6 10. g4 Nf6 11. Rg1 cxb5 12. h4 Qg6 13. h5 Qg5 14. Qf3 Ng8 15. Bxf4\n\
    Qf6 16. Nc3 Bc5 17. Nd5 Qxb2 18. Bd6 Bxg1 19. e5 Qxa1+ 20. Ke2 Na6 21. Nxg7+ Kd8\n\
    22. Qf6+ Nxf6 23. Be7# 1-0\n\n";

const RATED: &str = "[White \"a\"]\n[WhiteElo \"2500\"]\n[UTCTime \"12:00:00\"]\n[Odd \"x\"]\n\n\
    1. e4 { [%clk 0:01:00] } e5 { good } *\n\n";

const ODD: &str = "no game at all ((\n\n";

fn options() -> Options {
    let codec = usual_line_codec("chess").expect("a codec");
    Options { codec, positions: None, detect: true }
}

/// Packs a text into a file of this name.
fn packed(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(format!("{name}.parquet"));
    let sources = vec![source(name, text.as_bytes())];
    import(sources, &path, &options(), &Work::on(1)).expect("a packed file");
    path
}

/// Returns what a file unpacks to, after verifying it.
fn unpacked(path: &Path) -> String {
    let file = PackedFile::open(path).expect("a packed file");
    assert!(verify(&file, 1, &Work::on(1)).expect("it is read").is_empty());
    let mut bytes = Vec::new();
    let mut sink = |_: &str, piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    export(&file, &Work::on(1), &mut sink).expect("whole");
    assert!(file.summary().is_ok() && file.completeness().expect("it is read").is_some());
    String::from_utf8(bytes).expect("text")
}

/// Returns the names of a file's columns.
fn columns(path: &Path) -> Vec<String> {
    let file = File::open(path).expect("a file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    reader.schema().fields().iter().map(|field| field.name().clone()).collect()
}

fn append(path: &Path, name: &str, text: &str) {
    let file = PackedFile::open(path).expect("a packed file");
    let mut bytes = Vec::new();
    let mut output = Destination::new(&mut bytes, path);
    let sources = vec![source(name, text.as_bytes())];
    append_to(&file, sources, &mut output, &options(), &Work::on(1)).expect("memory");
    std::fs::write(path, bytes).expect("a file");
}

#[test]
fn a_file_of_one_game_is_small() {
    /// With room for the versions of libraries.
    const BYTES_MAX: u64 = 2_500;
    let folder = TempDir::new().expect("a folder");
    let path = packed(&folder, "game", GAME);
    let bytes = path.metadata().expect("a file").len();
    assert!(bytes < BYTES_MAX, "{bytes} bytes");
    assert_eq!(unpacked(&path), GAME);
    let expected = [
        "Event",
        "Site",
        "Date",
        "Round",
        "White",
        "Black",
        "Result",
        "played_on",
        "tag_order",
        "layout",
        "source",
        "number",
        "source_records",
        "checksum",
        "moves",
    ];
    assert_eq!(columns(&path), expected);
    let positions = packed(&folder, "positions", "8/8/8/8/8/8/8/K1k5 w - - 0 1\n");
    let bytes = positions.metadata().expect("a file").len();
    assert!(bytes < BYTES_MAX, "{bytes} bytes");
}

#[test]
fn a_file_without_records_is_small() {
    let folder = TempDir::new().expect("a folder");
    let path = packed(&folder, "none", "");
    let bytes = path.metadata().expect("a file").len();
    assert!(bytes < 700, "{bytes} bytes");
    assert_eq!(unpacked(&path), "");
    append(&path, "game", RATED);
    assert_eq!(unpacked(&path), RATED);
    assert!(columns(&path).contains(&"WhiteElo".to_owned()));
    assert!(!columns(&path).contains(&"BlackElo".to_owned()));
}

#[test]
fn footers_of_larger_files_say_where_values_lie() {
    let folder = TempDir::new().expect("a folder");
    let few = packed(&folder, "few", &RATED.repeat(10));
    let many: Vec<String> = (0..3_000)
        .map(|game| {
            format!("[Event \"{}\"]\n[Date \"2020.01.31\"]\n\n1. e4 e5 *\n\n", name_of(game))
        })
        .collect();
    let many = packed(&folder, "many", &many.concat());
    for (path, name, expected) in [(few, "WhiteElo", false), (many, "played_on", true)] {
        let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).expect("a file"));
        let reader = reader.expect("Parquet");
        let columns = reader.metadata().row_group(0).columns();
        let column = columns.iter().find(|column| column.column_path().string() == name);
        assert_eq!(column.expect(name).statistics().is_some(), expected, "{name}");
    }
}

/// Returns a name that hardly compresses.
fn name_of(game: u32) -> String {
    let parts = (0..8).map(|part| crc32fast::hash(&[game, part].map(u32::to_le_bytes).concat()));
    parts.map(|part| format!("{part:x}")).collect()
}

#[test]
fn files_with_different_columns_are_merged() {
    let folder = TempDir::new().expect("a folder");
    let texts = [GAME, RATED, ODD, "", RATED];
    let files: Vec<PackedFile> = texts
        .iter()
        .enumerate()
        .map(|(number, text)| packed(&folder, &number.to_string(), text))
        .map(|path| PackedFile::open(&path).expect("a packed file"))
        .collect();
    let path = folder.path().join("merged.parquet");
    let mut bytes = Vec::new();
    merge(&files, &mut bytes, &path, &Work::on(1)).expect("a file");
    std::fs::write(&path, &bytes).expect("a file");
    assert_eq!(unpacked(&path), texts.concat());
    // Merging gives the file that packing all would give, but for the names of inputs.
    let all = columns(&path);
    assert!(all.contains(&"UTCTime".to_owned()) && !all.contains(&"BlackElo".to_owned()));
    // Without the rated games their columns are gone.
    let file = PackedFile::open(&path).expect("a packed file");
    let mut bytes = Vec::new();
    delete(&file, &[1, 3], &mut bytes, &path, &Work::on(1)).expect("a file");
    std::fs::write(&path, &bytes).expect("a file");
    assert_eq!(unpacked(&path), [GAME, ODD].concat());
    assert!(!columns(&path).contains(&"UTCTime".to_owned()));
}

#[test]
fn files_that_grow_get_the_columns_of_what_comes() {
    let folder = TempDir::new().expect("a folder");
    let path = packed(&folder, "game", GAME);
    append(&path, "rated", RATED);
    append(&path, "odd", ODD);
    assert_eq!(unpacked(&path), [GAME, RATED, ODD].concat());
    let file = PackedFile::open(&path).expect("a packed file");
    assert_eq!(file.groups(), 3);
    assert!(columns(&path).contains(&"UTCTime".to_owned()));
    assert!(!columns(&path).contains(&"BlackElo".to_owned()));
    // Deleted down to one row group, it is small again.
    let mut bytes = Vec::new();
    delete(&file, &[1, 2], &mut bytes, &path, &Work::on(1)).expect("a file");
    std::fs::write(&path, &bytes).expect("a file");
    assert_eq!(unpacked(&path), GAME);
    assert!(!columns(&path).contains(&"UTCTime".to_owned()));
}

#[test]
fn positions_with_different_columns_are_merged_and_grow() {
    let folder = TempDir::new().expect("a folder");
    let texts = [
        "8/8/8/8/8/8/8/K1k5 w - - 0 1\n",
        "# a comment\n8/8/8/8/8/8/8/K1k5 w  - - 007 1 \r\n8/8/8/8 w - -\n",
        "8/8/8/8/8/8/8/K1k5 b - - 3 9\n",
    ];
    for texts in [[texts[0], texts[1], texts[2]], [texts[1], texts[0], texts[2]]] {
        let files = texts.map(|text| {
            let path = packed(&folder, &crc32fast::hash(text.as_bytes()).to_string(), text);
            PackedFile::open(&path).expect("a packed file")
        });
        let path = folder.path().join("merged.parquet");
        let mut bytes = Vec::new();
        merge(&files, &mut bytes, &path, &Work::on(1)).expect("a file");
        std::fs::write(&path, &bytes).expect("a file");
        assert_eq!(unpacked(&path), texts.concat());
        append(&path, "more", texts[1]);
        assert_eq!(unpacked(&path), [&texts.concat(), texts[1]].concat());
    }
}

#[test]
fn tables_without_the_columns_that_tell_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let path = packed(&folder, "game", GAME);
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("a file"));
    let rows = reader.expect("Parquet").build().expect("Parquet").next();
    let rows = rows.expect("rows").expect("rows");
    let sums: ArrayRef = Arc::new(UInt32Array::from(vec![7]));
    let foreign = RecordBatch::try_from_iter([("checksum", sums)]).expect("a column");
    let without = |lost: &str| {
        let fields = rows.schema();
        let kept: Vec<usize> =
            (0..rows.num_columns()).filter(|&at| fields.field(at).name() != lost).collect();
        rows.project(&kept).expect("columns")
    };
    for (name, rows) in [
        ("moves", without("moves")),
        ("layout", without("layout")),
        ("checksum", without("checksum")),
        ("layout", foreign),
    ] {
        // Made by another tool, and as if plypack had made it.
        for created_by in ["other", "plypack 9"] {
            let properties = WriterProperties::builder().set_created_by(created_by.into()).build();
            let mut bytes = Vec::new();
            let mut writer = ArrowWriter::try_new(&mut bytes, rows.schema(), Some(properties))
                .expect("a writer");
            writer.write(&rows).expect("memory");
            writer.close().expect("memory");
            let length = bytes[bytes.len() - 8..].first_chunk().expect("four bytes");
            let footer = bytes.len() - 8 - u32::from_le_bytes(*length) as usize;
            let checks = [&b"plyc"[..], &[0; 4], &crc32fast::hash(&bytes[footer..]).to_le_bytes()];
            bytes.splice(footer..footer, checks.concat());
            let path = folder.path().join("lacking.parquet");
            std::fs::write(&path, &bytes).expect("a file");
            let error = PackedFile::open(&path).map(drop).expect_err(name).to_string();
            assert!(error.contains(&format!("`{name}`")), "{created_by}: {error}");
        }
    }
}
