//! Trials of the program by what happens to programs: they are killed, the disk is full, two run at
//! once. `docs/trust.md` has the results, with the commands.

mod cases;
mod full;
mod kills;
mod pairs;
mod sandbox;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Tries every writing verb under kills, on full disks, and twice at once.
#[derive(Debug, Parser)]
struct Arguments {
    /// The program.
    #[arg(long, default_value = "target/release/plypack")]
    program: PathBuf,
    /// Only the cases whose names contain this.
    #[arg(long, default_value = "")]
    only: String,
    #[command(subcommand)]
    trial: Trial,
}

#[derive(Debug, Subcommand)]
enum Trial {
    /// Kills runs at moments spread over their time: every file is as it was or as it will be, and
    /// the next run succeeds.
    Kills {
        /// Number of runs of each case.
        #[arg(long, default_value_t = 60)]
        runs: u32,
    },
    /// Limits the size of files, 512 bytes more each time until a run succeeds: every file is as
    /// it was, and the fault is told. Then writes to a full standard output.
    Full,
    /// Starts two runs at once: every file is as one of them, or both in turn, leave it.
    Pairs {
        /// Number of pairs of each case.
        #[arg(long, default_value_t = 20)]
        runs: u32,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let tried = match arguments.trial {
        Trial::Kills { runs } => kills::run(&arguments.program, &arguments.only, runs),
        Trial::Full => full::run(&arguments.program, &arguments.only),
        Trial::Pairs { runs } => pairs::run(&arguments.program, &arguments.only, runs),
    };
    match tried {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
