//! Copies of packed files that other tools made, and what the verbs say about them.

#![allow(
    clippy::expect_used,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::fs::File;

use crate::common::Sandbox;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;

const GAME: &str = "[Event \"x\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";

/// A copy with these rows, as tools make with `WHERE`.
fn copy(sandbox: &Sandbox, rows: &[usize], compression: Compression) {
    let file = File::open(sandbox.path("packed.parquet")).expect("a packed file");
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let schema = reader.schema().clone();
    let batch = reader.build().expect("Parquet").next().expect("rows").expect("rows");
    let properties = WriterProperties::builder().set_compression(compression).build();
    let copy = File::create(sandbox.path("copy.parquet")).expect("a file");
    let mut writer = ArrowWriter::try_new(copy, schema, Some(properties)).expect("a writer");
    rows.iter().for_each(|&row| writer.write(&batch.slice(row, 1)).expect("memory"));
    writer.close().expect("memory");
}

#[test]
fn a_part_of_a_file_is_unpacked_and_called_one() {
    let sandbox = Sandbox::new();
    sandbox.write("in.pgn", GAME.repeat(4));
    sandbox.run(["pack", "-q", "in.pgn", "-o", "packed.parquet"]).expect(0);
    let whole = sandbox.run(["unpack", "packed.parquet", "-o", "back.pgn", "--json"]).expect(0);
    let told = &whole.json()[0];
    assert_eq!((&told["records"], &told["packed_records"]), (&4.into(), &4.into()));
    assert_eq!((&told["whole"], whole.err.as_str()), (&true.into(), ""));
    for (rows, packed, notice) in [
        (&[0, 1, 2, 3][..], Some(4), None),
        (&[1, 3], Some(4), Some("a part of what was packed: 2 of 4 records")),
        (&[0, 1], None, Some("a part of what was packed: 2 records of 3 or more")),
        (&[1, 0, 2, 3], Some(4), Some("all 4 records are here, but not in their original order")),
    ] {
        copy(&sandbox, rows, Compression::SNAPPY);
        let unpack = ["unpack", "-f", "copy.parquet", "-o", "back.pgn", "--json"];
        let done = sandbox.run(unpack).expect(0);
        assert_eq!(sandbox.read("back.pgn"), GAME.repeat(rows.len()).into_bytes());
        let told = &done.json()[0];
        assert_eq!(told["packed_records"].as_u64(), packed, "{told}");
        assert_eq!(told["whole"], notice.is_none(), "{told}");
        let listed = &sandbox.run(["ls", "--json", "copy.parquet"]).expect(0).json()[0];
        assert_eq!(
            (&listed["whole"], &listed["packed_records"]),
            (&told["whole"], &told["packed_records"])
        );
        for done in [done, sandbox.run(["verify", "copy.parquet"]).expect(0)] {
            assert_eq!(done.err.contains("copy.parquet: a"), notice.is_some(), "{}", done.err);
            assert!(done.err.contains(notice.unwrap_or_default()), "{}", done.err);
        }
    }
    let both = ["unpack", "packed.parquet", "-o", "-", "--json"];
    sandbox.run(both).refuses(2, &["--json", "-o"]);
}

#[test]
fn what_is_not_read_is_named_with_the_cure() {
    let sandbox = Sandbox::new();
    sandbox.write("in.pgn", GAME);
    sandbox.run(["pack", "-q", "in.pgn", "-o", "packed.parquet"]).expect(0);
    copy(&sandbox, &[0], Compression::LZ4);
    for verb in ["unpack", "cat", "ls", "verify"] {
        sandbox.run([verb, "copy.parquet"]).refuses(2, &["copy.parquet", "`Event`", "zstd"]);
    }
}
