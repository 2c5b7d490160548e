//! Tables of games other than packed files: the PGN they produce, and its round trip.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::store::Work;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use arrow_array::builder::{Int32Builder, ListBuilder};
use arrow_array::{
    ArrayRef, BinaryArray, Date32Array, Float64Array, Int16Array, Int64Array, RecordBatch,
    StringArray, Time32MillisecondArray, Time64MicrosecondArray, TimestampMicrosecondArray,
};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding};
use parquet::file::properties::{WriterProperties, WriterVersion};
use plypack::store::input::table::Table;
use plypack::store::{Error, PackedFile, Source, export};

use crate::store::common::pack;

/// The columns of a table, with their names.
type Columns = Vec<(&'static str, ArrayRef)>;

fn texts(values: &[Option<&str>]) -> ArrayRef {
    Arc::new(StringArray::from(values.to_vec()))
}

/// Writes a table with these columns, in row groups of two rows.
fn table(columns: Columns, properties: WriterProperties) -> Vec<u8> {
    let columns = columns.into_iter().map(|(name, column)| (name, column, true));
    let rows = RecordBatch::try_from_iter_with_nullable(columns).expect("columns");
    let mut bytes = Vec::new();
    let writer = ArrowWriter::try_new(&mut bytes, rows.schema(), Some(properties));
    let mut writer = writer.expect("a writer");
    for start in (0..rows.num_rows()).step_by(2) {
        writer.write(&rows.slice(start, 2.min(rows.num_rows() - start))).expect("memory");
        writer.flush().expect("memory");
    }
    writer.close().expect("memory");
    bytes
}

fn plain(columns: Columns) -> Vec<u8> {
    table(columns, WriterProperties::default())
}

fn open(bytes: &[u8]) -> Result<Option<Table>, Error> {
    Table::open(Path::new("t.parquet"), Box::new(Bytes::from(bytes.to_vec())))
}

/// Returns the PGN of a table, or the error.
fn text(bytes: &[u8]) -> Result<String, String> {
    let mut table = open(bytes).map_err(|error| error.to_string())?.expect("a table of games");
    let mut text = String::new();
    table.read_to_string(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

/// Three games as Lichess publishes them, the last mostly empty.
fn lichess() -> Columns {
    let moves = "1. e4 { [%eval 0.2] [%clk 0:10:00] } 1... e5 { [%eval 0.3] [%clk 0:09:58] } 1-0";
    vec![
        ("Event", texts(&[Some("Rated Blitz game"), Some("Rated \"B\\C\" game"), None])),
        ("Site", texts(&[Some("https://lichess.org/a"), Some("https://lichess.org/b"), None])),
        ("White", texts(&[Some("M\u{fc}ller"), Some("w"), None])),
        ("Black", texts(&[Some("b"), Some("b"), None])),
        ("Result", texts(&[Some("1-0"), Some("1/2-1/2"), None])),
        ("WhiteTitle", texts(&[Some("GM"), None, None])),
        ("BlackTitle", texts(&[None, None, None])),
        ("WhiteElo", Arc::new(Int16Array::from(vec![Some(2600), None, None]))),
        ("BlackElo", Arc::new(Int16Array::from(vec![Some(1500), Some(900), None]))),
        ("WhiteRatingDiff", Arc::new(Int16Array::from(vec![Some(5), Some(0), None]))),
        ("BlackRatingDiff", Arc::new(Int16Array::from(vec![Some(-5), None, None]))),
        ("UTCDate", Arc::new(Date32Array::from(vec![Some(19_753), Some(-1), None]))),
        ("UTCTime", Arc::new(Time32MillisecondArray::from(vec![Some(86_399_000), Some(0), None]))),
        ("ECO", texts(&[Some("C20"), Some("?"), None])),
        ("Opening", texts(&[Some("King's Pawn Game"), Some("?"), None])),
        ("Termination", texts(&[Some("Normal"), Some("Time forfeit"), None])),
        ("TimeControl", texts(&[Some("600+0"), Some("-"), None])),
        ("movetext", texts(&[Some(moves), Some("1. d4 d5"), None])),
    ]
}

const LICHESS: &str = "[Event \"Rated Blitz game\"]
[Site \"https://lichess.org/a\"]
[White \"M\u{fc}ller\"]
[Black \"b\"]
[Result \"1-0\"]
[UTCDate \"2024.01.31\"]
[UTCTime \"23:59:59\"]
[WhiteElo \"2600\"]
[BlackElo \"1500\"]
[WhiteRatingDiff \"+5\"]
[BlackRatingDiff \"-5\"]
[WhiteTitle \"GM\"]
[ECO \"C20\"]
[Opening \"King's Pawn Game\"]
[TimeControl \"600+0\"]
[Termination \"Normal\"]

1. e4 { [%eval 0.2] [%clk 0:10:00] } 1... e5 { [%eval 0.3] [%clk 0:09:58] } 1-0

[Event \"Rated \\\"B\\\\C\\\" game\"]
[Site \"https://lichess.org/b\"]
[White \"w\"]
[Black \"b\"]
[Result \"1/2-1/2\"]
[UTCDate \"1969.12.31\"]
[UTCTime \"00:00:00\"]
[BlackElo \"900\"]
[WhiteRatingDiff \"+0\"]
[ECO \"?\"]
[Opening \"?\"]
[TimeControl \"-\"]
[Termination \"Time forfeit\"]

1. d4 d5 1/2-1/2

*

";

#[test]
fn rows_become_the_records_that_lichess_writes_and_come_back() {
    let bytes = plain(lichess());
    assert_eq!(text(&bytes).as_deref(), Ok(LICHESS));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("packed.parquet");
    let table = open(&bytes).expect("a table").expect("games");
    assert!(table.left_out().is_empty(), "{:?}", table.left_out());
    let report = pack(&path, vec![Source::new("t.pgn", Box::new(table))]);
    assert_eq!((report.records, report.verbatim_records(), report.plies), (3, 0, 4));
    let mut back = Vec::new();
    let mut sink = |_: &str, piece: &[u8]| {
        back.extend_from_slice(piece);
        Ok(())
    };
    let file = PackedFile::open(&path).expect("a packed file");
    export(&file, &Work::on(1), &mut sink).expect("records");
    assert_eq!(String::from_utf8(back).expect("UTF-8"), LICHESS);
}

#[test]
fn every_way_to_store_a_table_gives_the_same() {
    let builder = WriterProperties::builder;
    for properties in [
        builder().set_compression(Compression::SNAPPY).build(),
        builder().set_compression(Compression::ZSTD(Default::default())).build(),
        builder().set_compression(Compression::GZIP(Default::default())).build(),
        builder().set_compression(Compression::LZ4_RAW).build(),
        builder().set_dictionary_enabled(false).build(),
        builder().set_dictionary_enabled(false).set_encoding(Encoding::DELTA_BYTE_ARRAY).build(),
        builder().set_writer_version(WriterVersion::PARQUET_2_0).build(),
        builder().set_data_page_row_count_limit(1).set_write_batch_size(1).build(),
    ] {
        let strings = |column: &(&str, ArrayRef)| column.1.data_type().is_string();
        let columns: Columns = if properties.encoding(&"Event".into()).is_some() {
            lichess().into_iter().filter(strings).collect()
        } else {
            lichess()
        };
        let expected = text(&plain(columns.clone()));
        assert_eq!(text(&table(columns, properties.clone())), expected, "{properties:?}");
    }
}

#[test]
fn names_match_in_any_case_and_types_may_be_those_of_other_tools() {
    let bytes = plain(vec![
        ("MoveText", texts(&[Some("1. e4\n1... e5 *"), Some("  ")])),
        ("utctime", Arc::new(Time64MicrosecondArray::from(vec![1_000_000, 2_000_000]))),
        ("utcdate", Arc::new(TimestampMicrosecondArray::from(vec![Some(86_400_000_000), None]))),
        ("Board", Arc::new(Int64Array::from(vec![7, -8]))),
        ("whiteratingdiff", Arc::new(Float64Array::from(vec![f64::NAN, 12.0]))),
        ("result", texts(&[Some("1-0"), Some("won")])),
    ]);
    let expected = "[Result \"1-0\"]\n[UTCDate \"1970.01.02\"]\n[UTCTime \"00:00:01\"]\n\
        [Board \"7\"]\n\n1. e4\n1... e5 *\n\n[Result \"won\"]\n[UTCTime \"00:00:02\"]\n\
        [WhiteRatingDiff \"+12\"]\n[Board \"-8\"]\n\n*\n\n";
    assert_eq!(text(&bytes).as_deref(), Ok(expected));
}

#[test]
fn columns_that_are_no_tags_are_left_out_by_name() {
    let mut list = ListBuilder::new(Int32Builder::new());
    list.append_value([Some(1), Some(2)]);
    let bytes = plain(vec![
        ("moves_uci", Arc::new(list.finish())),
        ("score", Arc::new(Float64Array::from(vec![0.5]))),
        ("white name", texts(&[Some("w")])),
        ("1st", texts(&[Some("w")])),
        ("raw", Arc::new(BinaryArray::from(vec![&b"x"[..]]))),
        ("movetext", texts(&[Some("1. e4")])),
        ("added", Arc::new(TimestampMicrosecondArray::from(vec![5]))),
    ]);
    let table = open(&bytes).expect("a table").expect("games");
    let names: Vec<&str> =
        table.left_out().iter().filter_map(|column| column.split('`').nth(1)).collect();
    assert_eq!(names, ["moves_uci", "score", "white name", "1st", "raw", "added"]);
    assert!(table.left_out()[0].contains("lists"), "{:?}", table.left_out());
    assert_eq!(text(&bytes).as_deref(), Ok("1. e4 *\n\n"));
}

#[test]
fn a_table_without_rows_has_no_records() {
    assert_eq!(text(&plain(vec![("movetext", texts(&[]))])).as_deref(), Ok(""));
}

#[test]
fn other_files_are_no_tables() {
    let other = plain(vec![("a", texts(&[Some("b")]))]);
    for bytes in [&other[..], b"", b"PAR1", b"PAR1 noise PAR1", &other[..other.len() - 1]] {
        assert!(open(bytes).expect("no table").is_none());
    }
}

#[test]
fn what_cannot_be_a_game_is_refused_with_its_place() {
    let games = || texts(&[Some("1. e4 *"), Some("1. d4 *"), Some("1. c4 *")]);
    let third = |value| texts(&[None, Some("fine"), Some(value)]);
    let cases: Vec<(Columns, &[&str])> = vec![
        (vec![("movetext", Arc::new(Int64Array::from(vec![1])))], &["`movetext`", "numbers"]),
        (vec![("movetext", games()), ("Movetext", games())], &["two columns of movetext"]),
        (
            vec![("movetext", games()), ("White", third("a")), ("white", third("b"))],
            &["`White` and `white`", "leave one out"],
        ),
        (vec![("movetext", games()), ("White", third("a\nb"))], &["row 3", "White", "line break"]),
        (vec![("movetext", games()), ("White", third("a\rb"))], &["row 3", "White"]),
        (
            vec![
                ("movetext", games()),
                ("UTCDate", Arc::new(Date32Array::from(vec![0, 1, i32::MAX]))),
            ],
            &["row 3", "UTCDate", "day"],
        ),
        (
            vec![
                ("movetext", games()),
                ("UTCTime", Arc::new(Time32MillisecondArray::from(vec![0, 86_400_000, 0]))),
            ],
            &["row 2", "UTCTime", "time of day"],
        ),
        (
            vec![
                ("movetext", games()),
                ("WhiteElo", Arc::new(Float64Array::from(vec![1.0, 2.0, 2.5]))),
            ],
            &["`WhiteElo`", "rows 3 to 3", "whole number"],
        ),
        (vec![("movetext", third("1. e4 { no end"))], &["row 3", "comment"]),
        (vec![("movetext", third("1. e4 *\n\n1. d4 *"))], &["row 3", "several results"]),
        (vec![("movetext", third("*\n\n[Event \"x\"]\n\n1. d4 *"))], &["row 3", "tags"]),
        (vec![("movetext", third("% 1. e4"))], &["row 3"]),
    ];
    for (columns, words) in cases {
        let why = text(&plain(columns)).expect_err("no game");
        assert!(why.starts_with("t.parquet: "), "{why}");
        assert!(words.iter().all(|word| why.contains(word)), "{why}: {words:?}");
    }
}

/// A kilobyte of file may hold a text of a gigabyte, or many rows of a megabyte each.
#[test]
fn a_table_does_not_make_us_take_much_memory() {
    let long = "x".repeat(150 << 20);
    let zstd = |dictionary| {
        let builder = WriterProperties::builder().set_dictionary_enabled(dictionary);
        let builder = builder.set_dictionary_page_size_limit(1 << 30);
        builder.set_compression(Compression::ZSTD(Default::default())).build()
    };
    let one = table(vec![("movetext", texts(&[Some(&long)]))], zstd(false));
    assert!(one.len() < 100_000, "{}", one.len());
    let why = text(&one).expect_err("too large");
    assert!(why.contains("larger than plypack reads") && why.contains("movetext"), "{why}");

    let rows = [Some(&long[..2 << 20]); 2];
    let shared = table(vec![("movetext", texts(&rows))], zstd(true));
    let why = text(&shared).expect_err("too large");
    assert!(why.contains("larger than plypack reads"), "{why}");

    let usual = [Some(&long[..100_000]); 2];
    assert!(text(&table(vec![("movetext", texts(&usual))], zstd(true))).is_ok());
}

#[test]
fn no_damage_makes_it_panic() {
    let bytes = plain(lichess());
    let mut read = 0;
    for at in 0..bytes.len() {
        for change in [0x01, 0xff] {
            let mut damaged = bytes.clone();
            damaged[at] ^= change;
            let Ok(Some(mut table)) = open(&damaged) else { continue };
            read += usize::from(table.read_to_end(&mut Vec::new()).is_ok());
        }
        assert!(open(&bytes[..at]).is_ok_and(|table| table.is_none()), "{at}");
    }
    assert!(read > 0);
}
