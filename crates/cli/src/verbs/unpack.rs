//! `plypack unpack`: restores the original bytes.

use std::collections::BTreeSet;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use plypack::store::export::{Sink, Written, export_converted, written};
use plypack::store::folder::Folder;
use plypack::store::input::names::of_only_input;
use plypack::store::{Compressed, Content, Conversion, Error, Moves, PackedFile, Work, export};
use serde_json::json;

use crate::failure::Failure;
use crate::{completeness, files, interrupt, progress, terminal};

/// Restore the original bytes.
///
/// Every record is checked against the checksum of its original bytes. Compressed inputs come back
/// decompressed: `games.pgn.zst` as `games.pgn`. Several inputs come back as one file, or as
/// separate files in a folder.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack unpack games.parquet                writes games.pgn
  plypack unpack both.parquet -o back/        each input into a file of its own
  plypack unpack games.parquet --as pgn       writes games.pgn, whatever its games were packed from
  plypack unpack games.parquet -c | cmp - games.pgn")]
pub struct Arguments {
    /// The packed file
    file: PathBuf,
    /// The file to write, or the folder to restore the inputs into: an existing one, or a name
    /// ending in / [default: beside the packed file, with the input's name; for several inputs or
    /// standard input, the packed file's name with .pgn, or .epd for positions, or .sgf for games
    /// of go with --as]
    #[arg(short, long, conflicts_with = "stdout")]
    output: Option<PathBuf>,
    /// Write to standard output
    #[arg(short = 'c', long)]
    stdout: bool,
    /// Write the games as PGN instead, whatever they were packed from, and those of go in SGF
    #[arg(long = "as", value_enum, value_name = "FORMAT")]
    form: Option<Form>,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Ignored; the packed file is always kept
    #[arg(short, long)]
    keep: bool,
    /// Print no progress and no notes
    #[arg(short, long)]
    quiet: bool,
    /// Print a summary as one JSON object on standard output
    #[arg(long, conflicts_with = "stdout")]
    json: bool,
}

/// A format to write games in.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(super) enum Form {
    /// PGN, with moves in the game's customary notation: those of xiangqi in Chinese
    Pgn,
    /// PGN, with moves as coordinates: those of xiangqi as `H2-E2`
    PgnCoordinates,
}

impl Form {
    /// The conversion of games to this format.
    pub(super) fn conversion(self) -> Conversion {
        Conversion::new(match self {
            Self::Pgn => Moves::Customary,
            Self::PgnCoordinates => Moves::Coordinates,
        })
    }
}

/// Reports what a conversion has lost.
pub(super) fn tell_conversion(conversion: &Conversion) {
    let counts = [&conversion.changed, &conversion.nothing, &conversion.sgf];
    let [changed, nothing, sgf] = counts.map(|count| count.load(Ordering::Relaxed));
    if changed > 0 {
        progress::say(format_args!(
            "in {} something that PGN has no place for became a comment: moves that could not be \
             coded, or marks",
            progress::counted(changed, "game")
        ));
    }
    if nothing > 0 {
        progress::say(format_args!(
            "{} left out, as no game was understood; without --as they come back as they were",
            progress::counted(nothing, "record")
        ));
    }
    if sgf > 0 {
        let games = progress::counted(sgf, "game");
        progress::say(format_args!("{games} of go in SGF, as PGN does not have go"));
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let file = files::open_packed(&arguments.file)?;
    let extension = arguments.form.map(|_| ending(&file)).transpose()?;
    let output = match (&arguments.output, extension) {
        (Some(output), _) => output.clone(),
        (None, Some(extension)) => files::with_extension(&arguments.file, extension),
        (None, None) => default_output(&arguments.file, &file)?,
    };
    if arguments.json && files::is_standard_output(&output) {
        return Err(Failure::new("--json needs standard output; write to a file with -o"));
    }
    let code = unpack(arguments, &file, &output)?;
    let completeness = file.completeness()?;
    completeness::tell(file.path(), completeness);
    if arguments.json {
        let mut object = json!({
            "file": arguments.file.to_string_lossy(),
            "output": output.to_string_lossy(),
            "records": file.records(),
        });
        completeness::json(completeness).into_iter().for_each(|(key, value)| object[key] = value);
        super::print_line(&object.to_string())?;
    }
    Ok(code)
}

/// Returns the extension of a file of converted games, which is in one format.
fn ending(file: &PackedFile) -> Result<&'static str, Failure> {
    match written(file)? {
        Written { pgn: true, sgf: true } => Err(Failure::new(format!(
            "{0} holds games of go, which stay in SGF, beside games that become PGN, and one file \
             cannot hold both; restore its inputs with `plypack unpack {0} -o DIR/`, and pack \
             those with go into a file of their own",
            file.path().display()
        ))),
        Written { sgf: true, .. } => Ok("sgf"),
        _ => Ok("pgn"),
    }
}

