//! `plypack dedup`: finds and deletes duplicate games.

use std::path::PathBuf;
use std::process::ExitCode;

use plypack::store::revision::{Copied, Duplicate, Sought, Stays, duplicates};
use plypack::store::{Outcome, PackedFile, RecordId, Wanted};
use serde_json::json;

use super::delete::{How, settle, without};
use crate::failure::Failure;
use crate::{files, progress};

/// Delete duplicate games.
///
/// A record is a copy of another if its bytes are the same, or if the same players made the same
/// moves (all of them, or the first ones of a longer game, at least ten plies) and no tag gives
/// another day, round or result. Names are compared by the surname's letters, without accents, and
/// the first letter of the first name. Each copy is listed with the record that stays and what is
/// lost with it. Records that would be copies but for their result are listed, too, and stay.
/// --dry-run deletes nothing. Several files and folders are treated as one.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack dedup games.parquet --dry-run
  plypack dedup games/ --keep annotated
  plypack dedup games.parquet -n --json > copies.json
  plypack delete games.parquet --found copies.json")]
pub struct Arguments {
    /// The packed files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Which copy to keep
    #[arg(long = "keep", value_enum, default_value = "longest", value_name = "WHICH")]
    stays: Kept,
    /// Treat games of other days and rounds as copies, too
    #[arg(long)]
    any_day: bool,
    /// Treat games with another result as copies, too
    #[arg(long)]
    any_result: bool,
    #[command(flatten)]
    how: How,
}

/// Which copy to keep.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kept {
    /// The one with the most plies
    Longest,
    /// The one with the most annotations
    Annotated,
    /// The first
    First,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let how = &arguments.how;
    let read = files::open_each(&arguments.files)?;
    if how.output.is_some() && read.len() > 1 {
        return Err(Failure::new("-o is for one file; merge the files first with `plypack merge`"));
    }
    let sought = Sought {
        stays: match arguments.stays {
            Kept::Longest => Stays::Longest,
            Kept::Annotated => Stays::Annotated,
            Kept::First => Stays::First,
        },
        any_day: arguments.any_day,
        any_result: arguments.any_result,
    };
    let total = read.iter().map(PackedFile::records).sum();
    let found = progress::watched(total, how.threads, how.quiet || how.json, |work| {
        duplicates(&read, sought, work)
    });
    let found = found.map_err(|error| Failure::from(error).leaving_nothing())?;
    list(arguments, &read, &found)?;
    for (number, file) in read.iter().enumerate() {
        let of_file = found.iter().filter(|one| one.copy.0 == number && !one.contradicts);
        let rows: Vec<u64> = of_file.map(|duplicate| duplicate.copy.1).collect();
        if !rows.is_empty() && !how.dry_run || how.output.is_some() {
            without(how, file, &rows)?;
        } else {
            settle(how, file)?;
        }
    }
    if !how.quiet && !how.json {
        let apart = found.iter().filter(|one| one.contradicts).count() as u64;
        let copies = found.len() as u64 - apart;
        let would = match (copies, how.dry_run) {
            (0, _) => "",
            (_, true) => "; they would be deleted",
            (_, false) => "; they were deleted",
        };
        progress::say(format_args!(
            "{} of {} are copies of others{would}",
            progress::count(copies),
            progress::counted(total, "record")
        ));
        if apart > 0 {
            progress::say(format_args!(
                "{} more differ only in the result; --any-result treats them as copies",
                progress::count(apart)
            ));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Number of copies listed at a time.
const LISTED: usize = 1_024;

/// Prints each copy and the record that stays.
fn list(arguments: &Arguments, read: &[PackedFile], found: &[Duplicate]) -> Result<(), Failure> {
    for of_file in found.chunk_by(|one, other| one.copy.0 == other.copy.0) {
        for some in of_file.chunks(LISTED) {
            let Some(file) = some.first().and_then(|one| read.get(one.copy.0)) else { continue };
            let runs: Vec<_> = some.iter().map(|one| one.copy.1..one.copy.1 + 1).collect();
            let rows = file.read_rows(&runs, Wanted::TAGS)?;
            for (place, duplicate) in some.iter().enumerate() {
                let Some((record, ..)) = rows.record(place) else { continue };
                let tag = |name: &str| {
                    let tag = record.tags.iter().find(|tag| tag.0 == name);
                    tag.map(|tag| tag.1.as_ref()).unwrap_or_default()
                };
                let line = if arguments.how.json {
                    object(read, duplicate, tag).to_string()
                } else if arguments.how.quiet && !duplicate.annotated_otherwise {
                    continue;
                } else {
                    sentence(read, duplicate, tag)
                };
                super::print_line(&line)?;
            }
        }
    }
    Ok(())
}

fn object<'t>(
    read: &[PackedFile],
    duplicate: &Duplicate,
    tag: impl Fn(&str) -> &'t str,
) -> serde_json::Value {
    let path = |at: usize| read.get(at).map(|file| file.path().to_string_lossy());
    let why = match duplicate.why {
        Copied::Bytes => "bytes",
        Copied::Moves => "moves",
        Copied::Part => "part",
    };
    let id = RecordId { row: duplicate.copy.1, checksum: duplicate.checksum };
    let [plies, of_plies] = duplicate.plies;
    let [annotations, of_annotations] = duplicate.annotations;
    json!({
        "file": path(duplicate.copy.0),
        "record": duplicate.copy.1 + 1,
        "id": id.to_string(),
        "of_file": path(duplicate.of.0),
        "of_record": duplicate.of.1 + 1,
        "same": why,
        "plies": plies,
        "of_plies": of_plies,
        "annotations": annotations,
        "of_annotations": of_annotations,
        "annotated_otherwise": duplicate.annotated_otherwise,
        "result": duplicate.outcomes[0].map(Outcome::text),
        "of_result": duplicate.outcomes[1].map(Outcome::text),
        "stays": duplicate.contradicts,
        "White": tag("White"),
        "Black": tag("Black"),
        "Date": tag("Date"),
    })
}

fn sentence<'t>(
    read: &[PackedFile],
    duplicate: &Duplicate,
    tag: impl Fn(&str) -> &'t str,
) -> String {
    let named = |(file, row): (usize, u64)| match read.get(file).filter(|_| read.len() > 1) {
        Some(file) => format!("{} {}", file.path().display(), row + 1),
        None => (row + 1).to_string(),
    };
    let [plies, of_plies] = duplicate.plies;
    let why = match duplicate.why {
        Copied::Bytes => "the same bytes".to_owned(),
        Copied::Moves => format!("the same {plies} plies"),
        Copied::Part if plies < of_plies => format!("{plies} of its {of_plies} plies"),
        Copied::Part => format!("its {of_plies} plies, and {} more", plies - of_plies),
    };
    let mut loss = String::new();
    if duplicate.annotated_otherwise && !duplicate.contradicts {
        let [annotations, of_annotations] = duplicate.annotations;
        loss +=
            &format!("; its {annotations} annotations are not among the {of_annotations} there");
    }
    let [outcome, of_outcome] =
        duplicate.outcomes.map(|outcome| outcome.map_or("*", Outcome::text));
    if outcome != of_outcome {
        loss += &format!("; its result is {outcome}, not {of_outcome}");
    }
    let copy = if duplicate.contradicts { "stays, though it matches" } else { "copy of" };
    format!(
        "{}  {} - {}  {}  {copy} {}: {why}{loss}",
        named(duplicate.copy),
        tag("White"),
        tag("Black"),
        tag("Date"),
        named(duplicate.of),
    )
}
