//! The bench of finding: how large an index is, how fast questions are answered, over how many
//! games. What it found is in `docs/find.md`, with the commands.

mod corpus;
mod games;
mod random;
mod shares;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The bench of finding positions.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Writes N games of chess: real ones, and if they do not suffice, made-up ones.
    Games {
        /// How many games.
        games: usize,
        /// PGN, or PGN compressed by zstd.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// What made-up games depend on.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The PGN to write.
        #[arg(short)]
        out: PathBuf,
        /// Leaves the real games out; they count all the same.
        #[arg(long)]
        made_up_only: bool,
    },
    /// Counts how many positions games share.
    Shares {
        /// PGN, or PGN compressed by zstd.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// How many games, evenly spread over all; and all of them.
        #[arg(long, value_delimiter = ',')]
        games: Vec<usize>,
        /// One object a line.
        #[arg(long)]
        json: bool,
    },
}

fn main() -> ExitCode {
    let done = match Arguments::parse().chore {
        Chore::Games { games, inputs, seed, out, made_up_only } => {
            games::run(&inputs, seed, games::Wanted { games, made_up_only }, &out)
        }
        Chore::Shares { inputs, games, json } => shares::run(&inputs, &games, json),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
