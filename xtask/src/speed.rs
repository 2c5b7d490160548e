//! `cargo xtask speed`: measures what plypack does most, and says what has become slower since the
//! figures in `docs/speed.tsv` were written, by `cargo xtask speed --write`.
//!
//! A figure is processor time, as a multiple of the time of a fixed piece of work in the same
//! round: so runs on different or busy machines can be compared. Linux only, as it reports times.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use flate2::Compression;
use flate2::write::DeflateEncoder;

use crate::ci::{Whose, processor_time};
use crate::toolchain::succeed;

/// The figures of the last release, one a line: name, tab, figure.
const FIGURES: &str = "docs/speed.tsv";

/// The folder of what is packed.
const FOLDER: &str = "target/speed";

/// Rounds; of the figures of a task the middle one counts.
const ROUNDS: usize = 5;

/// What is slower than this is reported, in hundredths of the figure before.
const LIMIT: f64 = 110.0;

/// A task that is measured.
struct Task {
    name: &'static str,
    /// The arguments of plypack, with single spaces between them.
    arguments: &'static str,
    /// How often it is run, for a time that can be measured.
    times: usize,
}

const fn task(name: &'static str, times: usize, arguments: &'static str) -> Task {
    Task { name, arguments, times }
}

/// They come after each other: some use what others write.
const TASKS: [Task; 12] = [
    task("pack", 1, "pack games.pgn -q -f -T 1 -o games.parquet"),
    task("pack --model fast", 4, "pack games.pgn -q -f -T 1 --model fast -o fast.parquet"),
    task("unpack", 1, "unpack games.parquet -q -f -T 1 -o back.pgn"),
    task("unpack of fast", 4, "unpack fast.parquet -q -f -T 1 -o back.pgn"),
    task("index", 1, "index games.parquet -q -f -T 1"),
    task("find a position", 40, "find games.parquet -q --json --moves 1.e4,c5,2.Nf3 --limit 20"),
    task("find by tags", 40, "find games.parquet -q --json --where WhiteElo>2700 --limit 20"),
    task("tree", 40, "tree games.parquet --json --moves 1.e4,c5"),
    task("append", 8, "append growing.parquet week.pgn -q -T 1"),
    task("link", 40, "link games.pgn --record 4000"),
    task("pack positions", 4, "pack positions.epd -q -f -T 1 -o positions.parquet"),
    task("unpack positions", 4, "unpack positions.parquet -q -f -T 1 -o back.epd"),
];

/// What is packed besides `positions.epd`: made up, and so the same everywhere.
const MADE: [&str; 3] = [
    "synth --game chess --games 4000 --model small -q -f -o games.pgn",
    "synth --game chess --games 300 --seed 2 --model small -q -f -o week.pgn",
    "pack week.pgn -q -f --model fast --index -o growing.parquet",
];

