//! `cargo xtask python`: builds the Python package without much optimisation, installs it into
//! an environment below `target` with the packages of `python/requirements.txt`, and runs its
//! tests, the examples of its documentation among them. With `--all` also tests with libraries that
//! are large: polars, DuckDB, pandas.
//!
//! Besides cargo it needs Python 3.11 or later, with venv and pip.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::ci::on_its_own;
use crate::toolchain::{python_environment, succeed};

/// The Python environment.
pub const ENVIRONMENT: &str = "target/python-environment";

/// The folder of the wheel.
const WHEELS: &str = "target/python";

/// Packages and their versions: for all tests, and for those of large libraries.
pub const PACKAGES: [&str; 2] = ["python/requirements.txt", "python/requirements-heavy.txt"];

/// Builds, installs and tests the package.
///
/// # Errors
/// Returns an error if `args` are invalid, a tool is missing, with how to get it, or one fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    if args.iter().any(|arg| !["--install", "--all"].contains(&arg.as_str())) {
        return Err(crate::USAGE.into());
    }
    let has = |option: &str| args.iter().any(|arg| arg == option);
    let files = &PACKAGES[..if has("--all") { 2 } else { 1 }];
    python_environment(root, ENVIRONMENT, files, has("--install"))?;
    let tool = |name: &str| {
        let mut tool = Command::new(root.join(ENVIRONMENT).join("bin").join(name));
        tool.current_dir(root);
        on_its_own(&mut tool);
        tool
    };
    // Old wheels would be installed, too.
    _ = std::fs::remove_dir_all(root.join(WHEELS));
    let manifest = "python/Cargo.toml";
    let mut maturin = tool("maturin");
    maturin.args(["build", "--quiet", "--locked", "--profile", "dev", "--manifest-path", manifest]);
    succeed(maturin.args(["--out", WHEELS]))?;
    let mut pip = tool("pip");
    pip.args(["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]);
    succeed(pip.args(["--force-reinstall", "--find-links", WHEELS, "plypack"]))?;
    // Not `python -m pytest`, which would import the sources beside the tests.
    let mut tests = tool("pytest");
    tests.args(["--quiet", "--rootdir", "python", "--config-file", "python/pyproject.toml"]);
    tests.args(["-p", "no:cacheprovider", "--doctest-glob=*.md"]);
    if !has("--all") {
        tests.args(["-m", "not heavy"]);
    }
    succeed(tests.args(["python/tests", "docs/python.md"]))?;
    Ok(ExitCode::SUCCESS)
}
