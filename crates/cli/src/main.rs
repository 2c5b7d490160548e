//! The `plypack` command: verbs, progress and messages. Coding happens in the libraries.

/// Lists verbs, each with its module.
macro_rules! verbs {
    ($($(#[$attribute:meta])* $verb:ident = $($module:ident)::+,)*) => {
        #[derive(Debug, clap::Subcommand)]
        enum Verb {
            $($(#[$attribute])* $verb($($module)::+::Arguments),)*
        }

        impl Verb {
            fn run(&self) -> Result<std::process::ExitCode, crate::failure::Failure> {
                match self {
                    $($(#[$attribute])* Self::$verb(arguments) => $($module)::+::run(arguments),)*
                }
            }
        }
    };
}

mod branches;
mod code_text;
mod completeness;
mod explorer;
mod failure;
mod files;
mod hints;
mod interrupt;
mod progress;
mod question;
mod repertoire;
mod site;
mod terminal;
mod verbs;

use std::process::ExitCode;

use clap::Parser;

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

verbs! {
    Pack = verbs::pack,
    Unpack = verbs::unpack,
    Cat = verbs::cat,
    Ls = verbs::ls,
    Verify = verbs::verify,
    Find = verbs::find,
    Tree = verbs::tree,
    Players = verbs::players,
    Index = verbs::index,
    Append = verbs::append,
    Merge = verbs::merge,
    Delete = verbs::delete,
    Dedup = verbs::dedup,
    Line = verbs::line,
    Position = verbs::position,
    Link = verbs::link,
    Unlink = verbs::unlink,
    Sql = verbs::sql,
    Serve = verbs::serve,
    #[cfg(feature = "cluster")]
    Scheduler = verbs::scheduler,
    #[cfg(feature = "cluster")]
    Executor = verbs::executor,
    Codecs = verbs::codecs,
    Board = verbs::board,
    Synth = verbs::synth,
    Bench = verbs::bench,
    Completions = verbs::completions,
    Man = verbs::man,
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
    let arguments = Arguments::try_parse().unwrap_or_else(|error| hints::add(error).exit());
    if let Err(failure) = interrupt::install() {
        return failure.report();
    }
    match arguments.verb.run() {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
