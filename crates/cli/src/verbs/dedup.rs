//! `plypack dedup`: finds and deletes duplicate games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::{Deduplicator, Duplicate, Likeness, Outcome, PackedFile, Scan};
use serde_json::json;

use super::delete::{How, delete};
use crate::failure::Failure;
use crate::{files, interrupt, progress};

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
    let total = read.iter().map(PackedFile::len).sum();
    let found = find(arguments, &read, total)?;
    list(arguments, &read, &found)?;
    for read in read.iter().filter(|_| !how.dry_run) {
        let copies = found.iter().filter(|one| one.path == read.path() && !one.is_kept);
        delete(how, read, read.deleter().ids(copies.map(|one| &*one.id)))?;
    }
    if !how.quiet && !how.json {
        let apart = found.iter().filter(|one| one.is_kept).count() as u64;
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

/// Finds the copies in these files, which hold so many records.
fn find(
    arguments: &Arguments,
    read: &[PackedFile],
    records: u64,
) -> Result<Vec<Duplicate>, Failure> {
    let how = &arguments.how;
    let bar = progress::bar(Some(records), false, how.quiet || how.json);
    let mut deduplicator = Deduplicator::new()
        .keep(match arguments.stays {
            Kept::Longest => plypack::Kept::Longest,
            Kept::Annotated => plypack::Kept::Annotated,
            Kept::First => plypack::Kept::First,
        })
        .any_day(arguments.any_day)
        .any_outcome(arguments.any_result)
        .threads(how.threads)
        .stop(interrupt::shared_flag())
        .progress(progress::moved(&bar, false));
    for file in read {
        deduplicator = deduplicator.file(file.path());
    }
    let found = deduplicator.find();
    bar.finish_and_clear();
    found.map_err(|error| Failure::from(error).leaving_nothing())
}

/// Number of copies listed at a time.
const LISTED: usize = 1_024;

/// Prints each copy and the record that stays.
fn list(arguments: &Arguments, read: &[PackedFile], found: &[Duplicate]) -> Result<(), Failure> {
    let tags = Scan::new().columns(["White", "Black", "Date", "tags", "tag_order"])?;
    for of_file in found.chunk_by(|one, other| one.path == other.path) {
        for some in of_file.chunks(LISTED) {
            let of = |one: &Duplicate| read.iter().find(|file| file.path() == one.path);
            let Some(file) = some.first().and_then(of) else { continue };
            let numbers: Vec<u64> = some.iter().map(|one| one.number).collect();
            for (duplicate, game) in some.iter().zip(tags.games_at(file, &numbers)?) {
                let tag = |name: &str| game.tag(name).unwrap_or_default();
                let line = if arguments.how.json {
                    object(duplicate, tag).to_string()
                } else if arguments.how.quiet && !duplicate.is_annotated_otherwise {
                    continue;
                } else {
                    sentence(read.len() > 1, duplicate, tag)
                };
                super::print_line(&line)?;
            }
        }
    }
    Ok(())
}

fn object<'t>(duplicate: &Duplicate, tag: impl Fn(&str) -> &'t str) -> serde_json::Value {
    json!({
        "file": duplicate.path.to_string_lossy(),
        "record": duplicate.number,
        "id": duplicate.id,
        "of_file": duplicate.of_path.to_string_lossy(),
        "of_record": duplicate.of_number,
        "same": match duplicate.likeness {
            Likeness::Bytes => "bytes",
            Likeness::Moves => "moves",
            _ => "part",
        },
        "plies": duplicate.plies,
        "of_plies": duplicate.of_plies,
        "annotations": duplicate.annotations,
        "of_annotations": duplicate.of_annotations,
        "annotated_otherwise": duplicate.is_annotated_otherwise,
        "result": duplicate.outcome.map(|outcome| outcome.to_string()),
        "of_result": duplicate.of_outcome.map(|outcome| outcome.to_string()),
        "stays": duplicate.is_kept,
        "White": tag("White"),
        "Black": tag("Black"),
        "Date": tag("Date"),
    })
}

/// Describes a copy; with the files if there are `several`.
fn sentence<'t>(several: bool, duplicate: &Duplicate, tag: impl Fn(&str) -> &'t str) -> String {
    let named = |path: &Path, number: u64| match several {
        true => format!("{} {number}", path.display()),
        false => number.to_string(),
    };
    let &Duplicate { plies, of_plies, annotations, of_annotations, is_kept, .. } = duplicate;
    let why = match duplicate.likeness {
        Likeness::Bytes => "the same bytes".to_owned(),
        Likeness::Moves => format!("the same {plies} plies"),
        _ if plies < of_plies => format!("{plies} of its {of_plies} plies"),
        _ => format!("its {of_plies} plies, and {} more", plies - of_plies),
    };
    let mut loss = String::new();
    if duplicate.is_annotated_otherwise && !is_kept {
        loss +=
            &format!("; its {annotations} annotations are not among the {of_annotations} there");
    }
    let text = |outcome: Option<Outcome>| outcome.map_or("*".into(), |known| known.to_string());
    let [outcome, of_outcome] = [duplicate.outcome, duplicate.of_outcome].map(text);
    if outcome != of_outcome {
        loss += &format!("; its result is {outcome}, not {of_outcome}");
    }
    let copy = if is_kept { "stays, though it matches" } else { "copy of" };
    format!(
        "{}  {} - {}  {}  {copy} {}: {why}{loss}",
        named(&duplicate.path, duplicate.number),
        tag("White"),
        tag("Black"),
        tag("Date"),
        named(&duplicate.of_path, duplicate.of_number),
    )
}
