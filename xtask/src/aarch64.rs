//! `cargo xtask aarch64`: the golden files on an emulated machine of another kind. With `--install`
//! it first installs what is missing.
//!
//! Besides cargo it needs a C compiler and library for the target, an emulator, and the standard
//! library, from rustup or built from its source.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::inputs::Check;
use crate::toolchain::{SOURCES, install_packages, rustup, says, succeed, there, with_sources};

const TARGET: &str = "aarch64-unknown-linux-gnu";

const LINKER: &str = "aarch64-linux-gnu-gcc";
const EMULATOR: &str = "qemu-aarch64";

/// The folder of Debian's C library, for the linker and the emulator.
const LIBRARY: &str = "/usr/aarch64-linux-gnu";

/// The tests that read the golden files, and their crates.
const TESTS: &str = "-p plypack-core -p plypack-games --features plypack-core/ternary --test it -- \
     ternary:: vectors:: keys:: links:: series:: xiangqi_links::";

/// Tests that take minutes in emulation, and look for panics or for moves that do not come back,
/// not for other bytes.
const LEFT_OUT: &str = "--skip hostile --skip random_play";

/// What decides whether the tests pass.
const CHECK: Check = Check {
    name: "aarch64",
    inputs: &[
        "Cargo.lock",
        "Cargo.toml",
        "crates/core/",
        "crates/games/",
        "crates/kernels/",
        "crates/tables/",
        "crates/testing/",
        "docs/FORMAT.md",
        "rust-toolchain.toml",
        "vectors/",
        "xtask/src/aarch64.rs",
    ],
};

/// Builds and runs the tests; with `--check` only if an input has changed since they passed.
///
/// # Errors
/// Returns an error if `args` are invalid, a tool is missing (the message says how to get it), or a
/// test fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    if args.iter().any(|arg| !["--install", "--check"].contains(&arg.as_str())) {
        return Err(crate::USAGE.into());
    }
    let has = |option: &str| args.iter().any(|arg| arg == option);
    if has("--check") && CHECK.has_passed(root)? {
        println!("nothing has changed since the tests passed");
        return Ok(ExitCode::SUCCESS);
    }
    if has("--install") {
        install(root)?;
    }
    let packages = packages();
    if !packages.is_empty() {
        return Err(format!("Debian's packages are missing: {}", packages.join(" ")));
    }
    let mut cargo = Command::new("cargo");
    if !has_library(root) {
        let (rustc, _) = with_sources(root)
            .map_err(|why| format!("run `rustup target add {TARGET}`; or else {why}"))?;
        cargo.arg("-Zbuild-std=std,test").env("RUSTC", rustc).env("RUSTC_BOOTSTRAP", "1");
    }
    cargo.args(["test", "--locked", "--target", TARGET]).args(TESTS.split(' ')).current_dir(root);
    cargo.args(LEFT_OUT.split(' '));
    cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER", LINKER);
    let runner = format!("{EMULATOR} -L {LIBRARY}");
    succeed(cargo.env("CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER", runner))?;
    CHECK.note(root)?;
    Ok(ExitCode::SUCCESS)
}

/// Whether the compiler in use has the standard library for the target.
fn has_library(root: &Path) -> bool {
    let mut compiler = Command::new("rustc");
    compiler.args(["--print", "target-libdir", "--target", TARGET]).current_dir(root);
    says(&mut compiler).is_some()
}

/// The missing Debian packages, without those of the standard library.
fn packages() -> Vec<&'static str> {
    let library = Path::new(LIBRARY).join("include/stdio.h");
    let wanted = [
        (there(LINKER), "gcc-aarch64-linux-gnu"),
        (library.exists(), "libc6-dev-arm64-cross"),
        (there(EMULATOR), "qemu-user"),
    ];
    wanted.into_iter().filter(|(there, _)| !there).map(|(_, package)| package).collect()
}

/// Installs what is missing: the standard library by rustup if it can, the rest from Debian's
/// packages.
fn install(root: &Path) -> Result<(), String> {
    let mut packages = packages();
    if !has_library(root) {
        rustup(root, &["target", "add", TARGET]);
        if !has_library(root) && with_sources(root).is_err() {
            packages.extend(SOURCES);
        }
    }
    install_packages(&packages)
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_inputs_are_there() {
        crate::inputs::tests::are_there(&super::CHECK);
    }
}
