//! Copies some records of packed files into a new file.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use plypack_records::Content;

use super::names::InputNames;
use super::{Piece, Plan};
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::sheet::INDEXED_RECORDS_MIN;
use crate::store::work::Work;
use crate::store::writer::Renames;

/// Writes these rows of each file of games, ascending and counted from 0, into one file, in the
/// order of the files. They are copied in coded form. An input with the name of another gets a
/// number. Returns the number of records.
///
/// # Errors
/// Returns an error if a file holds positions or cannot be read, or writing fails.
pub fn select(
    files: &[(&PackedFile, &[u64])],
    output: &mut (dyn Write + Send),
    name: &Path,
    work: &Work<'_>,
) -> Result<u64, Error> {
    let (mut pieces, mut renamed) = (Vec::new(), Vec::new());
    let (mut names, mut records) = (InputNames::default(), 0);
    for (number, (file, rows)) in files.iter().enumerate() {
        if file.kind() != Content::Games {
            let why = "it holds positions, each of which depends on those before it";
            return Err(Error::Format { path: file.path().into(), why: why.into() });
        }
        let sources = file.sources()?;
        let new = |name: &String| Some((name.clone(), names.take(name)?));
        renamed.push(sources.iter().filter_map(new).collect::<Renames>());
        records += rows.len() as u64;
        for group in 0..file.groups() {
            let whole = file.group_start(group)..file.group_start(group + 1);
            let from = rows.partition_point(|&row| row < whole.start);
            let to = rows.partition_point(|&row| row < whole.end);
            let here = rows.get(from..to).unwrap_or_default();
            match runs(here, whole.start) {
                runs if runs.is_empty() => {}
                _ if here.len() as u64 == whole.end - whole.start => {
                    pieces.push(Piece::Group(number, group));
                }
                runs => pieces.push(Piece::Rows(number, group, runs)),
            }
        }
    }
    let files = files.iter().map(|(file, _)| *file).collect();
    let plan = Plan { files, pieces, renamed, rowless: Vec::new() };
    plan.write(output, name, records >= INDEXED_RECORDS_MIN as u64, work)?;
    Ok(records)
}

/// Groups ascending rows of a file into runs within a group that begins with row `start`.
fn runs(rows: &[u64], start: u64) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    // A group that fits in memory has fewer rows than `usize` can count.
    for row in rows.iter().filter_map(|row| usize::try_from(row - start).ok()) {
        match runs.last_mut().filter(|run| run.end == row) {
            Some(run) => run.end += 1,
            None => runs.push(row..row + 1),
        }
    }
    runs
}
