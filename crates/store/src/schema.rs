//! The columns of a packed file: which they are, and how Parquet stores each.
//!
//! `docs/FORMAT.md` describes them for readers in other languages.

use std::sync::{Arc, LazyLock};

use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

/// The version of the file format. Until it is 1, it may change without notice.
pub const FORMAT_VERSION: u32 = 0;

/// The metadata key that holds [`FORMAT_VERSION`].
pub const VERSION_KEY: &str = "plypack.format";

/// The metadata key that lists the names of the inputs, in order, as a JSON array.
pub const SOURCES_KEY: &str = "plypack.sources";

/// The most records in a row group.
pub const GROUP_RECORDS_MAX: usize = 16_384;

/// The most positions in a row group. They are small, and the more of them are compressed as one,
/// the smaller they get: a quarter between 16,384 and this.
pub const GROUP_POSITIONS_MAX: usize = 262_144;

/// A row group takes no further record once its input has this many bytes. Packing takes some ten
/// times as much memory, which is to stay below 512 MB.
pub const GROUP_BYTES_MAX: usize = 32 << 20;

/// A longer record is cut into pieces of this many bytes, which are kept verbatim.
pub const RECORD_BYTES_MAX: usize = 16 << 20;

/// What the values of a tag's column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagType {
    /// Any text.
    Text,
    /// A whole number without leading zeros.
    Number,
    /// A whole number with its sign, `+0` included.
    Difference,
    /// A complete date, `2024.01.31`.
    Date,
    /// A time of day, `23:59:59`.
    Time,
}

/// The tags that have columns of their own, in column order. A value that is not canonical for its
/// column's type stands in the `tags` column instead.
pub const TAG_COLUMNS: [(&str, TagType); 28] = [
    ("Event", TagType::Text),
    ("Site", TagType::Text),
    ("Date", TagType::Text),
    ("Round", TagType::Text),
    ("White", TagType::Text),
    ("Black", TagType::Text),
    ("Result", TagType::Text),
    ("WhiteElo", TagType::Number),
    ("BlackElo", TagType::Number),
    ("WhiteTitle", TagType::Text),
    ("BlackTitle", TagType::Text),
    ("WhiteFideId", TagType::Number),
    ("BlackFideId", TagType::Number),
    ("WhiteTeam", TagType::Text),
    ("BlackTeam", TagType::Text),
    ("WhiteRatingDiff", TagType::Difference),
    ("BlackRatingDiff", TagType::Difference),
    ("UTCDate", TagType::Date),
    ("UTCTime", TagType::Time),
    ("EventDate", TagType::Text),
    ("ECO", TagType::Text),
    ("Opening", TagType::Text),
    ("Variation", TagType::Text),
    ("TimeControl", TagType::Text),
    ("Termination", TagType::Text),
    ("Variant", TagType::Text),
    ("PlyCount", TagType::Number),
    ("Annotator", TagType::Text),
];

/// The tag whose value `moves.start` holds when the game could read it.
pub const START_TAG: &str = plypack_records::START_TAG;

/// The fields of the `moves` column.
pub static MOVE_FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("codec", DataType::Utf8, false),
        Field::new("start", DataType::Utf8, true),
        Field::new("plies", DataType::Int32, false),
        Field::new("code", DataType::Binary, false),
    ])
});

/// The fields of the `clocks`, `evals` and `reviews` columns.
pub static SERIES_FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("codec", DataType::Utf8, false),
        Field::new("code", DataType::Binary, false),
    ])
});

/// The fields of an element of the `annotations` column.
pub static ANNOTATION_FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    Fields::from(vec![
        Field::new("skip", DataType::Int32, false),
        Field::new("kind", DataType::Utf8, false),
        Field::new("text", DataType::Utf8, true),
        Field::new("plies", DataType::Int32, true),
        Field::new("code", DataType::Binary, true),
    ])
});

/// The element of the `annotations` column.
pub static ANNOTATION: LazyLock<Arc<Field>> = LazyLock::new(|| {
    Arc::new(Field::new("element", DataType::Struct(ANNOTATION_FIELDS.clone()), false))
});

