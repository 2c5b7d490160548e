//! A packed file open for reading: its metadata, and the source of its ranges.

use std::collections::BTreeSet;
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use arrow_schema::{DataType, Field};
use bytes::Bytes;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::page_index::offset_index::{OffsetIndexMetaData, PageLocation};
use rayon::prelude::*;

use crate::rows::RowError;
use crate::store::columns::{self, Known, Wanted};
use crate::store::completeness::{self, Completeness};
use crate::store::error::Error;
use crate::store::footer::{Checks, Unreadable, read_footer, read_index};
use crate::store::games::{self, Rows, prose};
use crate::store::index::group_id;
use crate::store::input::table::MOVETEXT;
use crate::store::pages::Damaged;
use crate::store::positions::{self, PositionRows};
use crate::store::ranges::Ranges;
use crate::store::reader::{Reader, Request, Step, guarded};
use crate::store::record_id::RecordId;
use crate::store::schema::{FORMAT_VERSION, GROUPS_KEY, SOURCES_KEY, VERSION_KEY, is_ours};
use crate::store::sources::{self, Rowless};
use crate::store::summary::{self, Summary};
use crate::store::writer::checksum_of;
use crate::store::{cells, conversion};
use plypack_records::Content;

/// The first bytes of a Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// A packed file.
#[derive(Debug)]
pub struct PackedFile {
    path: PathBuf,
    ranges: Box<dyn Ranges>,
    size: u64,
    metadata: ArrowReaderMetadata,
    /// The checksums before the footer, if any.
    checks: Option<Checks>,
    /// The metadata with the page index, once needed.
    indexed: OnceLock<ArrowReaderMetadata>,
    /// The metadata for reading repeated texts as words and their numbers, without and with the
    /// page index, once needed.
    words: [OnceLock<ArrowReaderMetadata>; 2],
    kind: Content,
    /// The first row of each row group, and the row after the last.
    starts: Vec<u64>,
    /// The checksum of each row group's record checksums, where the metadata has it.
    checksums: Vec<Option<u32>>,
    /// For each row group of a copy, whether its records were compared with their checksums.
    proved: Vec<OnceLock<()>>,
}

/// A column of a row group as stored in its file.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Where it begins.
    pub start: u64,
    pub bytes: Bytes,
    /// Its metadata in the footer.
    pub metadata: ColumnChunkMetaData,
    /// Where its pages are, if the file has a page index.
    pub pages: Option<OffsetIndexMetaData>,
}

/// Rows of a row group.
#[derive(Debug)]
pub enum Records {
    /// Games.
    Games(Rows),
    /// Positions.
    Positions(PositionRows),
}

