//! `plypack cat`: records as text, checked as `verify` checks them.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use plypack_store::Error;
use plypack_store::export::export_rows;

use crate::failure::Failure;
use crate::{files, progress};

/// So few records are not worth more than one thread.
const RECORDS_FEW: u64 = 256;

/// Print records as text.
///
/// Every record is compared with the checksum of its original bytes on the way.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The packed file
    file: PathBuf,
    /// Which records, counted from 1: A..B (B included), A.., ..B or A
    #[arg(long, value_parser = read_range)]
    records: Option<(u64, u64)>,
}

fn read_range(text: &str) -> Result<(u64, u64), String> {
    let bound = |part: &str, default: u64| match part {
        "" => Ok(default),
        _ => part.parse().map_err(|_| format!("`{part}` is not a number")),
    };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (bound(first, 1)?, bound(last.trim_start_matches('='), u64::MAX)?);
    if first == 0 || last < first {
        return Err("records count from 1, and the first comes before the last".into());
    }
    Ok((first, last))
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut output = BufWriter::new(std::io::stdout());
    let printed = print(&arguments.file, arguments.records, progress::stop_flag()?, &mut output);
    // Records before one that is damaged are whole.
    output.flush()?;
    printed?;
    Ok(ExitCode::SUCCESS)
}

/// Writes records of a packed file, from one number to another.
pub fn print(
    path: &Path,
    records: Option<(u64, u64)>,
    stop: &AtomicBool,
    output: &mut (impl Write + Send),
) -> Result<(), Failure> {
    let file = files::open_packed(path)?;
    let (first, last) = records.unwrap_or((1, u64::MAX));
    if first > file.records() && records.is_some() {
        let (name, records) = (file.path().display(), file.records());
        return Err(Failure::check(format!("{name} has only {records} records")));
    }
    let rows = first - 1..last.min(file.records());
    let threads = usize::from(rows.end.saturating_sub(rows.start) <= RECORDS_FEW);
    let mut sink = |_: &str, bytes: &[u8]| {
        output.write_all(bytes).map_err(Error::io(Path::new("standard output")))
    };
    export_rows(&file, rows, threads, stop, &mut sink, &mut |_| {})?;
    Ok(())
}
