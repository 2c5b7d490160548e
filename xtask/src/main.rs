//! Chores of the workspace, so that nobody needs to remember how they are done.

mod aarch64;
mod ci;
mod demo;
mod page;
mod tidy;
mod toolchain;
mod web;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
cargo xtask ci [--advisories]   everything that a change must pass, in the order of patience
cargo xtask demo                a first look: real games packed, compared, shown
cargo xtask web [--install]     builds the viewer: the page in crates/cli/page, a package for npm;
                                with --check it fails if that page is another
cargo xtask aarch64 [--install] the golden files on another kind of machine, emulated
cargo xtask tidy                the rules that neither the compiler nor clippy knows
cargo xtask ranks ..            learn the tables of a game's `line.ranked`; alone it says how
cargo xtask train ..            train a game's move model; alone it says how
cargo xtask position-tables ..  count the tables of chess' position codecs; alone it says how
cargo xtask board-model ..      train the tables of `board.model`; alone it says how
cargo xtask frequencies ..      count the ranks of other games' `line.ranked`; alone it says how
cargo xtask series-tables ..    learn the tables of clock readings and evaluations";

/// The chores of `xtask-training`.
const TRAINING: [&str; 6] =
    ["ranks", "train", "position-tables", "board-model", "frequencies", "series-tables"];

/// The folders, below `crates`, of what decides coded bytes. Their code obeys stricter rules, and
/// their tests are the inner loop.
const CODING: [&str; 4] = ["bits", "core", "games", "records"];

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let chore = args.next();
    let args: Vec<String> = args.collect();
    let done = match chore.as_deref() {
        Some("ci") => ci::run(&root(), &args),
        Some("demo") if args.is_empty() => demo::run(&root()),
        Some("tidy") if args.is_empty() => tidy::run(&root()),
        Some("aarch64") => aarch64::run(&root(), &args),
        Some("web") => web::run(&root(), &args),
        Some(chore) if TRAINING.contains(&chore) => train(chore, &args),
        _ => Err(USAGE.into()),
    };
    done.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}

/// Builds the chores that need the games, and starts one, where this one was started.
fn train(chore: &str, args: &[String]) -> Result<ExitCode, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--package", "xtask-training", "--manifest-path"]);
    cargo.arg(root().join("Cargo.toml")).arg("--").arg(chore).args(args);
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// The root of the repository. Cargo says where this crate lies; a binary that is started without
/// cargo is taken to be started at the root.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    here.map_or_else(|| PathBuf::from("."), |here| PathBuf::from(here).join(".."))
}
