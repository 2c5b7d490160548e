//! `cargo xtask web`: builds the viewer into `target/web`: the page, and the package for npm. With
//! `--install` it first installs what is missing, a browser for the tests included.
//!
//! What it needs beside cargo: Node with npm, and the sources of the standard library, from which
//! the standard library for wasm32 is built small. Rustup has them as the component `rust-src`,
//! Debian as the packages `rustc-web` and `rust-web-src`.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::toolchain::{SOURCES, install_packages, rustup, succeed, there, with_sources};

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
    let (rustc, linker) = with_sources(root)?;
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
    if !there("npm") {
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
    let mut packages = Vec::new();
    if with_sources(root).is_err() {
        rustup(root, &["component", "add", "rust-src"]);
        if with_sources(root).is_err() {
            packages.extend(SOURCES);
        }
    }
    if !there("npm") {
        packages.extend(["nodejs", "npm"]);
    }
    let browser = std::env::var("CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".into());
    if !there(&browser) {
        packages.push("chromium");
    }
    install_packages(&packages)
}
