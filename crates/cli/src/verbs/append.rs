//! `plypack append`: adds records to a packed file, or to a folder of them.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use indicatif::HumanBytes;
use plypack::PackReport;
use serde_json::json;

use super::pack;
use crate::failure::Failure;
use crate::{files, progress};

/// How many renamed inputs are reported one by one.
const RENAMED_SHOWN: usize = 3;

/// Add records to a packed file, or to a folder of packed files.
///
/// Existing records are copied as coded, not packed again. New records follow in row groups of
/// their own, coded like the file's first record. In a folder, they get a file of their own, named
/// after the first input; a folder named with a `/` at its end is made if there is none. An
/// existing index is updated.
///
/// The file is replaced once the new one is complete, so a killed run leaves it as it was. An input
/// whose name is taken gets a number. Programs that have the file open keep reading the old one; on
/// Windows they prevent the replacement, and nothing is changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack append games.parquet twic1234.pgn
  plypack append games/ twic1234.pgn          writes games/twic1234.parquet
  curl -s URL | plypack append games.parquet -")]
pub struct Arguments {
    /// The packed file, or a folder of packed files
    file: PathBuf,
    /// The inputs, as for `pack`; `-` is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// The game of the records [default: what each says, else that of the file]
    #[arg(long, value_parser = crate::verbs::codecs::game_name)]
    game: Option<String>,
    /// The model to code moves with [default: the codec of the file's first record]
    #[arg(long, conflicts_with = "codec", value_parser = PossibleValuesParser::new(pack::models()))]
    model: Option<String>,
    /// The codec for moves or positions, in place of a model; `plypack codecs` lists the choices
    #[arg(long)]
    codec: Option<String>,
    /// Build the position index if there is none; an existing one is always updated
    #[arg(long)]
    index: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Exit with code 3 if records or moves had to be kept as text, or if nothing in a record was
    /// understood
    #[arg(long)]
    strict: bool,
    /// Print no summary and no progress
    #[arg(short, long)]
    quiet: bool,
    /// Name the records whose moves or position could not all be coded
    #[arg(short, long)]
    verbose: bool,
    /// Print the summary as one JSON object on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let Arguments { file, inputs, .. } = arguments;
    if let Some(packed) = inputs.iter().find(|input| files::looks_packed(input))
        && files::open(packed).is_ok()
    {
        let (file, packed) = (file.display(), packed.display());
        return Err(Failure::new(format!(
            "{packed} is already a packed file; `plypack merge {file} {packed} -o OUT` merges both \
             into one file"
        )));
    }
    let packing = pack::Arguments {
        inputs: inputs.clone(),
        output: None,
        game: arguments.game.clone(),
        model: arguments.model.clone(),
        codec: arguments.codec.clone(),
        index: arguments.index,
        threads: arguments.threads,
        force: false,
        keep: true,
        strict: arguments.strict,
        quiet: arguments.quiet,
        verbose: arguments.verbose,
        json: arguments.json,
    };
    if files::is_folder(file) { append_to_folder(&packing, file) } else { append(&packing, file) }
}

/// Packs inputs into a file of their own in a folder, like the files that are there.
fn append_to_folder(packing: &pack::Arguments, folder: &Path) -> Result<ExitCode, Failure> {
    // It may have no files, or not be there.
    let others = plypack::packed_files(folder).unwrap_or_default();
    let first = others.first().map(|path| files::open(path)).transpose()?;
    let own = first.map(|file| file.line_codec()).transpose()?.flatten();
    let mut packer = pack::options(pack::packer(packing), packing, own)?;
    packer.check_inputs()?;
    let usual = packer.default_output()?;
    let packed = pack::watched(packing, 0, packer, |packer| packer.append_to_folder(folder));
    let report = packed.map_err(Failure::leaving_nothing)?;
    let path = &report.summary.path;
    if path.file_name() != usual.file_name() && !packing.quiet {
        let [own, new] = [&usual, path].map(|path| path.file_name().unwrap_or_default().display());
        let folder = folder.display();
        progress::say(format_args!(
            "{folder} already has a file {own}, so the new one is {new}; `plypack dedup {folder}` \
             deletes duplicate games"
        ));
    }
    pack::tell(packing, &report, path)?;
    Ok(pack::exit_code(packing, &report))
}

fn append(packing: &pack::Arguments, path: &Path) -> Result<ExitCode, Failure> {
    if files::is_standard(path) {
        return Err(Failure::new("a packed file cannot be standard input; name a file"));
    }
    if !path.exists() {
        let path = path.display();
        return Err(Failure::new(format!(
            "{path}: there is no such file to append to; `plypack pack INPUT.. -o {path}` makes it"
        )));
    }
    let mut packer = pack::packer(packing);
    packer.check_output(path)?;
    // A pipe, which is refused, must not be opened.
    let (before, own) = match path.is_file().then(|| files::open(path)).transpose()? {
        Some(file) => (file.len(), file.line_codec()?),
        None => (0, None),
    };
    let packer = pack::options(packer, packing, own)?;
    let appended = pack::watched(packing, before, packer, |packer| packer.append(path));
    let report = appended.map_err(Failure::leaving_nothing)?;
    tell(packing, path, &report)?;
    if !packing.quiet && !packing.json {
        pack::tell_model(packing, &report);
        pack::tell_not_understood(&report);
        pack::tell_kept(packing, &report);
    }
    Ok(pack::exit_code(packing, &report))
}

fn tell(packing: &pack::Arguments, path: &Path, report: &PackReport) -> Result<(), Failure> {
    let total = report.records_before + report.records;
    if packing.json {
        let renamed = report.renamed.iter().map(|(name, new)| json!({ "from": name, "to": new }));
        let object = json!({
            "file": path.to_string_lossy(),
            "records": report.records,
            "records_in_file": total,
            "plies": report.plies,
            "positions": report.positions,
            "input_bytes": report.input_bytes,
            "bytes": report.output_bytes,
            "verbatim_records": report.verbatim,
            "faulty_records": report.faulty,
            "unread_records": report.unread,
            "renamed": renamed.collect::<Vec<_>>(),
        });
        return super::print_line(&object.to_string());
    }
    if packing.quiet {
        return Ok(());
    }
    progress::say(format_args!(
        "{}: {} appended; it now has {}, {}",
        path.display(),
        progress::counted(report.records, "record"),
        progress::count(total),
        HumanBytes(report.output_bytes),
    ));
    tell_renamed(path, report.renamed.iter().map(|(name, new)| (name, new)));
    Ok(())
}

/// Reports which inputs were renamed.
pub(super) fn tell_renamed<'a>(
    path: &Path,
    mut renamed: impl Iterator<Item = (&'a String, &'a String)>,
) {
    for (name, new) in renamed.by_ref().take(RENAMED_SHOWN) {
        let name = if files::is_standard(Path::new(name)) { "standard input" } else { name };
        progress::say(format_args!(
            "it already has an input {name}, so the new one is named {new}; `plypack dedup {}` \
             deletes duplicate games",
            path.display()
        ));
    }
    let others = renamed.count() as u64;
    if others > 0 {
        progress::say(format_args!("and {} more inputs got new names", progress::count(others)));
    }
}
