//! A row group before it is written, and the form that it takes in a small file.

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef};
use parquet::errors::Result;

use super::sealed::SealedChunk;

/// With fewer bytes in its columns, a file's only row group gets no statistics. What they could say
/// of it is in the range that every reader fetches for the footer.
const TOLD_BYTES: usize = 64 << 10;

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
    /// Leaves out columns of these names, and, if little is left, what the footer need not say.
    pub fn reduce(mut self, lacking: impl Fn(&str) -> bool) -> Result<Self> {
        self.columns.retain(|chunk| {
            let path = chunk.close.metadata.column_path();
            !path.parts().first().is_some_and(|name| lacking(name))
        });
        let bytes: usize = self.columns.iter().map(|chunk| chunk.stored.bytes.len()).sum();
        if bytes < TOLD_BYTES {
            let columns = self.columns.into_iter().map(SealedChunk::untold);
            self.columns = columns.collect::<Result<_>>()?;
        }
        Ok(self)
    }
}

/// Returns whether an array has no value: all rows are null, or without elements in a map.
pub(super) fn is_empty(array: &ArrayRef) -> bool {
    match array.as_map_opt() {
        Some(map) => map.value_offsets().first() == map.value_offsets().last(),
        None => array.null_count() == array.len(),
    }
}
