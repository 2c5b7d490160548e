//! Chores of the workspace, so that nobody needs to remember how they are done.

mod ranks;

use std::process::ExitCode;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let chore = args.next();
    let args: Vec<String> = args.collect();
    let done = match chore.as_deref() {
        Some("ranks") => ranks::run(&args),
        _ => Err(ranks::USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::from(2)
        }
    }
}
