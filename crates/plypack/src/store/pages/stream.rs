//! Reads the pages of a column chunk one by one, for files whose row groups may exceed memory: only
//! one page of a column is held at a time, and all pages together have a limit.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use parquet::arrow::push_decoder::PushBuffers;
use parquet::basic::Type;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;

use super::header::{DICTIONARY_PAGE, Header, INDEX_PAGE};
use super::{PAGE_BYTES_MAX, Pages, SHARED_BYTES_MAX, Trust, damaged};
use crate::store::ranges::Ranges;

/// How much of a column is read at a time, in bytes, if its pages are smaller.
const READ_BYTES: u64 = 128 << 10;

/// The largest page header, in bytes: its statistics may hold long texts.
const HEADER_BYTES_MAX: u64 = 16 << 20;

/// The memory used by pages, and by the rows made from them, in bytes.
#[derive(Debug)]
pub(crate) struct Memory {
    /// The limit.
    most: u64,
    /// How many rows are made at a time.
    rows: u64,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    used: u64,
    /// The memory of each column's dictionary and page.
    held: BTreeMap<usize, [u64; 2]>,
}

impl Memory {
    /// Limits memory to `most` bytes, when `rows` rows are made at a time.
    pub fn new(most: u64, rows: usize) -> Self {
        Self { most, rows: rows as u64, state: Mutex::default() }
    }

    /// Starts new rows: memory of past pages is released, that of held pages is kept.
    pub fn next_rows(&self) {
        self.change(|state| state.used = state.held.values().flatten().sum());
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Takes memory for the dictionary (0) or the page (1) of a column; returns whether the limit
    /// allows it.
    fn take(&self, leaf: usize, which: usize, bytes: u64) -> bool {
        self.change(|state| {
            state.used = state.used.saturating_add(bytes);
            let held = &mut state.held.entry(leaf).or_default()[which];
            *held = held.saturating_add(bytes);
            state.used <= self.most
        })
    }

    /// Stops holding a dictionary or a page, which rows may still refer to.
    fn let_go(&self, leaf: usize, which: usize) {
        self.change(|state| state.held.entry(leaf).or_default()[which] = 0);
    }
}

/// Reads the pages of a column chunk, for the Parquet library.
pub(crate) struct Stream {
    ranges: Arc<dyn Ranges>,
    column: ColumnChunkMetaData,
    leaf: usize,
    rows: usize,
    memory: Arc<Memory>,
    /// Where the next page begins, and the bytes already read from there.
    at: u64,
    read: Bytes,
    /// Where the chunk ends.
    end: u64,
    /// How many values the chunk still has.
    values: u64,
    /// The next page, if it was peeked at.
    next: Option<Page>,
}

impl Stream {
    /// Makes a stream of the pages of a column chunk with this many rows.
    pub fn new(
        ranges: Arc<dyn Ranges>,
        column: &ColumnChunkMetaData,
        leaf: usize,
        rows: usize,
        memory: Arc<Memory>,
    ) -> Self {
        let (at, length) = column.byte_range();
        let values = u64::try_from(column.num_values()).unwrap_or(0);
        memory.change(|state| state.held.remove(&leaf));
        Self {
            ranges,
            column: column.clone(),
            leaf,
            rows,
            memory,
            at,
            read: Bytes::new(),
            end: at.saturating_add(length),
            values,
            next: None,
        }
    }

    /// Reads at least this many bytes of the next page. Returns false if the chunk has fewer.
    fn fill(&mut self, bytes: u64) -> Result<bool> {
        let there = self.end.saturating_sub(self.at);
        if bytes > there {
            return Ok(false);
        }
        if bytes > self.read.len() as u64 {
            let length = bytes.max(READ_BYTES).min(there);
            let range = self.at..self.at.saturating_add(length);
            let fetched = self.ranges.fetch(std::slice::from_ref(&range));
            let fetched = fetched.map_err(|error| ParquetError::External(Box::new(error)))?;
            self.read = fetched.into_iter().next().unwrap_or_default();
        }
        Ok(bytes <= self.read.len() as u64)
    }

