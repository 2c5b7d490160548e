//! `cargo xtask demo`: builds plypack for a first look and has `xtask-demo` show it.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::toolchain::succeed;

/// Builds plypack and shows it.
///
/// # Errors
/// Returns an error if the build or a part of the demo fails.
pub fn run(root: &Path) -> Result<ExitCode, String> {
    println!(
        "First plypack is built, once: two to four minutes on two cores; cargo shows progress.\n\
         Then it packs 567 games and shows the results, in a few seconds.\n"
    );
    let cargo = |args: &[&str]| succeed(Command::new("cargo").args(args).current_dir(root));
    cargo(&["build", "--profile", "demo", "--package", "plypack-cli", "--package", "xtask-demo"])?;
    cargo(&["run", "--quiet", "--profile", "demo", "--package", "xtask-demo"])?;
    Ok(ExitCode::SUCCESS)
}
