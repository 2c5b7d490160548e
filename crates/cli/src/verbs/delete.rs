//! `plypack delete`: deletes records from a packed file.

use std::io::{BufRead, BufReader, Read};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::{Deleter, PackedFile, RecordId};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::{files, interrupt, progress};

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
    let file = files::open(&arguments.file)?;
    let deleter = match (&arguments.condition, ids) {
        (Some(condition), _) => file.deleter().condition(condition),
        (None, Some(ids)) => file.deleter().ids(ids.iter().map(RecordId::to_string)),
        (None, None) => {
            file.deleter().records(numbers(&file, arguments.records.unwrap_or_default())?)
        }
    };
    let deleted = delete(&arguments.how, &file, deleter)?;
    tell(&arguments.how, &file, deleted)?;
    Ok(ExitCode::SUCCESS)
}

/// Deletes records of a file as asked, and returns how many there were.
pub fn delete(how: &How, file: &PackedFile, deleter: Deleter<'_>) -> Result<u64, Failure> {
    let bar = progress::bar(Some(file.len()), false, how.quiet || how.json);
    let deleter = deleter.threads(how.threads).stop(interrupt::shared_flag());
    let deleter = deleter.progress(progress::moved(&bar, false)).overwrite(how.force);
    let deleted = match &how.output {
        _ if how.dry_run => deleter.count(),
        None => deleter.delete(),
        Some(output) => {
            files::check_apart(file.path(), output)?;
            files::refuse_terminal(files::is_terminal(output))?;
            deleter.delete_to(output)
        }
    };
    bar.finish_and_clear();
    deleted.map_err(|error| match error {
        plypack::Error::Gone { .. } => Failure::from(error).with_hint("nothing was deleted"),
        error => Failure::from(error).leaving_nothing(),
    })
}

fn tell(how: &How, file: &PackedFile, deleted: u64) -> Result<(), Failure> {
    let (path, records) = (file.path(), file.len().saturating_sub(deleted));
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

/// Returns the numbers of these records, the last included.
fn numbers(file: &PackedFile, (first, last): (u64, u64)) -> Result<RangeInclusive<u64>, Failure> {
    let records = file.len();
    if first > records {
        let path = file.path().display();
        let records = progress::counted(records, "record");
        return Err(Failure::check(format!("{path} has only {records}")));
    }
    Ok(first.max(1)..=last.min(records))
}

/// Reads the ids of records from a file, one per line, skipping those of other files.
fn read_ids(found: &Path, of: &Path) -> Result<Vec<RecordId>, Failure> {
    let input: Box<dyn Read> = match files::is_standard(found) {
        true => Box::new(std::io::stdin()),
        false => Box::new(std::fs::File::open(found).map_err(Failure::io(found))?),
    };
    let name = if files::is_standard(found) { Path::new("standard input") } else { found };
    let mut input = BufReader::new(input);
    let (mut ids, mut number) = (Vec::new(), 0u64);
    loop {
        let mut line = String::new();
        number += 1;
        let read = input.by_ref().take(LINE_MAX).read_line(&mut line);
        if read.map_err(Failure::io(name))? == 0 {
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
