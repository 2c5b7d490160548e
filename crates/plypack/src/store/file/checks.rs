//! What a footer says, and whether plypack can read a file with it.

use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::Compression;
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use plypack_records::Content;

use crate::store::input::table::MOVETEXT;
use crate::store::schema::GROUPS_KEY;
use crate::store::{games, positions};

/// Returns the first row of each row group, and the row after the last.
pub(super) fn starts(metadata: &ArrowReaderMetadata) -> Vec<u64> {
    let groups = metadata.metadata().row_groups().iter();
    let mut starts = vec![0u64];
    starts.extend(groups.scan(0u64, |sum, group| {
        *sum = sum.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0));
        Some(*sum)
    }));
    starts
}

/// Returns the checksum of each row group's record checksums, where the metadata has it.
pub(super) fn listed_checksums(metadata: &ArrowReaderMetadata) -> Vec<Option<u32>> {
    let listed = value(metadata, GROUPS_KEY).unwrap_or_default().split(' ');
    let listed = listed.map(|checksum| u32::from_str_radix(checksum, 16).ok());
    let listed: Vec<Option<u32>> = listed.collect();
    // A list of another length belongs to another file.
    if listed.len() == metadata.metadata().num_row_groups() { listed } else { Vec::new() }
}

/// Rejects a file whose footer contradicts itself, or whose compression is not supported.
pub(crate) fn check_footer(metadata: &ArrowReaderMetadata) -> Result<(), String> {
    let groups = metadata.metadata().row_groups();
    if groups.iter().any(is_impossible) {
        return Err("it is damaged: the columns of a row group differ in length".into());
    }
    let Some(column) = groups.iter().find_map(unreadable) else { return Ok(()) };
    let (name, compression) = (column.column_path().string(), column.compression());
    // Without the level, whose value is unknown.
    let compression = compression.to_string();
    let compression = compression.split('(').next().unwrap_or_default();
    Err(format!(
        "its column `{name}` is compressed by {compression}, which plypack does not read; \
         copy the file with snappy, gzip, lz4 or zstd, or without compression"
    ))
}

/// Returns a column of a row group in a compression that common tools do not write and plypack does
/// not read.
pub(super) fn unreadable(group: &RowGroupMetaData) -> Option<&ColumnChunkMetaData> {
    let unreadable = |column: &&ColumnChunkMetaData| {
        !matches!(
            column.compression(),
            Compression::UNCOMPRESSED
                | Compression::SNAPPY
                | Compression::GZIP(_)
                | Compression::LZ4_RAW
                | Compression::ZSTD(_)
        )
    };
    group.columns().iter().find(unreadable)
}

/// Lists the names of columns for a message.
pub(super) fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Returns whether a column does not have one value per row, or, if it holds lists, has fewer.
pub(super) fn is_impossible(group: &RowGroupMetaData) -> bool {
    let rows = group.num_rows();
    let differs = |column: &ColumnChunkMetaData| match column.column_descr().max_rep_level() {
        0 => column.num_values() != rows,
        _ => column.num_values() < rows,
    };
    rows < 0 || group.columns().iter().any(differs)
}

/// Returns the value of a key in the file's metadata.
pub(super) fn value<'a>(metadata: &'a ArrowReaderMetadata, key: &str) -> Option<&'a str> {
    let pairs = metadata.metadata().file_metadata().key_value_metadata()?;
    pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
}

/// Returns what a file's records are, by its columns; an error with the remedy if it lacks those
/// without which no record can be restored.
pub(super) fn kind_of(metadata: &ArrowReaderMetadata) -> Result<Content, String> {
    let has = |name: &str| metadata.schema().index_of(name).is_ok();
    let kind = match (has("position") || has("line")) && !has("moves") {
        true => Content::Positions,
        false => Content::Games,
    };
    let needed: Vec<&str> = match kind {
        Content::Positions => positions::NEEDED.to_vec(),
        Content::Games => games::schema::needed().collect(),
    };
    let lacking: Vec<&str> = needed.iter().copied().filter(|name| !has(name)).collect();
    if lacking.len() == needed.len() && has(MOVETEXT) {
        return Err(format!(
            "this Parquet file has games in a column `{MOVETEXT}`; convert it with \
             `plypack pack`"
        ));
    }
    if lacking.len() == needed.len() {
        return Err(format!(
            "this Parquet file has none of the columns {}, so plypack did not write it",
            list(&needed)
        ));
    }
    if !lacking.is_empty() {
        return Err(format!(
            "this Parquet file lacks {}, without which no record can be restored; copy the \
             packed file with all of its columns; selecting rows is fine",
            list(&lacking)
        ));
    }
    Ok(kind)
}
