//! `plypack board`: ternary boards of any size, as portable files and smaller packed boards.

mod bench;
mod info;
mod input;
mod kernels;
mod output;
mod pack;
mod parallel;
mod random;
mod text;
mod unpack;
mod verify;

use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use plypack_core::codecs::ternary::{CODECS, TernaryCodec, codec};

use crate::failure::Failure;

/// Pack ternary boards: up to 16,777,215 rows and columns of empty, white or black cells.
///
/// A board is a text (one line per row, of `.` empty, `o` white and `x` black, or 0, 1 and 2), a
/// portable file (the numbers of rows and columns, then five cells per byte), or a packed board,
/// which is smaller. The first bytes tell which. Boards may be larger than memory: they are read
/// and written in bands of rows.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack board random 1000 1000 -o a.tern
  plypack board pack a.tern                   writes a.plyb, which is smaller
  plypack board unpack a.tern | head -3")]
pub struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

verbs! {
    Random = random,
    Info = info,
    Pack = pack,
    Unpack = unpack,
    Verify = verify,
    Bench = bench,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    arguments.verb.run()
}

/// Returns an error between two bands once the user has asked to stop.
fn go_on(stop: &AtomicBool) -> Result<(), Failure> {
    if stop.load(Ordering::Relaxed) {
        return Err(plypack::store::Error::Stopped.into());
    }
    Ok(())
}

/// Returns the codec of a name on the command line.
fn find(name: &str) -> Result<&'static dyn TernaryCodec, String> {
    codec(name).ok_or_else(|| {
        let names: Vec<&str> = CODECS.iter().map(|codec| codec.info().name).collect();
        format!("there is no such codec; choose from {}", names.join(", "))
    })
}

/// Whether a codec writes the portable file.
fn is_portable(codec: &dyn TernaryCodec) -> bool {
    codec.info().name == "ternary.trits5"
}
