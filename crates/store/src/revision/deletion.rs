//! A file without some of its records.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use arrow_array::cast::AsArray;
use plypack_records::Content;

use super::{Piece, Plan};
use crate::columns::Wanted;
use crate::error::Error;
use crate::file::PackedFile;
use crate::find::Watch;
use crate::sources::Rowless;
use crate::writer::Renames;

/// What was left out, and what is left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deletion {
    /// How many records were left out.
    pub deleted: u64,
    /// How many are left.
    pub records: u64,
}

/// Writes a file of games without these rows, which are ascending and counted from 0. What is left
/// is copied as it is coded, row groups that lose nothing byte by byte.
///
/// # Errors
/// If the file has positions or fewer rows, it cannot be read, or writing fails.
pub fn delete(
    file: &PackedFile,
    rows: &[u64],
    output: &mut (dyn Write + Send),
    name: &Path,
    watch: &Watch<'_>,
) -> Result<Deletion, Error> {
    let path = file.path();
    if file.kind() != Content::Games {
        let why = "it holds positions, each of which needs those before it; unpack the file, and \
                   pack what is to stay";
        return Err(Error::Format { path: path.into(), why: why.into() });
    }
    if let Some(last) = rows.last().filter(|&&row| row >= file.records()) {
        let why = format!("there are only {} records", file.records());
        return Err(Error::Record { path: path.into(), record: last.saturating_add(1), why });
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
    plan.write(output, name, file.has_page_index()?, watch)?;
    Ok(deletion)
}

/// Those of ascending rows that are in a range.
fn within(rows: &[u64], range: Range<u64>) -> &[u64] {
    let place = |row: u64| rows.partition_point(|&found| found < row);
    rows.get(place(range.start)..place(range.end)).unwrap_or_default()
}

/// The runs of rows of a row group that are left, counted from its first.
fn left(deleted: &[u64], whole: Range<u64>) -> Vec<Range<usize>> {
    let (mut runs, mut next) = (Vec::new(), whole.start);
    for &row in deleted.iter().chain([&whole.end]) {
        if next < row {
            // Rows of a group that is read are fewer than memory has bytes.
            let place = |row: u64| usize::try_from(row - whole.start).unwrap_or(usize::MAX);
            runs.push(place(next)..place(row));
        }
        next = row + 1;
    }
    runs
}

/// The inputs without rows, at their places among those that are left: an input all records of
/// which are deleted is no longer there.
fn rowless_without(file: &PackedFile, rows: &[u64]) -> Result<Vec<Rowless>, Error> {
    let mut rowless = file.rowless()?;
    if rowless.is_empty() {
        return Ok(rowless);
    }
    // The inputs with rows, in order, and how many are left of each.
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
    // The inputs without rows are among all. Each moves up by those that are gone before it.
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
