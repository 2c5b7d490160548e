//! Identifies a row group without reading it.

use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;
use sha2::{Digest, Sha256};

/// Returns the first half of the SHA-256 of what the footer says about a row group's content: its
/// number of rows; the name, sizes, number of values and statistics of each column; and the
/// checksum of its records' checksums, which our files have (`plypack.groups`). Its place in the
/// file does not count, so that a row group copied verbatim keeps its id.
pub(crate) fn group_id(group: &RowGroupMetaData, checksums: Option<u32>) -> [u8; 16] {
    let mut hash = Sha256::new();
    let mut number = |number: i64| hash.update(number.to_le_bytes());
    number(group.num_rows());
    number(checksums.map_or(-1, i64::from));
    for column in group.columns() {
        let path = column.column_path().string();
        hash.update((path.len() as u64).to_le_bytes());
        hash.update(path);
        for size in [
            column.compressed_size(),
            column.uncompressed_size(),
            column.num_values(),
            column
                .statistics()
                .and_then(Statistics::null_count_opt)
                .map_or(-1, |nulls| i64::try_from(nulls).unwrap_or(i64::MAX)),
        ] {
            hash.update(size.to_le_bytes());
        }
        let statistics = column.statistics();
        for bound in [
            statistics.and_then(Statistics::min_bytes_opt),
            statistics.and_then(Statistics::max_bytes_opt),
        ] {
            let bound = bound.unwrap_or_default();
            hash.update((bound.len() as u64).to_le_bytes());
            hash.update(bound);
        }
    }
    let mut id = [0; 16];
    id.copy_from_slice(&hash.finalize()[..16]);
    id
}
