//! `cargo xtask ci`: everything that a change must pass, step by step.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::tidy;

/// A cargo tool that a fresh machine may lack.
struct Tool {
    /// The command that succeeds if the tool is present.
    probe: &'static str,
    /// The command that installs it.
    install: &'static str,
}

const RUSTFMT: Tool =
    Tool { probe: "cargo fmt --version", install: "rustup component add rustfmt" };
const CLIPPY: Tool =
    Tool { probe: "cargo clippy --version", install: "rustup component add clippy" };
// It runs for seconds, which is not worth the minutes of an optimised build.
const DENY: Tool = Tool {
    probe: "cargo deny --version",
    install: "cargo install --locked --debug cargo-deny --version 0.20.2",
};

/// The variable with the file in which tests record that they were skipped (`crates/testing`).
pub const SKIPPED: &str = "PLYPACK_SKIPPED";

/// The variable with the seed of the sample that tests try instead of everything.
const SEED: &str = "PLYPACK_SEED";

/// The variable that makes tests try everything.
const ALL: &str = "PLYPACK_ALL";

/// The object storage server for their tests, installed by the step of other tools.
const MOTO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/tables/bin/moto_server");

/// The environment of every command, to save disk space and time: nothing is built a second time
/// here; a panic reports its place without debug information; and each crate is compiled in one
/// part, which takes less time in all, and so do its tests (docs/building.md).
const LEAN: [(&str, &str); 4] = [
    ("CARGO_INCREMENTAL", "0"),
    ("CARGO_PROFILE_DEV_CODEGEN_UNITS", "1"),
    ("CARGO_PROFILE_DEV_DEBUG", "false"),
    ("CARGO_PROFILE_DEV_STRIP", "debuginfo"),
];

/// All packages with all features, and so one set of features of every dependency: commands with
/// these options share compiled code.
pub const WHOLE: &str = "--workspace --features plypack-cli/cluster";

/// The folders with workspaces of their own.
const APART: [&str; 5] = ["oracle", "fuzz", "api", "crates/web/bindgen", "python"];

/// Variables that cargo sets for this program. The build script of `ring` watches them: passed on,
/// they would have it compiled again, and with it DataFusion, by the next command that is not
/// started here.
const OURS: [&str; 8] = [
    "CARGO_MANIFEST_DIR",
    "CARGO_MANIFEST_LINKS",
    "CARGO_MANIFEST_PATH",
    "CARGO_PKG_NAME",
    "CARGO_PKG_VERSION_MAJOR",
    "CARGO_PKG_VERSION_MINOR",
    "CARGO_PKG_VERSION_PATCH",
    "CARGO_PKG_VERSION_PRE",
];

/// Keeps cargo's variables for this program from a command.
pub fn on_its_own(command: &mut Command) -> &mut Command {
    OURS.into_iter().fold(command, Command::env_remove)
}

/// One step.
struct Step {
    heading: &'static str,
    /// The command, with single spaces between its words. `cargo xtask tidy` runs in this process.
    command: String,
    /// An environment variable, for this command only.
    variable: Option<(&'static str, &'static str)>,
    tool: Option<Tool>,
}

impl Step {
    fn new(heading: &'static str, command: impl Into<String>) -> Self {
        Self { heading, command: command.into(), variable: None, tool: None }
    }

    fn with(self, tool: Tool) -> Self {
        Self { tool: Some(tool), ..self }
    }

    fn under(self, name: &'static str, value: &'static str) -> Self {
        Self { variable: Some((name, value)), ..self }
    }

    /// The command to type into a shell.
    fn by_hand(&self) -> String {
        let variable = self.variable.map(|(name, value)| format!("{name}=\"{value}\" "));
        format!("{}{}", variable.unwrap_or_default(), self.command)
    }
}

