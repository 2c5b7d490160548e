//! `plypack index`: builds the position index beside a packed file.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use indicatif::HumanBytes;
use plypack::IndexReport;
use serde_json::json;

use crate::failure::Failure;
use crate::{files, interrupt, progress};

/// The fewest games for which the index's bytes per position are reported.
const MEAN_GAMES_MIN: u64 = 1_000;

/// Build the position index of packed files, for `find` and `tree`.
///
/// The index of games.parquet is games.plyindex, beside it. It recognises its games by their
/// content: games added to the file later get an index of their own beside it, and an index of
/// games that are gone is rebuilt. `find` and `tree` also work without an index, but slower.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack index games.parquet                 writes games.plyindex
  plypack pack games.pgn --index              does both at once")]
pub struct Arguments {
    /// The packed files, or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Rebuild the index even if it is up to date
    #[arg(short, long)]
    force: bool,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no summary and no progress
    #[arg(short, long)]
    quiet: bool,
    /// Print the summary as one JSON object per file on standard output
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    files::each(&arguments.files, |path| {
        let built = build(arguments, path).map_err(Failure::leaving_nothing)?;
        tell(arguments, path, built)
    })
}

fn build(arguments: &Arguments, path: &Path) -> Result<Option<IndexReport>, Failure> {
    let file = files::open(path)?;
    let bar = progress::bar(Some(file.len()), false, arguments.quiet || arguments.json);
    let indexer = file.indexer().rebuild(arguments.force).threads(arguments.threads);
    let indexer = indexer.stop(interrupt::shared_flag());
    let built = indexer.progress(progress::moved(&bar, false)).build();
    bar.finish_and_clear();
    Ok(built?)
}

fn tell(arguments: &Arguments, path: &Path, built: Option<IndexReport>) -> Result<(), Failure> {
    if arguments.json {
        let object = built.map_or(json!({ "file": path.to_string_lossy() }), |built| {
            json!({
                "file": path.to_string_lossy(),
                "records": built.games,
                "positions": built.positions,
                "pairs": built.pairs,
                "bytes": built.bytes,
            })
        });
        return super::print_line(&object.to_string());
    }
    if arguments.quiet {
        return Ok(());
    }
    let Some(IndexReport { games, positions, pairs, bytes, .. }) = built else {
        progress::say(format_args!("{}: its index is up to date; -f rebuilds it", path.display()));
        return Ok(());
    };
    // A small index is mostly fixed overhead.
    let each = match games >= MEAN_GAMES_MIN {
        true => {
            let each = bytes as f64 / pairs.max(1) as f64;
            format!("; {each:.2} bytes per position of a game")
        }
        false => String::new(),
    };
    progress::say(format_args!(
        "{}: indexed {} with {}, {}{each}",
        path.display(),
        progress::counted(games, "record"),
        progress::counted(positions, "position"),
        HumanBytes(bytes),
    ));
    Ok(())
}
