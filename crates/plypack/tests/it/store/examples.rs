//! The worked examples of `docs/FORMAT.md` about files: rows of the golden files in `vectors/file`,
//! as any Parquet reader gives them, taken apart.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::fmt::Write;
use std::fs::File;
use std::path::PathBuf;

use arrow_array::cast::AsArray;
use arrow_array::types::{Date32Type, Int32Type, Int64Type, Time32MillisecondType, UInt32Type};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{ConvertedType, Repetition, Type};
use parquet::file::metadata::FileMetaData;
use plypack::store::PackedFile;
use plypack::store::games::schema::SCHEMA;
use plypack_testing::examples::{self, Example};

const EXAMPLES: [Example; 10] = [
    ("metadata", metadata),
    ("columns", columns),
    ("row", || row("pgn-server/line.uniform-v1", 0)),
    ("id", id),
    ("annotations", || row("pgn-annotated/line.uniform-v1", 2)),
    ("fields", || row("pgn-engine/line.uniform-v1", 2)),
    ("prose", prose),
    ("patch", patch),
    ("position", || row("epd-chess/default-v1", 2)),
    ("position-last", || row("epd-chess/default-v1", 86)),
];

#[test]
fn examples_are_what_the_files_hold() {
    examples::check("store", &EXAMPLES);
}

#[test]
#[ignore = "writes docs/FORMAT.md"]
fn write_examples() {
    examples::write("store", &EXAMPLES);
}

fn path(name: &str) -> PathBuf {
    let file = format!("{name}.parquet");
    [env!("CARGO_MANIFEST_DIR"), "../../vectors/file", &file].iter().collect()
}

/// Opens a golden file: its rows and its metadata.
fn open(name: &str) -> (RecordBatch, FileMetaData) {
    let file = File::open(path(name)).expect(name);
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).expect("Parquet");
    let about = reader.metadata().file_metadata().clone();
    let mut batches = reader.with_batch_size(1 << 20).build().expect("Parquet");
    (batches.next().expect("rows").expect("Parquet"), about)
}

/// Adds a line that describes something, wrapped to the width of the document.
fn line(out: &mut String, name: &str, text: &str) {
    let mut head = format!("{name:<22}");
    let mut width = head.len();
    for (at, word) in text.split(' ').enumerate() {
        if at > 0 && width + 1 + word.chars().count() > 96 {
            writeln!(out, "{head}").expect("memory");
            head = " ".repeat(22);
            width = head.len();
        } else if at > 0 {
            head.push(' ');
            width += 1;
        }
        head.push_str(word);
        width += word.chars().count();
    }
    writeln!(out, "{}", head.trim_end()).expect("memory");
}

/// Formats bytes as hexadecimal digits separated by spaces.
fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    digits.join(" ")
}

/// Adds the value of a column in a row, part by part, if there is one.
fn cell(out: &mut String, name: &str, array: &ArrayRef, row: usize) {
    if array.is_null(row) {
        return;
    }
    let parts = |out: &mut String, name: &str, parts: &StructArray, row: usize| {
        for (part, array) in parts.column_names().into_iter().zip(parts.columns()) {
            cell(out, &format!("{name}.{part}"), array, row);
        }
    };
    match array.data_type() {
        DataType::Utf8 => line(out, name, &format!("{:?}", array.as_string::<i32>().value(row))),
        DataType::Binary => line(out, name, &hex(array.as_binary::<i32>().value(row))),
        DataType::Int32 => line(out, name, &number(array.as_primitive::<Int32Type>().value(row))),
        DataType::Int64 => line(out, name, &number(array.as_primitive::<Int64Type>().value(row))),
        DataType::UInt32 => {
            let value = array.as_primitive::<UInt32Type>().value(row);
            line(out, name, &format!("{value} = 0x{value:08x}"));
        }
        DataType::Date32 => {
            let days = array.as_primitive::<Date32Type>().value(row);
            line(out, name, &format!("{days} days"));
        }
        DataType::Time32(TimeUnit::Millisecond) => {
            let time = array.as_primitive::<Time32MillisecondType>().value(row);
            line(out, name, &format!("{time} milliseconds"));
        }
        DataType::Struct(_) => parts(out, name, array.as_struct(), row),
        DataType::List(_) => {
            let elements = array.as_list::<i32>().value(row);
            for at in 0..elements.len() {
                let mut element = String::new();
                parts(&mut element, "", elements.as_struct(), at);
                let fields = element.lines().map(|part| {
                    let (name, value) = part.split_at(22);
                    format!("{} {value}", name.trim().trim_start_matches('.'))
                });
                let fields: Vec<String> = fields.collect();
                line(out, &format!("{name}[{at}]"), &fields.join(", "));
            }
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let [keys, values] = entries.columns() else { panic!("{name}") };
            let (keys, values) = (keys.as_string::<i32>(), values.as_string::<i32>());
            let pairs = keys.iter().zip(values);
            let pairs: Vec<String> =
                pairs.map(|(key, value)| format!("{key:?}: {value:?}")).collect();
            line(out, name, &format!("{{{}}}", pairs.join(", ")));
        }
        other => panic!("{name} is {other}"),
    }
}

