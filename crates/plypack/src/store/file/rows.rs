//! Rows of a packed file, read by row group or by their numbers.

use std::ops::Range;

use arrow_array::RecordBatch;
use arrow_schema::Field;
use parquet::arrow::arrow_reader::ArrowReaderMetadata;
use parquet::file::page_index::offset_index::PageLocation;
use plypack_records::Content;
use rayon::prelude::*;

use super::PackedFile;
use crate::store::columns::{self, Known, Wanted};
use crate::store::error::Error;
use crate::store::games::{self, Rows, prose};
use crate::store::positions::{self, PositionRows};
use crate::store::reader::{Reader, Request, Step, guarded};
use crate::store::record_id::RecordId;
use crate::store::{cells, conversion};

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
    /// Reads the wanted columns of a row group.
    pub(crate) fn read_batches(
        &self,
        group: usize,
        wanted: Wanted<'_>,
    ) -> Result<Vec<RecordBatch>, Error> {
        Ok(self.read_columns(group, None, wanted)?.0)
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

    /// Returns the name of the game in this row, counted from 0: see [`RecordId`].
    ///
    /// # Errors
    /// Returns an error if there is no such game, or the file cannot be read.
    pub fn id(&self, row: u64) -> Result<RecordId, Error> {
        let rows = self.read_rows(&[row..row.saturating_add(1)], Wanted::Of(&["checksum"]))?;
        let checksum = rows.record(0).and_then(|record| record.1);
        let checksum = checksum.ok_or_else(|| self.wrong_type("checksum"))?;
        Ok(RecordId { record: row.saturating_add(1), checksum })
    }

    /// Reads the game of this name.
    ///
    /// # Errors
    /// Returns an error if its row now holds another game or does not exist, or the file cannot be
    /// read.
    pub fn look_up(&self, id: RecordId, columns: Wanted<'_>) -> Result<Rows, Error> {
        let row = id.row();
        let there = self.id(row)?;
        if there != id {
            let why = format!("it is {there} now, not {id}: rows were moved or changed since");
            return Err(Error::record(&self.path, row)(why));
        }
        self.read_rows(&[row..row + 1], columns)
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
    pub(super) fn read_some(
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
    pub(super) fn with_prose(
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
    pub(super) fn restored(
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
    pub(super) fn blocks_of(
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

    /// Converts rows of a copy to the types that plypack writes.
    pub(super) fn as_ours(&self, batch: RecordBatch) -> Result<RecordBatch, Error> {
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
