//! `plypack merge`: merges packed files into one.

use std::path::PathBuf;
use std::process::ExitCode;

use indicatif::HumanBytes;
use plypack::{MergeReport, Merger};
use serde_json::json;

use super::append::tell_renamed;
use crate::failure::Failure;
use crate::{files, interrupt, progress};

/// Merge packed files into one.
///
/// Records are copied as coded, in the order of the files: large row groups byte for byte, small
/// ones together with their neighbours. If one of the files has an index, so has the result.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack merge 2023.parquet 2024.parquet -o both.parquet
  plypack merge games/ -o games.parquet       all packed files of a folder")]
pub struct Arguments {
    /// The packed files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long)]
    output: PathBuf,
    /// Build the position index even if no file has one
    #[arg(long)]
    index: bool,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no summary and no progress
    #[arg(short, long)]
    quiet: bool,
    /// Print the summary as one JSON object on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let merging = files::expanded(&arguments.files)?;
    let mut records = 0;
    for path in &merging {
        records += files::open(path)?.len();
    }
    let path = &arguments.output;
    for file in &merging {
        files::check_apart(file, path)?;
    }
    let mut merger = Merger::new().index(arguments.index).overwrite(arguments.force);
    for file in &merging {
        merger = merger.file(file);
    }
    let bar = progress::bar(Some(records), false, arguments.quiet || arguments.json);
    let merger = merger.threads(arguments.threads).stop(interrupt::shared_flag());
    let merger = merger.progress(progress::moved(&bar, false));
    if files::is_standard_output(path) {
        if arguments.index || arguments.json {
            let why = "--index and --json need a file; name one with -o";
            return Err(Failure::new(why));
        }
        let merged = merger.to_writer("standard output", files::binary_output()?);
        bar.finish_and_clear();
        merged?;
        return Ok(ExitCode::SUCCESS);
    }
    files::refuse_terminal(files::is_terminal(path))?;
    let merged = merger.merge(path);
    bar.finish_and_clear();
    let merged = merged.map_err(|error| Failure::from(error).leaving_nothing())?;
    tell(arguments, merging.len(), &merged)?;
    Ok(ExitCode::SUCCESS)
}

fn tell(arguments: &Arguments, files: usize, merged: &MergeReport) -> Result<(), Failure> {
    let path = &arguments.output;
    let bytes = path.metadata().map_or(0, |found| found.len());
    if arguments.json {
        let renamed = merged
            .renamed
            .iter()
            .map(|(file, name, new)| json!({ "number": file + 1, "from": name, "to": new }));
        let object = json!({
            "file": path.to_string_lossy(),
            "files": files,
            "records": merged.records,
            "bytes": bytes,
            "renamed": renamed.collect::<Vec<_>>(),
        });
        return super::print_line(&object.to_string());
    }
    if arguments.quiet {
        return Ok(());
    }
    progress::say(format_args!(
        "{}: {} from {}, {}",
        path.display(),
        progress::counted(merged.records, "record"),
        progress::counted(files as u64, "file"),
        HumanBytes(bytes),
    ));
    tell_renamed(path, merged.renamed.iter().map(|(_, name, new)| (name, new)));
    Ok(())
}