/// Returns the steps: quick ones, and those that fail most often, come first. `install`: installs
/// missing tools. `all`: includes the needs of a release.
fn steps(advisories: bool, install: bool, all: bool) -> Vec<Step> {
    let advisories = if advisories { " advisories" } else { "" };
    let chore =
        |line: &str| format!("cargo xtask {line}{}", if install { " --install" } else { "" });
    let mut steps = vec![Step::new("layout", "cargo fmt --all --check").with(RUSTFMT)];
    for folder in APART {
        let command = format!("cargo fmt --manifest-path {folder}/Cargo.toml --check");
        steps.push(Step::new("layout of separate workspaces", command));
    }
    // Later steps need no network for what is fetched here.
    let locked =
        |manifest: &str| Step::new("lock files", format!("cargo fetch --locked{manifest}"));
    steps.push(locked(""));
    steps.extend(APART.map(|folder| locked(&format!(" --manifest-path {folder}/Cargo.toml"))));
    steps.extend([
        Step::new("tidy", "cargo xtask tidy"),
        Step::new("clippy", format!("cargo clippy {WHOLE} --all-targets -- -D warnings"))
            .with(CLIPPY),
        // Its one test takes no time, so that optimisation would not pay.
        Step::new(
            "a build without tables",
            "cargo test --config profile.dev.package.plypack-games.opt-level=0 -p plypack-games \
             --no-default-features --lib no_feature",
        ),
        Step::new(
            "the public interface alone",
            "cargo check -p plypack --no-default-features --all-targets",
        ),
        Step::new("the program without SQL", "cargo check -p plypack-cli"),
        Step::new("the viewer", chore(if all { "web --check --all" } else { "web --check" })),
        Step::new(
            "golden files on aarch64",
            chore(if all { "aarch64" } else { "aarch64 --check" }),
        ),
        // It includes the object storage server that tests of the cluster start.
        Step::new("other tools", chore("tables")),
        Step::new("tests", format!("cargo test {WHOLE}")).under("PLYPACK_MOTO", MOTO),
        // The explorer runs the program built by these tests.
        Step::new("the viewer in a browser", "npm test --prefix crates/web"),
        Step::new("documentation", format!("cargo doc {WHOLE} --no-deps"))
            .under("RUSTDOCFLAGS", "-D warnings"),
        Step::new("public items", "cargo test --manifest-path api/Cargo.toml"),
        // Compiles the packages, too, if there is time.
        Step::new(
            "packages",
            format!(
                "cargo package --workspace --allow-dirty{}",
                if all { "" } else { " --no-verify" }
            ),
        ),
        Step::new("the Python package", chore(if all { "python --all" } else { "python" })),
        // In the environment of the step before.
        Step::new("the second decoder", chore("decoder")),
        Step::new("oracle", if all { "cargo xtask oracle" } else { "cargo xtask oracle --check" }),
    ]);
    // The targets in `fuzz` are compiled by their own step, with warnings denied.
    for folder in APART.into_iter().filter(|folder| *folder != "fuzz") {
        let command = format!(
            "cargo clippy --manifest-path {folder}/Cargo.toml --all-targets -- -D warnings"
        );
        steps.push(Step::new("clippy of separate workspaces", command).with(CLIPPY));
    }
    steps.push(Step::new("fuzz targets", chore("fuzz")));
    let command = format!("cargo deny check licenses bans sources{advisories}");
    steps.push(Step::new("dependencies", command).with(DENY));
    steps
}

/// Runs all steps, or all up to the first failure.
///
/// # Errors
/// Returns an error if `args` are invalid.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    let options = ["--advisories", "--all", "--install"];
    if args.iter().any(|option| !options.contains(&option.as_str())) {
        return Err(crate::USAGE.into());
    }
    let has = |option: &str| args.iter().any(|arg| arg == option);
    // A machine that only checks has no user to ask.
    let install = has("--install") || std::env::var_os("CI").is_some();
    let begun = Instant::now();
    let steps = steps(has("--advisories"), install, has("--all"));
    // A different sample for each change, but the same for one change.
    let seed = seed(root);
    let tried = if has("--all") { (ALL, "1") } else { (SEED, seed.as_str()) };
    println!("== samples in tests: {}={}", tried.0, tried.1);
    let skipped = root.join("target/skipped");
    remove(&skipped)?;
    let mut times = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        println!("\n== {}/{} {}: {}", index + 1, steps.len(), step.heading, step.by_hand());
        let (step_begun, used) = (Instant::now(), processors());
        if let Err(why) = pass(root, step, install, &skipped, tried) {
            println!("\n== {} failed: {why}. By hand: {}", step.heading, step.by_hand());
            return Ok(ExitCode::FAILURE);
        }
        let time = row(step_begun.elapsed(), used, step.heading);
        println!("== {}", time.trim());
        times.push(time);
    }
    let total = row(begun.elapsed(), Some(Duration::ZERO), "in total");
    print!("\n== all passed; elapsed time, and processor time\n{}{total}", times.concat());
    print!("{}", summary(&std::fs::read_to_string(&skipped).unwrap_or_default()));
    Ok(ExitCode::SUCCESS)
}

/// A number derived from the checked commit; 0 without one.
fn seed(root: &Path) -> String {
    let head = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root).output();
    let head = head.map(|output| output.stdout).unwrap_or_default();
    let digits = head.get(..8).and_then(|digits| std::str::from_utf8(digits).ok());
    let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
    number.unwrap_or(0).to_string()
}

/// A row of the table of times. `used` is the processor time up to its beginning.
fn row(passed: Duration, used: Option<Duration>, heading: &str) -> String {
    let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
    let used = used.and_then(|before| Some(processors()?.saturating_sub(before)));
    let used = used.map_or_else(|| "-".into(), seconds);
    format!("{:>10}{used:>10}  {heading}\n", seconds(passed))
}

/// Whose processor time is asked for.
#[derive(Clone, Copy)]
pub enum Whose {
    /// That of this program.
    Own,
    /// That of all terminated commands.
    Commands,
}

