//! Reading rows of one row group without input or output: the reader says which ranges of the file
//! it needs, and whoever has them hands them in.

use std::cell::Cell;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::DecodeResult;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, RowSelection};
use parquet::arrow::push_decoder::{ParquetPushDecoder, ParquetPushDecoderBuilder, PushBuffers};
use parquet::errors::{ParquetError, Result};
use parquet::file::page_index::offset_index::PageLocation;

use crate::{pages, ranges};

/// The most ranges that a run of rows is fetched by, as far as the gaps between them allow it.
const RUN_RANGES: usize = 4;

/// Rows are decoded in slices of so many, so that a false number of rows allocates nothing.
const SLICE_ROWS: usize = 1 << 16;

/// Which rows of a row group, and which of its columns.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    /// The number of the row group.
    pub group: usize,
    /// Runs of rows within the group, in ascending order; `None` is all of them.
    pub rows: Option<Vec<Range<usize>>>,
    /// The numbers of the columns, as Parquet counts them.
    pub leaves: Vec<usize>,
}

/// Reads the rows of one request.
#[derive(Debug)]
pub(crate) struct Reader {
    metadata: ArrowReaderMetadata,
    request: Request,
    decoder: ParquetPushDecoder,
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
    pub fn new(metadata: &ArrowReaderMetadata, request: Request) -> Result<Self> {
        guarded(|| {
            let builder = ParquetPushDecoderBuilder::new_with_metadata(metadata.clone());
            let schema = metadata.parquet_schema();
            let group = metadata.metadata().row_group(request.group);
            let rows = usize::try_from(group.num_rows()).unwrap_or(usize::MAX);
            let mut builder = builder
                .with_row_groups(vec![request.group])
                .with_projection(ProjectionMask::leaves(schema, request.leaves.iter().copied()))
                .with_batch_size(rows.clamp(1, SLICE_ROWS));
            if let Some(wanted) = &request.rows {
                // Nothing is skipped behind the last, however many rows there are said to be.
                let end = wanted.last().map_or(0, |run| run.end);
                let runs = wanted.iter().cloned();
                let selection = RowSelection::from_consecutive_ranges(runs, end);
                builder = builder.with_row_selection(selection);
            }
            let decoder = builder.build()?;
            Ok(Self { metadata: metadata.clone(), request, decoder })
        })
    }

    /// Goes on as far as it can.
    pub fn step(&mut self) -> Result<Step> {
        guarded(|| {
            Ok(match self.decoder.try_decode()? {
                DecodeResult::NeedsData(needed) => {
                    let runs = self.request.rows.as_ref().map_or(1, Vec::len);
                    let joined = ranges::join(&needed, RUN_RANGES.saturating_mul(runs));
                    if joined.is_empty() {
                        return Err(ParquetError::General("a column has no pages".into()));
                    }
                    Step::Needs(joined)
                }
                DecodeResult::Data(rows) => Step::Rows(rows),
                DecodeResult::Finished => Step::Done,
            })
        })
    }

    /// Takes the ranges that it asked for, once their pages have been looked at.
    pub fn push(&mut self, ranges: Vec<Range<u64>>, bytes: Vec<Bytes>) -> Result<()> {
        let fits = |(range, bytes): (&Range<u64>, &Bytes)| {
            range.end.checked_sub(range.start) == Some(bytes.len() as u64)
        };
        if ranges.len() != bytes.len() || !ranges.iter().zip(&bytes).all(fits) {
            return Err(ParquetError::General("other bytes came than were asked for".into()));
        }
        guarded(|| {
            let mut fetched = PushBuffers::default();
            fetched.push_ranges(ranges.clone(), bytes.clone());
            self.check(&Arc::new(fetched))?;
            self.decoder.push_ranges(ranges, bytes)
        })
    }

    fn check(&self, fetched: &Arc<PushBuffers>) -> Result<()> {
        let metadata = self.metadata.metadata();
        let group = metadata.row_group(self.request.group);
        let rows = usize::try_from(group.num_rows()).unwrap_or(usize::MAX);
        let index = metadata.offset_index().filter(|_| self.request.rows.is_some());
        let index = index.and_then(|index| index.get(self.request.group));
        for &leaf in &self.request.leaves {
            let column = group.columns().get(leaf);
            let pages = index.and_then(|index| index.get(leaf));
            let pages = pages.map(|pages| -> &[PageLocation] { pages.page_locations() });
            if let Some(column) = column {
                pages::check(fetched, column, rows, pages)?;
            }
        }
        Ok(())
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
