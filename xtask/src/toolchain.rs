//! Tools beside cargo that chores find or install: the sources of the standard library, programs,
//! Debian packages.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Debian's packages with a compiler and the sources of its standard library.
pub const SOURCES: [&str; 2] = ["rustc-web", "rust-web-src"];

/// Returns a compiler with the sources of its standard library, and the linker for wasm32 if it
/// lacks one.
///
/// # Errors
/// Returns an error if there is none, with how to get it.
pub fn with_sources(root: &Path) -> Result<(PathBuf, Option<PathBuf>), String> {
    let rustup = says(Command::new("rustup").args(["which", "rustc"]).current_dir(root));
    let has_sources = |rustc: &Path| {
        let mut compiler = Command::new(rustc);
        let sysroot = says(compiler.args(["--print", "sysroot"]));
        sysroot.is_some_and(|path| path.join("lib/rustlib/src/rust/library/std").exists())
    };
    if let Some(rustc) = rustup.clone().filter(|rustc| has_sources(rustc)) {
        return Ok((rustc, None));
    }
    let debian = PathBuf::from("/usr/bin/rustc");
    if debian.exists() && has_sources(&debian) {
        // Debian's linker for it is another package; rustup's works.
        let linker = rustup.map(|rustc| {
            rustc.with_file_name("../lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld")
        });
        return Ok((debian, linker.filter(|path| path.exists())));
    }
    Err("the sources of Rust's standard library are missing: `rustup component add rust-src`, or \
         Debian's packages rustc-web and rust-web-src"
        .into())
}

/// Whether a program can be started.
pub fn there(program: &str) -> bool {
    let mut probe = Command::new(program);
    let probe = probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    probe.status().is_ok_and(|status| status.success())
}

/// Adds components with rustup. The caller checks whether it worked.
pub fn rustup(root: &Path, args: &[&str]) {
    if let Err(why) = succeed(Command::new("rustup").args(args).current_dir(root)) {
        println!("{why}");
    }
}

/// Installs Debian packages, if any.
///
/// # Errors
/// Returns an error if that fails, as it does without root.
pub fn install_packages(packages: &[&str]) -> Result<(), String> {
    if packages.is_empty() {
        return Ok(());
    }
    let apt = |args: &[&str]| {
        let mut apt = Command::new("apt-get");
        succeed(apt.env("DEBIAN_FRONTEND", "noninteractive").args(args))
    };
    apt(&["update"])
        .and_then(|()| apt(&[&["install", "-y", "--no-install-recommends"], packages].concat()))
        .map_err(|why| format!("{why}; install by hand: {}", packages.join(" ")))
}

/// Returns the path printed by a command, if it exists.
pub fn says(command: &mut Command) -> Option<PathBuf> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(text.trim())).filter(|path| output.status.success() && path.exists())
}

/// Runs a command to completion.
///
/// # Errors
/// Returns an error if it cannot be started or fails.
pub fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name}: {status}")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}