/// Returns a processor time, user and system, if the system reports it: Linux does.
pub fn processor_time(whose: Whose) -> Option<Duration> {
    let state = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field, the program's name in parentheses, may contain blanks; after it, the 12th
    // and 13th (utime, stime of proc(5)) and the next two (cutime, cstime) are in hundredths of a
    // second.
    let skipped = match whose {
        Whose::Own => 11,
        Whose::Commands => 13,
    };
    let fields = state.rsplit_once(')')?.1.split_whitespace().skip(skipped).take(2);
    Some(Duration::from_millis(
        fields.map_while(|field| field.parse::<u64>().ok()).sum::<u64>() * 10,
    ))
}

/// The processor time of all terminated commands, if the system reports it.
fn processors() -> Option<Duration> {
    processor_time(Whose::Commands)
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> Result<(), String> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("{}: {error}", path.display()))
        }
        _ => Ok(()),
    }
}

/// Summarises the skipped tests: how many, and why. A test may report itself more than once, a line
/// each time.
fn summary(skipped: &str) -> String {
    let mut reasons: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (test, why) in skipped.lines().filter_map(|line| line.split_once(": ")) {
        reasons.entry(why).or_default().insert(test);
    }
    let count: usize = reasons.values().map(BTreeSet::len).sum();
    let reasons = reasons.iter().map(|(why, tests)| format!("{:>10}  {why}\n", tests.len()));
    format!("== {count} skipped\n{}", reasons.collect::<String>())
}

/// Runs a step. Its skipped tests are recorded in `skipped`; `tried` is the variable that selects
/// their samples.
fn pass(
    root: &Path,
    step: &Step,
    install: bool,
    skipped: &Path,
    tried: (&str, &str),
) -> Result<(), String> {
    if step.command == "cargo xtask tidy" {
        let passed = tidy::run(root)? == ExitCode::SUCCESS;
        return if passed { Ok(()) } else { Err("see above".into()) };
    }
    if let Some(tool) = &step.tool {
        let mut probe = command(root, tool.probe);
        let found = probe.stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !found.is_ok_and(|status| status.success()) {
            if !install {
                return Err(format!("a tool is missing: `{}`, or add --install", tool.install));
            }
            println!("== first, because it is missing: {}", tool.install);
            succeed(&mut command(root, tool.install))?;
        }
    }
    let mut command = command(root, &step.command);
    succeed(command.envs(step.variable).env(SKIPPED, skipped).env(tried.0, tried.1))
}

/// A command without standard input.
fn command(root: &Path, line: &str) -> Command {
    let mut words = line.split(' ');
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).envs(LEAN).current_dir(root).stdin(Stdio::null());
    on_its_own(&mut command);
    command
}

fn succeed(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(format!("{}: {error}", command.get_program().display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_as_they_are_typed() {
        let shown: Vec<String> = steps(true, false, false).iter().map(Step::by_hand).collect();
        let has = |line: &str| assert!(shown.iter().any(|shown| shown == line), "{shown:#?}");
        has(&format!("RUSTDOCFLAGS=\"-D warnings\" cargo doc {WHOLE} --no-deps"));
        has(&format!("PLYPACK_MOTO=\"{MOTO}\" cargo test {WHOLE}"));
        has("cargo deny check licenses bans sources advisories");
        has("cargo xtask aarch64 --check");
        let asked: Vec<String> = steps(false, true, true).iter().map(Step::by_hand).collect();
        assert!(asked.iter().any(|shown| shown == "cargo xtask aarch64 --install"), "{asked:#?}");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_time_of_processors_is_that_of_commands() {
        let before = processors();
        let mut command = Command::new("sh");
        command.args(["-c", "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done"]);
        assert_eq!(succeed(&mut command), Ok(()));
        assert!(processors() > before, "{before:?}");
        let row = row(Duration::from_millis(1234), Some(Duration::MAX), "a step");
        assert_eq!(row, "     1.2 s     0.0 s  a step\n");
    }

    #[test]
    fn a_step_that_fails_says_why() {
        let root = Path::new(".");
        let missing = Tool { probe: "cargo no-such-command", install: "cargo no-such-command" };
        let pass = |step| pass(root, &step, false, Path::new("skipped"), (SEED, "0"));
        let told = pass(Step::new("", "cargo --version").with(missing));
        assert!(told.is_err_and(|why| why.ends_with("or add --install")));
        let pass = |command| pass(Step::new("", command));
        assert_eq!(pass("cargo --version"), Ok(()));
        assert!(pass("cargo no-such-command").is_err());
        assert!(pass("no-such-program").is_err());
    }

    #[test]
    fn what_was_skipped_is_counted_by_reason() {
        assert_eq!(summary(""), "== 0 skipped\n");
        let summary = summary("a: no games\nb::c: no games\na: no games\nd: xz: missing\n");
        assert_eq!(summary, "== 3 skipped\n         2  no games\n         1  xz: missing\n");
    }

    #[test]
    fn unknown_options_are_refused() {
        assert!(run(Path::new("."), &["--fast".into()]).is_err());
    }
}
