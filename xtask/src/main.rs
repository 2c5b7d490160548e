//! Chores of the workspace.

mod aarch64;
mod ci;
mod decoder;
mod demo;
mod dist;
mod figures;
mod fuzz;
mod inputs;
mod oracle;
mod page;
mod python;
mod speed;
mod tables;
mod tidy;
mod toolchain;
mod web;

use std::path::PathBuf;
use std::process::{Command, ExitCode};

const USAGE: &str = "\
cargo xtask ci [--install]      runs every check of a change, the quick ones first; --install
                                installs what is missing, as root from Debian's packages;
                                --all tests everything instead of samples, and takes hours;
                                --advisories also checks dependencies for known vulnerabilities
cargo xtask demo                a first look: packs, compares and shows real games
cargo xtask web [--install]     builds the viewer: the page in crates/cli/page, a package for npm;
                                with --check it fails if that page differs, and builds it only
                                if an input has changed, or with --all
cargo xtask aarch64 [--install] tests the golden files on an emulated machine of another kind; with
                                --check only if an input has changed since they passed
cargo xtask oracle              replays real games with another program's rules; --check as above
cargo xtask fuzz [--install]    compiles the fuzz targets and runs each for ten seconds; --seconds N
cargo xtask python [--install]  builds the Python package and runs its tests; --all: with polars,
                                DuckDB and pandas
cargo xtask decoder [--install] compares the second decoder, in docs/decoder, with the golden files
cargo xtask speed [--write]     measures twelve tasks, and fails if one is slower by a tenth than
                                docs/speed.tsv says; --write writes that file, for a release
cargo xtask figures             measures sizes, bits and rates on the corpus in $PLYPACK_CORPUS, and
                                writes docs/figures.md, in half an hour
cargo xtask dist [--target T]   makes what a release offers, in target/dist: an archive, a package
                                for Debian, checksums; --without-sql: smaller, sooner built
cargo xtask tables [--install]  compares docs/tables.md with the results of DuckDB and polars
cargo xtask frontier ..         measures chess codecs, Aix's beside ours, and draws the chart
cargo xtask tidy                checks the rules that neither the compiler nor clippy checks
Without arguments, these print their usage:
cargo xtask ranks ..            learns the tables of a game's `line.ranked`
cargo xtask train ..            trains a game's policy
cargo xtask planes ..           writes what the nets of go learn from
cargo xtask position-tables ..  counts the tables of chess's position codecs
cargo xtask board-model ..      trains the tables of `board.model`
cargo xtask blocks ..           trains the tables of `board.blocks`
cargo xtask frequencies ..      counts the ranks of other games' `line.ranked`
cargo xtask series-tables ..    learns the tables of clock readings, evaluations and reviews";

/// The chores of `xtask-training`.
const TRAINING: [&str; 8] = [
    "ranks",
    "train",
    "planes",
    "position-tables",
    "board-model",
    "blocks",
    "frequencies",
    "series-tables",
];

/// The coding crates, which decide coded bytes, by their folders in `crates`. Their code obeys
/// stricter rules, and their tests are the inner loop.
const CODING: [&str; 4] = ["kernels", "core", "games", "records"];

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let chore = args.next();
    let args: Vec<String> = args.collect();
    let done = match chore.as_deref() {
        Some("ci") => ci::run(&root(), &args),
        Some("demo") if args.is_empty() => demo::run(&root()),
        Some("tidy") if args.is_empty() => tidy::run(&root()),
        Some("figures") => figures::run(&root(), &args),
        Some("fuzz") => fuzz::run(&root(), &args),
        Some("aarch64") => aarch64::run(&root(), &args),
        Some("oracle") => oracle::run(&root(), &args),
        Some("python") => python::run(&root(), &args),
        Some("decoder") => decoder::run(&root(), &args),
        Some("dist") => dist::run(&root(), &args),
        Some("speed") => speed::run(&root(), &args),
        Some("tables") => tables::run(&root(), &args),
        Some("web") => web::run(&root(), &args),
        Some("frontier") => frontier(&args),
        Some(chore) if TRAINING.contains(&chore) => train(chore, &args),
        _ => Err(USAGE.into()),
    };
    done.unwrap_or_else(|message| {
        eprintln!("{message}");
        ExitCode::from(2)
    })
}

/// Builds the chores that need the games, and runs one in the current folder.
fn train(chore: &str, args: &[String]) -> Result<ExitCode, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--package", "xtask-training", "--manifest-path"]);
    cargo.arg(root().join("Cargo.toml")).arg("--").arg(chore).args(args);
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Builds the chart's program in the oracle's workspace, and runs it in the current folder.
fn frontier(args: &[String]) -> Result<ExitCode, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--release", "--bin", "frontier", "--manifest-path"]);
    cargo.arg(root().join("oracle/Cargo.toml")).arg("--").args(args);
    let status = cargo.status().map_err(|error| format!("cargo: {error}"))?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::from(2) })
}

/// Returns the root of the repository. Cargo gives the place of this crate; a binary started
/// without cargo is assumed to be started at the root.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR");
    here.map_or_else(|| PathBuf::from("."), |here| PathBuf::from(here).join(".."))
}
