//! Reading rows of one row group without input or output: the reader says which ranges of the file
//! it needs, and whoever has them hands them in.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, RowGroups, RowSelection,
};
use parquet::arrow::push_decoder::PushBuffers;
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels};
use parquet::column::page::PageIterator;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};
use parquet::file::page_index::offset_index::PageLocation;

use crate::pages::{self, Pages, Trust};
use crate::ranges;
use crate::schema::{BESIDE_RECORDS, is_ours};

/// The most ranges that a run of rows is fetched by, as far as the gaps between them allow it.
const RUN_RANGES: usize = 4;

/// Rows are decoded in slices of so many, so that a false number of rows allocates nothing.
const SLICE_ROWS: usize = 1 << 16;

/// Runs of rows that lie closer together than this, on average, are fetched with all that lies
/// between them: the Parquet library reads through such gaps (where runs and gaps have fewer than
/// 32 rows on average), so that no page between them may be missing.
const DENSE_ROWS: usize = 128;

/// Which rows of a row group, and which of its columns.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The number of the row group.
    pub group: usize,
    /// Runs of rows within the group, in ascending order; `None` is all of them.
    pub rows: Option<Vec<Range<usize>>>,
    /// The numbers of the columns, as Parquet counts them.
    pub leaves: Vec<usize>,
    /// Whether the records' checksums will be compared: then those of pages need not be.
    pub lenient: bool,
}

/// Reads the rows of one request.
#[derive(Debug)]
pub(crate) struct Reader {
    metadata: ArrowReaderMetadata,
    request: Request,
    /// What decodes the rows, once their bytes have come.
    decoder: Option<ParquetRecordBatchReader>,
}

/// What a reader does next.
#[derive(Debug)]
pub(crate) enum Step {
    /// It needs these ranges of the file: see [`Reader::push`].
    Needs(Vec<Range<u64>>),
    /// It has rows.
    Rows(RecordBatch),
    /// There are no more.
    Done,
}

impl Reader {
    /// A reader of a file with this metadata, which holds the index of pages if not all rows are
    /// wanted.
    pub fn new(metadata: &ArrowReaderMetadata, request: Request) -> Self {
        Self { metadata: metadata.clone(), request, decoder: None }
    }

    /// Goes on as far as it can.
    pub fn step(&mut self) -> Result<Step> {
        guarded(|| {
            if self.decoder.is_none() && !self.request.leaves.is_empty() {
                let runs = self.request.rows.as_ref().map_or(1, Vec::len);
                let joined = ranges::join(&self.needed()?, RUN_RANGES.saturating_mul(runs));
                if joined.is_empty() {
                    return Err(ParquetError::General("a column has no pages".into()));
                }
                return Ok(Step::Needs(joined));
            }
            let decoder = match &mut self.decoder {
                Some(decoder) => decoder,
                // Of no column there is nothing to fetch.
                None => self.decoder.insert(decode(
                    &self.metadata,
                    &self.request,
                    PushBuffers::default(),
                )?),
            };
            match decoder.next() {
                Some(rows) => Ok(Step::Rows(rows?)),
                None => Ok(Step::Done),
            }
        })
    }

    /// Takes the ranges that it asked for.
    pub fn push(&mut self, ranges: Vec<Range<u64>>, bytes: Vec<Bytes>) -> Result<()> {
        let fits = |(range, bytes): (&Range<u64>, &Bytes)| {
            range.end.checked_sub(range.start) == Some(bytes.len() as u64)
        };
        if ranges.len() != bytes.len() || !ranges.iter().zip(&bytes).all(fits) {
            return Err(ParquetError::General("other bytes came than were asked for".into()));
        }
        guarded(|| {
            let mut fetched = PushBuffers::default();
            fetched.push_ranges(ranges, bytes);
            self.decoder = Some(decode(&self.metadata, &self.request, fetched)?);
            Ok(())
        })
    }

    /// The pages of the rows, or whole columns if there is no index of pages.
    fn needed(&self) -> Result<Vec<Range<u64>>> {
        let group = Group::new(&self.metadata, &self.request, PushBuffers::default());
        let selection = self.request.rows.as_deref().map(|runs| select(&fetched_runs(runs)));
        let mut needed = Vec::new();
        for &leaf in &self.request.leaves {
            let column = group.of_file().columns().get(leaf);
            let Some(column) = column else { continue };
            let (start, length) = column.byte_range();
            let Some((selection, pages)) = selection.as_ref().zip(group.pages(leaf)) else {
                needed.push(start..start.saturating_add(length));
                continue;
            };
            // Before the pages of the index lies the dictionary, if there is one.
            let first = pages.first().and_then(|first| u64::try_from(first.offset).ok());
            needed.extend(first.filter(|&first| start < first).map(|first| start..first));
            needed.extend(selection.scan_ranges(pages));
        }
        Ok(needed)
    }
}

