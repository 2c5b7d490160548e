//! `plypack board verify`: checks whole files, or runs the self-test of the program in the article
//! Ternary.

use std::io::Seek;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

use plypack_core::board::TernaryBoard;
use plypack_core::board::ternary::Size;
use plypack_core::codecs::ternary::{CODECS, TernaryCodec};
use serde_json::json;

use super::input::Input;
use super::output::{Form, Output};
use super::random::{self, Boards};
use super::{go_on, info, parallel};
use crate::failure::{DIFFERENT, Failure};
use crate::{interrupt, progress};

/// Check whole files, or test all codecs with a random board.
///
/// Without files, writes a random board to a file, reads it back and compares it cell by cell, for
/// every codec or for one.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The files; `-` is standard input
    files: Vec<PathBuf>,
    /// The size of the random board
    #[arg(long, num_args = 2, value_names = ["ROWS", "COLUMNS"], conflicts_with = "files")]
    random: Option<Vec<u32>>,
    /// The seed of the random board [default: from the clock, and printed]
    #[arg(long, conflicts_with = "files")]
    seed: Option<u64>,
    /// The codec to test [default: all]
    #[arg(long, conflicts_with = "files", value_parser = super::find)]
    codec: Option<&'static dyn TernaryCodec>,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print nothing for sound files and codecs
    #[arg(short, long)]
    quiet: bool,
    /// Print one JSON object per file or codec
    #[arg(long)]
    json: bool,
}

/// The default board of the self-test.
const USUAL: [u32; 2] = [1_000, 1_000];

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let stop = interrupt::flag();
    let mut sound = true;
    for path in &arguments.files {
        let name = path.display().to_string();
        let done = verify_file(path, arguments, stop);
        sound &= arguments.report("file", &name, done)?;
    }
    if arguments.files.is_empty() {
        let &[rows, columns] = arguments.random.as_deref().unwrap_or(&USUAL) else {
            return Err(Failure::new("a size is a number of rows and a number of columns"));
        };
        let size = Size::new(rows, columns).map_err(Failure::new)?;
        let seed = arguments.seed.unwrap_or_else(random::from_the_clock);
        if !arguments.quiet && !arguments.json {
            progress::say(format_args!("a random board of {rows} x {columns} cells, seed {seed}"));
        }
        let codecs = arguments.codec.map_or_else(|| CODECS.to_vec(), |codec| vec![codec]);
        for codec in codecs {
            let done = try_codec(codec, size, seed, arguments, stop);
            sound &= arguments.report("codec", codec.info().name, done)?;
        }
    }
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::from(DIFFERENT) })
}

impl Arguments {
    /// Reports a check and returns whether it passed. Any failure other than a failed check is
    /// returned.
    fn report(
        &self,
        key: &str,
        name: &str,
        done: Result<(u64, u64), Failure>,
    ) -> Result<bool, Failure> {
        let fault = match done {
            Ok((cells, bytes)) => {
                if self.json {
                    let object =
                        json!({ key: name, "sound": true, "cells": cells, "bytes": bytes });
                    crate::verbs::print_line(&object.to_string())?;
                } else if !self.quiet {
                    let (cells, bytes) = (progress::count(cells), progress::count(bytes));
                    progress::say(format_args!("{name}: {cells} cells in {bytes} bytes, sound"));
                }
                return Ok(true);
            }
            Err(failure) if failure.is_check() => failure,
            Err(failure) => return Err(failure),
        };
        if self.json {
            let object = json!({ key: name, "sound": false, "fault": fault.message() });
            crate::verbs::print_line(&object.to_string())?;
        }
        progress::say(format_args!("plypack: {}", fault.message()));
        Ok(false)
    }
}

/// Reads a file to its end. Returns the numbers of its cells and bytes.
fn verify_file(
    path: &Path,
    arguments: &Arguments,
    stop: &AtomicBool,
) -> Result<(u64, u64), Failure> {
    let mut input = Input::open(path)?;
    let threads = parallel::threads(arguments.threads);
    let content = info::read(&mut input, threads, arguments.quiet, stop)?;
    Ok((content.size.cells(), content.bytes))
}

/// Writes a random board, reads it back, and compares it with the same random board made again.
fn try_codec(
    codec: &'static dyn TernaryCodec,
    size: Size,
    seed: u64,
    arguments: &Arguments,
    stop: &AtomicBool,
) -> Result<(u64, u64), Failure> {
    let name = codec.info().name;
    let threads = parallel::threads(arguments.threads);
    // Without a name, nothing is left of it however this ends.
    let mut file = tempfile::tempfile().map_err(Failure::new)?;
    let written = file.try_clone().map_err(Failure::new)?;
    let mut output = Output::to_stream(Box::new(written), Form::Coded(codec), size)?;
    // Each cell counts twice: when written, and when compared.
    let bar = progress::bar(Some(2 * size.packed_bytes()), true, arguments.quiet);
    bar.set_message(name);
    let packed = |boards: &[TernaryBoard]| -> u64 {
        boards.iter().map(|board| board.size().packed_bytes()).sum()
    };
    let mut boards = Boards::new(size, seed);
    loop {
        let batch = boards.next(threads)?;
        if batch.is_empty() {
            break;
        }
        go_on(stop)?;
        bar.inc(packed(&batch));
        output.write(batch)?;
    }
    let bytes = output.finish()?;
    file.rewind().map_err(Failure::new)?;
    let mut input = Input::read_from("a temporary file".into(), Box::new(file))?;
    if input.size() != Some(size) {
        return Err(Failure::check(format!("{name}: the board came back with another size")));
    }
    let mut boards = Boards::new(size, seed);
    let mut wrong = 0;
    loop {
        let (expected, found) = (boards.next(threads)?, input.read(threads)?);
        if expected.is_empty() && found.is_empty() {
            break;
        }
        go_on(stop)?;
        bar.inc(packed(&expected));
        wrong += differences(&expected, &found);
    }
    bar.finish_and_clear();
    match wrong {
        0 => Ok((size.cells(), bytes)),
        _ => Err(Failure::check(format!(
            "{name}: {} of {} cells came back changed",
            progress::count(wrong),
            progress::count(size.cells())
        ))),
    }
}

/// Counts the cells that differ between two lists of the same bands.
fn differences(expected: &[TernaryBoard], found: &[TernaryBoard]) -> u64 {
    let pairs = expected.iter().zip(found).filter(|(expected, found)| expected != found);
    let count = |(expected, found): (&TernaryBoard, &TernaryBoard)| {
        let (expected, found) = (expected.to_cells(), found.to_cells());
        expected.iter().zip(&found).filter(|(expected, found)| expected != found).count() as u64
    };
    pairs.map(count).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_differ_are_counted() {
        let board = |cells: &[u8]| {
            TernaryBoard::from_cells(Size::new(2, 3).expect("a size"), cells).expect("cells")
        };
        let (a, b) = (board(&[0, 1, 2, 2, 1, 0]), board(&[0, 1, 2, 0, 1, 2]));
        assert_eq!(differences(&[a.clone(), b.clone()], &[a.clone(), b.clone()]), 0);
        assert_eq!(differences(&[a.clone(), a.clone()], &[b, a]), 2);
    }
}
