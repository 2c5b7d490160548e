//! Reads and writes a file's end: its page index, its footer, and checksums of both. Parquet has no
//! place for the checksums, so they lie between the two, where other readers ignore them.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use parquet::DecodeResult;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::ParquetError;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataPushDecoder};

use crate::store::error::Error;
use crate::store::ranges::Ranges;
use crate::store::reader::guarded;
use crate::store::schema::is_ours;

/// How many bytes at the end are read at once for the metadata: enough for the footer of most
/// files.
const TAIL_BYTES: u64 = 64 << 10;

/// The length of the file's last bytes, which hold the footer's length and Parquet's magic bytes.
const MAGIC_BYTES: usize = 8;

/// The magic bytes of the checksums.
const CHECKS_MAGIC: &[u8; 4] = b"plyc";

/// The length of the checksums: magic bytes, the CRC-32 of the page index, and the CRC-32 of the
/// footer, its length and the bytes after that; little-endian.
pub(crate) const CHECKS_BYTES: usize = 12;

/// Why metadata could not be read.
pub(crate) enum Unreadable {
    Io(io::Error),
    Parquet(ParquetError),
    /// A checksum does not match.
    Damaged(&'static str),
}

/// The checksums of a file's end.
#[derive(Clone, Debug)]
pub(crate) struct Checks {
    /// Where they begin: after the page index.
    start: u64,
    index: u32,
}

const FOOTER_DAMAGED: &str = "its footer is damaged: its checksum does not match; use an \
                              undamaged copy, or pack the games again";
const INDEX_DAMAGED: &str = "its page index is damaged: its checksum does not match; use an \
                             undamaged copy, or pack the games again";
const CHECKS_LOST: &str = "its footer has no checksum: it is damaged, or a plypack before version \
                           1 wrote it; unpack it with that version, and pack the games again";

/// Reads the footer of a file of this size, without the page index; and its checksums, if any, or
/// what is wrong with them.
pub(crate) fn read_footer(
    ranges: &dyn Ranges,
    size: u64,
) -> Result<(ArrowReaderMetadata, Checked), Unreadable> {
    let begin = || ParquetMetaDataPushDecoder::try_new(size);
    let decoder = guarded(begin).map_err(Unreadable::Parquet)?;
    let decoder = decoder.with_page_index_policy(PageIndexPolicy::Skip);
    let mut tail = size.saturating_sub(TAIL_BYTES)..size;
    let mut bytes = fetch(ranges, &tail).map_err(Unreadable::Io)?;
    let length = bytes.last_chunk::<MAGIC_BYTES>().and_then(|end| end.first_chunk());
    let length = length.copied().map_or(0, u32::from_le_bytes);
    // The Parquet library panics on a footer longer than the file.
    let Some(start) = size.checked_sub(u64::from(length) + MAGIC_BYTES as u64) else {
        let why = match bytes.ends_with(b"PAR1") {
            true => "its footer is longer than the file",
            false => "it does not end as one does",
        };
        return Err(Unreadable::Parquet(ParquetError::General(why.into())));
    };
    let before = start.saturating_sub(CHECKS_BYTES as u64);
    if before < tail.start {
        tail = before..size;
        bytes = fetch(ranges, &tail).map_err(Unreadable::Io)?;
    }
    let end = usize::try_from(before - tail.start).ok().and_then(|at| bytes.get(at..));
    let checked = checked(end.unwrap_or_default(), before);
    let metadata = decode_metadata(decoder, ranges, Some((vec![tail], vec![bytes])))?;
    let checks = match checked {
        Some(Err(())) => Err(FOOTER_DAMAGED),
        None if is_ours(metadata.metadata()) => Err(CHECKS_LOST),
        Some(Ok(checks)) => Ok(Some(checks)),
        None => Ok(None),
    };
    Ok((metadata, checks))
}

/// The checksums of a file's end, if any; or what is wrong with them.
pub(crate) type Checked = Result<Option<Checks>, &'static str>;

/// Verifies the checksums of a file's end, for programs that read it by other means. Files that are
/// not Parquet, or have no such checksums, pass.
///
/// # Errors
/// Returns an error if a checksum does not match, or the file cannot be read.
pub fn check_end(path: &Path) -> Result<(), Error> {
    let file = File::open(path).map_err(Error::io(path))?;
    let size = file.size().map_err(Error::io(path))?;
    let read = read_footer(&file, size).and_then(|(metadata, checks)| {
        let checks = checks.map_err(Unreadable::Damaged)?;
        if checks.is_some() {
            let metadata = metadata.metadata().as_ref().clone();
            read_index(&file, size, metadata, checks.as_ref())?;
        }
        Ok(())
    });
    match read {
        Err(Unreadable::Damaged(why)) => Err(Error::Format { path: path.into(), why: why.into() }),
        Err(Unreadable::Io(error)) => Err(Error::io(path)(error)),
        Ok(()) | Err(Unreadable::Parquet(_)) => Ok(()),
    }
}

/// Returns the checksums at the start of a file's end, if any; an error if the footer after them
/// does not match its checksum.
fn checked(end: &[u8], start: u64) -> Option<Result<Checks, ()>> {
    let (checks, footer) = end.split_first_chunk::<CHECKS_BYTES>()?;
    let numbers = checks.strip_prefix(CHECKS_MAGIC)?;
    let (index, rest) = numbers.split_first_chunk()?;
    let index = u32::from_le_bytes(*index);
    let is_right = rest == crc32fast::hash(footer).to_le_bytes();
    Some(if is_right { Ok(Checks { start, index }) } else { Err(()) })
}

/// Reads the page index, if the file has one.
pub(crate) fn read_index(
    ranges: &dyn Ranges,
    size: u64,
    metadata: ParquetMetaData,
    checks: Option<&Checks>,
) -> Result<ArrowReaderMetadata, Unreadable> {
    let columns = metadata.row_groups().iter().flat_map(|group| group.columns());
    let places = columns.filter_map(|column| u64::try_from(column.offset_index_offset()?).ok());
    let start = places.min();
    // Without an index, its checksum is that of no bytes.
    let at_hand = match checks.map(|checks| (checks, start.unwrap_or(checks.start))) {
        Some((checks, start)) if start <= checks.start => {
            let index = start..checks.start;
            let bytes = fetch(ranges, &index).map_err(Unreadable::Io)?;
            if crc32fast::hash(&bytes) != checks.index {
                return Err(Unreadable::Damaged(INDEX_DAMAGED));
            }
            Some((vec![index], vec![bytes]))
        }
        Some(_) => return Err(Unreadable::Damaged(INDEX_DAMAGED)),
        None => None,
    };
    let begin = || ParquetMetaDataPushDecoder::try_new_with_metadata(size, metadata);
    let decoder = guarded(begin).map_err(Unreadable::Parquet)?;
    let decoder = decoder
        .with_column_index_policy(PageIndexPolicy::Skip)
        .with_offset_index_policy(PageIndexPolicy::Optional);
    decode_metadata(decoder, ranges, at_hand)
}

fn fetch(ranges: &dyn Ranges, range: &Range<u64>) -> io::Result<Bytes> {
    let fetched = ranges.fetch(std::slice::from_ref(range))?;
    fetched.into_iter().next().ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
}

/// Passes a metadata decoder the ranges it asks for, after any already fetched. Types follow from
/// Parquet's alone, so that a copy made by another tool reads the same.
fn decode_metadata(
    mut decoder: ParquetMetaDataPushDecoder,
    ranges: &dyn Ranges,
    mut fetched: Option<(Vec<Range<u64>>, Vec<Bytes>)>,
) -> Result<ArrowReaderMetadata, Unreadable> {
    let damaged = |why: &str| Unreadable::Parquet(ParquetError::General(why.into()));
    loop {
        if let Some((wanted, bytes)) = fetched.take() {
            guarded(|| decoder.push_ranges(wanted, bytes)).map_err(Unreadable::Parquet)?;
        }
        match guarded(|| decoder.try_decode()).map_err(Unreadable::Parquet)? {
            DecodeResult::NeedsData(needed) if needed.iter().any(|range| !range.is_empty()) => {
                let bytes = ranges.fetch(&needed).map_err(|error| match error.kind() {
                    io::ErrorKind::UnexpectedEof => damaged("its metadata is truncated"),
                    _ => Unreadable::Io(error),
                })?;
                fetched = Some((needed, bytes));
            }
            DecodeResult::Data(metadata) => {
                let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
                let read = || ArrowReaderMetadata::try_new(Arc::new(metadata), options);
                return guarded(read).map_err(Unreadable::Parquet);
            }
            _ => return Err(damaged("its metadata cannot be read")),
        }
    }
}

/// A file's writer. It holds back the file's end until it is complete, as the checksums stand
/// before the footer.
#[derive(Debug)]
pub(crate) struct Tail<W> {
    output: Option<W>,
    held: Option<Vec<u8>>,
}

impl<W: Write> Tail<W> {
    pub fn new(output: W) -> Self {
        Self { output: Some(output), held: None }
    }

