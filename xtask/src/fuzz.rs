//! `cargo xtask fuzz`: compiles the fuzz targets as cargo-fuzz does, with the stable toolchain, and
//! runs each on its seeds, ten seconds or as long as `--seconds` says.
//!
//! Besides cargo it needs a C++ compiler, for libFuzzer.

use std::path::Path;
use std::process::{Command, ExitCode};

use crate::toolchain::{host, install_packages, succeed, there};

/// The targets, each with its seed folders in `fuzz/seeds`.
const TARGETS: [(&str, &[&str]); 13] = [
    ("archive_read", &["archive_read"]),
    ("block_decode", &["block_decode"]),
    ("cbv_read", &["cbv_read"]),
    ("condition_read", &["condition_read"]),
    ("database_read", &["database_read"]),
    ("index_read", &["index_read"]),
    ("line_decode", &["line_decode"]),
    ("link_read", &["link_read"]),
    ("pattern_read", &["pattern_read"]),
    ("pgn_file", &["pgn", "pgn_file"]),
    ("position_decode", &["position_decode"]),
    (
        "reader",
        &["cbf", "ccbridge", "dhtmlxq", "epd", "pgn", "psq", "sgf", "transcript", "wthor", "xqf"],
    ),
    ("row_decode", &["row_decode"]),
];

/// The instrumentation by which libFuzzer follows an input through the code. Clippy checks the
/// called code in the tests of `plypack`; for the few lines of each target the compiler's
/// warnings suffice.
const FLAGS: &str = "-Dwarnings --cfg fuzzing -Cpasses=sancov-module \
     -Cllvm-args=-sanitizer-coverage-level=4 \
     -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
     -Cllvm-args=-sanitizer-coverage-pc-table \
     -Cllvm-args=-sanitizer-coverage-trace-compares";

/// The folder of cargo's build: these flags change everything.
const BUILT: &str = "target/fuzz";

/// The default number of seconds for each target.
const SECONDS: u32 = 10;

/// Builds and runs the targets.
///
/// # Errors
/// Returns an error if `args` are invalid, a compiler is missing, or a target finds a fault.
/// libFuzzer prints the place of the input.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    let mut seconds = SECONDS;
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--install" if !there("c++") => install_packages(&["g++"])?,
            "--install" => {}
            "--seconds" => {
                let number = args.next().and_then(|number| number.parse().ok());
                seconds = number.ok_or("--seconds takes a number")?;
            }
            _ => return Err(crate::USAGE.into()),
        }
    }
    if !there("c++") {
        return Err("a C++ compiler is missing: install g++, or add --install".into());
    }
    // If a target is named, build scripts are built without the flags.
    let host = host(root)?;
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--locked", "--bins", "--target", &host, "--manifest-path"]);
    cargo.arg("fuzz/Cargo.toml").current_dir(root);
    succeed(cargo.env("RUSTFLAGS", FLAGS).env("CARGO_TARGET_DIR", BUILT))?;
    for (target, seeds) in TARGETS {
        println!("== {target}, {seconds} s");
        let program = root.join(BUILT).join(&host).join("debug").join(target);
        // The first folder receives new findings, the others are only read.
        let found = [root.join("fuzz/corpus"), root.join("fuzz/artifacts")];
        let [corpus, artifacts] = found.map(|folder| folder.join(target));
        for folder in [&corpus, &artifacts] {
            std::fs::create_dir_all(folder)
                .map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        let mut fuzzer = Command::new(program);
        fuzzer.arg(&corpus).args(seeds.iter().map(|seeds| root.join("fuzz/seeds").join(seeds)));
        fuzzer.arg(format!("-artifact_prefix={}/", artifacts.display()));
        fuzzer.arg(format!("-max_total_time={seconds}"));
        // Limits that only a fault reaches, even on a busy machine.
        fuzzer.args(["-timeout=120", "-rss_limit_mb=2048", "-verbosity=0"]);
        succeed(&mut fuzzer)?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_target_and_every_seed_is_run() {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz");
        let names = |folder: &str| {
            let entries = std::fs::read_dir(fuzz.join(folder)).expect("a folder");
            let stem = |path: std::path::PathBuf| path.file_stem()?.to_str().map(str::to_owned);
            let mut names: Vec<String> =
                entries.filter_map(|entry| stem(entry.expect("an entry").path())).collect();
            names.sort();
            names
        };
        assert_eq!(names("fuzz_targets"), TARGETS.map(|target| target.0));
        let mut seeds: Vec<&str> = TARGETS.iter().flat_map(|target| target.1).copied().collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(names("seeds"), seeds);
    }
}
