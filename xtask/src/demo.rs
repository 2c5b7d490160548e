//! `cargo xtask demo`: the main job on a sample of the repository.

use std::path::Path;
use std::process::{Command, ExitCode};

/// The sample that is packed.
const SAMPLE: &str = "samples/famous.pgn";

/// Packs the sample, lists, verifies and unpacks it, and compares what came back.
///
/// # Errors
/// If a command cannot be started, fails, or gives other bytes back.
pub fn run(root: &Path) -> Result<ExitCode, String> {
    let folder = root.join("target/demo");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let packed = "target/demo/famous.parquet";
    let back = "target/demo/famous.pgn";
    for arguments in [
        &["pack", SAMPLE, "-o", packed, "-f"][..],
        &["ls", packed],
        &["verify", packed],
        &["unpack", packed, "-o", back, "-f"],
        &["cat", packed, "--records", "2"],
    ] {
        println!("\n$ plypack {}", arguments.join(" "));
        let mut command = Command::new("cargo");
        command.args(["run", "--quiet", "--release", "--package", "plypack-cli", "--"]);
        let status = command.args(arguments).current_dir(root).status();
        let status = status.map_err(|error| format!("cargo: {error}"))?;
        if !status.success() {
            return Err(format!("plypack {} failed", arguments[0]));
        }
    }
    let read = |name: &str| std::fs::read(root.join(name)).map_err(|e| format!("{name}: {e}"));
    if read(SAMPLE)? != read(back)? {
        return Err(format!("{back} is not what {SAMPLE} was"));
    }
    println!("{back} is {SAMPLE}, to the byte");
    Ok(ExitCode::SUCCESS)
}
