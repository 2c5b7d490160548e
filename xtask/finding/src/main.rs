//! The bench of finding: how large an index is, how fast questions are answered, over how many
//! games. What it found is in `docs/find.md`, with the commands.

mod corpus;
mod games;
mod latency;
mod load;
mod peers;
mod questions;
mod random;
mod sample;
mod shares;
mod sizes;
mod system;

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
    /// Measures how large an index is and how long it takes to build: the games are packed, the
    /// packed file is indexed, and both is done at once.
    Sizes {
        /// PGN, compressed or not.
        input: PathBuf,
        /// The codec of the moves.
        #[arg(long, default_value = "line.uniform")]
        codec: String,
        /// Where the packed files stand meanwhile.
        #[arg(long, default_value = ".")]
        folder: PathBuf,
        /// How often each is done, in turn; the least time counts.
        #[arg(long, default_value_t = 1)]
        rounds: usize,
        /// The number of threads; 0 means one a core.
        #[arg(short = 'T', long, default_value_t = 0)]
        threads: usize,
        /// One object.
        #[arg(long)]
        json: bool,
    },
    /// Measures how long questions about positions take, and how much is read for them.
    Latency {
        /// A packed file, with its index beside it.
        file: PathBuf,
        /// The games, PGN or compressed by zstd, from which positions are drawn.
        #[arg(long, required = true)]
        positions: Vec<PathBuf>,
        /// How many positions.
        #[arg(long, default_value_t = 1_000)]
        count: usize,
        /// Of how many of them everything is asked cold, too: the files are opened anew, after the
        /// system has forgotten them.
        #[arg(long, default_value_t = 100)]
        cold: usize,
        /// What the positions depend on.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The number of threads; 0 means one a core.
        #[arg(short = 'T', long, default_value_t = 0)]
        threads: usize,
        /// One object a question.
        #[arg(long)]
        json: bool,
    },
    /// Asks a running `plypack serve` about positions, and measures how many requests it answers a
    /// second.
    Load {
        /// Where it listens: 127.0.0.1:8080.
        server: String,
        /// The games, PGN or compressed by zstd, from which positions are drawn.
        #[arg(long, required = true)]
        positions: Vec<PathBuf>,
        /// How many requests.
        #[arg(long, default_value_t = 10_000)]
        count: usize,
        /// How many connections ask at once.
        #[arg(long, default_value_t = 8)]
        connections: usize,
        /// What is asked of each position in turn, {fen} being the position [default: the tree,
        /// and two of the API that tools speak].
        #[arg(long)]
        path: Vec<String>,
        /// What the positions depend on.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// One object.
        #[arg(long)]
        json: bool,
    },
    /// Asks five questions of plypack, pgn-extract and python-chess, and compares the answers.
    Peers {
        /// The games as PGN.
        games: PathBuf,
        /// The same games packed, with an index or without one.
        #[arg(required = true)]
        packed: Vec<PathBuf>,
        /// How plypack is called.
        #[arg(long, default_value = "plypack")]
        plypack: PathBuf,
        /// How a Python that has the package chess is called.
        #[arg(long, default_value = "python3")]
        python: PathBuf,
        /// How pgn-extract is called.
        #[arg(long, default_value = "pgn-extract")]
        pgn_extract: PathBuf,
        /// How often everything is asked, in turn; the least processor time counts.
        #[arg(long, default_value_t = 3)]
        rounds: usize,
        /// One object a question and program.
        #[arg(long)]
        json: bool,
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
        Chore::Sizes { input, codec, folder, rounds, threads, json } => {
            sizes::run(&sizes::Options { input, codec, folder, rounds, threads, json })
        }
        Chore::Latency { file, positions, count, cold, seed, threads, json } => {
            latency::run(&latency::Options { file, positions, count, cold, seed, threads, json })
        }
        Chore::Load { server, positions, count, connections, path: paths, seed, json } => {
            load::run(&load::Options { server, positions, count, connections, paths, seed, json })
        }
        Chore::Peers { games, packed, plypack, python, pgn_extract, rounds, json } => {
            peers::run(&peers::Options {
                games,
                packed,
                plypack,
                python,
                pgn_extract,
                rounds,
                json,
            })
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