/// What decodes the rows of a request from the ranges that it needs.
fn decode(
    metadata: &ArrowReaderMetadata,
    request: &Request,
    fetched: PushBuffers,
) -> Result<ParquetRecordBatchReader> {
    let schema = metadata.parquet_schema();
    let mask = ProjectionMask::leaves(schema, request.leaves.iter().copied());
    // Of the types that the metadata have, which may be others than Parquet's alone would be.
    let fields = metadata.schema().fields();
    let levels = parquet_to_arrow_field_levels(schema, mask, Some(fields))?;
    let group = Group::new(metadata, request, fetched);
    let slice = group.num_rows().clamp(1, SLICE_ROWS);
    let selection = request.rows.as_deref().map(select);
    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &group, slice, selection)
}

/// These runs of rows, in ascending order. Nothing is skipped behind the last, however many rows
/// there are said to be.
fn select(runs: &[Range<usize>]) -> RowSelection {
    let end = runs.last().map_or(0, |run| run.end);
    RowSelection::from_consecutive_ranges(runs.iter().cloned(), end)
}

/// The runs of rows whose pages are fetched for these: themselves, or one of all of them where
/// they are close together.
fn fetched_runs(runs: &[Range<usize>]) -> Cow<'_, [Range<usize>]> {
    let (first, last) = (runs.first(), runs.last());
    match first.zip(last).map(|(first, last)| first.start..last.end) {
        Some(whole) if runs.len() > 1 && whole.end / runs.len() < DENSE_ROWS => vec![whole].into(),
        _ => runs.into(),
    }
}

/// The row group of a request, for the Parquet library: its pages, which are looked at before they
/// are handed out.
struct Group<'a> {
    metadata: &'a ParquetMetaData,
    request: &'a Request,
    fetched: Arc<PushBuffers>,
}

impl<'a> Group<'a> {
    fn new(metadata: &'a ArrowReaderMetadata, request: &'a Request, fetched: PushBuffers) -> Self {
        Self { metadata: metadata.metadata(), request, fetched: Arc::new(fetched) }
    }

    fn of_file(&self) -> &'a RowGroupMetaData {
        self.metadata.row_group(self.request.group)
    }

    /// All pages of a column, if the file has an index of them and not all rows are wanted.
    fn pages(&self, leaf: usize) -> Option<&'a [PageLocation]> {
        let index = self.metadata.offset_index().filter(|_| self.request.rows.is_some())?;
        Some(index.get(self.request.group)?.get(leaf)?.page_locations())
    }
}

impl RowGroups for Group<'_> {
    fn num_rows(&self) -> usize {
        usize::try_from(self.of_file().num_rows()).unwrap_or(usize::MAX)
    }

    fn column_chunks(&self, leaf: usize) -> Result<Box<dyn PageIterator>> {
        let missing = || ParquetError::General("a row group lacks a column".into());
        let column = self.of_file().columns().get(leaf).ok_or_else(missing)?;
        let rows = self.num_rows();
        let (fetched, pages) = (Arc::clone(&self.fetched), self.pages(leaf));
        let is_beside = BESIDE_RECORDS.contains(&column.column_path().string().as_str());
        let trust = match (is_ours(self.metadata), self.request.lenient && !is_beside) {
            (false, _) => Trust::Others,
            (true, false) => Trust::Pages,
            (true, true) => Trust::Records,
        };
        let pages = Pages::new(fetched, column, rows, pages, trust)?;
        Ok(Box::new(pages::Once::new(pages)))
    }

    fn row_groups(&self) -> Box<dyn Iterator<Item = &RowGroupMetaData> + '_> {
        Box::new(std::iter::once(self.of_file()))
    }

    fn metadata(&self) -> &ParquetMetaData {
        self.metadata
    }
}

thread_local! {
    /// Whether [`guarded`] would catch a panic of this thread.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of this thread, now, is one of the Parquet library about a damaged file, which
/// becomes an ordinary [`Error`](crate::Error). A panic hook may ask that, so as to keep silent.
#[must_use]
pub fn catches_panics() -> bool {
    GUARDED.get()
}

/// Runs what the Parquet library does with what may be damaged: on some files it panics where it
/// should give an error (`tests/hostile.rs` has them). It holds nothing of ours that could be left
/// half done.
pub(crate) fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    let before = GUARDED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(before);
    done.unwrap_or_else(|_| {
        let why = "the Parquet library cannot read it: the file is damaged";
        Err(ParquetError::General(why.into()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_that_is_caught_is_known_to_be() {
        assert!(!catches_panics());
        let failing = || -> Result<()> {
            assert!(guarded(|| Ok(catches_panics())).is_ok_and(|caught| caught));
            panic!("{}", catches_panics())
        };
        assert!(guarded(failing).is_err());
        assert!(!catches_panics());
    }
}
