//! What all packed files have in common: versions, keys of the metadata, limits, and the ways in
//! which Parquet stores a column.

use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::{KeyValue, ParquetMetaData};
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesBuilder};
use parquet::schema::types::ColumnPath;

/// The version of the file format. Until it is 1, it may change without notice.
pub const FORMAT_VERSION: u32 = 0;

/// The metadata key that holds [`FORMAT_VERSION`].
pub const VERSION_KEY: &str = "plypack.format";

/// What the footer calls the program that wrote a file, before its version: such a file has
/// checksums everywhere.
const CREATED_BY: &str = "plypack ";

/// The metadata key that lists the inputs without rows (`sources.rs`).
pub const SOURCES_KEY: &str = "plypack.sources";

/// The metadata key that lists, of each row group, the CRC-32 of its records' checksums, each of
/// four bytes, least significant first, or of nothing for positions: eight hexadecimal digits each,
/// a space between two.
pub const GROUPS_KEY: &str = "plypack.groups";

/// The most records in a row group.
pub const GROUP_RECORDS_MAX: usize = 16_384;

/// The most positions in a row group. They are small, and the more of them are compressed as one,
/// the smaller they get: a quarter between 16,384 and this.
pub const GROUP_POSITIONS_MAX: usize = 262_144;

/// A row group takes no further record once its input has this many bytes: rows with much beside
/// the moves are large, and a group of fewer of them makes one cheaper to read. Packing takes some
/// ten times as much memory, which is to stay below 512 MB.
pub const GROUP_BYTES_MAX: usize = 16 << 20;

pub use plypack_rows::RECORD_BYTES_MAX;

/// A page of a column of games is full once it has this many bytes: what one record costs to read.
/// `docs/bench.md` says what other sizes cost.
pub(crate) const PAGE_BYTES: usize = 16 << 10;

/// The same for the codes of main lines and for how many plies these have: to prove that a few
/// games reach a position takes a page of each for every game.
pub(crate) const MOVES_PAGE_BYTES: usize = 8 << 10;
pub(crate) const PLIES_PAGE_BYTES: usize = 2 << 10;

/// How many rows of those columns are written at a time: a page of small numbers is only ended
/// behind one of these parts.
pub(crate) const MOVES_PART_RECORDS: usize = 1_024;

/// The same as [`PAGE_BYTES`] for long texts, of which large pages give zstd more to look back on.
const TEXT_PAGE_BYTES: usize = 8 << 20;

/// The tag whose value `moves.start` holds when the game could read it.
pub const START_TAG: &str = plypack_records::START_TAG;

/// How Parquet stores a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Storage {
    /// Values that recur: a dictionary and zstd, with statistics for those who search.
    Words,
    /// Texts most of which begin as the one before: names of inputs, dates.
    Names,
    /// Codes, which do not compress further; only their lengths do.
    Codes,
    /// Long texts.
    Texts,
    /// Bytes that nobody understood, and on which zstd does not try as hard: on noise its highest
    /// levels take ten times as long as this one.
    Bytes,
    /// Numbers that do not compress.
    Numbers,
    /// Numbers that are near the one before: of records, hardly a bit each, and days.
    Steps,
}

/// The columns of which no record is made, so that no checksum of a record tells of damage to them.
pub(crate) const BESIDE_RECORDS: [&str; 4] = ["source", "number", "source_records", "played_on"];

/// Whether plypack wrote a file, and no other tool of which it is a copy.
pub(crate) fn is_ours(metadata: &ParquetMetaData) -> bool {
    let created_by = metadata.file_metadata().created_by();
    created_by.is_some_and(|program| program.starts_with(CREATED_BY))
}

/// The path of a column, or of a field within one.
pub(crate) fn column(name: &str) -> ColumnPath {
    ColumnPath::from(name.split('.').map(String::from).collect::<Vec<_>>())
}

/// Compression of a level that zstd has.
pub(crate) fn zstd(level: i32) -> Compression {
    Compression::ZSTD(ZstdLevel::try_new(level).unwrap_or_default())
}

/// What all our files have in common, those with an index of pages and those without.
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
    /// Stores the column of this path so. `Words` are what [`properties`] say.
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
            Self::Numbers => {
                plain(properties).set_column_compression(path(), Compression::UNCOMPRESSED)
            }
        }
    }
}
