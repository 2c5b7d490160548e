//! `plypack verify`: decodes everything and compares checksums.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::{Error, PackedFile, RefusedIndex, Verifier};
use serde_json::json;

use crate::failure::{DIFFERENT, FAILED, Failure};
use crate::{completeness, files, interrupt, progress};

/// The most faults reported per file.
const FAULTS_MAX: usize = 20;

/// Decode everything and compare checksums, also those of the index.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack verify games.parquet
  plypack verify games/ --json")]
pub struct Arguments {
    /// The packed files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print nothing for sound files
    #[arg(short, long)]
    quiet: bool,
    /// Print one JSON object per file: `file`, `sound`, `records`, `unchecked_records` (those that
    /// no checksum covers), `faults` with `record` and `why`, and `index_faults` with `file` and
    /// `why`
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let (mut readable, mut whole) = (true, true);
    for path in &files::expanded(&arguments.files)? {
        match check(arguments, path) {
            Ok(faultless) => whole &= faultless,
            Err(failure) if failure.is_interrupt() => return Err(failure),
            Err(failure) => {
                if arguments.json {
                    let faults = json!([{ "record": null, "why": failure.message() }]);
                    let file = path.to_string_lossy();
                    let object = json!({ "file": file, "sound": false, "faults": faults });
                    super::print_line(&object.to_string())?;
                }
                failure.report();
                readable = false;
            }
        }
    }
    Ok(match (readable, whole) {
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(DIFFERENT),
        (false, _) => ExitCode::from(FAILED),
    })
}

/// Checks a file. Returns whether it is sound.
fn check(arguments: &Arguments, path: &Path) -> Result<bool, Failure> {
    let file = files::open(path)?;
    let bar = progress::bar(Some(file.len()), false, arguments.quiet || arguments.json);
    let verifier = verifier(arguments, &file).progress(progress::moved(&bar, false));
    let faults = verifier.faults_max(FAULTS_MAX).verify();
    bar.finish_and_clear();
    let faults = faults?;
    for fault in &faults {
        progress::say(format_args!("plypack: {fault}"));
    }
    let indices = check_indices(arguments, &file)?;
    for RefusedIndex { path, message, .. } in &indices {
        let (path, name) = (path.display(), file.path().display());
        progress::say(format_args!(
            "plypack: {path}: {message}; `plypack index -f {name}` rebuilds it"
        ));
    }
    let completeness = if faults.is_empty() { file.completeness()? } else { None };
    completeness::tell(file.path(), completeness);
    if arguments.json {
        let mut object = json!({
            "file": path.to_string_lossy(),
            "sound": faults.is_empty(),
            "records": file.len(),
            "unchecked_records": file.unchecked_records()?,
            "faults": faults.iter().map(object).collect::<Vec<_>>(),
            "index_faults": indices.iter().map(index_object).collect::<Vec<_>>(),
        });
        completeness::json(completeness).into_iter().for_each(|(key, value)| object[key] = value);
        super::print_line(&object.to_string())?;
    } else if faults.is_empty() && indices.is_empty() && !arguments.quiet {
        let (path, records) = (path.display(), progress::counted(file.len(), "record"));
        let index = if file.indices().is_empty() { "" } else { ", with a sound index" };
        progress::say(match file.unchecked_records()? {
            0 => format!("{path}: {records}, all as packed{index}"),
            unchecked => format!(
                "{path}: {records}, {} of them unchecked: their checksums also cover records that \
                 are not in this copy",
                progress::count(unchecked)
            ),
        });
    }
    Ok(faults.is_empty() && indices.is_empty())
}

/// Begins to verify a file, until the user asks to stop.
fn verifier<'f>(arguments: &Arguments, file: &'f PackedFile) -> Verifier<'f> {
    file.verifier().threads(arguments.threads).stop(interrupt::shared_flag())
}

/// Returns the faults of the indices beside a file of games.
fn check_indices(arguments: &Arguments, file: &PackedFile) -> Result<Vec<RefusedIndex>, Failure> {
    let sizes = file.indices().into_iter().map(|path| path.metadata().map_or(0, |file| file.len()));
    let bar = progress::bar(Some(sizes.sum()), true, arguments.quiet || arguments.json);
    let verifier = verifier(arguments, file).progress(progress::moved(&bar, true));
    let faults = verifier.verify_indices();
    bar.finish_and_clear();
    // A killed run may leave an index of the file's earlier content; that is not damage.
    let (stale, damaged): (Vec<RefusedIndex>, Vec<RefusedIndex>) =
        faults?.into_iter().partition(|refused| refused.is_stale);
    for RefusedIndex { path, message, .. } in stale.iter().filter(|_| !arguments.quiet) {
        progress::say(format_args!("{} is not used: {message}", path.display()));
    }
    Ok(damaged)
}

fn index_object(RefusedIndex { path, message, .. }: &RefusedIndex) -> serde_json::Value {
    json!({ "file": path.to_string_lossy(), "why": message })
}

fn object(fault: &Error) -> serde_json::Value {
    match fault {
        Error::Record { record, message, .. } => json!({ "record": record, "why": message }),
        Error::Page { first, last, column, .. } => json!({
            "record": null,
            "records": [first, last],
            "why": format!("a page of column `{column}` is damaged"),
        }),
        other => json!({ "record": null, "why": other.to_string() }),
    }
}
