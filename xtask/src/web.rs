//! `cargo xtask web`: builds the viewer into `target/web`: the page, of which the repository keeps
//! a copy for `plypack serve`, and the package for npm. `--install` first installs what is missing,
//! including a browser for the tests. `--check` compares the kept copy instead of replacing it, and
//! skips the build while no input has changed, unless `--all` is given.
//!
//! Besides cargo it needs Node with npm, and the sources of the standard library, from which a
//! small standard library for wasm32 is built. Rustup has them as the component `rust-src`, Debian
//! as the packages `rustc-web` and `rust-web-src`.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::page;
use crate::toolchain::{SOURCES, install_packages, output, rustup, succeed, there, with_sources};

/// The features of a core, by its name: chess alone, and every game; the same for the explorer;
/// patterns.
const CORES: [(&str, &[&str]); 5] = [
    ("chess", &[]),
    ("games", &["--features", "all-games"]),
    ("explorer", &["--features", "explorer"]),
    ("explorer-all", &["--features", "explorer-all"]),
    ("pattern", &["--no-default-features", "--features", "patterns"]),
];

/// The tables of clock readings, evaluations and reviews, which the explorer's cores load when a
/// game has some.
const SERIES: [&str; 6] = [
    "crates/tables/series/clocks.net",
    "crates/tables/series/clocks.table",
    "crates/tables/series/evaluations.net",
    "crates/tables/series/evaluations.table",
    "crates/tables/series/reviews.table",
    "crates/tables/chess/evaluations.book",
];

/// The core with every codec, for a test.
const FULL: (&str, &[&str]) = ("full", &["--features", "full"]);

const TARGET: &str = "wasm32-unknown-unknown";

/// The folder of cargo's build.
const BUILT: &str = "target/web-build";

/// Omits panic messages, which would be a tenth of the file.
const FLAGS: &str = "-Zunstable-options -Cpanic=immediate-abort -Zlocation-detail=none \
     -Zfmt-debug=none";

/// Builds everything.
///
/// # Errors
/// Returns an error if `args` are invalid, a tool is missing, with how to get it, or one fails.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    let (mut check, mut all) = (false, false);
    for arg in args {
        match arg.as_str() {
            "--install" => install(root)?,
            "--check" => check = true,
            "--all" => all = true,
            _ => return Err(crate::USAGE.into()),
        }
    }
    if !there("npm") {
        return Err("npm is missing: install Node, or Debian's package npm".into());
    }
    let out = root.join("target/web");
    let page = out.join("page");
    if check && !all && page::is_as_built(root)? {
        println!("the inputs of {} are unchanged: not rebuilt", page::FOLDER);
        let _ = std::fs::remove_dir_all(&out);
        page::lay_out(root, &page)?;
        // Tests in a browser need the packages. Types were checked when the page was built, with
        // declarations that only a build makes.
        return npm(root, &["ci", "--no-audit", "--no-fund"]).map(|()| ExitCode::SUCCESS);
    }
    let (rustc, linker) = with_sources(root)?;
    let core = out.join("core");
    std::fs::create_dir_all(&core).map_err(|error| format!("{}: {error}", core.display()))?;
    let bindgen = root.join("crates/web/bindgen");
    let mut cargo = Command::new("cargo");
    succeed(cargo.args(["build", "--release", "--locked"]).current_dir(&bindgen))?;
    let compile = |(name, features): (&str, &[&str])| {
        compile(root, name, features, &rustc, linker.as_deref(), &core)
    };
    let tables: Result<Vec<Vec<u8>>, String> =
        SERIES.into_iter().map(|name| read(root, name)).collect();
    let written = std::fs::write(core.join("series"), tables?.concat());
    written.map_err(|error| format!("{}: {error}", core.display()))?;
    let sources = CORES.into_iter().map(compile).collect::<Result<String, String>>()?;
    compile(FULL)?;
    check_types(root)?;
    let node = |args: &[&str]| {
        succeed(Command::new("node").args(args).current_dir(root.join("crates/web")))
    };
    node(&["build.mjs", &out.display().to_string()])?;
    let compiler = version(&rustc)?;
    if !check {
        // Tests that are not repeated while nothing changes (`npm test` has the rest).
        node(&["--test", "tests/vectors.test.mjs"])?;
        node(&["--test", "--test-name-pattern", "package for npm", "tests/viewer.test.mjs"])?;
        page::keep(root, &page, &sources, &compiler)?;
    } else if !page::is_by(root, &compiler)? {
        println!("{} was built by another compiler: its bytes are not compared", page::FOLDER);
    } else if let differing @ [_, ..] = page::differing(root, &page).as_slice() {
        let (names, folder) = (differing.join(", "), page::FOLDER);
        let cure = "run `cargo xtask web` and commit the result";
        return Err(format!("{names} of {folder} differ from a build of the sources: {cure}"));
    }
    println!("the page: {}/index.html\nfor npm: target/web/npm", page::FOLDER);
    Ok(ExitCode::SUCCESS)
}

fn read(root: &Path, name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(root.join(name)).map_err(|error| format!("{name}: {error}"))
}

/// Installs the build's npm packages, and checks the viewer's types.
fn check_types(root: &Path) -> Result<(), String> {
    npm(root, &["ci", "--no-audit", "--no-fund"])?;
    npm(root, &["run", "check"])
}

fn npm(root: &Path, args: &[&str]) -> Result<(), String> {
    succeed(Command::new("npm").args(args).current_dir(root.join("crates/web")))
}

/// Returns the version string of a compiler.
fn version(rustc: &Path) -> Result<String, String> {
    let said = output(Command::new(rustc).arg("--version"))?;
    Ok(String::from_utf8_lossy(&said).trim().into())
}

/// Compiles a core and makes it loadable from JavaScript; returns the compiler's notes on its
/// sources.
fn compile(
    root: &Path,
    name: &str,
    features: &[&str],
    rustc: &Path,
    linker: Option<&Path>,
    core: &Path,
) -> Result<String, String> {
    succeed(for_wasm(root, "build", "plypack-web", rustc, linker).args(features))?;
    let wasm = root.join(BUILT).join(TARGET).join("web/plypack_web.wasm");
    let named = core.join(format!("{name}.wasm"));
    std::fs::copy(&wasm, &named).map_err(|error| format!("{}: {error}", wasm.display()))?;
    let mut driver = Command::new(root.join("target/release/plypack-web-bindgen"));
    driver.arg(&named).arg(core).current_dir(root);
    succeed(if name.starts_with("explorer") { driver.args(SERIES) } else { &mut driver })?;
    let notes = wasm.with_extension("d");
    std::fs::read_to_string(&notes).map_err(|error| format!("{}: {error}", notes.display()))
}

/// Returns cargo, set up to build or check a package for wasm32.
fn for_wasm(
    root: &Path,
    verb: &str,
    package: &str,
    rustc: &Path,
    linker: Option<&Path>,
) -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
    cargo.args([verb, "--profile", "web", "--target", TARGET, "-p", package]).current_dir(root);
    cargo.envs([("RUSTC", rustc), ("CARGO_TARGET_DIR", &root.join(BUILT))]);
    cargo.envs([("RUSTC_BOOTSTRAP", "1"), ("RUSTFLAGS", FLAGS)]);
    cargo.envs(linker.map(|path| ("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", path)));
    cargo
}

/// Installs what is missing, with rustup where possible, the rest from Debian's packages.
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
