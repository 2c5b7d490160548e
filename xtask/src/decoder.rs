//! `cargo xtask decoder`: runs the tests of the second decoder, in `docs/decoder`, which is written
//! from `docs/FORMAT.md` alone: it reads golden files, and games and an index of its own.
//!
//! It needs Python 3.11 or later with pyarrow, which it takes from the environment of
//! `cargo xtask python`; with `--install` it makes that environment if it is missing.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::python::{ENVIRONMENT, PACKAGES};
use crate::toolchain::{python_environment, succeed};

/// Runs the tests.
///
/// # Errors
/// Returns an error if `args` are invalid, a package is missing, with how to get it, or a test
/// fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    let may_install = match args {
        [] => false,
        [option] if option == "--install" => true,
        _ => return Err(crate::USAGE.into()),
    };
    python_environment(root, ENVIRONMENT, &PACKAGES[..1], may_install)?;
    let mut python = Command::new(root.join(ENVIRONMENT).join("bin/python"));
    // Without compiled files in the folder of the sources.
    succeed(python.args(["-B", "docs/decoder/test_decoder.py"]).current_dir(root))?;
    Ok(ExitCode::SUCCESS)
}
