//! Reads rows of one row group without I/O: the reader returns the ranges of the file that it
//! needs, and the caller supplies their bytes.

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::{Array, RecordBatch};
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

use crate::store::pages::{self, Damaged, Pages, Trust};
use crate::store::ranges;
use crate::store::schema::{BESIDE_RECORDS, is_ours};

/// The most ranges to fetch per run of rows, as far as the gaps between them allow it.
const RUN_RANGES: usize = 4;

/// Rows are decoded in slices of this many, so that a false number of rows allocates nothing.
const SLICE_ROWS: usize = 1 << 16;

/// If runs of rows are on average closer together than this, everything between them is fetched,
/// too: the Parquet library reads through such gaps (where runs and gaps average fewer than 32
/// rows), and must find every page there.
const DENSE_ROWS: usize = 128;

/// Selects rows of a row group, and columns.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The number of the row group.
    pub group: usize,
    /// Runs of rows within the group, in ascending order; `None` means all rows.
    pub rows: Option<Vec<Range<usize>>>,
    /// The numbers of the columns, as Parquet counts them.
    pub leaves: Vec<usize>,
    /// Whether the caller compares the records' checksums: then page checksums need not match.
    pub lenient: bool,
}

/// Reads the rows of one request.
#[derive(Debug)]
pub(crate) struct Reader {
    metadata: ArrowReaderMetadata,
    request: Request,
    /// The decoder of the rows, once their bytes are there.
    decoder: Option<ParquetRecordBatchReader>,
}

/// The result of a reader's step.
#[derive(Debug)]
pub(crate) enum Step {
    /// The reader needs these ranges of the file: see [`Reader::push`].
    Needs(Vec<Range<u64>>),
    /// The next rows.
    Rows(RecordBatch),
    /// There are no more rows.
    Done,
}

impl Reader {
    /// Makes a reader of a file with this metadata, which includes the page index unless all rows
    /// are wanted.
    pub fn new(metadata: &ArrowReaderMetadata, request: Request) -> Self {
        Self { metadata: metadata.clone(), request, decoder: None }
    }

    /// Continues as far as possible.
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
                // Without columns there is nothing to fetch.
                None => self.decoder.insert(decode(
                    &self.metadata,
                    &self.request,
                    PushBuffers::default(),
                )?),
            };
            Ok(next_rows(decoder)?.map_or(Step::Done, Step::Rows))
        })
    }

    /// Receives the ranges that it asked for.
    pub fn push(&mut self, ranges: Vec<Range<u64>>, bytes: Vec<Bytes>) -> Result<()> {
        let fits = |(range, bytes): (&Range<u64>, &Bytes)| {
            range.end.checked_sub(range.start) == Some(bytes.len() as u64)
        };
        if ranges.len() != bytes.len() || !ranges.iter().zip(&bytes).all(fits) {
            return Err(ParquetError::General("wrong bytes for the requested ranges".into()));
        }
        guarded(|| {
            let mut fetched = PushBuffers::default();
            fetched.push_ranges(ranges, bytes);
            self.decoder = Some(decode(&self.metadata, &self.request, fetched)?);
            Ok(())
        })
    }

    /// Returns the pages of the rows, or whole columns without a page index.
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
            // The dictionary, if any, lies before the first indexed page.
            let first = pages.first().and_then(|first| u64::try_from(first.offset).ok());
            needed.extend(first.filter(|&first| start < first).map(|first| start..first));
            needed.extend(selection.scan_ranges(pages));
        }
        Ok(needed)
    }
}

/// Makes a decoder of a request's rows from the ranges that it needs.
fn decode(
    metadata: &ArrowReaderMetadata,
    request: &Request,
    fetched: PushBuffers,
) -> Result<ParquetRecordBatchReader> {
    let schema = metadata.parquet_schema();
    let mask = ProjectionMask::leaves(schema, request.leaves.iter().copied());
    // The metadata's types, which may differ from those that follow from Parquet's.
    let fields = metadata.schema().fields();
    let levels = parquet_to_arrow_field_levels(schema, mask, Some(fields))?;
    let group = Group::new(metadata, request, fetched);
    let slice = group.num_rows().clamp(1, SLICE_ROWS);
    let selection = request.rows.as_deref().map(select);
    ParquetRecordBatchReader::try_new_with_row_groups(&levels, &group, slice, selection)
}

/// Decodes the next rows; none at the end. All of them are validated, because the Parquet library
/// checks the strings of a page in DELTA_LENGTH_BYTE_ARRAY as one text: in a damaged page, one may
/// end within a character, and Rust relies on it that no `str` does.
pub(crate) fn next_rows(decoder: &mut ParquetRecordBatchReader) -> Result<Option<RecordBatch>> {
    let Some(rows) = decoder.next().transpose()? else { return Ok(None) };
    for (field, column) in rows.schema_ref().fields().iter().zip(rows.columns()) {
        if column.to_data().validate_full().is_err() {
            return Err(ParquetError::External(Box::new(Damaged(field.name().clone()))));
        }
    }
    Ok(Some(rows))
}

/// Selects these runs of rows, in ascending order. Nothing is skipped after the last, whatever the
/// claimed number of rows.
fn select(runs: &[Range<usize>]) -> RowSelection {
    let end = runs.last().map_or(0, |run| run.end);
    RowSelection::from_consecutive_ranges(runs.iter().cloned(), end)
}

/// Returns the runs of rows to fetch pages for: `runs`, or one run over all of them if they are
/// close together.
fn fetched_runs(runs: &[Range<usize>]) -> Cow<'_, [Range<usize>]> {
    let (first, last) = (runs.first(), runs.last());
    match first.zip(last).map(|(first, last)| first.start..last.end) {
        Some(whole) if runs.len() > 1 && whole.end / runs.len() < DENSE_ROWS => vec![whole].into(),
        _ => runs.into(),
    }
}

/// Hands the pages of a request's row group to the Parquet library, after checking each.
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

    /// Returns all pages of a column, if the file has a page index and not all rows are wanted.
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

/// Returns whether a panic of this thread, at this point, comes from the Parquet library on a
/// damaged file and will become an ordinary [`Error`](crate::store::Error). A panic hook may use
/// this to stay silent.
pub fn catches_panics() -> bool {
    GUARDED.get()
}

/// Runs the Parquet library on data that may be damaged: on some files it panics instead of
/// returning an error (see `tests/hostile.rs`). It holds no state of ours that a panic could leave
/// inconsistent.
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