impl Records {
    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Games(rows) => rows.len(),
            Self::Positions(rows) => rows.len(),
        }
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl PackedFile {
    /// Opens a packed file.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is not Parquet, lacks our columns, or needs a newer
    /// version.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let found = path.metadata().map_err(Error::io(path))?;
        if found.is_dir() {
            return Err(Error::io(path)(std::io::ErrorKind::IsADirectory.into()));
        }
        if !found.is_file() {
            // Opening a pipe would block until it has a writer.
            let why = "it is not a regular file, and a packed file is read from its end; write it \
                       to a file and name that";
            return Err(Error::Format { path: path.into(), why: why.into() });
        }
        let file = File::open(path).map_err(Error::io(path))?;
        Self::open_ranges(path, Box::new(file))
    }

    /// Opens a packed file by ranges of its bytes. `path` is its name in messages.
    ///
    /// # Errors
    /// Returns an error if it cannot be read, is not Parquet, lacks our columns, or needs a newer
    /// version.
    pub fn open_ranges(path: &Path, ranges: Box<dyn Ranges>) -> Result<Self, Error> {
        let size = ranges.size().map_err(Error::io(path))?;
        let format = |why: String| Error::Format { path: path.into(), why };
        let (metadata, checks) = read_footer(&*ranges, size).map_err(|error| match error {
            Unreadable::Io(error) => Error::io(path)(error),
            Unreadable::Damaged(why) => format(why.into()),
            Unreadable::Parquet(error) => {
                format(format!("this is not a packed file; make one with `plypack pack` ({error})"))
            }
        })?;
        let version = value(&metadata, VERSION_KEY);
        if version.is_some_and(|version| version != FORMAT_VERSION.to_string()) {
            return Err(format(format!(
                "its format is version {}, and this plypack reads version {FORMAT_VERSION}; \
                 use the version that wrote it, or a newer one",
                version.unwrap_or_default()
            )));
        }
        // Checked after the version: the checksums of a newer format are unknown.
        let checks = checks.map_err(|why| format(why.into()))?;
        check_footer(&metadata).map_err(format)?;
        let has = |name: &str| metadata.schema().index_of(name).is_ok();
        let kind = match (has("position") || has("line")) && !has("moves") {
            true => Content::Positions,
            false => Content::Games,
        };
        let needed: Vec<&str> = match kind {
            Content::Positions => positions::NEEDED.to_vec(),
            Content::Games => games::schema::needed().collect(),
        };
        let lacking: Vec<&str> = needed.iter().copied().filter(|name| !has(name)).collect();
        if lacking.len() == needed.len() && has(MOVETEXT) {
            return Err(format(format!(
                "this Parquet file has games in a column `{MOVETEXT}`; convert it with \
                 `plypack pack`"
            )));
        }
        if lacking.len() == needed.len() {
            return Err(format(format!(
                "this Parquet file has none of the columns {}, so plypack did not write it",
                list(&needed)
            )));
        }
        if !lacking.is_empty() {
            return Err(format(format!(
                "this Parquet file lacks {}, without which no record can be restored; copy the \
                 packed file with all of its columns; selecting rows is fine",
                list(&lacking)
            )));
        }
        let path = path.into();
        let (indexed, words) = (OnceLock::new(), [const { OnceLock::new() }; 2]);
        let (starts, checksums) = (starts(&metadata), listed_checksums(&metadata));
        let copied = if is_ours(metadata.metadata()) { 0 } else { starts.len().saturating_sub(1) };
        let proved = (0..copied).map(|_| OnceLock::new()).collect();
        Ok(Self {
            path,
            ranges,
            size,
            metadata,
            checks,
            indexed,
            words,
            kind,
            starts,
            checksums,
            proved,
        })
    }

    /// Returns what its records are.
    pub fn kind(&self) -> Content {
        self.kind
    }

    /// Returns the columns that records may need but this copy lacks: lost, or never there. Of the
    /// tags' columns those that an order of tags names.
    fn lost_columns(&self) -> Vec<&'static str> {
        let has = |name: &str| self.metadata.schema().index_of(name).is_ok();
        if self.kind == Content::Positions {
            return positions::USED.into_iter().filter(|name| !has(name)).collect();
        }
        let orders = self.orders();
        let is_tag = |name: &str| games::schema::tags().any(|tag| tag.0 == name);
        let may_be_needed = |name: &str| !is_tag(name) || orders.contains(name);
        games::schema::read().filter(|name| !has(name) && may_be_needed(name)).collect()
    }

    /// Returns the names in the orders of tags, as far as they can be read.
    fn orders(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        for group in 0..self.groups() {
            let batches = self.read_batches(group, Wanted::Of(&["tag_order"])).unwrap_or_default();
            for batch in batches {
                let orders = batch.column_by_name("tag_order");
                let orders = orders.and_then(|orders| orders.as_string_opt::<i32>());
                let orders = orders.into_iter().flatten().flatten();
                names.extend(orders.flat_map(|order| order.split(' ')).map(str::to_owned));
            }
        }
        names
    }

    /// Returns the opcodes that have columns, in a file of positions.
    pub(crate) fn opcodes(&self) -> Vec<String> {
        match self.metadata.schema().field_with_name("operations").map(Field::data_type) {
            Ok(DataType::Struct(parts)) => parts.iter().map(|part| part.name().clone()).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the path it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the names of the inputs, in order, including those without rows. Reads the column of
    /// names.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the list of inputs without rows is damaged.
    pub fn sources(&self) -> Result<Vec<String>, Error> {
        let rowless = self.rowless()?;
        let mut names = Vec::new();
        let mut known = BTreeSet::new();
        for group in 0..self.groups() {
            for batch in self.read_columns(group, None, Wanted::Of(&["source"]))?.0 {
                let Some(column) = batch.column_by_name("source") else { continue };
                let column = column.as_string_opt::<i32>();
                let column = column.ok_or_else(|| self.wrong_type("source"))?;
                let mut last = None;
                for name in column.iter().flatten() {
                    // Consecutive rows share a name.
                    if last != Some(name) && known.insert(name.to_owned()) {
                        names.push(name.to_owned());
                    }
                    last = Some(name);
                }
            }
        }
        Ok(sources::all(names, rowless))
    }

    /// Returns the inputs without rows and their places. A copy made by another tool may have lost
    /// them.
    ///
    /// # Errors
    /// Returns an error if the list is damaged.
    pub fn rowless(&self) -> Result<Vec<Rowless>, Error> {
        let Some(list) = value(&self.metadata, SOURCES_KEY) else { return Ok(Vec::new()) };
        sources::read(list).map_err(|error| {
            let why = format!("its list of inputs, `{SOURCES_KEY}`, is damaged: {error}");
            Error::Format { path: self.path.clone(), why }
        })
    }

    /// Returns whether texts of its annotations may be in blocks.
    pub fn has_prose(&self) -> bool {
        let is_prose = |column: &&ColumnChunkMetaData| {
            column.column_path().parts().first().is_some_and(|name| name == prose::PROSE)
        };
        let groups = self.footer().row_groups().iter();
        let mut codes = groups.filter_map(|group| group.columns().iter().find(is_prose));
        codes.any(|codes| !columns::is_empty(codes))
    }

    /// Returns the number of row groups.
    pub fn groups(&self) -> usize {
        self.metadata.metadata().num_row_groups()
    }

    /// Returns an identifier of each row group's content, for an index.
    pub(crate) fn group_ids(&self) -> Vec<[u8; 16]> {
        let groups = self.metadata.metadata().row_groups();
        let checksum = |at: usize| self.checksums.get(at).copied().flatten();
        groups.iter().zip(0..).map(|(group, at)| group_id(group, checksum(at))).collect()
    }

    /// Returns whether its row groups equal those of another file, in order: it is the same file,
    /// or a copy of it.
    pub fn has_groups_of(&self, other: &Self) -> bool {
        self.group_ids() == other.group_ids()
    }

    /// Returns the checksum of a row group's record checksums.
    pub(crate) fn group_checksum(&self, group: usize) -> Result<u32, Error> {
        if let Some(Some(listed)) = self.checksums.get(group) {
            return Ok(*listed);
        }
        let batches = self.read_batches(group, Wanted::Of(&["checksum"]))?;
        Ok(checksum_of(batches.iter().filter_map(|batch| batch.column_by_name("checksum"))))
    }

    /// Returns whether it has a page index for all columns.
    pub(crate) fn has_page_index(&self) -> Result<bool, Error> {
        Ok(self.indexed()?.metadata().offset_index().is_some())
    }

    /// Returns a column of a row group as stored in the file, by the number of the column.
    pub(crate) fn chunk(&self, group: usize, leaf: usize) -> Result<Chunk, Error> {
        let metadata = self.indexed()?.metadata();
        let lost = || ParquetError::General("a row group lacks a column".into());
        let column = metadata.row_groups().get(group).and_then(|group| group.columns().get(leaf));
        let column = column.ok_or_else(|| self.unreadable(lost()))?;
        let range = guarded(|| Ok(column.byte_range())).map_err(|error| self.unreadable(error))?;
        let start = range.0;
        let range = start..start.saturating_add(range.1);
        let fetched = self.ranges.fetch(&[range]).map_err(Error::io(&self.path))?;
        let bytes = fetched.into_iter().next().ok_or_else(|| self.unreadable(lost()))?;
        let pages = metadata.offset_index().and_then(|index| index.get(group)?.get(leaf)).cloned();
        Ok(Chunk { start, bytes, metadata: column.clone(), pages })
    }

    /// Reads the wanted columns of a row group.
    pub(crate) fn read_batches(
        &self,
        group: usize,
        wanted: Wanted<'_>,
    ) -> Result<Vec<RecordBatch>, Error> {
        Ok(self.read_columns(group, None, wanted)?.0)
    }

    /// Returns the number of records in a row group.
    pub fn group_records(&self, group: usize) -> u64 {
        self.group_start(group + 1) - self.group_start(group)
    }

    /// Returns the first row of a row group, counted from 0 over the whole file; after the last
    /// group, the number of records.
    pub(crate) fn group_start(&self, group: usize) -> u64 {
        self.starts.get(group).or(self.starts.last()).copied().unwrap_or(0)
    }

    /// Returns the number of records.
    pub fn records(&self) -> u64 {
        self.group_start(self.groups())
    }

    /// Reads the records of a row group, of either kind.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or its columns have other types than ours.
    pub fn read_records(&self, group: usize) -> Result<Records, Error> {
        Ok(match self.kind {
            Content::Games => Records::Games(self.read_group(group)?),
            Content::Positions => Records::Positions(self.read_positions(group)?),
        })
    }

    /// Reads a row group of positions.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or its columns have other types than ours.
    pub fn read_positions(&self, group: usize) -> Result<PositionRows, Error> {
        self.read_position_rows(group, None)
    }

    /// Reads rows of a row group of positions, or all of them.
    pub(crate) fn read_position_rows(
        &self,
        group: usize,
        rows: Option<Range<usize>>,
    ) -> Result<PositionRows, Error> {
        let rows = rows.map(|rows| vec![rows]);
        let (batches, _) = self.read_columns(group, rows, Wanted::All)?;
        PositionRows::new(&batches).map_err(|name| self.wrong_type(name))
    }

    /// Reads a row group of games.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or its columns have other types than ours.
    pub fn read_group(&self, group: usize) -> Result<Rows, Error> {
        self.read_game_rows(group, None, Wanted::All)
    }

    /// Reads rows of games, counted from 0 over the whole file, with these columns only. Runs of
    /// rows are in ascending order. Row groups are read in parallel on rayon's threads. All rows
    /// stay in memory, so read many rows by group ([`Self::read_group`]).
    ///
    /// # Errors
    /// Returns an error if the file holds positions, has fewer rows, or cannot be read, or if its
    /// columns have other types than ours.
    pub fn read_rows(&self, rows: &[Range<u64>], columns: Wanted<'_>) -> Result<Rows, Error> {
        if self.kind != Content::Games {
            let why = "it holds positions, not games".into();
            return Err(Error::Format { path: self.path.clone(), why });
        }
        let end = rows.iter().map(|run| run.end).max().unwrap_or(0);
        if end > self.records() {
            let why = format!("it has only {} records", self.records());
            return Err(Error::record(&self.path, end.saturating_sub(1))(why));
        }
        let mut runs_of_groups: Vec<(usize, Vec<Range<usize>>)> = Vec::new();
        for run in rows.iter().filter(|run| run.start < run.end) {
            let first = self.starts.partition_point(|&start| start <= run.start).saturating_sub(1);
            for group in first..self.groups() {
                let whole = self.group_start(group)..self.group_start(group + 1);
                if run.end <= whole.start {
                    break;
                }
                // A row within a group, which fits in memory.
                let within = |row: u64| usize::try_from(row - whole.start).unwrap_or(usize::MAX);
                let part = run.start.max(whole.start)..run.end.min(whole.end);
                if part.start >= part.end {
                    continue;
                }
                let part = within(part.start)..within(part.end);
                match runs_of_groups.last_mut().filter(|last| last.0 == group) {
                    Some(last) => last.1.push(part),
                    None => runs_of_groups.push((group, vec![part])),
                }
            }
        }
        if !runs_of_groups.is_empty() {
            // Loaded once here, not by every thread.
            self.load_index()?;
        }
        let read = |(group, runs)| self.read_game_rows(group, Some(runs), columns);
        let read: Vec<Result<Rows, Error>> = runs_of_groups.into_par_iter().map(read).collect();
        let mut found = Rows::default();
        for rows in read {
            found.extend(rows?);
        }
        Ok(found)
    }

    /// Returns whether a row group of a copy was verified; `None` if the file has checksums
    /// everywhere.
    pub(crate) fn proved(&self, group: usize) -> Option<&OnceLock<()>> {
        self.proved.get(group)
    }

    /// Reads runs of rows of a row group of games, or all of them, with these columns. A caller
    /// that reads all columns must compare the records' checksums.
    pub(crate) fn read_game_rows(
        &self,
        group: usize,
        rows: Option<Vec<Range<usize>>>,
        columns: Wanted<'_>,
    ) -> Result<Rows, Error> {
        if columns != Wanted::All {
            self.prove(group, rows.as_deref())?;
        }
        let (batches, known) = self.read_columns(group, rows, columns)?;
        Rows::new(batches, &known.codecs).map_err(|name| self.wrong_type(name))
    }

    /// Reads runs of rows of a row group of games, or all of them, with all columns, for comparing
    /// the records' checksums: undamaged parts of damaged pages are read, too.
    pub(crate) fn read_to_compare(
        &self,
        group: usize,
        rows: Option<Vec<Range<usize>>>,
    ) -> Result<Rows, Error> {
        let (batches, known) = self.read_some(group, rows, Wanted::All, true)?;
        Rows::new(batches, &known.codecs).map_err(|name| self.wrong_type(name))
    }

    /// Loads and keeps the page index, if not yet loaded. The first [`Self::read_rows`] does so,
    /// too.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn load_index(&self) -> Result<(), Error> {
        self.indexed().map(drop)
    }

    /// Checks the parts that records do not need but other tools do: the magic bytes, and the page
    /// index.
    ///
    /// # Errors
    /// Returns an error if one is damaged, or cannot be read.
    pub(crate) fn check_ends(&self) -> Result<(), Error> {
        let begin = self.ranges.fetch(&[0..MAGIC.len() as u64]).map_err(Error::io(&self.path))?;
        if begin.first().is_none_or(|begin| begin[..] != MAGIC[..]) {
            let why = "it is damaged: it does not begin like a Parquet file".into();
            return Err(Error::Format { path: self.path.clone(), why });
        }
        self.load_index()
    }

    /// Returns the name of the game in this row, counted from 0: see [`RecordId`].
    ///
    /// # Errors
    /// Returns an error if there is no such game, or the file cannot be read.
    pub fn id(&self, row: u64) -> Result<RecordId, Error> {
        let rows = self.read_rows(&[row..row.saturating_add(1)], Wanted::Of(&["checksum"]))?;
        let checksum = rows.record(0).and_then(|record| record.1);
        let checksum = checksum.ok_or_else(|| self.wrong_type("checksum"))?;
        Ok(RecordId { row, checksum })
    }

    /// Reads the game of this name.
    ///
    /// # Errors
    /// Returns an error if its row now holds another game or does not exist, or the file cannot be
    /// read.
    pub fn look_up(&self, id: RecordId, columns: Wanted<'_>) -> Result<Rows, Error> {
        let there = self.id(id.row)?;
        if there != id {
            let why = format!("it is {there} now, not {id}: rows were moved or changed since");
            return Err(Error::record(&self.path, id.row)(why));
        }
        self.read_rows(&[id.row..id.row + 1], columns)
    }

    /// Returns how many records have no checksum to compare: a checksum of positions covers several
    /// consecutive ones, and a copy made by another tool may lack one of them.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or its columns have other types than ours.
    pub fn unchecked_records(&self) -> Result<u64, Error> {
        let mut unchecked = 0;
        for group in 0..self.groups() {
            if self.kind == Content::Positions {
                let wanted = Wanted::Of(&["line", "source", "checksum"]);
                let (batches, _) = self.read_columns(group, None, wanted)?;
                let found = positions::unchecked(&batches);
                unchecked += found.map_err(|name| self.wrong_type(name))? as u64;
            }
        }
        Ok(unchecked)
    }

    /// Returns how much of what was packed the file still has; `None` if unknown, as columns are
    /// missing. Reads the small columns of all row groups.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn completeness(&self) -> Result<Option<Completeness>, Error> {
        let columns = completeness::columns(self.kind);
        if columns.iter().any(|name| self.metadata.schema().index_of(name).is_err()) {
            return Ok(None);
        }
        let mut counter = completeness::Counter::default();
        for group in 0..self.groups() {
            for batch in self.read_columns(group, None, Wanted::Of(&columns))?.0 {
                if counter.add(&batch, self.kind).is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(counter.finish()))
    }

    /// Counts what the file holds. Reads the small columns of all row groups.
    ///
    /// # Errors
    /// Returns an error if it cannot be read.
    pub fn summary(&self) -> Result<Summary, Error> {
        let summary = Summary::of_kind(self.kind);
        let mut summary = summary.with_sizes(self.size, self.metadata.metadata());
        for group in 0..self.groups() {
            for batch in self.read_columns(group, None, summary::WANTED)?.0 {
                summary.add(&batch).map_err(|name| self.wrong_type(name))?;
            }
        }
        Ok(summary)
    }

    /// Reads the wanted columns of some or all rows of a row group, and returns what its footer
    /// tells about columns that need not be read.
    pub(crate) fn read_columns(
        &self,
        group: usize,
        rows: Option<Vec<Range<usize>>>,
        wanted: Wanted<'_>,
    ) -> Result<(Vec<RecordBatch>, Known), Error> {
        self.read_some(group, rows, wanted, false)
    }

    /// Reads the same, also what the footer tells about columns; a copy is compared with its
    /// checksums first.
    pub(crate) fn read_whole(
        &self,
        group: usize,
        rows: Option<Vec<Range<usize>>>,
        wanted: Wanted<'_>,
    ) -> Result<Vec<RecordBatch>, Error> {
        self.prove(group, rows.as_deref())?;
        let metadata = if rows.is_some() { self.indexed()? } else { &self.metadata };
        let leaves = wanted.leaves(metadata.parquet_schema());
        let request = Request { group, rows: rows.clone(), leaves, lenient: false };
        let batches = self.read(metadata, request)?;
        self.with_prose(group, rows, batches, false)
    }

    /// Reads the same; `lenient` for callers that compare the records' checksums.
    fn read_some(
        &self,
        group: usize,
        rows: Option<Vec<Range<usize>>>,
        wanted: Wanted<'_>,
        lenient: bool,
    ) -> Result<(Vec<RecordBatch>, Known), Error> {
        let failed = || |error| self.unreadable(error);
        let metadata = if rows.is_some() { self.indexed()? } else { &self.metadata };
        let leaves = wanted.leaves(metadata.parquet_schema());
        let known = if rows.is_some() && self.kind == Content::Games && !self.is_copy() {
            guarded(|| Ok(columns::known(&leaves, metadata.metadata().row_group(group))))
                .map_err(failed())?
        } else {
            Known { leaves, ..Known::default() }
        };
        let runs = rows.clone();
        let request = Request { group, rows, leaves: known.leaves.clone(), lenient };
        let batches = self.read(metadata, request)?;
        Ok((self.with_prose(group, runs, batches, lenient)?, known))
    }

    /// Restores texts of annotations that are in blocks, in these runs of rows or all of a row
    /// group. If `lenient`, texts of damaged blocks stay empty.
    fn with_prose(
        &self,
        group: usize,
        runs: Option<Vec<Range<usize>>>,
        batches: Vec<RecordBatch>,
        lenient: bool,
    ) -> Result<Vec<RecordBatch>, Error> {
        if self.kind != Content::Games {
            return Ok(batches);
        }
        let wrong = || self.wrong_type(prose::PROSE);
        if !batches.iter().any(prose::is_coded) {
            let batches = batches.iter().map(prose::without_codes).collect::<Option<_>>();
            return batches.ok_or_else(wrong);
        }
        let has = |name: &str| batches.iter().all(|batch| batch.column_by_name(name).is_some());
        if runs.is_none() && has(prose::PROSE) && has("checksum") {
            let all = || 0..usize::try_from(self.group_records(group)).unwrap_or(usize::MAX);
            return self.restored(group, &[all()], &batches, lenient);
        }
        let metadata = self.indexed()?;
        let blocks = match &runs {
            Some(runs) => self.blocks_of(metadata, group, runs),
            None => self.blocks_of(metadata, group, &[0..usize::MAX]),
        };
        let leaves = Wanted::Of(&prose::SOURCES).leaves(metadata.parquet_schema());
        let request = Request { group, rows: Some(blocks.clone()), leaves, lenient };
        let sources = self.read(metadata, request)?;
        let sources = self.restored(group, &blocks, &sources, lenient)?;
        let rows = sources.iter().map(RecordBatch::num_rows).sum();
        let wanted = wanted(&blocks, runs.as_deref(), rows);
        prose::pick(&batches, &sources, &wanted).ok_or_else(wrong)
    }

    /// Restores the texts of these runs of whole blocks.
    fn restored(
        &self,
        group: usize,
        blocks: &[Range<usize>],
        batches: &[RecordBatch],
        lenient: bool,
    ) -> Result<Vec<RecordBatch>, Error> {
        prose::restore(batches, lenient).map_err(|unreadable| {
            let row = |at: usize| blocks.iter().cloned().flatten().nth(at).unwrap_or(at) as u64;
            let (first, last) = (unreadable.rows.start, unreadable.rows.end.saturating_sub(1));
            let start = self.group_start(group);
            let (first, last) = (start + row(first) + 1, start + row(last) + 1);
            let why = format!(
                "the code of the comments of games {first} to {last} cannot be read: {}; {}",
                unreadable.why,
                crate::rows::prose::REMEDY
            );
            Error::Format { path: self.path.clone(), why }
        })
    }

    /// Returns the runs of rows of the blocks of prose that have any of these rows. A page of codes
    /// ends with a block, but in copies by other tools.
    fn blocks_of(
        &self,
        metadata: &ArrowReaderMetadata,
        group: usize,
        runs: &[Range<usize>],
    ) -> Vec<Range<usize>> {
        let rows = usize::try_from(self.group_records(group)).unwrap_or(usize::MAX);
        let leaf = Wanted::Of(&[prose::PROSE]).leaves(metadata.parquet_schema());
        let pages = metadata.metadata().offset_index().filter(|_| !self.is_copy());
        let pages = pages.and_then(|index| index.get(group)?.get(*leaf.first()?));
        let pages = pages.map_or(&[][..], |index| index.page_locations());
        let first = |page: &PageLocation| usize::try_from(page.first_row_index).unwrap_or(rows);
        let mut blocks: Vec<Range<usize>> = Vec::new();
        for run in runs {
            let before = pages.iter().map(first).take_while(|&first| first <= run.start);
            let start = before.last().unwrap_or(0);
            let end = pages.iter().map(first).find(|&first| first >= run.end).unwrap_or(rows);
            match blocks.last_mut().filter(|last| start <= last.end) {
                Some(last) => last.end = last.end.max(end),
                None => blocks.push(start..end),
            }
        }
        blocks
    }

    /// Reads the rows of a request.
    pub(crate) fn read(
        &self,
        metadata: &ArrowReaderMetadata,
        request: Request,
    ) -> Result<Vec<RecordBatch>, Error> {
        let group = request.group;
        let failed = || |error| self.damaged_in(group, error);
        let mut reader = Reader::new(metadata, request);
        let mut batches = Vec::new();
        loop {
            match reader.step().map_err(failed())? {
                Step::Rows(batch) => batches.push(self.as_ours(batch)?),
                Step::Done => return Ok(batches),
                Step::Needs(ranges) => {
                    let bytes = self.ranges.fetch(&ranges).map_err(Error::io(&self.path))?;
                    reader.push(ranges, bytes).map_err(failed())?;
                }
            }
        }
    }

    /// Returns the metadata with the page index, loading it when first needed.
    fn indexed(&self) -> Result<&ArrowReaderMetadata, Error> {
        if let Some(indexed) = self.indexed.get() {
            return Ok(indexed);
        }
        let metadata = self.metadata.metadata().as_ref().clone();
        let read = read_index(&*self.ranges, self.size, metadata, self.checks.as_ref());
        let read = read.map_err(|error| match error {
            Unreadable::Io(error) => Error::io(&self.path)(error),
            Unreadable::Damaged(why) => Error::Format { path: self.path.clone(), why: why.into() },
            Unreadable::Parquet(error) => Error::parquet(&self.path)(error),
        })?;
        Ok(self.indexed.get_or_init(|| read))
    }

    /// Returns the metadata for reading columns of repeated texts as words and their numbers
    /// ([`cells`](crate::store::cells)).
    pub(crate) fn words(&self, indexed: bool) -> Result<&ArrowReaderMetadata, Error> {
        let kept = &self.words[usize::from(indexed)];
        if let Some(kept) = kept.get() {
            return Ok(kept);
        }
        let metadata = if indexed { self.indexed()? } else { &self.metadata };
        let words = guarded(|| cells::with_words(metadata));
        let words = words.map_err(|error| self.unreadable(error))?;
        Ok(kept.get_or_init(|| words))
    }

    /// Returns the type of a column, or of a part of one, in this file.
    pub(crate) fn schema_type(&self, name: &str) -> Option<DataType> {
        let (whole, part) = name.split_once('.').unwrap_or((name, ""));
        let whole = self.metadata.schema().field_with_name(whole).ok()?.data_type();
        match whole {
            DataType::Struct(parts) => parts.find(part).map(|part| part.1.data_type().clone()),
            whole => Some(whole.clone()),
        }
    }

    /// Returns the footer.
    pub(crate) fn footer(&self) -> &ParquetMetaData {
        self.metadata.metadata()
    }

    /// Returns whether another tool wrote it, perhaps with our metadata.
    pub(crate) fn is_copy(&self) -> bool {
        !is_ours(self.footer())
    }

    /// Makes an error about a row group: a damaged page, or else the Parquet library's error.
    fn damaged_in(&self, group: usize, error: ParquetError) -> Error {
        match Damaged::of(&error) {
            Some(Damaged(column)) => Error::Page {
                path: self.path.clone(),
                column: column.clone(),
                first: self.group_start(group) + 1,
                last: self.group_start(group + 1),
            },
            None => self.unreadable(error),
        }
    }

    /// Wraps the Parquet library's error, with a remedy if the file may be undamaged.
    fn unreadable(&self, error: ParquetError) -> Error {
        if !self.is_copy() {
            return Error::parquet(&self.path)(error);
        }
        let why = format!(
            "{error}; if it is not damaged, its tool used features that plypack does not read: \
             copy the packed file with the tool's default settings"
        );
        Error::Format { path: self.path.clone(), why }
    }

    /// Converts rows of a copy to the types that plypack writes.
    fn as_ours(&self, batch: RecordBatch) -> Result<RecordBatch, Error> {
        let wanted = match self.kind {
            Content::Games => |field: &Field| {
                games::schema::data_type(field).filter(|_| !cells::is_words(field.data_type()))
            },
            Content::Positions => positions::schema::data_type,
        };
        conversion::convert(batch, wanted).map_err(|mismatch| Error::Format {
            path: self.path.clone(),
            why: mismatch.to_string(),
        })
    }

    /// Adds to an error about a record how a copy by another tool may have caused it: changed
    /// values, or lost columns.
    pub(crate) fn with_loss(&self, error: RowError) -> RowError {
        if !self.is_copy() {
            return error;
        }
        let lost = self.lost_columns();
        let remedy = if lost.is_empty() {
            "or a value in this copy was changed; make a new copy".to_owned()
        } else {
            format!(
                "or a value in this copy was changed, or it needs one of the columns that this \
                 copy lacks ({}); make a new copy, with all columns",
                list(&lost)
            )
        };
        RowError::Copy { source: Box::new(error), remedy }
    }

    pub(crate) fn wrong_type(&self, column: &str) -> Error {
        let why = format!(
            "its column `{column}` lacks parts that plypack writes; copy the packed file with its \
             whole columns"
        );
        Error::Format { path: self.path.clone(), why }
    }
}

