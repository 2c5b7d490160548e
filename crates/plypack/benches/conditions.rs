//! The cost of testing a condition on all games of a file, or of reading facts, on two threads.
//!
//!     cargo bench -p plypack --bench conditions -- FILE

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use plypack::store::ranges::{Counted, Counts};
use plypack::store::{Condition, Error, PackedFile};
use rayon::prelude::*;

/// The conditions measured.
const CONDITIONS: [&str; 16] = [
    "WhiteElo > 2400 and Result = '1-0'",
    "WhiteElo > 2800",
    "player = 'Carlsen, Magnus'",
    "player LIKE 'Carlsen%'",
    "player ILIKE '%carlsen%'",
    "finds_player(player, 'carlsen')",
    "finds_player(player, 'Magnus Carlsen')",
    "White = 'Carlsen, Magnus' and Result = '1-0'",
    "player = 'nobody at all'",
    "Year between 1990 and 1999",
    "Date >= '1990' and Date < '2000'",
    "played_on = '1992-05-05'",
    "ECO like 'B9%'",
    "plies > 200",
    "WhiteElo > BlackElo",
    "White = Black",
];

/// How often each is measured.
const ROUNDS: usize = 9;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("name a packed file of games: ... --bench conditions -- FILE");
        return Ok(());
    };
    let path = Path::new(&path);
    let (ranges, counts) = Counted::new(File::open(path)?);
    let file = PackedFile::open_ranges(path, Box::new(ranges))?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build()?;
    let groups: Vec<usize> = (0..file.groups()).collect();
    println!("{} games in {} row groups\n", file.records(), file.groups());
    println!("{:<46}{:>9}{:>9}{:>9}{:>9}{:>9}", "", "games", "ms", "work", "ranges", "MB");
    for text in CONDITIONS {
        let condition = Condition::parse(text)?;
        measure(&counts, text, || {
            pool.install(|| {
                let select =
                    |&group: &usize| Ok(file.select(group, None, &condition)?.count_set_bits());
                groups.par_iter().map(select).sum()
            })
        })?;
    }
    measure(&counts, "facts", || {
        let facts = |&group: &usize| Ok(file.facts(group, None)?.len());
        pool.install(|| groups.par_iter().map(facts).sum())
    })?;
    Ok(())
}

/// Runs repeatedly, and prints the median time and the least CPU time.
fn measure(
    counts: &Counts,
    name: &str,
    ask: impl Fn() -> Result<usize, Error>,
) -> Result<(), Error> {
    let (mut times, mut work) = (Vec::new(), Vec::new());
    let (mut games, mut read) = (0, (0, 0));
    for _ in 0..ROUNDS {
        counts.take();
        let (start, before) = (Instant::now(), worked());
        games = ask()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        work.push(worked() - before);
        read = counts.take();
    }
    times.sort_by(f64::total_cmp);
    work.sort_by(f64::total_cmp);
    #[allow(clippy::cast_precision_loss, reason = "for display only")]
    let megabytes = read.1 as f64 / 1e6;
    let (time, work) = (times[ROUNDS / 2], work[0]);
    println!("{name:<46}{games:>9}{time:>9.1}{work:>9.1}{:>9}{megabytes:>9.2}", read.0);
    Ok(())
}

/// Returns the CPU time of this process's threads in milliseconds, where the system reports it.
fn worked() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let of_task = |task: std::fs::DirEntry| {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<f64>().ok()
    };
    tasks.filter_map(of_task).sum::<f64>() / 1e6
}
