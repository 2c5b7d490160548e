//! The file that `find -o` writes games to, as they were packed, converted, or packed again.

use std::io::{self, BufWriter, Write, sink};
use std::path::Path;

use plypack::store::{Compressed, Error};
use plypack::{Collection, Notation};

use super::Arguments;
use crate::failure::Failure;
use crate::verbs::unpack::{Form, printed, tell_conversion};
use crate::{files, interrupt, progress, terminal};

/// Refuses an output that cannot be written, before anything is searched for.
pub(super) fn check(path: &Path, arguments: &Arguments, games: &Collection) -> Result<(), Failure> {
    if files::is_standard_output(path) {
        if arguments.json {
            let why = "--json needs standard output; write the games to a file with -o";
            return Err(Failure::new(why));
        }
        return Ok(());
    }
    for file in games.paths() {
        files::check_apart(file, path)?;
    }
    files::check_output(path, arguments.force)?;
    if is_packed(path) {
        files::refuse_terminal(files::is_terminal(path))?;
        if arguments.form.is_some() {
            let why = "--as writes texts; name a file that does not end in .parquet";
            return Err(Failure::new(why));
        }
    }
    Compressed::new(sink(), path).map(drop).map_err(|error| Error::io(path)(error).into())
}

fn is_packed(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "parquet")
}

/// Standard output, and whether all was written there.
struct Watched<'w, W> {
    out: W,
    is_written: &'w mut bool,
}

impl<W: Write> Write for Watched<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes).inspect_err(|_| *self.is_written = false)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush().inspect_err(|_| *self.is_written = false)
    }
}

/// Writes games, each by the place of its file and its number there.
pub(super) fn write(
    path: &Path,
    arguments: &Arguments,
    games: &Collection,
    found: Vec<(usize, u64)>,
) -> Result<(), Failure> {
    let (asks, count) = (&arguments.asks, found.len() as u64);
    let bar = progress::bar(Some(count), false, asks.quiet);
    let mut extractor = games
        .extractor()
        .games(found)
        .overwrite(arguments.force)
        .threads(asks.threads())
        .stop(interrupt::shared_flag())
        .progress(progress::moved(&bar, false));
    if let Some(form) = arguments.form {
        extractor = extractor.as_pgn(match form {
            Form::Pgn => Notation::Customary,
            Form::PgnCoordinates => Notation::Coordinate,
        });
    }
    let is_standard = files::is_standard_output(path);
    let report = match is_standard {
        true => {
            let out = BufWriter::new(terminal::output());
            printed(|is_written| extractor.to_writer(Watched { out, is_written }))
        }
        false => extractor.to_file(path).map_err(Failure::from),
    };
    bar.finish_and_clear();
    let report = report?;
    if asks.quiet {
        return Ok(());
    }
    if arguments.form.is_some() {
        tell_conversion([report.changed, report.left_out, report.sgf]);
    }
    let how = match arguments.form {
        _ if is_packed(path) => "packed",
        None => "as they were packed",
        Some(_) if report.sgf > 0 && report.sgf == count => "in SGF",
        Some(_) => "as PGN",
    };
    if !is_standard {
        let games = progress::counted(report.games, "game");
        progress::say(format_args!("{}: {games}, {how}", path.display()));
    }
    Ok(())
}
