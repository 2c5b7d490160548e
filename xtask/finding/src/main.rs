//! The benchmark of position search: the size of an index, and the latency and throughput of
//! queries, by number of games. `docs/find.md` has the results, with the commands.

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
    /// Measures the size and build time of an index: packs the games, indexes the packed file, and
    /// does both at once.
    Sizes {
        /// PGN, compressed or not.
        input: PathBuf,
        /// The codec of the moves.
        #[arg(long, default_value = "line.uniform")]
        codec: String,
        /// The folder for the temporary packed files.
        #[arg(long, default_value = ".")]
        folder: PathBuf,
        /// The number of rounds; the least time counts.
        #[arg(long, default_value_t = 1)]
        rounds: usize,
        /// The number of threads; 0 means one per core.
        #[arg(short = 'T', long, default_value_t = 0)]
        threads: usize,
        /// Prints one object.
        #[arg(long)]
        json: bool,
    },
    /// Measures the latency of queries for positions, and the amount of data read.
    Latency {
        /// A packed file, with its index beside it.
        file: PathBuf,
        /// The games, PGN or compressed by zstd, from which positions are drawn.
        #[arg(long, required = true)]
        positions: Vec<PathBuf>,
        /// The number of positions.
        #[arg(long, default_value_t = 1_000)]
        count: usize,
        /// The number of positions that are also queried cold, i.e. with the files freshly opened
        /// after eviction from the system's cache.
        #[arg(long, default_value_t = 100)]
        cold: usize,
        /// The seed of the positions.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The number of threads; 0 means one per core.
        #[arg(short = 'T', long, default_value_t = 0)]
        threads: usize,
        /// Prints one object per query.
        #[arg(long)]
        json: bool,
    },
    /// Queries positions from a running `plypack serve`, and measures its throughput.
    Load {
        /// The server's address: 127.0.0.1:8080.
        server: String,
        /// The games, PGN or compressed by zstd, from which positions are drawn.
        #[arg(long, required = true)]
        positions: Vec<PathBuf>,
        /// The number of requests.
        #[arg(long, default_value_t = 10_000)]
        count: usize,
        /// The number of concurrent connections.
        #[arg(long, default_value_t = 8)]
        connections: usize,
        /// The requests for each position in turn, {fen} being the position [default: the tree, and
        /// two of the API for tools].
        #[arg(long)]
        path: Vec<String>,
        /// The seed of the positions.
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Prints one object.
        #[arg(long)]
        json: bool,
    },
    /// Puts five queries to plypack, pgn-extract and python-chess, and compares the answers.
    Peers {
        /// The games as PGN.
        games: PathBuf,
        /// The same games packed, with an index or without one.
        #[arg(required = true)]
        packed: Vec<PathBuf>,
        /// The plypack program.
        #[arg(long, default_value = "plypack")]
        plypack: PathBuf,
        /// A Python with the package chess.
        #[arg(long, default_value = "python3")]
        python: PathBuf,
        /// The pgn-extract program.
        #[arg(long, default_value = "pgn-extract")]
        pgn_extract: PathBuf,
        /// The number of rounds; the least processor time counts.
        #[arg(long, default_value_t = 3)]
        rounds: usize,
        /// Prints one object per query and program.
        #[arg(long)]
        json: bool,
    },
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
