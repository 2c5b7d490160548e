//! `plypack board pack`: converts a text to a portable file, and that to a smaller one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack_core::codecs::ternary::{TernaryCodec, codec};
use serde_json::json;

use super::input::Input;
use super::output::{Form, Output};
use super::{is_portable, parallel};
use crate::failure::Failure;
use crate::{files, interrupt, progress};

/// Convert a text to a portable file, or a portable file to a smaller packed board.
///
/// Reads a board of any kind, and writes it with any codec.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The board; `-` is standard input
    input: PathBuf,
    /// The file to write; `-` is standard output [default: the input's name with .tern for a
    /// portable file, else .plyb]
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// How to code the cells: trits5 (the portable file), planar, tight, base3, rle, lzma or model
    /// [default: trits5 for a text, else model]
    #[arg(long, value_parser = super::find)]
    codec: Option<&'static dyn TernaryCodec>,
    /// Write to standard output
    #[arg(short = 'c', long, conflicts_with = "output")]
    stdout: bool,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no progress and no summary
    #[arg(short, long)]
    quiet: bool,
    /// Print the summary as a JSON object
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut input = Input::open(&arguments.input)?;
    let default = if input.codec().is_none() { "ternary.trits5" } else { "ternary.model" };
    let default = || codec(default).ok_or_else(|| Failure::new("a codec is missing"));
    let codec = arguments.codec.map_or_else(default, Ok)?;
    let output = match &arguments.output {
        _ if arguments.stdout => files::STANDARD.into(),
        Some(output) => output.clone(),
        None if files::is_standard(&arguments.input) => {
            return Err(Failure::new(
                "standard input has no name; name an output with -o, or use -c",
            ));
        }
        None => arguments.input.with_extension(if is_portable(codec) { "tern" } else { "plyb" }),
    };
    let form = Form::Coded(codec);
    let copied =
        Copied { output: &output, form, force: arguments.force, threads: arguments.threads };
    let (cells, bytes) = copied.run(&mut input, arguments.quiet)?;
    if arguments.quiet || files::is_standard_output(&output) {
        return Ok(ExitCode::SUCCESS);
    }
    let bits_per_cell = 8.0 * bytes as f64 / cells.max(1) as f64;
    let name = codec.info().name;
    if arguments.json {
        let object = json!({
            "file": output.display().to_string(),
            "codec": name,
            "cells": cells,
            "input_bytes": input.bytes(),
            "bytes": bytes,
            "bits_per_cell": bits_per_cell,
        });
        crate::verbs::print_line(&object.to_string())?;
    } else {
        progress::say(format_args!(
            "{}: {} cells in {} bytes, {bits_per_cell:.4} bits per cell ({name})",
            output.display(),
            progress::count(cells),
            progress::count(bytes),
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// A conversion from one file to another.
pub struct Copied<'a> {
    /// The file to write.
    pub output: &'a Path,
    /// The form to write.
    pub form: Form,
    /// Whether to replace an existing file.
    pub force: bool,
    /// Number of threads; 0 means one per core.
    pub threads: usize,
}

impl Copied<'_> {
    /// Reads all bands and writes them. Returns the numbers of cells and of bytes written.
    pub fn run(&self, input: &mut Input, quiet: bool) -> Result<(u64, u64), Failure> {
        let mut output = Output::begin(self.output, self.form, input.size(), self.force)?;
        let stop = interrupt::flag();
        let total = input.size().map(|size| size.packed_bytes());
        let bar = progress::bar(total, true, quiet);
        let mut cells = 0;
        loop {
            let boards = input.read(parallel::threads(self.threads))?;
            if boards.is_empty() {
                break;
            }
            super::go_on(stop)?;
            cells += boards.iter().map(|board| board.size().cells()).sum::<u64>();
            output.write(boards)?;
            bar.set_position(cells / 5);
        }
        bar.finish_and_clear();
        Ok((cells, output.finish()?))
    }
}
