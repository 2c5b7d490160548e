//! `plypack verify`: decode everything and compare checksums.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use plypack_store::verify;

use crate::failure::{DIFFERENT, FAILED, Failure};
use crate::{coverage, files, progress};

/// How many faults are named before giving up on a file.
const FAULTS_MAX: usize = 20;

/// Decode everything and compare checksums.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The packed files
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The number of threads; 0 means one a core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Say nothing of files that are whole
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let stop = progress::stop_flag()?;
    let (mut readable, mut whole) = (true, true);
    for path in &arguments.files {
        match check(arguments, path, stop) {
            Ok(faultless) => whole &= faultless,
            Err(failure) if failure.is_interrupt() => return Err(failure),
            Err(failure) => {
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

/// Whether a file is whole.
fn check(arguments: &Arguments, path: &Path, stop: &AtomicBool) -> Result<bool, Failure> {
    let file = files::open_packed(path)?;
    let bar = progress::bar(Some(file.records()), false, arguments.quiet);
    let faults = verify(&file, arguments.threads, FAULTS_MAX, stop, &mut |records| {
        bar.set_position(records);
    });
    bar.finish_and_clear();
    let faults = faults?;
    for fault in &faults {
        progress::say(format_args!("plypack: {fault}"));
    }
    if faults.is_empty() {
        coverage::tell(&file)?;
    }
    if faults.is_empty() && !arguments.quiet {
        let (path, records) = (path.display(), progress::count(file.records()));
        progress::say(match file.unchecked_records()? {
            0 => format!("{path}: {records} records, all as they were packed"),
            unchecked => format!(
                "{path}: {records} records, {} of which have no checksum to compare: those that \
                 it covers as well are not in this copy",
                progress::count(unchecked)
            ),
        });
    }
    Ok(faults.is_empty())
}
