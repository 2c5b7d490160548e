//! Copies of packed files made by other tools, with other compressions, types, column orders and
//! row group sizes. Everything that the records' bytes need is there, or the error names it.
//!
//! The copies are made with the Rust library for Parquet in the way of DuckDB, pyarrow, polars and
//! pandas, so that the test runs anywhere.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use plypack::store::Work;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int32Type, Int64Type, Time32MillisecondType, UInt32Type};
use arrow_array::{
    Array, ArrayRef, BinaryArray, Float64Array, Int64Array, ListArray, NullArray, RecordBatch,
    StringArray, StructArray, Time64MicrosecondArray, Time64NanosecondArray,
    TimestampMicrosecondArray, UInt64Array,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::properties::WriterProperties;
use plypack::store::{Completeness, Content, Error, PackedFile, export, verify};
use tempfile::TempDir;

use crate::store::common::{pack, source};

/// Games with a value in every column that a record may need.
const GAMES: &str = "[Event \"x\"]\n[Date \"1992.??.??\"]\n[WhiteElo \"2600\"]\n[Result \"*\"]\n\n\
    1. e4! { [%clk 0:01:00] } Kd7 *\n\n\
    [Event \"y\"]\n[Date \"2020.01.31\"]\n[WhiteRatingDiff \"+7\"]\n[Board \"7\"]\n\
    [UTCDate \"2020.01.31\"]\n[UTCTime \"23:59:59\"]\n\n\
    1. e4 { [%eval 0.17] [%clk 0:03:00] } (1. d4 d5 (1... Nf6)) 1... e5  2. Nf3 $14 1-0\n\n\
    junk M\u{f3}ra ((\n\n\
    [Event \"z\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n[Result \"*\"]\n\n1. a8=Q Kg6 *\n\n";

const POSITIONS: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n\
    r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - bm Qxf3; id \"x; y\"; c0 1;\n\
    # a comment\n8/8/8/8 w - -\n4k3/8/8/8/8/8/8/4K3 w  - - 007 1 \r\n";

/// Packs a text and returns the file's path.
fn packed(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("packed.parquet");
    pack(&path, vec![source("in.pgn", text.as_bytes())]);
    path
}

/// Returns the properties of a copy with this compression.
fn compressed(compression: Compression) -> WriterProperties {
    WriterProperties::builder().set_compression(compression).build()
}

/// Copies a file, with its batches converted.
fn copy(
    from: &Path,
    properties: WriterProperties,
    make: &dyn Fn(RecordBatch) -> RecordBatch,
) -> PathBuf {
    let file = File::open(from).expect("a packed file");
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(file, options);
    let batches = reader.expect("Parquet").build().expect("Parquet");
    let batches: Vec<RecordBatch> = batches.map(|batch| make(batch.expect("rows"))).collect();
    write(from, properties, &batches)
}

/// Writes a copy with these rows beside a file.
fn write(from: &Path, properties: WriterProperties, batches: &[RecordBatch]) -> PathBuf {
    let to = from.with_file_name("copy.parquet");
    let schema = batches[0].schema();
    let file = File::create(&to).expect("a file");
    let mut writer = ArrowWriter::try_new(file, schema, Some(properties)).expect("a writer");
    batches.iter().for_each(|batch| writer.write(batch).expect("memory"));
    writer.close().expect("memory");
    to
}

/// Converts the columns of a batch, and drops those for which `make` returns `None`.
fn columns(batch: &RecordBatch, make: impl Fn(&str, &ArrayRef) -> Option<ArrayRef>) -> RecordBatch {
    let schema = batch.schema();
    let columns = schema.fields().iter().zip(batch.columns()).filter_map(|(field, array)| {
        Some((field.name().clone(), make(field.name(), array)?, true))
    });
    RecordBatch::try_from_iter_with_nullable(columns).expect("columns")
}

/// Unpacks a file.
fn unpacked(path: &Path) -> Result<String, Error> {
    let file = PackedFile::open(path)?;
    let mut bytes = Vec::new();
    let mut sink = |_: &str, piece: &[u8]| {
        bytes.extend_from_slice(piece);
        Ok(())
    };
    export(&file, &Work::on(1), &mut sink)?;
    file.summary()?;
    assert!(verify(&file, 1, &Work::on(1))?.is_empty());
    // A few columns of a few rows are read in a different way.
    if file.kind() == Content::Games {
        let rows = file.read_rows(
            std::slice::from_ref(&(1..3)),
            plypack::store::Wanted::Of(&["moves", "Event"]),
        )?;
        assert_eq!(rows.len(), 2);
    }
    Ok(String::from_utf8(bytes).expect("the text is UTF-8"))
}

/// Fails unless a copy unpacks to this text.
#[track_caller]
fn same(path: &Path, text: &str, what: &str) {
    match unpacked(path) {
        Ok(found) => assert_eq!(found, text, "{what}"),
        Err(error) => panic!("{what}: {error}"),
    }
}

#[test]
fn every_usual_compression_is_read() {
    for text in [GAMES, POSITIONS] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = packed(&folder, text);
        for compression in [
            Compression::UNCOMPRESSED,
            Compression::SNAPPY,
            Compression::GZIP(GzipLevel::default()),
            Compression::LZ4_RAW,
            Compression::ZSTD(ZstdLevel::default()),
        ] {
            let what = compression.to_string();
            same(&copy(&path, compressed(compression), &|batch| batch), text, &what);
            // Small pages, row groups of one or two rows, no dictionaries, and data pages of
            // version 2.
            let odd = WriterProperties::builder()
                .set_compression(compression)
                .set_max_row_group_row_count(Some(2))
                .set_data_page_row_count_limit(1)
                .set_write_batch_size(1)
                .set_dictionary_enabled(false)
                .set_writer_version(parquet::file::properties::WriterVersion::PARQUET_2_0);
            let copied = copy(&path, odd.build(), &|batch| batch);
            if text == GAMES {
                same(&copied, text, &what);
            } else {
                // Such row groups split the block of these positions.
                let error = unpacked(&copied).expect_err("a block in pieces").to_string();
                assert!(error.contains("use the file that this is a copy of"), "{error}");
            }
        }
    }
}

