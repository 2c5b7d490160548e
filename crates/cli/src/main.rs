//! The `plypack` command: verbs, progress and messages. Coding happens in the libraries.

mod code_text;
mod coverage;
mod explorer;
mod failure;
mod files;
mod interrupt;
mod progress;
mod question;
mod site;
mod terminal;
mod verbs;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Pack board-game records into open Parquet files, losslessly and close to the fewest bits.
///
/// Exit codes: 0 done; 1 nothing found, a difference or a failed check; 2 usage or I/O error; 3
/// done, but with --strict some records or moves were kept as text; 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "plypack", version, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

/// Lists the verbs, each with its module.
macro_rules! verbs {
    ($($(#[$attribute:meta])* $verb:ident = $module:ident,)*) => {
        #[derive(Debug, Subcommand)]
        enum Verb {
            $($(#[$attribute])* $verb(verbs::$module::Arguments),)*
        }

        impl Verb {
            fn run(&self) -> Result<ExitCode, failure::Failure> {
                match self {
                    $($(#[$attribute])* Self::$verb(arguments) => verbs::$module::run(arguments),)*
                }
            }
        }
    };
}

verbs! {
    Pack = pack,
    Unpack = unpack,
    Cat = cat,
    Ls = ls,
    Verify = verify,
    Find = find,
    Tree = tree,
    Index = index,
    Append = append,
    Merge = merge,
    Delete = delete,
    Dedup = dedup,
    Line = line,
    Position = position,
    Link = link,
    Unlink = unlink,
    Sql = sql,
    Serve = serve,
    #[cfg(feature = "cluster")]
    Scheduler = scheduler,
    #[cfg(feature = "cluster")]
    Executor = executor,
    Codecs = codecs,
    Board = board,
    Synth = synth,
    Bench = bench,
    Completions = completions,
    Man = man,
}

/// Reports a panic as a bug, except in the Parquet library, which panics on some damaged files: the
/// store turns these panics into ordinary errors.
fn report_panic(panic: &std::panic::PanicHookInfo<'_>) {
    if !plypack::store::catches_panics() {
        progress::say(format!("plypack: this is a bug in plypack; please report it: {panic}"));
    }
}

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report_panic));
    let arguments = Arguments::parse();
    if let Err(failure) = interrupt::install() {
        return failure.report();
    }
    match arguments.verb.run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
