//! `plypack unpack`: restores the original bytes.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack::{Error, Notation, PackedFile, UnpackReport, Unpacker};
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
    /// How it writes moves.
    pub(super) fn notation(self) -> Notation {
        match self {
            Self::Pgn => Notation::Customary,
            Self::PgnCoordinates => Notation::Coordinate,
        }
    }
}

/// Reports what a conversion has lost: the numbers of games of which parts became comments, of
/// records without a game, and of games in SGF.
pub(super) fn tell_conversion([changed, nothing, sgf]: [u64; 3]) {
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
    let file = files::open(&arguments.file)?;
    let unpacker = unpacker(arguments, &file);
    let output = match &arguments.output {
        Some(output) if arguments.form.is_none() => output.clone(),
        // Games to convert may be more than one file holds.
        named => {
            let usual = unpacker.default_output()?;
            named.clone().unwrap_or(usual)
        }
    };
    if arguments.json && files::is_standard_output(&output) {
        return Err(Failure::new("--json needs standard output; write to a file with -o"));
    }
    unpack(arguments, unpacker, file.len(), &output)?;
    let completeness = file.completeness()?;
    completeness::tell(file.path(), completeness);
    if arguments.json {
        let mut object = json!({
            "file": arguments.file.to_string_lossy(),
            "output": output.to_string_lossy(),
            "records": file.len(),
        });
        completeness::json(completeness).into_iter().for_each(|(key, value)| object[key] = value);
        super::print_line(&object.to_string())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns what unpacks a file as asked.
fn unpacker<'f>(arguments: &Arguments, file: &'f PackedFile) -> Unpacker<'f> {
    let unpacker = file.unpacker().overwrite(arguments.force).compressed(true);
    let unpacker = unpacker.threads(arguments.threads).stop(interrupt::shared_flag());
    match arguments.form {
        Some(form) => unpacker.as_pgn(form.notation()),
        None => unpacker,
    }
}

/// Unpacks a file of so many records.
fn unpack(
    arguments: &Arguments,
    unpacker: Unpacker<'_>,
    records: u64,
    output: &Path,
) -> Result<(), Failure> {
    let bar = progress::bar(Some(records), false, arguments.quiet);
    let unpacker = unpacker.progress(progress::moved(&bar, false));
    let unpacked = if arguments.stdout || files::is_standard_output(output) {
        let mut stdout = BufWriter::with_capacity(1 << 16, terminal::output());
        print(unpacker, &mut stdout).and_then(|report| Ok(stdout.flush().map(|()| report)?))
    } else if files::is_folder(output) {
        if arguments.form.is_some() {
            return Err(Failure::new("--as writes one file; name it with -o"));
        }
        unpacker.to_folder(output).map_err(|error| Failure::from(error).leaving_nothing())
    } else {
        files::check_apart(&arguments.file, output)?;
        unpacker.to_file(output).map_err(|error| Failure::from(error).leaving_nothing())
    };
    bar.finish_and_clear();
    let UnpackReport { inputs, changed, left_out, sgf, .. } = unpacked?;
    if arguments.quiet {
        return Ok(());
    }
    if arguments.form.is_some() {
        tell_conversion([changed, left_out, sgf]);
    } else if !arguments.stdout && !files::is_standard_output(output) && !files::is_folder(output) {
        tell(arguments, output, inputs);
    }
    Ok(())
}

/// Unpacks to standard output.
pub(super) fn print(
    unpacker: Unpacker<'_>,
    output: &mut (impl Write + Send),
) -> Result<UnpackReport, Failure> {
    printed(|is_written| {
        unpacker
            .try_for_each(|_, bytes| output.write_all(bytes).inspect_err(|_| *is_written = false))
    })
}

/// Does work that writes to standard output, and tells whether that failed.
pub(super) fn printed<T>(work: impl FnOnce(&mut bool) -> Result<T, Error>) -> Result<T, Failure> {
    let mut is_written = true;
    work(&mut is_written).map_err(|error| match error {
        Error::Io { source, .. } if !is_written => source.into(),
        error => error.into(),
    })
}

/// Reports an output that may surprise.
fn tell(arguments: &Arguments, output: &Path, inputs: u64) {
    let packed = arguments.file.display();
    let usual = files::with_extension(&arguments.file, "");
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