    /// Holds back what is written from now on: the end of the file, from the page index.
    pub fn hold(&mut self) {
        self.held = Some(Vec::new());
    }

    /// Moves everything out. Nothing may be written to `self` afterwards. Returns `None` the second
    /// time.
    pub fn take(&mut self) -> Option<Self> {
        self.output.take().map(|output| Self { output: Some(output), held: self.held.take() })
    }

    /// Writes the end with its checksums, and returns the inner writer.
    ///
    /// # Errors
    /// Returns an error if writing fails, or no end was written.
    pub fn finish(self) -> io::Result<W> {
        let lost = || io::Error::from(io::ErrorKind::InvalidData);
        let (mut output, held) = (self.output.ok_or_else(lost)?, self.held.unwrap_or_default());
        let length = held.last_chunk::<MAGIC_BYTES>().and_then(|end| end.first_chunk());
        let length = length.copied().map(u32::from_le_bytes).ok_or_else(lost)?;
        let footer = usize::try_from(length).map_err(|_| lost())? + MAGIC_BYTES;
        let index = held.len().checked_sub(footer).ok_or_else(lost)?;
        let (index, footer) = held.split_at(index);
        output.write_all(index)?;
        output.write_all(CHECKS_MAGIC)?;
        output.write_all(&crc32fast::hash(index).to_le_bytes())?;
        output.write_all(&crc32fast::hash(footer).to_le_bytes())?;
        output.write_all(footer)?;
        output.flush()?;
        Ok(output)
    }
}

impl<W: Write> Write for Tail<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match (&mut self.held, &mut self.output) {
            (Some(held), _) => {
                held.extend(bytes);
                Ok(bytes.len())
            }
            (None, Some(output)) => output.write(bytes),
            (None, None) => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match (&self.held, &mut self.output) {
            (None, Some(output)) => output.flush(),
            _ => Ok(()),
        }
    }
}
