//! The `plypack` command: verbs, progress and messages. Coding happens in the libraries.

mod code_text;
mod completeness;
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

#[derive(Debug, Subcommand)]
enum Verb {
    Pack(verbs::pack::Arguments),
    Unpack(verbs::unpack::Arguments),
    Cat(verbs::cat::Arguments),
    Ls(verbs::ls::Arguments),
    Verify(verbs::verify::Arguments),
    Find(verbs::find::Arguments),
    Tree(verbs::tree::Arguments),
    Index(verbs::index::Arguments),
    Append(verbs::append::Arguments),
    Merge(verbs::merge::Arguments),
    Delete(verbs::delete::Arguments),
    Dedup(verbs::dedup::Arguments),
    Line(verbs::line::Arguments),
    Position(verbs::position::Arguments),
    Link(verbs::link::Arguments),
    Unlink(verbs::unlink::Arguments),
    Sql(verbs::sql::Arguments),
    Serve(verbs::serve::Arguments),
    #[cfg(feature = "cluster")]
    Scheduler(verbs::scheduler::Arguments),
    #[cfg(feature = "cluster")]
    Executor(verbs::executor::Arguments),
    Codecs(verbs::codecs::Arguments),
    Board(verbs::board::Arguments),
    Synth(verbs::synth::Arguments),
    Bench(verbs::bench::Arguments),
    Completions(verbs::completions::Arguments),
    Man(verbs::man::Arguments),
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
    let done = match arguments.verb {
        Verb::Pack(arguments) => verbs::pack::run(&arguments),
        Verb::Unpack(arguments) => verbs::unpack::run(&arguments),
        Verb::Cat(arguments) => verbs::cat::run(&arguments),
        Verb::Ls(arguments) => verbs::ls::run(&arguments),
        Verb::Verify(arguments) => verbs::verify::run(&arguments),
        Verb::Find(arguments) => verbs::find::run(&arguments),
        Verb::Tree(arguments) => verbs::tree::run(&arguments),
        Verb::Index(arguments) => verbs::index::run(&arguments),
        Verb::Append(arguments) => verbs::append::run(arguments),
        Verb::Merge(arguments) => verbs::merge::run(&arguments),
        Verb::Delete(arguments) => verbs::delete::run(&arguments),
        Verb::Dedup(arguments) => verbs::dedup::run(&arguments),
        Verb::Line(arguments) => verbs::line::run(&arguments),
        Verb::Position(arguments) => verbs::position::run(&arguments),
        Verb::Link(arguments) => verbs::link::run(&arguments),
        Verb::Unlink(arguments) => verbs::unlink::run(&arguments),
        Verb::Sql(arguments) => verbs::sql::run(&arguments),
        Verb::Serve(arguments) => verbs::serve::run(&arguments),
        #[cfg(feature = "cluster")]
        Verb::Scheduler(arguments) => verbs::scheduler::run(&arguments),
        #[cfg(feature = "cluster")]
        Verb::Executor(arguments) => verbs::executor::run(&arguments),
        Verb::Codecs(arguments) => verbs::codecs::run(&arguments),
        Verb::Board(arguments) => verbs::board::run(&arguments),
        Verb::Synth(arguments) => verbs::synth::run(&arguments),
        Verb::Bench(arguments) => verbs::bench::run(&arguments),
        Verb::Completions(arguments) => verbs::completions::run(&arguments),
        Verb::Man(arguments) => verbs::man::run(&arguments),
    };
    match done {
        Ok(code) => code,
        Err(failure) => failure.report(),
    }
}