fn number(value: impl ToString) -> String {
    value.to_string()
}

/// Describes a whole row.
fn row(file: &str, row: usize) -> String {
    let (rows, _) = open(file);
    let mut out = String::new();
    for (field, array) in rows.schema().fields().iter().zip(rows.columns()) {
        cell(&mut out, field.name(), array, row);
    }
    out
}

fn metadata() -> String {
    let (_, about) = open("several-inputs/default-v1");
    let mut out = String::new();
    line(&mut out, "created_by", about.created_by().expect("ours"));
    for pair in about.key_value_metadata().into_iter().flatten() {
        if pair.key.starts_with("plypack.") {
            line(&mut out, &pair.key, pair.value.as_deref().expect("ours"));
        }
    }
    out
}

/// Describes the columns as in Parquet, except text columns of tags.
fn columns() -> String {
    // Small files lack those without values.
    let all = ArrowSchemaConverter::new().convert(&SCHEMA).expect("our columns");
    let mut out = String::new();
    for column in all.columns() {
        let path = column.path().string();
        let text = column.converted_type() == ConvertedType::UTF8;
        let tag = path.starts_with(|first: char| first.is_ascii_uppercase());
        if tag && text && path != "Event" {
            continue;
        }
        let kind = match column.physical_type() {
            Type::BYTE_ARRAY => "BYTE_ARRAY",
            Type::INT32 => "INT32",
            Type::INT64 => "INT64",
            other => panic!("{path} is {other}"),
        };
        let said = match column.converted_type() {
            ConvertedType::NONE => String::new(),
            said => format!(" {said}"),
        };
        let leaf = match column.self_type().get_basic_info().repetition() {
            Repetition::REQUIRED => "required",
            _ => "optional",
        };
        let levels = (column.max_def_level(), column.max_rep_level());
        line(&mut out, &path, &format!(" {kind}{said}, {leaf}; levels {} {}", levels.0, levels.1));
    }
    out
}

fn id() -> String {
    let file = PackedFile::open(&path("pgn-server/line.uniform-v1")).expect("ours");
    let mut out = String::new();
    for row in 0..2 {
        line(&mut out, &format!("row {row}"), &file.id(row).expect("a record").to_string());
    }
    out
}

/// Takes a LEB128 number from the front.
fn leb128(bytes: &mut &[u8]) -> usize {
    let length = bytes.iter().position(|byte| byte & 0x80 == 0).expect("a last byte") + 1;
    let (number, rest) = bytes.split_at(length);
    *bytes = rest;
    number.iter().rev().fold(0, |sum, byte| sum << 7 | usize::from(byte & 0x7f))
}

/// Describes the code of a block of prose.
fn prose() -> String {
    let (rows, _) = open("pgn-prose/default-v1");
    let last = rows.num_rows() - 1;
    let column = rows.column_by_name("prose").expect("ours").as_binary::<i32>();
    let mut out = String::new();
    let mut rest = column.value(last);
    line(&mut out, "codec", &number(leb128(&mut rest)));
    let (digest, mut rest) = rest.split_at(4);
    line(&mut out, "digest", &hex(digest));
    line(&mut out, "texts", &number(leb128(&mut rest)));
    line(&mut out, "bytes", &number(leb128(&mut rest)));
    let table = plypack_core::codecs::prose::beginning();
    let (before, end) = table.split_at(table.len() - 4);
    line(&mut out, "table", &format!("{} bytes, .. {}", before.len() + end.len(), hex(end)));
    line(&mut out, "code", &hex(rest));
    let checksums = rows.column_by_name("checksum").expect("ours").as_primitive::<UInt32Type>();
    let checksums = [checksums.value(0), checksums.value(1)];
    let texts = plypack::rows::prose::decode(column.value(last), &checksums).expect("its rows");
    for (at, text) in texts.iter().enumerate() {
        line(&mut out, &format!("text[{at}]"), &format!("{text:?}"));
    }
    out
}

fn patch() -> String {
    let (rows, _) = open("pgn-broken/default-v1");
    let patch = rows.column_by_name("patch").expect("ours").as_binary::<i32>().value(1).to_vec();
    let mut out = String::new();
    line(&mut out, "patch", &hex(&patch));
    let mut rest = &patch[..];
    while !rest.is_empty() {
        let [keep, drop, insert] = [(); 3].map(|()| leb128(&mut rest));
        let (bytes, after) = rest.split_at(insert);
        rest = after;
        let text = String::from_utf8_lossy(bytes).into_owned();
        line(&mut out, &format!("keep {keep}, drop {drop}"), &format!("insert {insert}: {text:?}"));
    }
    out
}