/// Measures; compares with the figures of before, or writes them.
///
/// # Errors
/// Returns an error if `args` are invalid, the build or a task fails, or there are no figures.
pub fn run(root: &Path, args: &[String]) -> Result<ExitCode, String> {
    let write = match args {
        [] => false,
        [option] if option == "--write" => true,
        _ => return Err(crate::USAGE.into()),
    };
    let mut cargo = Command::new("cargo");
    succeed(cargo.args(["build", "--release", "--package", "plypack-cli"]).current_dir(root))?;
    let plypack =
        Plypack { program: root.join("target/release/plypack"), folder: root.join(FOLDER) };
    std::fs::create_dir_all(&plypack.folder).map_err(|error| format!("{FOLDER}: {error}"))?;
    MADE.iter().try_for_each(|arguments| plypack.run(arguments))?;
    let positions = plypack.folder.join("positions.epd");
    std::fs::write(positions, epd(root)?).map_err(|error| format!("{FOLDER}: {error}"))?;

    let mut figures: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for round in 1..=ROUNDS {
        println!("round {round} of {ROUNDS}");
        let unit = time(Whose::Own, fixed_work)?;
        for task in &TASKS {
            let work = || (0..task.times).try_for_each(|_| plypack.run(task.arguments));
            figures.entry(task.name).or_default().push(time(Whose::Commands, work)? / unit);
        }
    }
    let figures = TASKS.iter().map(|task| (task.name, middle(figures.remove(task.name))));
    let path = root.join(FIGURES);
    if write {
        let text: String = figures.map(|(name, now)| format!("{name}\t{now:.3}\n")).collect();
        std::fs::write(&path, text).map_err(|error| format!("{FIGURES}: {error}"))?;
        return Ok(ExitCode::SUCCESS);
    }
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{FIGURES}: {error}"))?;
    let mut slower = 0;
    for (name, now) in figures {
        let before = before(&text, name).ok_or_else(|| format!("{FIGURES}: it lacks {name}"))?;
        let hundredths = now / before * 100.0;
        let remark = if hundredths > LIMIT { "  slower" } else { "" };
        slower += usize::from(hundredths > LIMIT);
        println!("{name:<20} {before:8.3} {now:8.3} {hundredths:5.0} %{remark}");
    }
    Ok(if slower == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The program, and the folder in which it runs.
struct Plypack {
    program: PathBuf,
    folder: PathBuf,
}

impl Plypack {
    fn run(&self, arguments: &str) -> Result<(), String> {
        let mut command = Command::new(&self.program);
        let words = arguments.split(' ').map(|word| word.replace(',', " "));
        command.args(words).current_dir(&self.folder).stdout(Stdio::null());
        succeed(&mut command).map_err(|error| format!("plypack {arguments}: {error}"))
    }
}

/// Returns the seconds of processor time that `work` takes.
fn time(whose: Whose, work: impl FnOnce() -> Result<(), String>) -> Result<f64, String> {
    let now = || processor_time(whose).ok_or("this system does not report processor times");
    let begun = now()?;
    work()?;
    let took: Duration = now()?.saturating_sub(begun);
    Ok(took.as_secs_f64())
}

/// The fixed piece of work, a second or two: it deflates numbers written as digits.
fn fixed_work() -> Result<(), String> {
    let mut encoder = DeflateEncoder::new(std::io::sink(), Compression::best());
    let mut state = 1u64;
    for _ in 0..900_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        writeln!(encoder, "{}", state >> 44).map_err(|error| error.to_string())?;
    }
    encoder.finish().map(|_| ()).map_err(|error| error.to_string())
}

/// Positions: those whose candidates are golden, at many moves.
fn epd(root: &Path) -> Result<String, String> {
    const FROM: &str = "vectors/order/chess.txt";
    let text =
        std::fs::read_to_string(root.join(FROM)).map_err(|error| format!("{FROM}: {error}"))?;
    let mut lines = String::new();
    for number in 1..=200 {
        for position in text.lines().filter(|line| line.contains('/')) {
            // Without its two counters.
            let fields: Vec<&str> = position.split(' ').take(4).collect();
            lines.push_str(&format!("{} 0 {number}\n", fields.join(" ")));
        }
    }
    Ok(lines)
}

/// Returns the middle figure.
fn middle(figures: Option<Vec<f64>>) -> f64 {
    let mut figures = figures.unwrap_or_default();
    figures.sort_by(f64::total_cmp);
    figures.get(figures.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Returns a task's figure in the text of [`FIGURES`].
fn before(text: &str, name: &str) -> Option<f64> {
    let lines = text.lines().filter_map(|line| line.split_once('\t'));
    lines.filter(|line| line.0 == name).find_map(|line| line.1.parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_figure_counts() {
        assert_eq!(middle(Some(vec![3.0, 1.0, 2.0])), 2.0);
        assert_eq!(before("pack\t2.5\nunpack\t1.5\n", "unpack"), Some(1.5));
        assert_eq!(before("pack\t2.5\n", "unpack"), None);
    }

    #[test]
    fn the_last_release_has_every_figure() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let text = std::fs::read_to_string(root.join(FIGURES)).expect("figures");
        assert!(TASKS.iter().all(|task| before(&text, task.name).is_some_and(|time| time > 0.0)));
    }
}
