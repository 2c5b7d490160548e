//! Files that are read in ranges from elsewhere than a disk.

use std::fmt;
use std::io;
use std::ops::Range;

use bytes::Bytes;

use crate::store::ranges::Ranges;

/// A source of bytes that can be read at any place, such as a server:
/// [`PackedFile::from_source`](crate::PackedFile::from_source).
pub trait Source: Send + Sync {
    /// Returns the size in bytes.
    ///
    /// # Errors
    /// Returns an error if it cannot be found out.
    fn size(&self) -> io::Result<u64>;

    /// Returns the bytes of a range, all of which are there.
    ///
    /// # Errors
    /// Returns an error if they cannot be read.
    fn read(&self, range: Range<u64>) -> io::Result<Vec<u8>>;
}

/// Serves ranges from a source.
pub(crate) struct Served<S>(pub S);

impl<S> fmt::Debug for Served<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Served")
    }
}

impl<S: Source> Ranges for Served<S> {
    fn size(&self) -> io::Result<u64> {
        self.0.size()
    }

    fn fetch(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Bytes>> {
        let read = |range: &Range<u64>| {
            let bytes = self.0.read(range.clone())?;
            match range.end.checked_sub(range.start) == u64::try_from(bytes.len()).ok() {
                true => Ok(Bytes::from(bytes)),
                false => Err(io::ErrorKind::UnexpectedEof.into()),
            }
        };
        ranges.iter().map(read).collect()
    }
}
