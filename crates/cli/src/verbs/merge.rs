//! `plypack merge`: merges packed files into one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::HumanBytes;
use plypack::store::find::{Watch, packed_files};
use plypack::store::index::{Indices, Moved, remove_others};
use plypack::store::revision::{Merged, merge};
use plypack::store::{Output, PackedFile};
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
    let mut merging = Vec::new();
    for path in &arguments.files {
        let paths = if path.is_dir() { packed_files(path)? } else { vec![path.clone()] };
        for path in paths {
            merging.push(files::open_packed(&path)?);
        }
    }
    let path = &arguments.output;
    for file in &merging {
        files::check_apart(file.path(), path)?;
    }
    let quiet = arguments.quiet || arguments.json;
    let bar = progress::bar(Some(merging.iter().map(PackedFile::records).sum()), false, quiet);
    let advance = |records| bar.inc(records);
    let (threads, stop) = (arguments.threads, interrupt::flag());
    let watch = Watch { threads, stop, progress: &advance };
    let merged = if files::is_standard_output(path) {
        if arguments.index || arguments.json {
            let why = "--index and --json need an output file; name one with -o";
            return Err(Failure::new(why));
        }
        merge(&merging, &mut files::binary_output()?, Path::new("standard output"), &watch)?
    } else {
        let mut output = files::begin_output(path, arguments.force)?;
        files::refuse_terminal(output.is_terminal())?;
        let merged = merge(&merging, &mut output, path, &watch);
        let merged = merged.map_err(|error| Failure::from(error).leaving_nothing())?;
        publish(arguments, &merging, output)?;
        merged
    };
    bar.finish_and_clear();
    tell(arguments, merging.len(), &merged)?;
    Ok(ExitCode::SUCCESS)
}

/// Gives the file its name, and builds its index if wanted. Index entries of the merged files are
/// carried over for row groups that stay together.
fn publish(arguments: &Arguments, merging: &[PackedFile], output: Output) -> Result<(), Failure> {
    let is_file = output.unfinished().is_some();
    let path = output.path().to_path_buf();
    output.publish()?;
    if !is_file {
        return Ok(());
    }
    let indices: Vec<Indices> = merging.iter().map(Indices::open).collect();
    if !arguments.index && indices.iter().all(Indices::is_empty) {
        return Ok(remove_others(&path, &[])?);
    }
    let mut first = 0;
    let moved = merging.iter().zip(&indices).map(|(file, indices)| {
        let moved = Moved { indices, gone: &[], first };
        first += file.records();
        moved
    });
    let moved: Vec<Moved<'_>> = moved.collect();
    super::index::keep(&path, &moved, arguments.threads, arguments.quiet || arguments.json)
}

fn tell(arguments: &Arguments, files: usize, merged: &Merged) -> Result<(), Failure> {
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
    if arguments.quiet || files::is_standard_output(path) {
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