/// Returns which rows of `blocks`, so many of which were read, lie in these runs, or that all do.
fn wanted(blocks: &[Range<usize>], runs: Option<&[Range<usize>]>, rows: usize) -> Vec<bool> {
    let Some(runs) = runs else { return vec![true; rows] };
    let mut runs = runs.iter().peekable();
    let is_wanted = |row: usize| {
        while runs.next_if(|run| run.end <= row).is_some() {}
        runs.peek().is_some_and(|run| run.contains(&row))
    };
    blocks.iter().cloned().flatten().take(rows).map(is_wanted).collect()
}

/// Returns the first row of each row group, and the row after the last.
fn starts(metadata: &ArrowReaderMetadata) -> Vec<u64> {
    let groups = metadata.metadata().row_groups().iter();
    let mut starts = vec![0u64];
    starts.extend(groups.scan(0u64, |sum, group| {
        *sum = sum.saturating_add(u64::try_from(group.num_rows()).unwrap_or(0));
        Some(*sum)
    }));
    starts
}

/// Returns the checksum of each row group's record checksums, where the metadata has it.
fn listed_checksums(metadata: &ArrowReaderMetadata) -> Vec<Option<u32>> {
    let listed = value(metadata, GROUPS_KEY).unwrap_or_default().split(' ');
    let listed = listed.map(|checksum| u32::from_str_radix(checksum, 16).ok());
    let listed: Vec<Option<u32>> = listed.collect();
    // A list of another length belongs to another file.
    if listed.len() == metadata.metadata().num_row_groups() { listed } else { Vec::new() }
}

