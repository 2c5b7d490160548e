//! The columns of a file of positions, and how Parquet stores each.
//!
//! `docs/FORMAT.md` describes them for readers in other languages.

use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use parquet::basic::Encoding;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use plypack_core::codecs::blocks::BLOCK_MAX;

use crate::store::schema::{Form, GROUP_POSITIONS_MAX, Storage, column, properties, zstd};

/// The fields of the `position` column.
pub static POSITION_FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("codec", DataType::Utf8, false),
        Field::new("code", DataType::Binary, false),
    ])
});

/// The fields of the `checksum` column.
pub static CHECKSUM_FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("records", DataType::Int32, false),
        Field::new("crc", DataType::UInt32, false),
    ])
});

/// The number of records per checksum, which are also coded as one block. A checksum for each
/// record would take more space than the record.
pub const CHECKSUM_RECORDS: usize = BLOCK_MAX;

/// Maximum number of opcodes with columns.
pub const OPCODES_MAX: usize = 32;

/// The fields of the `operations` column.
pub fn operation_fields(opcodes: &[String]) -> Fields {
    opcodes.iter().map(|opcode| Field::new(opcode, DataType::Utf8, true)).collect()
}

/// Returns the schema of a file in which these opcodes have columns.
pub fn schema(opcodes: &[String]) -> SchemaRef {
    let mut fields = vec![
        Field::new("position", DataType::Struct(POSITION_FIELDS.clone()), true),
        Field::new("halfmove_clock", DataType::Int32, true),
        Field::new("fullmove_number", DataType::Int32, true),
    ];
    if !opcodes.is_empty() {
        let operations = DataType::Struct(operation_fields(opcodes));
        fields.push(Field::new("operations", operations, false));
    }
    fields.extend([
        Field::new("rest", DataType::Utf8, true),
        Field::new("layout", DataType::Utf8, true),
        Field::new("patch", DataType::Binary, true),
        Field::new("verbatim", DataType::Binary, true),
        Field::new("verbatim_reason", DataType::Utf8, true),
        Field::new("line", DataType::Int64, false),
        Field::new("source", DataType::Utf8, false),
        Field::new("source_records", DataType::Int64, true),
        Field::new("checksum", DataType::Struct(CHECKSUM_FIELDS.clone()), true),
    ]);
    Arc::new(Schema::new(fields))
}

/// Returns the type that this column has in our files; `None` if it is not one of ours.
pub(crate) fn data_type(field: &Field) -> Option<DataType> {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| schema(&[]));
    match (field.name().as_str(), field.data_type()) {
        // Its fields are named after the file's operations.
        ("operations", DataType::Struct(parts)) => {
            let names: Vec<String> = parts.iter().map(|part| part.name().clone()).collect();
            Some(DataType::Struct(operation_fields(&names)))
        }
        (name, _) => SCHEMA.field_with_name(name).ok().map(|ours| ours.data_type().clone()),
    }
}

/// The columns that a small file lacks if it has no value there. The counters are no such columns:
/// a copy that has lost them is told by that.
const FILLED: [&str; 4] = ["rest", "patch", "verbatim", "verbatim_reason"];

/// Returns the columns of a file in which these opcodes have columns.
pub(crate) fn form(opcodes: &[String]) -> Form {
    Form {
        schema: schema(opcodes),
        properties: writer_properties(opcodes),
        may_be_left_out: |name| FILLED.contains(&name),
    }
}

/// Returns the Parquet properties of the columns.
fn writer_properties(opcodes: &[String]) -> WriterProperties {
    let operations = opcodes.iter().map(|opcode| format!("operations.{opcode}"));
    let texts = ["position.code", "rest", "patch", "verbatim"].map(String::from);
    let mut properties = properties(zstd(19), false)
        .set_data_page_row_count_limit(GROUP_POSITIONS_MAX)
        .set_column_dictionary_enabled(column("checksum.crc"), false)
        .set_column_statistics_enabled(column("checksum.crc"), EnabledStatistics::None)
        .set_column_dictionary_enabled(column("line"), false)
        .set_column_encoding(column("line"), Encoding::DELTA_BINARY_PACKED);
    for text in texts.into_iter().chain(operations) {
        // One page, so that zstd's window covers all of it.
        properties = properties
            .set_column_dictionary_enabled(column(&text), false)
            .set_column_encoding(column(&text), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_statistics_enabled(column(&text), EnabledStatistics::None)
            .set_column_data_page_size_limit(column(&text), 64 << 20);
    }
    Storage::Names.set(properties, &column("source")).build()
}