/// The columns.
pub static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let mut fields: Vec<Field> = TAG_COLUMNS
        .iter()
        .map(|&(name, kind)| {
            let data_type = match kind {
                TagType::Text => DataType::Utf8,
                TagType::Number | TagType::Difference => DataType::Int32,
                TagType::Date => DataType::Date32,
                TagType::Time => DataType::Time32(TimeUnit::Millisecond),
            };
            Field::new(name, data_type, true)
        })
        .collect();
    let entry = Field::new(
        "key_value",
        DataType::Struct(Fields::from(vec![
            Field::new("key", DataType::Utf8, false),
            Field::new("value", DataType::Utf8, true),
        ])),
        false,
    );
    fields.extend([
        Field::new("tags", DataType::Map(Arc::new(entry), false), true),
        Field::new("moves", DataType::Struct(MOVE_FIELDS.clone()), true),
        Field::new("clocks", DataType::Struct(SERIES_FIELDS.clone()), true),
        Field::new("evals", DataType::Struct(SERIES_FIELDS.clone()), true),
        Field::new("reviews", DataType::Struct(SERIES_FIELDS.clone()), true),
        Field::new("annotations", DataType::List(ANNOTATION.clone()), true),
        Field::new("tag_order", DataType::Utf8, true),
        Field::new("layout", DataType::Utf8, true),
        Field::new("patch", DataType::Binary, true),
        Field::new("verbatim", DataType::Binary, true),
        Field::new("verbatim_reason", DataType::Utf8, true),
        Field::new("source", DataType::Utf8, false),
        Field::new("checksum", DataType::UInt32, false),
    ]);
    Arc::new(Schema::new(fields))
});

/// The path of a column, or of a field within one.
pub(crate) fn column(name: &str) -> ColumnPath {
    ColumnPath::from(name.split('.').map(String::from).collect::<Vec<_>>())
}

/// Compression of a level that zstd has.
pub(crate) fn zstd(level: i32) -> Compression {
    Compression::ZSTD(ZstdLevel::try_new(level).unwrap_or_default())
}

/// What all our files have in common.
pub(crate) fn properties(compression: Compression) -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_created_by(concat!("plypack ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_key_value_metadata(Some(vec![KeyValue::new(
            VERSION_KEY.to_owned(),
            FORMAT_VERSION.to_string(),
        )]))
        .set_compression(compression)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(true)
        .set_dictionary_page_size_limit(4 << 20)
}

/// How Parquet writes the columns.
pub(crate) fn writer_properties() -> WriterProperties {
    let codes = ["moves.code", "clocks.code", "evals.code", "reviews.code"];
    let texts =
        ["verbatim", "patch", "annotations.list.element.text", "annotations.list.element.code"];
    let checksum = column("checksum");
    let mut properties = properties(zstd(12))
        .set_data_page_row_count_limit(GROUP_RECORDS_MAX)
        .set_column_dictionary_enabled(checksum.clone(), false)
        .set_column_statistics_enabled(checksum.clone(), EnabledStatistics::None)
        .set_column_compression(checksum, Compression::UNCOMPRESSED);
    for code in codes.map(column) {
        // Codes do not compress further; their lengths do, packed to a few bits each.
        properties = properties
            .set_column_dictionary_enabled(code.clone(), false)
            .set_column_encoding(code.clone(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_statistics_enabled(code.clone(), EnabledStatistics::None)
            .set_column_compression(code, Compression::UNCOMPRESSED);
    }
    for text in texts.map(column) {
        // Large pages give zstd more to look back on.
        properties = properties
            .set_column_dictionary_enabled(text.clone(), false)
            .set_column_encoding(text.clone(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
            .set_column_statistics_enabled(text.clone(), EnabledStatistics::None)
            .set_column_compression(text.clone(), zstd(19))
            .set_column_data_page_size_limit(text, 8 << 20);
    }
    properties.build()
}
