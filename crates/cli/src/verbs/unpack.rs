//! `plypack unpack`: the original bytes back.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack_store::export::Sink;
use plypack_store::{Content, Error, PackedFile, export};

use crate::failure::Failure;
use crate::folder::Folder;
use crate::{files, interrupt, progress};

/// Give the original bytes back.
///
/// Every record is compared with the checksum of its original bytes on the way. Inputs that were
/// compressed come back as their content: `games.pgn.zst` as `games.pgn`. Several inputs come back
/// as one, or as files of their own in a folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack unpack games.parquet                writes games.pgn
  plypack unpack both.parquet -o back/        each input into a file of its own
  plypack unpack games.parquet -c | cmp - games.pgn")]
pub struct Arguments {
    /// The packed file
    file: PathBuf,
    /// The file to write, or the folder to put the inputs back into: one that is there, or a name
    /// ending in / [default: the packed file's name, ending in .pgn, or in .epd for positions]
    #[arg(short, long, conflicts_with = "stdout")]
    output: Option<PathBuf>,
    /// Write to standard output
    #[arg(short = 'c', long)]
    stdout: bool,
    /// The number of threads; 0 means one a core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Write over an existing output
    #[arg(short, long)]
    force: bool,
    /// Keep the packed file; always so, and accepted for the habit
    #[arg(short, long)]
    keep: bool,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let file = files::open_packed(&arguments.file)?;
    let output = arguments.output.clone();
    let extension = match file.kind() {
        Content::Games => "pgn",
        Content::Positions => "epd",
    };
    let output = output.unwrap_or_else(|| files::with_extension(&arguments.file, extension));
    if arguments.stdout || files::is_standard_output(&output) {
        let mut stdout = BufWriter::with_capacity(1 << 16, std::io::stdout());
        write(arguments, &file, &mut stdout, Path::new("standard output"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if files::is_folder(&output) {
        let mut folder = Folder::begin(&output, &file, files::existing(arguments.force))?;
        give(arguments, &file, &mut |source, bytes| folder.write(source, bytes))
            .map_err(Failure::leaving_nothing)?;
        folder.publish(interrupt::flag())?;
        return Ok(ExitCode::SUCCESS);
    }
    files::check_apart(&arguments.file, &output)?;
    let mut unfinished = files::begin_output(&output, arguments.force)?;
    let mut writer = BufWriter::with_capacity(1 << 16, &mut unfinished);
    let written = write(arguments, &file, &mut writer, &output);
    let inputs = written.map_err(Failure::leaving_nothing)?;
    drop(writer);
    unfinished.publish()?;
    if inputs > 1 && !arguments.quiet {
        let (packed, output) = (arguments.file.display(), output.display());
        progress::say(format_args!(
            "{output}: {inputs} inputs one after the other; `plypack unpack {packed} -o DIR/` \
             gives them back one by one"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// Gives the number of inputs that have records.
fn write(
    arguments: &Arguments,
    file: &PackedFile,
    writer: &mut (dyn Write + Send),
    name: &Path,
) -> Result<usize, Failure> {
    let mut sources: BTreeSet<String> = BTreeSet::new();
    give(arguments, file, &mut |source, bytes| {
        if !sources.contains(source) {
            sources.insert(source.to_owned());
        }
        writer.write_all(bytes).map_err(Error::io(name))
    })?;
    writer.flush().map_err(Error::io(name))?;
    Ok(sources.len())
}

/// Gives the records to `sink` and shows how far it is.
fn give(arguments: &Arguments, file: &PackedFile, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let bar = progress::bar(Some(file.records()), false, arguments.quiet);
    let stop = interrupt::flag();
    let done = export(file, arguments.threads, stop, sink, &mut |records| {
        bar.set_position(records);
    });
    bar.finish_and_clear();
    Ok(done?)
}