    /// Returns the kind of the next page, its decompressed size, and its stored size with the
    /// header.
    fn header(&mut self) -> Result<[u64; 3]> {
        let mut wanted = READ_BYTES.min(self.end.saturating_sub(self.at)).max(1);
        while self.fill(wanted)? {
            let mut rest: &[u8] = &self.read;
            if let Some(Header { kind, whole, stored, .. }) = Header::read(&mut rest) {
                let header = (self.read.len() - rest.len()) as u64;
                return Ok([kind, whole, header.saturating_add(stored)]);
            }
            let all = wanted == self.end - self.at;
            if all || wanted > HEADER_BYTES_MAX {
                break;
            }
            wanted = wanted.saturating_mul(2).min(self.end - self.at);
        }
        Err(damaged(&self.column))
    }

    /// Returns the next page, decompressed and checked.
    fn fetch(&mut self) -> Result<Option<Page>> {
        while self.values > 0 {
            let [kind, whole, length] = self.header()?;
            if whole > PAGE_BYTES_MAX || length > PAGE_BYTES_MAX + HEADER_BYTES_MAX {
                return Err(self.too_large());
            }
            let which = usize::from(kind != DICTIONARY_PAGE);
            self.memory.let_go(self.leaf, which);
            if !self.memory.take(self.leaf, which, whole.max(length)) {
                return Err(self.too_large());
            }
            if !self.fill(length)? {
                return Err(damaged(&self.column));
            }
            let bytes = self.read.split_to(usize::try_from(length)?);
            let at = self.at;
            self.at = at.saturating_add(length);
            if kind != INDEX_PAGE {
                return self.open(at, bytes, which).map(Some);
            }
        }
        Ok(None)
    }

    /// Opens a single page as if it were the whole chunk.
    fn open(&mut self, at: u64, bytes: Bytes, which: usize) -> Result<Page> {
        let column = self.column.clone().into_builder();
        let column = column
            .set_data_page_offset(i64::try_from(at)?)
            .set_dictionary_page_offset(None)
            .set_total_compressed_size(i64::try_from(bytes.len())?)
            .build()?;
        let mut fetched = PushBuffers::default();
        fetched.push_range(at..at.saturating_add(bytes.len() as u64), bytes);
        let mut pages = Pages::new(Arc::new(fetched), &column, self.rows, None, Trust::Others)?;
        pages.values = self.values;
        let page = pages.get_next_page()?.ok_or_else(|| damaged(&self.column))?;
        self.values = pages.values;
        let mut more = SHARED_BYTES_MAX - pages.shared_bytes;
        if page.is_dictionary_page() {
            // Each row may hold the longest text.
            let longest = longest(&page, &self.column).ok_or_else(|| damaged(&self.column))?;
            more = more.saturating_add(longest.saturating_mul(self.memory.rows));
        }
        let fits = self.memory.take(self.leaf, which, more);
        if fits { Ok(page) } else { Err(self.too_large()) }
    }

    fn too_large(&self) -> ParquetError {
        ParquetError::General(format!(
            "a page or a text of column `{}` is larger than plypack reads; write the file \
             again with smaller pages",
            self.column.column_path()
        ))
    }
}

/// Returns the length of the longest text in a dictionary; 0 if it has no texts. `None` if one is
/// truncated.
fn longest(page: &Page, column: &ColumnChunkMetaData) -> Option<u64> {
    if column.column_type() != Type::BYTE_ARRAY {
        return Some(0);
    }
    let mut rest: &[u8] = page.buffer();
    let mut longest = 0;
    for _ in 0..page.num_values() {
        let (length, after) = rest.split_first_chunk()?;
        let length = u32::from_le_bytes(*length);
        longest = longest.max(length);
        rest = after.get(usize::try_from(length).ok()?..)?;
    }
    Some(longest.into())
}

impl Iterator for Stream {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Stream {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        match self.next.take() {
            Some(page) => Ok(Some(page)),
            None => self.fetch(),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        if self.next.is_none() {
            self.next = self.fetch()?;
        }
        Ok(self.next.as_ref().map(|page| PageMetadata {
            num_rows: None,
            num_levels: Some(page.num_values() as usize),
            is_dict: page.is_dictionary_page(),
        }))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.get_next_page().map(drop)
    }
}
