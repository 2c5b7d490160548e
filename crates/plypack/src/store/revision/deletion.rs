//! Deletes records from a file.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use arrow_array::cast::AsArray;
use plypack_records::Content;

use super::{Piece, Plan};
use crate::store::columns::Wanted;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::sources::Rowless;
use crate::store::work::Work;
use crate::store::writer::Renames;

/// How many records were deleted and kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deletion {
    /// How many records were deleted.
    pub deleted: u64,
    /// How many records are left.
    pub records: u64,
}

/// Writes a file of games without these rows, which are ascending and counted from 0. The rest is
/// copied in coded form, unaffected row groups byte by byte.
///
/// # Errors
/// Returns an error if the file holds positions, has fewer rows, or cannot be read, or if writing
/// fails.
pub fn delete(
    file: &PackedFile,
    rows: &[u64],
    output: &mut (dyn Write + Send),
    name: &Path,
    work: &Work<'_>,
) -> Result<Deletion, Error> {
    let path = file.path();
    if file.kind() != Content::Games {
        let why = "it holds positions, each of which depends on those before it; unpack it, and \
                   pack what you want to keep";
        return Err(Error::Format { path: path.into(), why: why.into() });
    }
    if let Some(last) = rows.last().filter(|&&row| row >= file.records()) {
        let why = format!("it has only {} records", file.records());
        return Err(Error::record(path, *last)(why));
    }
    let (mut pieces, mut before) = (Vec::new(), 0u64);
    for group in 0..file.groups() {
        let after = before.saturating_add(file.group_records(group));
        let deleted = within(rows, before..after);
        match left(deleted, before..after) {
            _ if deleted.is_empty() => pieces.push(Piece::Group(0, group)),
            runs if runs.is_empty() => {}
            runs => pieces.push(Piece::Rows(0, group, runs)),
        }
        before = after;
    }
    let deletion =
        Deletion { deleted: rows.len() as u64, records: file.records() - rows.len() as u64 };
    let rowless = rowless_without(file, rows)?;
    let plan = Plan { files: vec![file], pieces, renamed: vec![Renames::new()], rowless };
    plan.write(output, name, file.has_page_index()?, work)?;
    Ok(deletion)
}

/// Returns those of ascending rows that are in a range.
fn within(rows: &[u64], range: Range<u64>) -> &[u64] {
    let place = |row: u64| rows.partition_point(|&found| found < row);
    rows.get(place(range.start)..place(range.end)).unwrap_or_default()
}

/// Returns the runs of remaining rows of a row group, counted from its first row.
fn left(deleted: &[u64], whole: Range<u64>) -> Vec<Range<usize>> {
    let (mut runs, mut next) = (Vec::new(), whole.start);
    for &row in deleted.iter().chain([&whole.end]) {
        if next < row {
            // A group that fits in memory has fewer rows than `usize` can count.
            let place = |row: u64| usize::try_from(row - whole.start).unwrap_or(usize::MAX);
            runs.push(place(next)..place(row));
        }
        next = row + 1;
    }
    runs
}

/// Returns the inputs without rows, at their places among the remaining inputs: an input whose
/// records are all deleted disappears.
fn rowless_without(file: &PackedFile, rows: &[u64]) -> Result<Vec<Rowless>, Error> {
    let mut rowless = file.rowless()?;
    if rowless.is_empty() {
        return Ok(rowless);
    }
    // The inputs with rows, in order, and the number of rows left of each.
    let mut inputs: Vec<u64> = Vec::new();
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    let (mut row, mut deleted) = (0u64, rows.iter().copied().peekable());
    for group in 0..file.groups() {
        for batch in file.read_batches(group, Wanted::Of(&["source"]))? {
            let column = batch.column_by_name("source").and_then(|column| column.as_string_opt());
            let column: &arrow_array::StringArray =
                column.ok_or_else(|| file.wrong_type("source"))?;
            for name in column.iter() {
                let place =
                    *places.entry(name.unwrap_or_default().to_owned()).or_insert_with(|| {
                        inputs.push(0);
                        inputs.len() - 1
                    });
                let is_left = deleted.next_if_eq(&row).is_none();
                inputs.get_mut(place).into_iter().for_each(|left| *left += u64::from(is_left));
                row += 1;
            }
        }
    }
    rowless.sort();
    // Each input without rows moves up by the number of removed inputs before it.
    let (mut gone, mut passed) = (0, 0);
    for (at, entry) in rowless.iter_mut().enumerate() {
        let with_rows = entry.0.saturating_sub(at).min(inputs.len());
        let between = inputs.get(passed..with_rows).unwrap_or_default();
        gone += between.iter().filter(|left| **left == 0).count();
        passed = passed.max(with_rows);
        entry.0 -= gone;
    }
    Ok(rowless)
}
