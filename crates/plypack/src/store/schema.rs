//! What all packed files share: versions, metadata keys, limits, and the ways Parquet stores a
//! column.

use arrow_schema::SchemaRef;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

/// The version of the file format. It stays: `docs/FORMAT.md` says how the format grows without
/// another.
pub const FORMAT_VERSION: u32 = 1;

/// The metadata key that holds [`FORMAT_VERSION`].
pub const VERSION_KEY: &str = "plypack.format";

/// The prefix of the program name in the footers that plypack writes: such files have checksums
/// everywhere.
const CREATED_BY: &str = "plypack ";

/// The metadata key that lists the inputs without rows (`sources.rs`).
pub const SOURCES_KEY: &str = "plypack.sources";

/// The metadata key that lists, for each row group, the CRC-32 of its record checksums (four
/// little-endian bytes each; empty for positions), as eight hexadecimal digits, separated by
/// spaces.
pub const GROUPS_KEY: &str = "plypack.groups";

/// The most records in a row group.
pub const GROUP_RECORDS_MAX: usize = 16_384;

/// The most positions in a row group. They are small, and compress better together: files shrink by
/// a quarter between 16,384 and this.
pub const GROUP_POSITIONS_MAX: usize = 262_144;

/// A row group takes no further records once its input has this many bytes: rows with many
/// annotations are large, and smaller groups make single rows cheaper to read. Packing takes about
/// ten times as much memory, which must stay below 512 MB.
pub const GROUP_BYTES_MAX: usize = 16 << 20;

pub use crate::rows::RECORD_BYTES_MAX;

/// The size of a full page in columns of games, and so the cost of reading one record.
/// `docs/bench.md` has the cost of other sizes.
pub(crate) const PAGE_BYTES: usize = 16 << 10;

/// The same for the codes and ply counts of main lines: proving that a few games reach a position
/// reads one page of each per game.
pub(crate) const MOVES_PAGE_BYTES: usize = 8 << 10;
pub(crate) const PLIES_PAGE_BYTES: usize = 2 << 10;

/// How many rows of those columns are written at a time: a page of small numbers can end only after
/// such a part.
pub(crate) const MOVES_PART_RECORDS: usize = 1_024;

/// The same as [`PAGE_BYTES`] for long texts, where large pages give zstd a longer history.
const TEXT_PAGE_BYTES: usize = 8 << 20;

/// The tag whose value is in `moves.start` if the game could read it.
pub const START_TAG: &str = plypack_records::START_TAG;

/// The columns of a file.
pub(crate) struct Form {
    pub schema: SchemaRef,
    pub properties: WriterProperties,
    /// Whether a small file lacks the column of this name if it has no value there.
    pub may_be_left_out: fn(&str) -> bool,
}

/// How Parquet stores a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Repeated values: a dictionary, if that is smaller, and zstd, with statistics for searches.
    Words,
    /// Texts that mostly begin like the one before: names of inputs, dates.
    Names,
    /// Codes, which do not compress; only their lengths do.
    Codes,
    /// Long texts.
    Texts,
    /// Bytes that were not understood, with a lower zstd level: on noise the highest levels take
    /// ten times as long.
    Bytes,
    /// Numbers that do not compress.
    Numbers,
    /// Few large codes, as they are, with statistics that tell whether there is one.
    Blocks,
    /// Numbers near the one before: record numbers, hardly a bit each, and days.
    Steps,
}

/// The columns that no record is made of, so that no record checksum covers them.
pub(crate) const BESIDE_RECORDS: [&str; 4] = ["source", "number", "source_records", "played_on"];

/// Returns whether plypack wrote a file, rather than another tool that copied it.
pub(crate) fn is_ours(metadata: &ParquetMetaData) -> bool {
    let created_by = metadata.file_metadata().created_by();
    created_by.is_some_and(|program| program.starts_with(CREATED_BY))
}

/// Returns the path of a column, or of a field within one.
pub(crate) fn column(name: &str) -> ColumnPath {
    ColumnPath::from(name.split('.').map(String::from).collect::<Vec<_>>())
}

/// Returns zstd compression of a valid level.
pub(crate) fn zstd(level: i32) -> Compression {
    Compression::ZSTD(ZstdLevel::try_new(level).unwrap_or_default())
}

/// Returns the properties that all our files share, with or without a page index.
pub(crate) fn properties(compression: Compression, indexed: bool) -> WriterPropertiesBuilder {
    WriterProperties::builder()
        .set_created_by(format!("{CREATED_BY}{}", env!("CARGO_PKG_VERSION")))
        .set_key_value_metadata(Some(vec![KeyValue::new(
            VERSION_KEY.to_owned(),
            FORMAT_VERSION.to_string(),
        )]))
        .set_compression(compression)
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_offset_index_disabled(!indexed)
        .set_dictionary_page_size_limit(4 << 20)
}

impl Storage {
    /// Sets the storage of the column at this path. For `Words` it is that of [`properties`].
    pub(crate) fn set(
        self,
        properties: WriterPropertiesBuilder,
        path: &ColumnPath,
    ) -> WriterPropertiesBuilder {
        let path = || path.clone();
        let plain = |properties: WriterPropertiesBuilder| {
            properties
                .set_column_dictionary_enabled(path(), false)
                .set_column_statistics_enabled(path(), EnabledStatistics::None)
        };
        match self {
            Self::Words => properties,
            Self::Names => properties
                .set_column_dictionary_enabled(path(), false)
                .set_column_encoding(path(), Encoding::DELTA_BYTE_ARRAY)
                .set_column_compression(path(), zstd(19)),
            Self::Codes => plain(properties)
                .set_column_encoding(path(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
                .set_column_compression(path(), Compression::UNCOMPRESSED),
            Self::Texts | Self::Bytes => plain(properties)
                .set_column_data_page_size_limit(path(), TEXT_PAGE_BYTES)
                .set_column_encoding(path(), Encoding::DELTA_LENGTH_BYTE_ARRAY)
                .set_column_compression(path(), zstd(if self == Self::Texts { 19 } else { 15 })),
            Self::Steps => properties
                .set_column_dictionary_enabled(path(), false)
                .set_column_encoding(path(), Encoding::DELTA_BINARY_PACKED),
            Self::Blocks => properties
                .set_column_dictionary_enabled(path(), false)
                .set_column_encoding(path(), Encoding::PLAIN)
                .set_column_compression(path(), Compression::UNCOMPRESSED),
            Self::Numbers => {
                plain(properties).set_column_compression(path(), Compression::UNCOMPRESSED)
            }
        }
    }
}
