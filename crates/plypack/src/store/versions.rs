//! What verbs do to files, together with the indices beside them: each is a function here, for the
//! command line and for the public interface.

use std::ops::Range;
use std::path::{Path, PathBuf};

use plypack_records::Content;

use crate::store::columns::Wanted;
use crate::store::condition::Condition;
use crate::store::error::Error;
use crate::store::file::PackedFile;
use crate::store::find::{Asked, Order, Question, find};
use crate::store::import::{Destination, Options, Report, append_to, import_to};
use crate::store::index::{
    Built, IndexWriter, Indices, Moved, carry_over, index, part_path, remove_others,
};
use crate::store::input::Sources;
use crate::store::output::{Existing, Output, clear_beside};
use crate::store::record_id::RecordId;
use crate::store::revision::{Deletion, Held, Merged, delete, merge};
use crate::store::work::Work;

/// Number of records looked up at once.
const LOOKED_UP: usize = 1 << 16;

/// A file that was packed.
#[derive(Debug)]
pub struct Packed {
    /// Its path.
    pub path: PathBuf,
    /// What was packed.
    pub report: Report,
    /// What was indexed, if that was asked for and it holds games.
    pub built: Option<Built>,
}

/// Packs `sources`, in order, into `output`, and with `indexed` builds the index beside it. Both
/// get their names when both are on disk. If another run creates a file of that name meanwhile,
/// `next` may return another name.
///
/// # Errors
/// Returns an error if reading or writing fails or the work is stopped; then nothing is left
/// behind. Only a regular file can have an index.
pub fn pack(
    sources: impl Into<Sources>,
    mut output: Output,
    options: &Options,
    indexed: bool,
    next: &mut dyn FnMut(Error) -> Result<PathBuf, Error>,
    work: &Work<'_>,
) -> Result<Packed, Error> {
    if indexed && !output.is_file() {
        let why = "it is not a file, so it cannot have an index beside it".into();
        return Err(Error::Format { path: output.path().into(), why });
    }
    let name = output.path().to_path_buf();
    let begin = || IndexWriter::begin(&part_path(&name, 0));
    let mut index = indexed.then(begin).transpose()?;
    let builder = index.as_mut().map(IndexWriter::builder);
    let mut destination = Destination::new(&mut output, &name).with_index(builder);
    let report = import_to(sources, &mut destination, options, work)?;
    let index = index.filter(|_| report.kind == Content::Games);
    let index = index.map(|index| index.finish(&report.groups, work.stop)).transpose()?;
    let path = output.publish_or(next)?;
    let Some(mut index) = index else { return Ok(Packed { path, report, built: None }) };
    index.rename(&path);
    let built = index.publish()?;
    remove_others(&path, &[0])?;
    Ok(Packed { path, report, built: Some(built) })
}

/// Appends `sources`, in order, to a packed file. If all of its games are indexed, those that come
/// in are indexed on the way; otherwise [`keep_index`] covers them.
///
/// # Errors
/// Returns an error if reading or writing fails or the work is stopped; then the file is as it was.
pub fn append(
    held: Held,
    sources: impl Into<Sources>,
    mut output: Output,
    options: &Options,
    work: &Work<'_>,
) -> Result<Report, Error> {
    let path = held.file().path().to_path_buf();
    let indices = Indices::open(held.file());
    let is_covered = !indices.is_empty() && indices.uncovered().is_empty();
    let number = indices.free_number().filter(|_| is_covered);
    let begin = |number| IndexWriter::begin(&part_path(&path, number));
    let mut part = number.map(begin).transpose()?;
    let builder = part.as_mut().map(IndexWriter::builder);
    let mut destination = Destination::new(&mut output, &path).with_index(builder);
    let report = append_to(held.file(), sources, &mut destination, options, work)?;
    let part = part.filter(|_| !report.groups.is_empty());
    let part = part.map(|part| part.finish(&report.groups, work.stop)).transpose()?;
    held.replace(output)?;
    if let Some(part) = part {
        part.publish()?;
    }
    Ok(report)
}

/// Merges packed files into `output`, in order, and makes the index beside it: with `indexed`, or
/// if one of the files has one.
///
/// # Errors
/// Returns an error if reading or writing fails or the work is stopped; then nothing is left
/// behind. Returns the errors of [`keep_index`], at which the new file is there.
pub fn merge_to(
    files: &[PackedFile],
    mut output: Output,
    indexed: bool,
    work: &Work<'_>,
) -> Result<Merged, Error> {
    let (path, is_file) = (output.path().to_path_buf(), output.is_file());
    let merged = merge(files, &mut output, &path, work)?;
    output.publish()?;
    if is_file {
        merged_index(&path, files, indexed, work)?;
    }
    Ok(merged)
}

/// Makes the index beside the file at `path`, which `files` were merged into, from theirs as far as
/// they go. Without `indexed` only if one of them has an index.
///
/// # Errors
/// Returns the errors of [`keep_index`].
fn merged_index(
    path: &Path,
    files: &[PackedFile],
    indexed: bool,
    work: &Work<'_>,
) -> Result<Option<Built>, Error> {
    let indices: Vec<Indices> = files.iter().map(Indices::open).collect();
    if !indexed && indices.iter().all(Indices::is_empty) {
        remove_others(path, &[])?;
        return Ok(None);
    }
    let mut first = 0;
    let moved = files.iter().zip(&indices).map(|(file, indices)| {
        let moved = Moved { indices, gone: &[], first };
        first += file.records();
        moved
    });
    let moved: Vec<Moved<'_>> = moved.collect();
    keep_index(path, &moved, work)
}

