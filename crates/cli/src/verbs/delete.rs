//! `plypack delete`: deletes records from a packed file.

use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::store::condition::Condition;
use plypack::store::index::{Indices, Moved};
use plypack::store::output::clear_beside;
use plypack::store::revision::{Deletion, delete};
use plypack::store::{Content, Error, PackedFile, RecordId, Work, versions};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::{files, interrupt, progress};

/// Number of records looked up at once.
const LOOKED_UP: usize = 1 << 16;

/// The longest line that names a record, in bytes.
const LINE_MAX: u64 = 1 << 20;

/// The options that select records.
const WAYS: [&str; 3] = ["condition", "records", "found"];

/// Delete records from a packed file.
///
/// The other records are copied as coded, not packed again. The file is replaced once the new one
/// is complete, so a killed run leaves it as it was. An index is updated. Deleted records cannot be
/// recovered: --dry-run counts them first, `find --where` shows them, and -o leaves the file
/// unchanged.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack delete games.parquet --where \"Result = '*'\" --dry-run
  plypack delete games.parquet --records 17..20
  plypack find games.parquet --fen FEN --json | plypack delete games.parquet --found -")]
#[command(group(clap::ArgGroup::new("which").required(true).args(WAYS)))]
pub struct Arguments {
    /// The packed file
    file: PathBuf,
    /// Delete the games that meet a condition, as in SQL: see `find`
    #[arg(long = "where", value_name = "CONDITION")]
    condition: Option<String>,
    /// Delete these records, counted from 1: A..B (B included), A.., ..B or A
    #[arg(long, value_parser = super::cat::read_range, allow_hyphen_values = true)]
    records: Option<(u64, u64)>,
    /// Delete the records that a file lists, one per line, as `find --json` or `dedup --json` print
    /// them, or by their ids alone; `-` is standard input. If any is no longer the same record,
    /// nothing is deleted
    #[arg(long, value_name = "FILE")]
    found: Option<PathBuf>,
    #[command(flatten)]
    how: How,
}