#[test]
fn another_compression_is_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(&folder, GAMES);
    let copied = copy(&path, compressed(Compression::LZ4), &|batch| batch);
    let error = unpacked(&copied).expect_err("an old kind of lz4").to_string();
    for word in ["copy.parquet", "`Event`", "LZ4", "zstd"] {
        assert!(error.contains(word), "{error}");
    }
}

#[test]
fn columns_may_stand_in_any_order_with_others_between() {
    for text in [GAMES, POSITIONS] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = packed(&folder, text);
        let copied = copy(&path, compressed(Compression::SNAPPY), &|batch| {
            let schema = batch.schema();
            let names = schema.fields().iter().map(|field| field.name().clone());
            let columns = names.zip(batch.columns().to_vec()).rev();
            let more: ArrayRef = Arc::new(Float64Array::from(vec![0.5; batch.num_rows()]));
            let columns = std::iter::once(("mine".to_owned(), more)).chain(columns);
            let columns = columns.map(|(name, array)| (name, array, true));
            RecordBatch::try_from_iter_with_nullable(columns).expect("columns")
        });
        same(&copied, text, "reversed");
    }
}

/// Widens numbers of 32 bits to 64.
fn wide(array: &ArrayRef) -> ArrayRef {
    let numbers: Int64Array = match array.data_type() {
        DataType::Int32 => {
            array.as_primitive::<Int32Type>().iter().map(|value| value.map(i64::from)).collect()
        }
        DataType::UInt32 => {
            array.as_primitive::<UInt32Type>().iter().map(|value| value.map(i64::from)).collect()
        }
        _ => return Arc::clone(array),
    };
    Arc::new(numbers)
}

/// Converts the fields of a struct; null structs become structs of nulls.
fn structure(array: &StructArray, make: &dyn Fn(&ArrayRef) -> ArrayRef) -> ArrayRef {
    let parts = array.fields().iter().zip(array.columns()).rev();
    let (fields, arrays): (Vec<Field>, Vec<ArrayRef>) = parts
        .map(|(field, part)| {
            let rows = (0..array.len()).map(|row| array.is_valid(row));
            let mask = arrow_array::BooleanArray::from(rows.map(|row| !row).collect::<Vec<_>>());
            let part = nullif(&make(part), &mask);
            (Field::new(field.name(), part.data_type().clone(), true), part)
        })
        .unzip();
    Arc::new(StructArray::new(fields.into(), arrays, None))
}

