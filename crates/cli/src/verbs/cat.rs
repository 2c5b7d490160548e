//! `plypack cat`: records as text.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack_store::Error;

use crate::failure::Failure;
use crate::files;

/// Print records as text.
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
    let mut output = BufWriter::new(std::io::stdout().lock());
    print(&arguments.file, arguments.records, &mut output)?;
    output.flush()?;
    Ok(ExitCode::SUCCESS)
}

/// Writes records of a packed file, from one number to another.
pub fn print(
    path: &Path,
    records: Option<(u64, u64)>,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let file = files::open_packed(path)?;
    let (first, last) = records.unwrap_or((1, u64::MAX));
    if first > file.records() && records.is_some() {
        let (name, records) = (file.path().display(), file.records());
        return Err(Failure::check(format!("{name} has only {records} records")));
    }
    let mut before = 0;
    for group in 0..file.groups() {
        let after = before + file.group_records(group);
        if after >= first && before < last {
            let rows = file.read_records(group)?;
            for row in 0..rows.len() {
                let number = before + row as u64 + 1;
                if !(first..=last).contains(&number) {
                    continue;
                }
                let Some(bytes) = rows.render(row) else { break };
                let bytes = bytes.map_err(|why| Error::Record {
                    path: path.into(),
                    record: number,
                    why,
                })?;
                output.write_all(&bytes)?;
            }
        }
        before = after;
    }
    Ok(())
}
