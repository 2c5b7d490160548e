//! `plypack sql` in a program that was built without it: what to build instead.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::failure::Failure;

/// Ask packed games in SQL: not in this program, which was built without it.
///
/// `cargo install --path crates/cli --profile engine --features sql` builds one that has it, which
/// takes minutes more.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Anything
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _all: Vec<OsString>,
}

pub fn run(_: &Arguments) -> Result<ExitCode, Failure> {
    Err(Failure::new(
        "this program was built without SQL; `cargo install --path crates/cli --profile engine \
         --features sql` builds one that has it",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_build_instead_is_said() {
        let failure = run(&Arguments { _all: Vec::new() }).expect_err("no engine");
        let text = failure.message();
        assert!(text.contains("built without SQL") && text.contains("--features sql"), "{text}");
    }
}