/// Returns the ascending rows of the games that meet a condition.
///
/// # Errors
/// Returns an error if the file cannot be read or is damaged, or the work is stopped.
pub fn rows_where(
    file: PackedFile,
    condition: &Condition,
    work: &Work<'_>,
) -> Result<Vec<u64>, Error> {
    let indices = Indices::none(&file);
    let asked = [Asked { file, indices, known: None }];
    let question = Question { condition: Some(condition), ..Question::default() };
    let mut rows = Vec::new();
    find(&asked, &question, Order::Stored, u64::MAX, work, &mut |found| {
        rows.push(found.row);
        Ok(())
    })?;
    Ok(rows)
}

/// Returns the ascending rows of these records.
///
/// # Errors
/// Returns [`Error::Gone`] if one of them is not there any more; an error if the file cannot be
/// read or is damaged.
pub fn rows_of(file: &PackedFile, ids: &[RecordId]) -> Result<Vec<u64>, Error> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    for some in ids.chunks(LOOKED_UP) {
        let gone = |id: &RecordId| Error::Gone { path: file.path().into(), id: *id };
        if let Some(last) = some.last().filter(|last| last.row() >= file.records()) {
            return Err(gone(last));
        }
        let runs: Vec<Range<u64>> = some.iter().map(|id| id.row()..id.row() + 1).collect();
        if let Some(pair) = some.windows(2).find(|pair| pair[0].record == pair[1].record) {
            return Err(gone(&pair[1]));
        }
        let rows = file.read_rows(&runs, Wanted::Of(&["checksum"]))?;
        for (place, id) in some.iter().enumerate() {
            if rows.record(place).and_then(|record| record.1) != Some(id.checksum) {
                return Err(gone(id));
            }
        }
    }
    Ok(ids.into_iter().map(|id| id.row()).collect())
}

/// Deletes these ascending rows, counted from 0, from a packed file, and keeps an index beside it
/// in step. `read` is the file as it was when they were chosen. Without rows it finishes what a
/// killed run left.
///
/// # Errors
/// Returns an error if another run has changed the file meanwhile, reading or writing fails, or the
/// work is stopped; then the file is as it was. Returns the errors of [`keep_index`], at which the
/// file has its new version.
pub fn delete_from(read: &PackedFile, rows: &[u64], work: &Work<'_>) -> Result<Deletion, Error> {
    let path = read.path();
    if rows.is_empty() {
        settle(read, work)?;
        return Ok(Deletion { deleted: 0, records: read.records() });
    }
    let mut output = Output::begin(path, Existing::Replaced)?;
    let held = Held::open(path)?;
    if !held.file().has_groups_of(read) {
        let why = "another run changed it meanwhile; it was left as it is, so try again".into();
        return Err(Error::Format { path: path.into(), why });
    }
    let indices = Indices::open(held.file());
    let deletion = delete(held.file(), rows, &mut output, path, work)?;
    held.replace(output)?;
    if !indices.is_empty() {
        keep_index(path, &[Moved { indices: &indices, gone: rows, first: 0 }], work)?;
    }
    Ok(deletion)
}

/// Writes a packed file without these ascending rows, counted from 0, to `output`.
///
/// # Errors
/// Returns an error if reading or writing fails or the work is stopped; then nothing is left
/// behind.
pub fn delete_to(
    read: &PackedFile,
    rows: &[u64],
    mut output: Output,
    work: &Work<'_>,
) -> Result<Deletion, Error> {
    let path = output.path().to_path_buf();
    let deletion = delete(read, rows, &mut output, &path, work)?;
    output.publish()?;
    Ok(deletion)
}

/// Finishes what a killed run left beside a file of games: removes its unfinished files, and
/// updates the index.
fn settle(file: &PackedFile, work: &Work<'_>) -> Result<(), Error> {
    if file.kind() != Content::Games {
        return Ok(());
    }
    clear_beside(file.path());
    let indices = Indices::open(file);
    let is_stale = !indices.refused().is_empty() || !indices.uncovered().is_empty();
    let has_index = !indices.is_empty() || !indices.refused().is_empty();
    if has_index && is_stale {
        keep_index(file.path(), &[], work)?;
    }
    Ok(())
}

/// Brings the index beside a changed file of games up to date. Entries in the indices of `moved`
/// are carried over, not rebuilt. Returns `None` if nothing had to be indexed.
///
/// # Errors
/// Returns [`Error::Unindexed`] if the file cannot be read or is damaged, nothing can be written
/// beside it, or the work is stopped; the file itself is complete.
pub fn keep_index(
    path: &Path,
    moved: &[Moved<'_>],
    work: &Work<'_>,
) -> Result<Option<Built>, Error> {
    let keep = || {
        let file = PackedFile::open(path)?;
        if file.kind() != Content::Games {
            return Ok(None);
        }
        if !moved.is_empty() {
            carry_over(&file, moved, work)?;
        }
        index(&file, false, work)
    };
    keep().map_err(|source| Error::Unindexed { path: path.into(), source: Box::new(source) })
}