/// Nulls the values that a mask selects.
fn nullif(array: &ArrayRef, mask: &arrow_array::BooleanArray) -> ArrayRef {
    let valid = arrow_buffer::NullBuffer::new(!mask.values());
    let nulls = arrow_buffer::NullBuffer::union(array.nulls(), Some(&valid));
    let data = array.to_data().into_builder().nulls(nulls).build().expect("an array");
    arrow_array::make_array(data)
}

#[test]
fn tools_have_other_types_for_the_same_values() {
    let folder = tempfile::tempdir().expect("a folder");
    for text in [GAMES, POSITIONS] {
        let path = packed(&folder, text);
        // Integers as in pandas and DuckDB; structs in another order, without nulls.
        let copied = copy(&path, compressed(Compression::SNAPPY), &|batch| {
            columns(&batch, |_, array| {
                Some(match array.as_struct_opt() {
                    Some(array) => structure(array, &wide),
                    None => wide(array),
                })
            })
        });
        same(&copied, text, "wide numbers");
        // A column without values has no type.
        let copied = copy(&path, compressed(Compression::SNAPPY), &|batch| {
            columns(&batch, |_, array| {
                let is_empty = array.null_count() == array.len();
                Some(if is_empty { Arc::new(NullArray::new(array.len())) } else { array.clone() })
            })
        });
        same(&copied, text, "no types");
        // Text as bytes, as some tools write it.
        let copied = copy(&path, compressed(Compression::SNAPPY), &|batch| {
            columns(&batch, |_, array| {
                Some(match array.as_string_opt::<i32>() {
                    Some(array) => Arc::new(BinaryArray::from(array.clone())),
                    None => array.clone(),
                })
            })
        });
        same(&copied, text, "bytes");
    }
}

#[test]
fn times_and_numbers_keep_their_values_in_other_units() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(&folder, GAMES);
    let times = |unit: i64| {
        move |array: &ArrayRef| -> Vec<Option<i64>> {
            let values = array.as_primitive::<Time32MillisecondType>().iter();
            values.map(|value| value.map(|value| i64::from(value) * unit)).collect()
        }
    };
    let (micros, nanos) = (times(1_000), times(1_000_000));
    let day = |value: Option<i32>| value.map(|day| i64::from(day) * 86_400_000_000);
    let make = |what: &str, name: &str, array: &ArrayRef| -> ArrayRef {
        match (what, name) {
            ("duckdb", "UTCTime") => Arc::new(Time64MicrosecondArray::from(micros(array))),
            ("polars", "UTCTime") => Arc::new(Time64NanosecondArray::from(nanos(array))),
            ("pandas", "UTCDate") => Arc::new(TimestampMicrosecondArray::from_iter(
                array.as_primitive::<Date32Type>().iter().map(day),
            )),
            ("pandas", "WhiteElo" | "WhiteRatingDiff") => {
                let numbers = array.as_primitive::<Int32Type>().iter();
                let floats = numbers.map(|value| Some(value.map_or(f64::NAN, f64::from)));
                Arc::new(floats.collect::<Float64Array>())
            }
            ("pandas", "checksum") => Arc::new(UInt64Array::from_iter(
                array.as_primitive::<UInt32Type>().iter().map(|value| value.map(u64::from)),
            )),
            ("polars", "tags") => {
                // A list of pairs, which polars uses instead of a map.
                let map = array.as_map();
                let pairs: ArrayRef = Arc::new(map.entries().clone());
                let element = Field::new("element", pairs.data_type().clone(), true);
                let (offsets, nulls) = (map.offsets().clone(), map.nulls().cloned());
                Arc::new(ListArray::new(Arc::new(element), offsets, pairs, nulls))
            }
            ("pandas", "tags") => {
                // A list of lists of two texts.
                let map = array.as_map();
                let [keys, values] = [map.keys(), map.values()].map(|half| half.as_string::<i32>());
                let texts = keys.iter().zip(values.iter()).flat_map(|(key, value)| [key, value]);
                let texts: ArrayRef = Arc::new(texts.collect::<StringArray>());
                let text = Field::new("element", DataType::Utf8, true);
                let offsets = OffsetBuffer::from_lengths(vec![2; keys.len()]);
                let pairs: ArrayRef =
                    Arc::new(ListArray::new(Arc::new(text), offsets, texts, None));
                let element = Field::new("element", pairs.data_type().clone(), true);
                let (offsets, nulls) = (map.offsets().clone(), map.nulls().cloned());
                Arc::new(ListArray::new(Arc::new(element), offsets, pairs, nulls))
            }
            (_, "annotations") => {
                let list = array.as_list::<i32>();
                let elements = structure(list.values().as_struct(), &wide);
                let element = Field::new("item", elements.data_type().clone(), true);
                let (offsets, nulls) = (list.offsets().clone(), list.nulls().cloned());
                Arc::new(ListArray::new(Arc::new(element), offsets, elements, nulls))
            }
            _ => array.clone(),
        }
    };
    for what in ["duckdb", "polars", "pandas"] {
        let copied = copy(&path, compressed(Compression::SNAPPY), &|batch| {
            columns(&batch, |name, array| Some(make(what, name, array)))
        });
        same(&copied, GAMES, what);
    }
}

