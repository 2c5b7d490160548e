//! `cargo xtask tables`: checks packed files with other tools, as in docs/tables.md, and the
//! explorer's API with a client library for that of lichess.org. With `--install` it first installs
//! those tools into `target/tables`.
//!
//! Besides cargo it needs Python with venv, and the packages of `xtask/tables/requirements.txt`.
//! These include an object storage server for the tests of `crates/cli/tests/it/cluster.rs`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::ci::{WHOLE, on_its_own};
use crate::toolchain::{install_packages, succeed, there};

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
    match args {
        [] => {}
        [option] if option == "--install" => install(root)?,
        _ => return Err(crate::USAGE.into()),
    }
    if !is_installed(root)? {
        return Err(format!("the packages of {PACKAGES} are missing: add --install"));
    }
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

/// The environment's list of its packages.
fn kept(root: &Path) -> PathBuf {
    root.join(ENVIRONMENT).join("requirements.txt")
}

/// Whether the environment has the required packages.
fn is_installed(root: &Path) -> Result<bool, String> {
    let path = root.join(PACKAGES);
    let wanted = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(std::fs::read(kept(root)).is_ok_and(|found| found == wanted))
}

/// Creates the environment, unless it exists in these versions.
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
        // Debian packages the requirements of `venv` separately.
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
