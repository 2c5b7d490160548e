//! `cargo xtask web`: builds the viewer into `target/web`: the page, and the package for npm. With
//! `--install` it first installs what is missing, a browser for the tests included.
//!
//! What it needs beside cargo: Node with npm, and the sources of the standard library, from which
//! the standard library for wasm32 is built small. Rustup has them as the component `rust-src`,
//! Debian as the packages `rustc-web` and `rust-web-src`.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The cores: chess alone and every game, for the page, and every codec, for a test.
const CORES: [(&str, &[&str]); 3] =
    [("chess", &[]), ("games", &["--features", "all-games"]), ("full", &["--features", "full"])];

const TARGET: &str = "wasm32-unknown-unknown";

/// What panics is not to be told in words, which would be a tenth of the file.
const FLAGS: &str = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none \
     -Zfmt-debug=none";

/// Builds everything.
///
/// # Errors
/// If `args` are not understood, a tool is missing, with how to get it, or one fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    match args {
        [] => {}
        [option] if option == "--install" => install(root)?,
        _ => return Err(crate::USAGE.into()),
    }
    let (rustc, linker) = compiler(root)?;
    let out = root.join("target/web");
    let core = out.join("core");
    std::fs::create_dir_all(&core).map_err(|error| format!("{}: {error}", core.display()))?;
    let bindgen = root.join("crates/web/bindgen");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--locked"]).current_dir(&bindgen);
    succeed(cargo.env("CARGO_TARGET_DIR", bindgen.join("target")))?;
    for (name, features) in CORES {
        compile(root, name, features, &rustc, linker.as_deref(), &core)?;
    }
    let folder = root.join("crates/web");
    let npm = |args: &[&str]| succeed(Command::new("npm").args(args).current_dir(&folder));
    if !Command::new("npm").arg("--version").output().is_ok_and(|out| out.status.success()) {
        return Err("npm is missing: install Node, or Debian's package npm".into());
    }
    npm(&["ci", "--no-audit", "--no-fund"])?;
    npm(&["run", "check"])?;
    succeed(Command::new("node").arg("build.mjs").arg(&out).current_dir(&folder))?;
    let (page, program) = (out.join("page"), root.join("crates/cli/page"));
    for name in ["index.html", "example.html", "plypack-board.js", "plypack-games.js"] {
        let copied = std::fs::copy(page.join(name), program.join(name));
        copied.map_err(|error| format!("{name}: {error}"))?;
    }
    println!("the page: target/web/page/index.html\nfor npm: target/web/npm");
    Ok(ExitCode::SUCCESS)
}

/// Compiles a core and makes of it what JavaScript loads.
fn compile(
    root: &Path,
    name: &str,
    features: &[&str],
    rustc: &Path,
    linker: Option<&Path>,
    core: &Path,
) -> Result<(), String> {
    let built = root.join("target/web-build");
    let mut cargo = Command::new("cargo");
    cargo.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
    cargo.args(["build", "--profile", "web", "--target", TARGET, "-p", "plypack-web"]);
    cargo.args(features).current_dir(root);
    cargo.envs([("RUSTC", rustc), ("CARGO_TARGET_DIR", &built)]);
    cargo.envs([("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", FLAGS)]);
    cargo.envs(linker.map(|path| ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", path)));
    succeed(&mut cargo)?;
    let wasm = built.join(TARGET).join("web/plypack_web.wasm");
    let named = core.join(format!("{name}.wasm"));
    std::fs::copy(&wasm, &named).map_err(|error| format!("{}: {error}", wasm.display()))?;
    let driver = root.join("crates/web/bindgen/target/release/plypack-web-bindgen");
    succeed(Command::new(driver).arg(&named).arg(core))
}

/// Installs what is missing: by rustup what it has, the rest from Debian's packages.
fn install(root: &Path) -> Result<(), String> {
    let there = |program: &str| {
        let mut probe = Command::new(program);
        let probe = probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
        probe.status().is_ok_and(|status| status.success())
    };
    let mut packages = Vec::new();
    if compiler(root).is_err() {
        let mut rustup = Command::new("rustup");
        let added = succeed(rustup.args(["component", "add", "rust-src"]).current_dir(root));
        if added.is_err() || compiler(root).is_err() {
            packages.extend(["rustc-web", "rust-web-src"]);
        }
    }
    if !there("npm") {
        packages.extend(["nodejs", "npm"]);
    }
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".into());
    if !there(&browser) {
        packages.push("chromium");
    }
    if packages.is_empty() {
        return Ok(());
    }
    let apt = |args: &[&str]| {
        let mut apt = Command::new("apt-get");
        succeed(apt.env("DEBIAN_FRONTEND", "noninteractive").args(args))
    };
    apt(&["update"])
        .and_then(
            |()| apt(&[&["install", "-y", "--no-install-recommends"], &packages[..]].concat()),
        )
        .map_err(|why| format!("{why}; install by hand: {}", packages.join(" ")))
}

/// A compiler with the sources of its standard library, and the linker if it brings none.
fn compiler(root: &Path) -> Result<(PathBuf, Option<PathBuf>), String> {
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
        // Debian's linker for it is a package more; rustup's serves.
        let linker = rustup.map(|rustc| {
            rustc.with_file_name("../lib/rustlib/x86_64-unknown-linux-gnu/bin/rust-lld")
        });
        return Ok((debian, linker.filter(|path| path.exists())));
    }
    Err("the sources of Rust's standard library are missing: `rustup component add rust-src`, or \
         Debian's packages rustc-web and rust-web-src"
        .into())
}

/// The path that a command prints.
fn says(command: &mut Command) -> Option<PathBuf> {
    let output = command.stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(PathBuf::from(text.trim())).filter(|path| output.status.success() && path.exists())
}

fn succeed(command: &mut Command) -> Result<(), String> {
    let name = command.get_program().to_string_lossy().into_owned();
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name}: {status}")),
        Err(error) => Err(format!("{name}: {error}")),
    }
}
