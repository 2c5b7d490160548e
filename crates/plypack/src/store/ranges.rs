//! Serves ranges of a file's bytes, from a file, memory or a server.
//!
//! Readers ask for ranges and do no I/O themselves (`reader.rs`); one small trait serves the
//! ranges.

use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

/// Gaps of up to this many bytes between two ranges are always read: another request costs more.
pub const GAP_BYTES: u64 = 16 << 10;

/// Gaps of more bytes than this are never read.
pub const GAP_BYTES_MAX: u64 = 512 << 10;

/// A source of byte ranges.
pub trait Ranges: Debug + Send + Sync {
    /// Returns the size in bytes.
    ///
    /// # Errors
    /// Returns an error if the system fails.
    fn size(&self) -> io::Result<u64>;

    /// Returns the bytes of these ranges, in order.
    ///
    /// # Errors
    /// Returns an error if they cannot be read, or end after the last byte.
    fn fetch(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Bytes>>;
}

/// A file, read at offsets, so that threads need no copies of it.
impl Ranges for File {
    fn size(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn fetch(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Bytes>> {
        let size = self.size()?;
        let read = |range: &Range<u64>| {
            // Allocate nothing for a range beyond the end.
            let length = range.end.checked_sub(range.start).filter(|_| range.end <= size);
            let length = length.and_then(|length| usize::try_from(length).ok());
            let mut bytes = vec![0; length.ok_or(io::ErrorKind::UnexpectedEof)?];
            read_exact_at(self, &mut bytes, range.start)?;
            Ok(Bytes::from(bytes))
        };
        ranges.iter().map(read).collect()
    }
}

/// Fills `bytes` with those of a file from `start` on.
#[cfg(unix)]
pub(super) fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

#[cfg(not(unix))]
pub(super) fn read_exact_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    use std::io::{Read, Seek, SeekFrom};
    // Clones share the file's position, so two threads would interfere.
    static PLACE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _guard = PLACE.lock();
    let mut file = file;
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(bytes)
}

/// Bytes in memory.
impl Ranges for Bytes {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn fetch(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Bytes>> {
        let slice = |range: &Range<u64>| {
            let [start, end] = [range.start, range.end].map(usize::try_from);
            match (start, end) {
                (Ok(start), Ok(end)) if start <= end && end <= self.len() => {
                    Ok(self.slice(start..end))
                }
                _ => Err(io::ErrorKind::UnexpectedEof.into()),
            }
        };
        ranges.iter().map(slice).collect()
    }
}

/// Counts the ranges that it serves, for tests and benches.
#[derive(Debug)]
pub struct Counted<R> {
    inner: R,
    counts: Arc<Counts>,
}

/// How much was served so far.
#[derive(Debug, Default)]
pub struct Counts {
    ranges: AtomicU64,
    bytes: AtomicU64,
}

impl Counts {
    /// Returns the numbers of ranges and bytes since the last call.
    pub fn take(&self) -> (u64, u64) {
        let take = |count: &AtomicU64| count.swap(0, Ordering::Relaxed);
        (take(&self.ranges), take(&self.bytes))
    }
}

impl<R: Ranges> Counted<R> {
    /// Wraps a source, and returns the shared counts.
    pub fn new(inner: R) -> (Self, Arc<Counts>) {
        let counts = Arc::<Counts>::default();
        (Self { inner, counts: Arc::clone(&counts) }, counts)
    }
}

impl<R: Ranges> Ranges for Counted<R> {
    fn size(&self) -> io::Result<u64> {
        self.inner.size()
    }

    fn fetch(&self, ranges: &[Range<u64>]) -> io::Result<Vec<Bytes>> {
        let fetched = self.inner.fetch(ranges)?;
        let bytes = fetched.iter().map(|bytes| bytes.len() as u64).sum();
        self.counts.ranges.fetch_add(fetched.len() as u64, Ordering::Relaxed);
        self.counts.bytes.fetch_add(bytes, Ordering::Relaxed);
        Ok(fetched)
    }
}

/// Joins ranges, in ascending order: first those with small gaps ([`GAP_BYTES`]) between them, then
/// those with the smallest gaps, until at most `most` remain or the gaps are too large
/// ([`GAP_BYTES_MAX`]).
pub fn join(ranges: &[Range<u64>], most: usize) -> Vec<Range<u64>> {
    let mut sorted: Vec<Range<u64>> =
        ranges.iter().filter(|range| range.start < range.end).cloned().collect();
    sorted.sort_unstable_by_key(|range| range.start);
    let mut joined = join_gaps(&sorted, GAP_BYTES);
    let most = most.max(1);
    if joined.len() > most {
        let pairs = joined.iter().zip(joined.iter().skip(1));
        let mut gaps: Vec<u64> = pairs.map(|(one, next)| next.start - one.end).collect();
        gaps.sort_unstable();
        let largest = gaps.get(joined.len() - most - 1).copied().unwrap_or(0);
        joined = join_gaps(&joined, largest.min(GAP_BYTES_MAX));
    }
    joined
}

/// Joins ascending ranges with gaps of up to `gap` bytes between them.
fn join_gaps(ranges: &[Range<u64>], gap: u64) -> Vec<Range<u64>> {
    let mut joined: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match joined.last_mut().filter(|last| range.start <= last.end.saturating_add(gap)) {
            Some(last) => last.end = last.end.max(range.end),
            None => joined.push(range.clone()),
        }
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_file_and_memory_serve_the_same() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut file = tempfile::tempfile().expect("a file");
        file.write_all(&bytes).expect("a file");
        let memory = Bytes::from(bytes);
        assert_eq!((file.size().expect("a size"), memory.size().expect("a size")), (256, 256));
        for ranges in [vec![0..256], vec![3..4, 1..1, 250..256], vec![256..256]] {
            let fetched = file.fetch(&ranges).expect("there");
            assert_eq!(fetched, memory.fetch(&ranges).expect("there"), "{ranges:?}");
            assert!(fetched.iter().zip(&ranges).all(|(b, r)| b.len() as u64 == r.end - r.start));
        }
        #[allow(clippy::reversed_empty_ranges, reason = "hostile files may request them")]
        for range in [0..257, 256..257, u64::MAX - 1..u64::MAX, 5..3] {
            for ranges in [&file as &dyn Ranges, &memory] {
                let failed = ranges.fetch(std::slice::from_ref(&range)).expect_err("not there");
                assert_eq!(failed.kind(), io::ErrorKind::UnexpectedEof, "{range:?}");
            }
        }
    }

    #[test]
    fn neighbours_are_joined_and_no_more_are_left_than_wanted() {
        let far = GAP_BYTES_MAX + 1;
        let (near, mid) = (GAP_BYTES, GAP_BYTES + 1);
        assert_eq!(join(&[], 4), []);
        assert_eq!(join(&[5..9, 0..5, 7..8, 3..3], 4), [0..9]);
        assert_eq!(join(&[0..1, 1 + near..2 + near], 4), [0..2 + near]);
        assert_eq!(join(&[0..1, 1 + mid..2 + mid], 4), [0..1, 1 + mid..2 + mid]);
        assert_eq!(join(&[0..1, 1 + mid..2 + mid], 1), [0..2 + mid]);
        assert_eq!(join(&[0..1, 1 + far..2 + far], 1), [0..1, 1 + far..2 + far]);
        assert_eq!(join(&[0..1], 0), [0..1]);
        // The smaller of two gaps is closed.
        let (b, c) = (1 + 2 * mid, 2 + 3 * mid);
        assert_eq!(join(&[0..1, b..b + 1, c..c + 1], 2), [0..1, b..c + 1]);
    }
}