/// How to delete records.
#[derive(Debug, clap::Args)]
pub struct How {
    /// Report what would be deleted, and delete nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,
    /// Write the remaining records to this file, and leave the packed file unchanged
    #[arg(short, long, conflicts_with = "dry_run")]
    pub output: Option<PathBuf>,
    /// Overwrite an existing output
    #[arg(short, long)]
    pub force: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    pub threads: usize,
    /// Print no summary and no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the result as JSON on standard output
    #[arg(long)]
    pub json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    // Read first: the program that writes the names may have the file open until the last of them.
    let ids = arguments.found.as_ref().map(|found| read_ids(found, &arguments.file)).transpose()?;
    let file = files::open_packed(&arguments.file)?;
    let (rows, file) = match (&arguments.condition, ids) {
        (Some(condition), _) => matching(arguments, condition, file)?,
        (None, Some(ids)) => (rows_of(&file, &ids)?, file),
        (None, None) => (rows_between(&file, arguments.records.unwrap_or_default())?, file),
    };
    let how = &arguments.how;
    if rows.is_empty() {
        settle(how, &file)?;
        tell(how, &arguments.file, Deletion { deleted: 0, records: file.records() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let deletion = without(how, &file, &rows)?;
    tell(how, &arguments.file, deletion)?;
    Ok(ExitCode::SUCCESS)
}

/// Deletes these ascending rows of a file that was read to choose them.
pub fn without(how: &How, read: &PackedFile, rows: &[u64]) -> Result<Deletion, Failure> {
    let path = read.path();
    let deleted = rows.len() as u64;
    if how.dry_run {
        return Ok(Deletion { deleted, records: read.records().saturating_sub(deleted) });
    }
    let quiet = how.quiet || how.json;
    let failed = |error: Error| Failure::from(error).leaving_nothing();
    let deletion = if let Some(output) = &how.output {
        files::check_apart(path, output)?;
        let mut file = files::begin_output(output, how.force)?;
        files::refuse_terminal(file.is_terminal())?;
        let deletion = progress::watched(read.records(), how.threads, quiet, |work| {
            delete(read, rows, &mut file, output, work)
        });
        let deletion = deletion.map_err(failed)?;
        file.publish()?;
        deletion
    } else {
        let output = files::begin_output(path, true)?;
        let deleted = progress::watched(read.records(), how.threads, quiet, |work| {
            versions::delete_rows(read, rows, output, work)
        });
        let (deletion, indices) = deleted.map_err(failed)?;
        if !indices.is_empty() {
            let moved = [Moved { indices: &indices, gone: rows, first: 0 }];
            let keep = |work: &Work<'_>| versions::keep_index(path, &moved, work);
            super::index::keep(path, deletion.records, how.threads, quiet, keep)?;
        }
        deletion
    };
    Ok(deletion)
}

/// Finishes the work of a killed run when there is nothing else to do: removes what it left, and
/// updates the index.
pub fn settle(how: &How, file: &PackedFile) -> Result<(), Failure> {
    if how.dry_run || how.output.is_some() || file.kind() != Content::Games {
        return Ok(());
    }
    clear_beside(file.path());
    let indices = Indices::open(file);
    let is_stale = !indices.refused().is_empty() || !indices.uncovered().is_empty();
    let has_index = !indices.is_empty() || !indices.refused().is_empty();
    if has_index && is_stale {
        let keep = |work: &Work<'_>| versions::keep_index(file.path(), &[], work);
        let quiet = how.quiet || how.json;
        super::index::keep(file.path(), file.records(), how.threads, quiet, keep)?;
    }
    Ok(())
}

fn tell(how: &How, path: &Path, deletion: Deletion) -> Result<(), Failure> {
    let Deletion { deleted, records } = deletion;
    if how.json {
        let object = json!({
            "file": path.to_string_lossy(),
            "deleted": deleted,
            "records": records,
            "dry_run": how.dry_run,
        });
        return super::print_line(&object.to_string());
    }
    if how.quiet {
        return Ok(());
    }
    let (path, left) = (path.display(), progress::count(records));
    let deleted = progress::counted(deleted, "record");
    match (&how.output, how.dry_run) {
        (_, true) => {
            progress::say(format_args!("{path}: {deleted} would be deleted, and {left} left"))
        }
        (Some(output), _) => progress::say(format_args!(
            "{}: {path} without {deleted}; {left} left",
            output.display()
        )),
        (None, _) => {
            progress::say(format_args!("{path}: {deleted} deleted, {left} left"));
        }
    }
    Ok(())
}

/// Returns the rows that meet a condition.
fn matching(
    arguments: &Arguments,
    condition: &str,
    file: PackedFile,
) -> Result<(Vec<u64>, PackedFile), Failure> {
    let condition = Condition::parse(condition).map_err(Failure::new)?;
    condition.check(&[&file])?;
    Ok(versions::rows_where(file, &condition, &interrupt::work(arguments.how.threads))?)
}

/// Returns the rows of these records, counted from 1, the last included.
fn rows_between(file: &PackedFile, (first, last): (u64, u64)) -> Result<Vec<u64>, Failure> {
    let records = file.records();
    if first > records {
        let path = file.path().display();
        let records = progress::counted(records, "record");
        return Err(Failure::check(format!("{path} has only {records}")));
    }
    Ok((first.saturating_sub(1)..last.min(records)).collect())
}

/// Reads the ids of records from a file, one per line, skipping those of other files.
fn read_ids(found: &Path, of: &Path) -> Result<Vec<RecordId>, Failure> {
    let input: Box<dyn Read> = match files::is_standard(found) {
        true => Box::new(std::io::stdin()),
        false => Box::new(std::fs::File::open(found).map_err(Error::io(found))?),
    };
    let name = if files::is_standard(found) { Path::new("standard input") } else { found };
    let mut input = BufReader::new(input);
    let (mut ids, mut number) = (Vec::new(), 0u64);
    loop {
        let mut line = String::new();
        number += 1;
        let read = input.by_ref().take(LINE_MAX).read_line(&mut line);
        if read.map_err(Error::io(name))? == 0 {
            return Ok(ids);
        }
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let id = read_id(line, of).map_err(|why| {
            Failure::new(format!("{}: line {number}: {why}; nothing was deleted", name.display()))
        })?;
        ids.extend(id);
    }
}

/// Reads the id of a record from a line; `None` if it is of another file.
fn read_id(line: &str, of: &Path) -> Result<Option<RecordId>, String> {
    if !line.starts_with('{') {
        return line.parse().map(Some).map_err(|error| format!("`{line}`: {error}"));
    }
    let object: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    if let Some(file) = object.get("file").and_then(Value::as_str)
        && !files::is_same_file(Path::new(file), of)
    {
        return Ok(None);
    }
    let id = object.get("id").and_then(Value::as_str);
    let id = id.ok_or("it has no `id`, as `find --json` prints it")?;
    id.parse().map(Some).map_err(|error| format!("`{id}`: {error}"))
}

/// Returns the rows of these records, if they are all still there.
fn rows_of(file: &PackedFile, ids: &[RecordId]) -> Result<Vec<u64>, Failure> {
    let mut ids = ids.to_vec();
    ids.sort_unstable();
    ids.dedup();
    for some in ids.chunks(LOOKED_UP) {
        let gone = |id: &RecordId| {
            let (path, record) = (file.path().display(), u128::from(id.row) + 1);
            Failure::check(format!(
                "{path}: record {record} is no longer {id}: rows were moved or changed since; \
                 nothing was deleted"
            ))
        };
        if let Some(last) = some.last().filter(|last| last.row >= file.records()) {
            return Err(gone(last));
        }
        let runs: Vec<Range<u64>> = some.iter().map(|id| id.row..id.row + 1).collect();
        if let Some(pair) = some.windows(2).find(|pair| pair[0].row == pair[1].row) {
            return Err(gone(&pair[1]));
        }
        let rows = file.read_rows(&runs, plypack::store::Wanted::Of(&["checksum"]))?;
        for (place, id) in some.iter().enumerate() {
            if rows.record(place).and_then(|record| record.1) != Some(id.checksum) {
                return Err(gone(id));
            }
        }
    }
    Ok(ids.into_iter().map(|id| id.row).collect())
}
