//! Row groups before they are written, and the form that they take in a small file.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use parquet::errors::Result;

use super::sealed::SealedChunk;
use crate::store::sheet::INDEXED_RECORDS_MIN;

/// With fewer bytes in its columns, a file's only row group gets no statistics. What they could say
/// of it is in the range that every reader fetches for the footer.
const TOLD_BYTES: usize = 64 << 10;

/// Row groups of fewer rows in all are held back until the file ends.
const HELD_ROWS: u64 = INDEXED_RECORDS_MIN as u64;

/// So are row groups of fewer bytes in all.
const HELD_BYTES: usize = 1 << 20;

/// The encoded columns of a row group.
pub(crate) struct EncodedGroup {
    /// All of the file's columns, as Parquet counts them.
    pub columns: Vec<SealedChunk>,
    /// The columns without a value, by their names.
    pub empty: Vec<String>,
    /// The checksum of its record checksums.
    pub checksum: u32,
}

impl EncodedGroup {
    fn rows(&self) -> u64 {
        self.columns.first().map_or(0, |chunk| chunk.close.rows_written)
    }

    fn bytes(&self) -> usize {
        self.columns.iter().map(|chunk| chunk.stored.bytes.len()).sum()
    }

    /// Leaves out columns of these names.
    fn without(&mut self, lacking: &impl Fn(&str) -> bool) {
        self.columns.retain(|chunk| {
            let path = chunk.close.metadata.column_path();
            !path.parts().first().is_some_and(|name| lacking(name))
        });
    }
}

/// Returns whether a row group after these leaves the file small. The first is always held back.
pub(super) fn stays_small(held: &[EncodedGroup], next: &EncodedGroup) -> bool {
    let groups = || held.iter().chain([next]);
    held.is_empty()
        || groups().map(EncodedGroup::rows).sum::<u64>() < HELD_ROWS
            && groups().map(EncodedGroup::bytes).sum::<usize>() < HELD_BYTES
}

/// Returns whether a column of this name has no value in any of these row groups.
pub(super) fn is_empty_in(groups: &[EncodedGroup], name: &str) -> bool {
    groups.iter().all(|group| group.empty.iter().any(|empty| empty == name))
}

/// Leaves out columns of these names, and, if there is little in a single row group, what the
/// footer need not say.
pub(super) fn reduce(groups: &mut [EncodedGroup], lacking: impl Fn(&str) -> bool) -> Result<()> {
    groups.iter_mut().for_each(|group| group.without(&lacking));
    if let [group] = groups
        && group.bytes() < TOLD_BYTES
    {
        let columns = std::mem::take(&mut group.columns).into_iter().map(SealedChunk::untold);
        group.columns = columns.collect::<Result<_>>()?;
    }
    Ok(())
}

/// Returns whether an array has no value: all rows are null, or without elements in a map.
pub(super) fn is_empty(array: &ArrayRef) -> bool {
    match array.as_map_opt() {
        Some(map) => map.value_offsets().first() == map.value_offsets().last(),
        None => array.null_count() == array.len(),
    }
}
