//! `plypack unpack`: the original bytes back.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack_store::export::Sink;
use plypack_store::{Content, Error, PackedFile, export};

use crate::failure::Failure;
use crate::folder::Folder;
use crate::{files, progress};

/// Give the original bytes back.
///
/// Every record is compared with the checksum of its original bytes on the way. Inputs that were
/// compressed come back as their content: `games.pgn.zst` as `games.pgn`. Several inputs come back
/// as one, or as files of their own in a folder.
#[derive(Debug, clap::Args)]
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
    if arguments.stdout || files::is_standard(&output) {
        let mut stdout = BufWriter::with_capacity(1 << 16, std::io::stdout());
        write(arguments, &file, &mut stdout, Path::new("standard output"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if files::is_folder(&output) {
        let mut folder = Folder::begin(&output, &file, arguments.force)?;
        give(arguments, &file, &mut |source, bytes| folder.write(source, bytes))?;
        folder.publish()?;
        return Ok(ExitCode::SUCCESS);
    }
    files::check_apart(&arguments.file, &output)?;
    files::check_free(&output, arguments.force)?;
    let folder = match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let failure = |error| Failure::from(Error::io(&output)(error));
    let temporary = tempfile::Builder::new().prefix(".plypack-").suffix(".tmp").tempfile_in(folder);
    let temporary = temporary.map_err(failure)?;
    let mut writer = BufWriter::new(temporary.as_file());
    write(arguments, &file, &mut writer, &output)?;
    writer.into_inner().map_err(|error| failure(error.into_error()))?;
    let finished: Result<File, _> = plypack_store::import::publish(temporary, &output);
    finished?;
    Ok(ExitCode::SUCCESS)
}

fn write(
    arguments: &Arguments,
    file: &PackedFile,
    writer: &mut (dyn Write + Send),
    name: &Path,
) -> Result<(), Failure> {
    give(arguments, file, &mut |_, bytes| writer.write_all(bytes).map_err(Error::io(name)))?;
    writer.flush().map_err(Error::io(name))?;
    Ok(())
}

/// Gives the records to `sink` and shows how far it is.
fn give(arguments: &Arguments, file: &PackedFile, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let bar = progress::bar(Some(file.records()), false, arguments.quiet);
    let stop = progress::stop_flag()?;
    let done = export(file, arguments.threads, stop, sink, &mut |records| {
        bar.set_position(records);
    });
    bar.finish_and_clear();
    Ok(done?)
}