#[test]
fn what_does_not_fit_is_refused_with_column_types_and_cure() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(&folder, GAMES);
    let texts = |array: &ArrayRef| -> ArrayRef {
        Arc::new(StringArray::from(vec![Some("7"); array.len()]))
    };
    let halves =
        |array: &ArrayRef| -> ArrayRef { Arc::new(Float64Array::from(vec![2_600.5; array.len()])) };
    let many =
        |array: &ArrayRef| -> ArrayRef { Arc::new(Int64Array::from(vec![1 << 40; array.len()])) };
    let odd_times = |array: &ArrayRef| -> ArrayRef {
        Arc::new(Time64MicrosecondArray::from(vec![1_500; array.len()]))
    };
    let part = |array: &ArrayRef| {
        let array = array.as_struct();
        let make = |part: &ArrayRef| match part.data_type() {
            DataType::Int32 => texts(part),
            _ => part.clone(),
        };
        structure(array, &make)
    };
    type Make<'a> = &'a dyn Fn(&ArrayRef) -> ArrayRef;
    for (name, make, words) in [
        ("WhiteElo", &texts as Make<'_>, &["`WhiteElo`", "texts", "numbers of the type Int32"][..]),
        ("WhiteElo", &halves, &["`WhiteElo`", "Float64", "Int32"]),
        ("WhiteElo", &many, &["`WhiteElo`", "Int64", "Int32"]),
        ("UTCTime", &odd_times, &["`UTCTime`", "microseconds", "milliseconds"]),
        ("UTCDate", &many, &["`UTCDate`", "Int64", "dates"]),
        ("checksum", &texts, &["`checksum`", "texts", "UInt32"]),
        ("moves", &texts, &["`moves`", "texts", "structs"]),
        ("moves", &part, &["`moves.plies`", "texts", "Int32"]),
        ("annotations", &texts, &["`annotations`", "texts", "lists"]),
        ("tags", &halves, &["`tags`", "Float64", "maps"]),
    ] {
        let copied = copy(&path, compressed(Compression::SNAPPY), &|batch| {
            columns(&batch, |column, array| {
                Some(if column == name { make(array) } else { array.clone() })
            })
        });
        let error = unpacked(&copied).expect_err(name).to_string();
        for word in words.iter().chain(&["copy.parquet", "cast it back"]) {
            assert!(error.contains(word), "no `{word}` in: {error}");
        }
    }
}

#[test]
fn columns_that_are_missing_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    for (text, needed, lost) in [
        (GAMES, &["checksum", "layout", "moves"][..], &["annotations", "tags"][..]),
        (GAMES, &[], &["clocks", "patch", "Event", "tag_order"]),
        (POSITIONS, &["position", "checksum", "line"], &["fullmove_number", "patch", "verbatim"]),
    ] {
        let path = packed(&folder, text);
        let without = |lost: &str| {
            copy(&path, compressed(Compression::SNAPPY), &|batch| {
                columns(&batch, |name, array| (name != lost).then(|| array.clone()))
            })
        };
        for name in needed {
            let error = unpacked(&without(name)).expect_err(name).to_string();
            let named = error.contains(&format!("`{name}`"));
            assert!(named && error.contains("all of its columns"), "{error}");
        }
        for name in lost {
            let error = unpacked(&without(name)).expect_err(name);
            assert!(matches!(error, Error::Record { .. }), "{error}");
            let error = error.to_string();
            let named = error.contains(&format!("`{name}`"));
            assert!(named && error.contains("all columns"), "{error}");
        }
        // Columns that records are not built from may be missing.
        for name in ["verbatim_reason", "played_on", "number", "source_records", "WhiteTitle"] {
            same(&without(name), text, name);
        }
    }
}

