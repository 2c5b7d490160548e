//! `plypack cat`: prints records as text, checked as by `verify`.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use data_encoding::BASE64;
use plypack::UnpackReport;
use plypack_records::charset;
use serde_json::json;

use super::unpack::{self, Form, tell_conversion};
use crate::failure::Failure;
use crate::{files, interrupt, progress, terminal};

/// Number of records up to which one thread is enough.
const RECORDS_FEW: u64 = 256;

/// Print records as text.
///
/// Every record is checked against the checksum of its original bytes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack cat games.parquet --records 3..5
  plypack cat games.parquet --records 1 --json")]
pub struct Arguments {
    /// The packed file
    file: PathBuf,
    /// Which records, counted from 1: A..B (B included), A.., ..B or A
    #[arg(long, value_parser = read_range, allow_hyphen_values = true)]
    records: Option<(u64, u64)>,
    /// Print one JSON object per record: `record`, `source`, `text` and, if its bytes are not
    /// UTF-8, the bytes as `base64`
    #[arg(long)]
    json: bool,
    /// Print the games as PGN instead, whatever they were packed from, and those of go in SGF
    #[arg(long = "as", value_enum, value_name = "FORMAT", conflicts_with = "json")]
    form: Option<Form>,
}

/// Reads a range of records.
pub(super) fn read_range(text: &str) -> Result<(u64, u64), String> {
    const EXAMPLES: &str = "use 5, 2..3 (both included), 2.. or ..3; records count from 1";
    let bound = |part: &str, default: u64| match part {
        "" => Ok(default),
        _ => part.parse().map_err(|_| format!("`{part}` is not a number: {EXAMPLES}")),
    };
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    let (first, last) = (bound(first, 1)?, bound(last.trim_start_matches('='), u64::MAX)?);
    if first == 0 || last < first {
        return Err(format!("there are no such records: {EXAMPLES}"));
    }
    Ok((first, last))
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut output = BufWriter::with_capacity(1 << 16, terminal::output());
    let printed = print(arguments, &mut output);
    // Records before a damaged one are sound.
    output.flush()?;
    printed?;
    Ok(ExitCode::SUCCESS)
}

fn print(arguments: &Arguments, output: &mut (impl Write + Send)) -> Result<(), Failure> {
    let file = files::open(&arguments.file)?;
    let (first, last) = arguments.records.unwrap_or((1, u64::MAX));
    if first > file.len() && arguments.records.is_some() {
        let (name, records) = (file.path().display(), file.len());
        let records = progress::counted(records, "record");
        return Err(Failure::check(format!("{name} has only {records}")));
    }
    let last = last.min(file.len());
    let threads = usize::from(last.saturating_sub(first - 1) <= RECORDS_FEW);
    let unpacker = file.unpacker().records(first..=last);
    let mut unpacker = unpacker.threads(threads).stop(interrupt::shared_flag());
    if arguments.json {
        return unpack::printed(|is_written| {
            unpacker.try_for_each_record(|record, input, bytes| {
                let object = object(record, input, bytes).to_string();
                let line = writeln!(output, "{}", terminal::lines(&object));
                line.inspect_err(|_| *is_written = false)
            })
        });
    }
    if let Some(form) = arguments.form {
        unpacker = unpacker.as_pgn(form.notation());
    }
    let UnpackReport { changed, left_out, sgf, .. } = unpack::print(unpacker, output)?;
    tell_conversion([changed, left_out, sgf]);
    Ok(())
}

fn object(record: u64, input: &str, bytes: &[u8]) -> serde_json::Value {
    let mut object = json!({ "record": record, "source": input });
    match std::str::from_utf8(bytes) {
        Ok(text) => object["text"] = text.into(),
        Err(_) => {
            object["text"] = charset::decode(bytes, "").1.into();
            object["base64"] = BASE64.encode(bytes).into();
        }
    }
    object
}
