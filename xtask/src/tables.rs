//! `cargo xtask tables`: what other tools see of packed files, as docs/tables.md shows it, and of
//! the explorer's API, by a client library for that of lichess.org. With `--install` it first
//! installs those tools where the program looks for them, in `target/tables`.
//!
//! What it needs beside cargo: Python with venv, and the packages of
//! `xtask/tables/requirements.txt`, among which is a server of object storage for the tests of
//! `crates/cli/tests/it/cluster.rs`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::ci::WHOLE;
use crate::toolchain::{install_packages, succeed, there};

/// The environment of Python.
const ENVIRONMENT: &str = "target/tables";

/// The packages and their versions.
const PACKAGES: &str = "xtask/tables/requirements.txt";

/// Tests that start the program, so that cargo builds it.
const STARTS: &str = "it";

/// Builds plypack and compares the document with what the tools find.
///
/// # Errors
/// If `args` are not understood, a tool is missing, with how to get it, or one fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    match args {
        [] => {}
        [option] if option == "--install" => install(root)?,
        _ => return Err(crate::USAGE.into()),
    }
    if !is_installed(root)? {
        return Err(format!("the packages of {PACKAGES} are missing: add --install"));
    }
    // As the tests are built, so that after them nothing is left to do.
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--locked"]).args(WHOLE.split(' '));
    succeed(cargo.args(["--test", STARTS, "--no-run"]).current_dir(root))?;
    let python = |files: &[&str]| {
        let mut python = Command::new(root.join(ENVIRONMENT).join("bin/python"));
        succeed(python.args(files).current_dir(root))
    };
    let program = "target/debug/plypack";
    python(&["xtask/tables/check.py", "docs/tables.md", program, "samples"])?;
    python(&["xtask/tables/explorer.py", program, "samples/championship.pgn"])?;
    Ok(ExitCode::SUCCESS)
}

/// Where the environment keeps the list of packages that it has.
fn kept(root: &Path) -> PathBuf {
    root.join(ENVIRONMENT).join("requirements.txt")
}

/// Whether the environment has the packages that are wanted now.
fn is_installed(root: &Path) -> Result<bool, String> {
    let path = root.join(PACKAGES);
    let wanted = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(std::fs::read(kept(root)).is_ok_and(|found| found == wanted))
}

/// Makes the environment, if it is not there in these versions.
fn install(root: &Path) -> Result<(), String> {
    if is_installed(root)? {
        return Ok(());
    }
    if !there("python3") {
        install_packages(&["python3"])?;
    }
    let make = || {
        let mut python = Command::new("python3");
        succeed(python.args(["-m", "venv", "--clear", ENVIRONMENT]).current_dir(root))
    };
    if make().is_err() {
        // Debian keeps what `venv` needs apart.
        install_packages(&["python3-venv"])?;
        make()?;
    }
    let mut pip = Command::new(root.join(ENVIRONMENT).join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check", "-r", PACKAGES]);
    succeed(pip.current_dir(root)).map_err(|why| {
        format!("{why}: the packages of {PACKAGES} could not be installed; is there a network?")
    })?;
    let (from, to) = (root.join(PACKAGES), kept(root));
    std::fs::copy(&from, &to).map_err(|error| format!("{}: {error}", to.display()))?;
    Ok(())
}