/// Rejects a file whose footer contradicts itself, or whose compression is not supported.
pub(crate) fn check_footer(metadata: &ArrowReaderMetadata) -> Result<(), String> {
    let groups = metadata.metadata().row_groups();
    if groups.iter().any(is_impossible) {
        return Err("it is damaged: the columns of a row group differ in length".into());
    }
    let Some(column) = groups.iter().find_map(unreadable) else { return Ok(()) };
    let (name, compression) = (column.column_path().string(), column.compression());
    // Without the level, whose value is unknown.
    let compression = compression.to_string();
    let compression = compression.split('(').next().unwrap_or_default();
    Err(format!(
        "its column `{name}` is compressed by {compression}, which plypack does not read; \
         copy the file with snappy, gzip, lz4 or zstd, or without compression"
    ))
}

/// Returns a column of a row group in a compression that common tools do not write and plypack does
/// not read.
fn unreadable(group: &RowGroupMetaData) -> Option<&ColumnChunkMetaData> {
    let unreadable = |column: &&ColumnChunkMetaData| {
        !matches!(
            column.compression(),
            Compression::UNCOMPRESSED
                | Compression::SNAPPY
                | Compression::GZIP(_)
                | Compression::LZ4_RAW
                | Compression::ZSTD(_)
        )
    };
    group.columns().iter().find(unreadable)
}

/// Lists the names of columns for a message.
fn list(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// Returns whether a column does not have one value per row, or, if it holds lists, has fewer.
fn is_impossible(group: &RowGroupMetaData) -> bool {
    let rows = group.num_rows();
    let differs = |column: &ColumnChunkMetaData| match column.column_descr().max_rep_level() {
        0 => column.num_values() != rows,
        _ => column.num_values() < rows,
    };
    rows < 0 || group.columns().iter().any(differs)
}

/// Returns the value of a key in the file's metadata.
fn value<'a>(metadata: &'a ArrowReaderMetadata, key: &str) -> Option<&'a str> {
    let pairs = metadata.metadata().file_metadata().key_value_metadata()?;
    pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
}