/// Returns the default output: beside the packed file, with the name of the input.
fn default_output(path: &Path, file: &PackedFile) -> Result<PathBuf, Failure> {
    if let Some(name) = of_only_input(&file.sources()?, file.kind()) {
        return Ok(path.with_file_name(name));
    }
    let extension = match file.kind() {
        Content::Games => "pgn",
        Content::Positions => "epd",
    };
    Ok(files::with_extension(path, extension))
}

fn unpack(arguments: &Arguments, file: &PackedFile, output: &Path) -> Result<ExitCode, Failure> {
    if arguments.stdout || files::is_standard_output(output) {
        let mut stdout = BufWriter::with_capacity(1 << 16, terminal::output());
        write(arguments, file, &mut stdout, Path::new("standard output"))?;
        return Ok(ExitCode::SUCCESS);
    }
    if files::is_folder(output) && arguments.form.is_some() {
        return Err(Failure::new("--as writes one file; name it with -o"));
    }
    if files::is_folder(output) {
        let mut folder = Folder::begin(output, file, files::existing(arguments.force))?;
        give(arguments, file, &mut |source, bytes| folder.write(source, bytes))
            .map_err(Failure::leaving_nothing)?;
        folder.publish(interrupt::flag())?;
        return Ok(ExitCode::SUCCESS);
    }
    files::check_apart(&arguments.file, output)?;
    let mut unfinished = files::begin_output(output, arguments.force)?;
    let compressed = Compressed::new(&mut unfinished, output).map_err(Error::io(output))?;
    let mut writer = BufWriter::with_capacity(1 << 16, compressed);
    let written = write(arguments, file, &mut writer, output);
    let inputs = written.map_err(Failure::leaving_nothing)?;
    let compressed = writer.into_inner().map_err(|error| Error::io(output)(error.into_error()))?;
    compressed.finish().map_err(Error::io(output))?;
    unfinished.publish()?;
    if !arguments.quiet {
        tell(arguments, output, inputs);
    }
    Ok(ExitCode::SUCCESS)
}

/// Reports an output that may surprise.
fn tell(arguments: &Arguments, output: &Path, inputs: usize) {
    let packed = arguments.file.display();
    let usual = files::with_extension(&arguments.file, "");
    if arguments.form.is_some() {
        return;
    }
    if inputs > 1 {
        progress::say(format_args!(
            "{}: {inputs} inputs, joined; `plypack unpack {packed} -o DIR/` restores them as \
             separate files",
            output.display()
        ));
    } else if arguments.output.is_none() && output.with_extension("") != usual {
        // The name comes from the file, so it is not trusted.
        let name = output.to_string_lossy();
        progress::say(format_args!("{packed}: unpacked as {}", name));
    }
}

/// Writes the records. Returns the number of inputs that have any.
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

/// Passes the records to `sink` and shows the progress.
fn give(arguments: &Arguments, file: &PackedFile, sink: &mut Sink<'_>) -> Result<(), Failure> {
    let Some(form) = arguments.form else {
        let export = |work: &Work<'_>| export(file, work, sink);
        return Ok(progress::watched(file.records(), arguments.threads, arguments.quiet, export)?);
    };
    let conversion = form.conversion();
    let export = |work: &Work<'_>| export_converted(file, 0..u64::MAX, &conversion, work, sink);
    progress::watched(file.records(), arguments.threads, arguments.quiet, export)?;
    if !arguments.quiet {
        tell_conversion(&conversion);
    }
    Ok(())
}
