//! The file that `find -o` writes games to, as they were packed, converted, or packed anew.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use plypack::store::find::{Asked, Separator};
use plypack::store::revision::select;
use plypack::store::row::StoredRecord;
use plypack::store::{Compressed, Conversion, Error, Moves, Output};

use super::Arguments;
use crate::failure::Failure;
use crate::question::Asks;
use crate::verbs::unpack::{Form, tell_conversion};
use crate::{files, progress, terminal};

/// The file that games are written to.
pub(super) struct Games {
    path: PathBuf,
    place: Place,
    separator: Separator,
    /// How games are converted, if they are.
    conversion: Option<Conversion>,
}

enum Place {
    /// A packed file, and the rows of each input to copy.
    Packed(Box<Output>, Vec<Vec<u64>>),
    File(Box<BufWriter<Compressed<Output>>>),
    Standard(BufWriter<terminal::Output>),
}

impl Games {
    pub(super) fn begin(
        path: &Path,
        arguments: &Arguments,
        asked: &[Asked],
    ) -> Result<Self, Failure> {
        let place = if files::is_standard_output(path) {
            if arguments.json {
                let why = "--json needs standard output; write the games to a file with -o";
                return Err(Failure::new(why));
            }
            Place::Standard(BufWriter::new(terminal::output()))
        } else {
            for asked in asked {
                files::check_apart(asked.file.path(), path)?;
            }
            let output = files::begin_output(path, arguments.force)?;
            if path.extension().is_some_and(|ending| ending == "parquet") {
                files::refuse_terminal(output.is_terminal())?;
                Place::Packed(Box::new(output), vec![Vec::new(); asked.len()])
            } else {
                let output = Compressed::new(output, path).map_err(Error::io(path))?;
                Place::File(Box::new(BufWriter::new(output)))
            }
        };
        let conversion = arguments.form.map(|form| {
            Conversion::new(match form {
                Form::Pgn => Moves::Customary,
                Form::PgnCoordinates => Moves::Coordinates,
            })
        });
        if conversion.is_some() && matches!(place, Place::Packed(..)) {
            return Err(Failure::new(
                "--as writes texts; name a file that does not end in .parquet",
            ));
        }
        Ok(Self { path: path.into(), place, separator: Separator::default(), conversion })
    }

    /// Whether rows are copied, not their content.
    pub(super) fn is_packed(&self) -> bool {
        matches!(self.place, Place::Packed(..))
    }

    /// Takes rows of an input to copy, if rows are copied. Returns whether they are.
    pub(super) fn copies(&mut self, input: usize, rows: &[u64]) -> bool {
        let Place::Packed(_, all) = &mut self.place else { return false };
        if let Some(taken) = all.get_mut(input) {
            taken.extend(rows);
        }
        true
    }

    /// Writes a game, unless rows are copied.
    pub(super) fn write(
        &mut self,
        asked: &Asked,
        row: u64,
        record: &StoredRecord<'_>,
        checksum: Option<u32>,
    ) -> Result<(), Failure> {
        let bytes = match &self.conversion {
            None => record.original(checksum),
            Some(conversion) => record.convert(conversion.moves, checksum).map(|converted| {
                conversion.count(converted.fate);
                converted.bytes
            }),
        };
        let bytes = bytes.map_err(Error::record(asked.file.path(), row))?;
        let path = &self.path;
        let out: &mut dyn Write = match &mut self.place {
            Place::File(file) => file,
            Place::Standard(out) => out,
            Place::Packed(..) => return Ok(()),
        };
        // Converted games end with a blank line.
        let gap = match self.conversion {
            None => self.separator.before(record, &bytes),
            Some(_) => &[],
        };
        out.write_all(gap).and_then(|()| out.write_all(&bytes)).map_err(|e| Error::io(path)(e))?;
        Ok(())
    }

    pub(super) fn publish(self, asked: &[Asked], games: u64, asks: &Asks) -> Result<(), Failure> {
        let failed = || Error::io(&self.path);
        let quiet = asks.quiet;
        let how = match &self.conversion {
            None => "as they were packed",
            Some(conversion) => match conversion.sgf.load(Ordering::Relaxed) {
                sgf if sgf > 0 && sgf == games => "in SGF",
                _ => "as PGN",
            },
        };
        if let Some(conversion) = self.conversion.filter(|_| !quiet) {
            let counts = [&conversion.changed, &conversion.nothing, &conversion.sgf];
            tell_conversion(counts.map(|count| count.load(Ordering::Relaxed)));
        }
        match self.place {
            Place::Packed(mut output, mut rows) => {
                rows.iter_mut().for_each(|rows| rows.sort_unstable());
                let files = asked.iter().zip(&rows).map(|(asked, rows)| (&asked.file, &rows[..]));
                let files: Vec<_> = files.collect();
                asks.watched(asked, |watch, _| select(&files, &mut *output, &self.path, watch))?;
                output.publish()?;
                if !quiet {
                    let games = progress::counted(games, "game");
                    progress::say(format_args!("{}: {games}, packed", self.path.display()));
                }
                Ok(())
            }
            Place::Standard(mut out) => Ok(out.flush()?),
            Place::File(file) => {
                let file = file.into_inner().map_err(|error| failed()(error.into_error()))?;
                file.finish().map_err(failed())?.publish()?;
                if !quiet {
                    let (path, games) = (self.path.display(), progress::counted(games, "game"));
                    progress::say(format_args!("{path}: {games}, {how}"));
                }
                Ok(())
            }
        }
    }
}
