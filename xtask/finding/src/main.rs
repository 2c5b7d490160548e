//! The benchmark of position search: the size of an index, and the latency and throughput of
//! queries, by number of games. `docs/find.md` has the results, with the commands.

mod corpus;
mod games;
mod latency;
mod load;
mod peers;
mod questions;
mod random;
mod rarity;
mod sample;
mod shares;
mod sizes;
mod system;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The benchmark of position search.
#[derive(Debug, Parser)]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Writes N games of chess: real ones and, if they do not suffice, synthetic ones.
    Games {
        /// The number of games.
        games: usize,
        /// PGN, or PGN compressed by zstd.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// The seed of synthetic games.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The PGN to write.
        #[arg(short)]
        out: PathBuf,
        /// Omits the real games; they count all the same.
        #[arg(long)]
        made_up_only: bool,
    },
    Sizes(sizes::Options),
    Latency(latency::Options),
    Rarity(rarity::Options),
    Load(load::Options),
    Peers(peers::Options),
    /// Counts the positions shared by games.
    Shares {
        /// PGN, or PGN compressed by zstd.
        #[arg(required = true)]
        inputs: Vec<PathBuf>,
        /// Numbers of games, evenly spread over all, to count besides all of them.
        #[arg(long, value_delimiter = ',')]
        games: Vec<usize>,
        /// Prints one object per line.
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
        Chore::Sizes(options) => sizes::run(&options),
        Chore::Latency(options) => latency::run(&options),
        Chore::Rarity(options) => rarity::run(&options),
        Chore::Load(options) => load::run(&options),
        Chore::Peers(options) => peers::run(&options),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