#[test]
fn a_value_that_was_changed_is_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(&folder, GAMES);
    let copied = copy(&path, compressed(Compression::SNAPPY), &|batch| {
        columns(&batch, |name, array| {
            let others: ArrayRef = Arc::new(StringArray::from(vec![Some("other"); array.len()]));
            Some(if name == "Event" { others } else { array.clone() })
        })
    });
    let error = unpacked(&copied).expect_err("another Event").to_string();
    assert!(error.contains("record 1") && error.contains("was changed"), "{error}");
}

/// Returns how much of the packed content a copy with these rows has.
fn completeness(path: &Path, rows: &[usize]) -> Completeness {
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(path).expect("a file"));
    let batch = reader.expect("Parquet").build().expect("Parquet").next();
    let batch = batch.expect("rows").expect("rows");
    let rows: Vec<RecordBatch> = rows.iter().map(|&row| batch.slice(row, 1)).collect();
    let copied = write(path, compressed(Compression::SNAPPY), &rows);
    PackedFile::open(&copied).expect("a copy").completeness().expect("columns").expect("it tells")
}

#[test]
fn a_part_of_a_file_says_that_it_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for (text, records) in [(GAMES, 4), (POSITIONS, 5)] {
        let path = packed(&folder, text);
        let file = PackedFile::open(&path).expect("a packed file");
        assert_eq!(file.records(), records);
        let whole = file.completeness().expect("columns").expect("it tells");
        assert!(whole.is_whole() && whole.packed == Some(records), "{whole:?}");
        let last = usize::try_from(records - 1).expect("few");
        let all: Vec<usize> = (0..=last).collect();
        assert!(completeness(&path, &all).is_whole());
        let found = completeness(&path, &[1, last]);
        assert_eq!((found.records, found.packed), (2, Some(records)), "{found:?}");
        let found = completeness(&path, &all[..last]);
        assert_eq!((found.packed, found.packed_min), (None, records), "{found:?}");
        let turned: Vec<usize> = all.iter().rev().copied().collect();
        let found = completeness(&path, &turned);
        assert!(found.packed == Some(records) && !found.in_order, "{found:?}");
    }
}

#[test]
fn inputs_count_apart_and_across_row_groups() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("packed.parquet");
    let game = "[Event \"x\"]\n\n1. e4 e5 *\n\n";
    let inputs = [("a", 16_384), ("none", 0), ("b", 10), ("c", 16_384 - 10), ("d", 1)];
    let inputs = inputs.map(|(name, games)| source(name, game.repeat(games).as_bytes()));
    pack(&path, inputs.into());
    let file = PackedFile::open(&path).expect("a packed file");
    assert_eq!(file.groups(), 3);
    let found = file.completeness().expect("columns").expect("it tells");
    assert!(found.is_whole() && found.records == 2 * 16_384 + 1, "{found:?}");
    // The numbers and the day are there for queries.
    let batch = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("a file"));
    let batch = batch.expect("Parquet").with_batch_size(1 << 20).build().expect("Parquet");
    let ends: Vec<i64> = batch
        .flat_map(|batch| {
            let batch = batch.expect("rows");
            let ends = batch.column_by_name("source_records").expect("a column");
            ends.as_primitive::<Int64Type>().iter().flatten().collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(ends, [16_384, 10, 16_384 - 10, 1]);
}

#[test]
fn the_day_is_a_date_where_the_text_is_complete() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = packed(&folder, GAMES);
    let reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).expect("a file"));
    let reader = reader.expect("Parquet");
    let field = |name: &str| {
        let schema: &Schema = reader.schema();
        schema.field_with_name(name).expect("a column").data_type().clone()
    };
    assert_eq!((field("Date"), field("played_on")), (DataType::Utf8, DataType::Date32));
    let batch = reader.build().expect("Parquet").next().expect("rows").expect("rows");
    let days = batch.column_by_name("played_on").expect("a column").as_primitive::<Date32Type>();
    assert_eq!(days.iter().collect::<Vec<_>>(), [None, Some(18_292), None, None]);
}
