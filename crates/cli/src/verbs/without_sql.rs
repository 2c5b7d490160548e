//! `plypack sql` in a build without SQL: says what to build instead.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::failure::Failure;

/// Query packed games with SQL (not in this build).
///
/// `cargo install --path crates/cli --profile engine --features sql` builds plypack with SQL, which
/// takes minutes longer.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Ignored
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    _all: Vec<OsString>,
}

pub fn run(_: &Arguments) -> Result<ExitCode, Failure> {
    Err(Failure::new(
        "this program was built without SQL; `cargo install --path crates/cli --profile engine \
         --features sql` builds it with SQL",
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
