//! `plypack verify`: decode everything and compare checksums.

use std::path::PathBuf;
use std::process::ExitCode;

use plypack_store::verify;

use crate::failure::{DIFFERENT, Failure};
use crate::{files, progress};

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
    let mut whole = true;
    for path in &arguments.files {
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
        whole &= faults.is_empty();
        if faults.is_empty() && !arguments.quiet {
            let records = progress::count(file.records());
            progress::say(format_args!(
                "{}: {records} records, all as they were packed",
                path.display()
            ));
        }
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::from(DIFFERENT) })
}
