//! `cargo xtask oracle`: replays real games with plypack and with another program's rules. With
//! `--check` only if an input has changed since that passed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::ci::{SKIPPED, on_its_own};
use crate::inputs::Check;
use crate::toolchain::succeed;

/// What decides whether the tests pass, besides the games.
const CHECK: Check = Check {
    name: "oracle",
    inputs: &[
        "Cargo.toml",
        "crates/core/",
        "crates/games/",
        "crates/kernels/",
        "crates/tables/",
        "crates/testing/",
        "oracle/",
        "rust-toolchain.toml",
        "vectors/order/",
        "xtask/src/oracle.rs",
    ],
};

/// Builds and runs the tests.
///
/// # Errors
/// Returns an error if `args` are invalid, or a test fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    match args {
        [] => {}
        [option] if option == "--check" => {
            if CHECK.has_passed(root)? {
                println!("nothing has changed since the tests passed");
                return Ok(ExitCode::SUCCESS);
            }
        }
        _ => return Err(crate::USAGE.into()),
    }
    let skipped = std::env::var_os(SKIPPED).map(PathBuf::from);
    let skipped = skipped.unwrap_or_else(|| root.join("target/skipped-by-oracle"));
    let count = || std::fs::read(&skipped).map_or(0, |list| list.len());
    let before = count();
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--locked", "--manifest-path", "oracle/Cargo.toml"]).current_dir(root);
    succeed(on_its_own(&mut cargo).env(SKIPPED, &skipped))?;
    // Without games most tests are skipped.
    if count() == before {
        CHECK.note(root)?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_inputs_are_there() {
        crate::inputs::tests::are_there(&super::CHECK);
    }
}
