//! `plypack board unpack`: converts a packed board to a portable file, and that to a text.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use plypack_core::codecs::ternary::codec;

use super::input::Input;
use super::output::Form;
use super::pack::Copied;
use crate::failure::Failure;
use crate::files;

/// Convert a packed board to a portable file, or a portable file to a text.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The board; `-` is standard input
    input: PathBuf,
    /// The file to write; `-` is standard output [default: standard output for a text; the input's
    /// name with .tern for a portable file]
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Write to standard output
    #[arg(short = 'c', long, conflicts_with = "output")]
    stdout: bool,
    /// What to write [default: portable for a packed board, text for a portable file]
    #[arg(long, value_enum)]
    to: Option<To>,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no progress
    #[arg(short, long)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum To {
    /// One line per row, of `.`, `o` and `x`
    Text,
    /// The numbers of rows and columns, then five cells per byte
    Portable,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let mut input = Input::open(&arguments.input)?;
    let usual = match (input.codec(), input.is_portable()) {
        (None, _) if arguments.to.is_none() => {
            let name = input.name();
            return Err(Failure::new(format!(
                "{name} is a text already; --to portable converts it"
            )));
        }
        (_, true) => To::Text,
        _ => To::Portable,
    };
    let to = arguments.to.unwrap_or(usual);
    let output = match &arguments.output {
        _ if arguments.stdout => files::STANDARD.into(),
        Some(output) => output.clone(),
        None if to == To::Text => files::STANDARD.into(),
        None if files::is_standard(&arguments.input) => {
            return Err(Failure::new(
                "standard input has no name; name an output with -o, or use -c",
            ));
        }
        None => arguments.input.with_extension("tern"),
    };
    let form = match (to, codec("ternary.trits5")) {
        (To::Portable, Some(codec)) => Form::Coded(codec),
        _ => Form::Text,
    };
    let copied =
        Copied { output: &output, form, force: arguments.force, threads: arguments.threads };
    copied.run(&mut input, arguments.quiet)?;
    Ok(ExitCode::SUCCESS)
}
