//! Tools beside cargo that chores find or install: the sources of the standard library, programs,
//! Debian packages.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

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

/// Makes a Python environment in `folder`, unless it has the packages of these files already.
///
/// # Errors
/// Returns an error if packages are missing and may not be installed, with how to get them, or if
/// that fails.
pub fn python_environment(
    root: &Path,
    folder: &str,
    files: &[&str],
    may_install: bool,
) -> Result<(), String> {
    let read = |file: &&str| {
        std::fs::read_to_string(root.join(file)).map_err(|error| format!("{file}: {error}"))
    };
    let wanted = files.iter().map(read).collect::<Result<String, _>>()?;
    let kept = root.join(folder).join("requirements.txt");
    let found = std::fs::read_to_string(&kept).unwrap_or_default();
    // An environment for all tests serves those of most.
    if found.starts_with(&wanted) {
        return Ok(());
    }
    if !may_install {
        return Err(format!("the packages of {} are missing: add --install", files.join(", ")));
    }
    if !there("python3") {
        install_packages(&["python3"])?;
    }
    let make = || {
        let mut python = Command::new("python3");
        succeed(python.args(["-m", "venv", "--clear", folder]).current_dir(root))
    };
    if make().is_err() {
        // Debian packages the requirements of `venv` separately.
        install_packages(&["python3-venv"])?;
        make()?;
    }
    let mut pip = Command::new(root.join(folder).join("bin/pip"));
    pip.args(["install", "--quiet", "--disable-pip-version-check"]).current_dir(root);
    succeed(pip.args(files.iter().flat_map(|file| ["-r", file]))).map_err(|why| {
        format!(
            "{why}: the packages of {} could not be installed; is there a network?",
            files.join(", ")
        )
    })?;
    std::fs::write(&kept, wanted).map_err(|error| format!("{}: {error}", kept.display()))
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

/// Runs a command to completion, and returns what it prints.
///
/// # Errors
/// Returns an error if it cannot be started or fails, with its messages.
pub fn output(command: &mut Command) -> Result<Vec<u8>, String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.output() {
        Ok(output) if output.status.success() => Ok(output.stdout),
        Ok(output) => {
            Err(format!("{name}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr)))
        }
        Err(error) => Err(format!("{name}: {error}")),
    }
}

/// Returns what `cargo metadata` prints with these options.
///
/// # Errors
/// Returns an error if it fails.
pub fn metadata(root: &Path, options: &[&str]) -> Result<Value, String> {
    let mut cargo = Command::new("cargo");
    cargo.args(["metadata", "--format-version", "1"]).args(options).current_dir(root);
    serde_json::from_slice(&output(&mut cargo)?).map_err(|error| format!("cargo metadata: {error}"))
}

/// Returns the host triple of the compiler.
///
/// # Errors
/// Returns an error if there is no compiler.
pub fn host(root: &Path) -> Result<String, String> {
    let said = output(Command::new("rustc").arg("-vV").current_dir(root))?;
    let said = String::from_utf8_lossy(&said);
    let host = said.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(str::to_owned).ok_or_else(|| "rustc does not print its host".into())
}

/// Returns bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
