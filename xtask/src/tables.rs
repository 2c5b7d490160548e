//! `cargo xtask tables`: checks packed files with other tools, as in docs/tables.md, and the
//! explorer's API with a client library for that of lichess.org. With `--install` it first installs
//! those tools into `target/tables`.
//!
//! Besides cargo it needs Python with venv, and the packages of `xtask/tables/requirements.txt`.
//! These include an object storage server for the tests of `crates/cli/tests/it/cluster.rs`.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::ci::{WHOLE, on_its_own};
use crate::toolchain::{python_environment, succeed};

/// The Python environment.
const ENVIRONMENT: &str = "target/tables";

/// The packages and their versions.
const PACKAGES: &str = "xtask/tables/requirements.txt";

/// Tests that start the program, so that cargo builds it.
const STARTS: &str = "it";

/// Builds plypack and compares the document with the tools' results.
///
/// # Errors
/// Returns an error if `args` are invalid, a tool is missing, with how to get it, or one fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    let may_install = match args {
        [] => false,
        [option] if option == "--install" => true,
        _ => return Err(crate::USAGE.into()),
    };
    python_environment(root, ENVIRONMENT, &[PACKAGES], may_install)?;
    // Builds like the tests, so that they need no further build.
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--locked"]).args(WHOLE.split(' '));
    cargo.args(["--test", STARTS, "--no-run"]).current_dir(root);
    succeed(on_its_own(&mut cargo))?;
    let python = |files: &[&str]| {
        let mut python = Command::new(root.join(ENVIRONMENT).join("bin/python"));
        succeed(python.args(files).current_dir(root))
    };
    let program = "target/debug/plypack";
    python(&["xtask/tables/check.py", "docs/tables.md", program, "samples"])?;
    python(&["xtask/tables/explorer.py", program, "samples/championship.pgn"])?;
    Ok(ExitCode::SUCCESS)
}
