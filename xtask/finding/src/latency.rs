//! The latency of queries, and the amount of data read for them.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::questions::{Asker, QUESTIONS};
use crate::sample::{Sample, draw};
use crate::system;

/// Measures the latency of queries for positions, and the amount of data read.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// A packed file, with its index beside it.
    pub file: PathBuf,
    /// The games, PGN or compressed by zstd, from which positions are drawn.
    #[arg(long, required = true)]
    pub positions: Vec<PathBuf>,
    /// The number of positions.
    #[arg(long, default_value_t = 1_000)]
    pub count: usize,
    /// The number of positions that are also queried cold, i.e. with the files freshly opened
    /// after eviction from the system's cache.
    #[arg(long, default_value_t = 100)]
    pub cold: usize,
    /// The seed of the positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of threads; 0 means one per core.
    #[arg(short = 'T', long, default_value_t = 0)]
    pub threads: usize,
    /// Prints one object per query.
    #[arg(long)]
    pub json: bool,
}

/// One answered query.
struct Answered {
    time: Duration,
    /// The ranges of the index that were read, and their bytes.
    index: Reads,
    /// The same of the packed file.
    file: Reads,
    /// The number of games found.
    found: u64,
}

type Reads = (u64, u64);

/// Runs every query for every position on an open, cached file, and for some positions with the
/// file freshly opened and everything read from the disk.
///
/// # Errors
/// Returns an error if an input cannot be read or a query fails, as a message.
pub fn run(options: &Options) -> Result<(), String> {
    let samples = draw(&options.positions, options.count, options.seed)?;
    let files = files(&options.file)?;
    for file in &files {
        system::remember(file)?;
    }
    // Determined once: doing it for every query takes a few reads of files, which are not ours.
    let threads = match options.threads {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        threads => threads,
    };
    let asker = Asker::open(&options.file, threads)?;
    if !options.json {
        println!(
            "{}: {}; {} positions, {threads} threads",
            options.file.display(),
            asker.describe(),
            samples.len(),
        );
        println!("{:>35}{:>40}{:>42}", "milliseconds", "of the index", "of the packed file");
        let reads = "   ranges p95  max   KiB p95     max";
        let times = [50, 95, 99].map(|percent| format!("{:>9}", format!("p{percent}"))).concat();
        println!("{:<24}asked{times}      max    {reads}{reads}", "question");
    }
    for question in QUESTIONS {
        let answers = samples.iter().map(|sample| {
            asker.take_counts();
            ask(|| Ok((asker.ask(*question, sample)?, asker.take_counts())))
        });
        let answers: Result<Vec<_>, _> = answers.collect();
        print(options, question.name(), "warm", &answers?);
    }
    drop(asker);
    for question in QUESTIONS {
        let answers = spread(&samples, options.cold).map(|sample| {
            for file in &files {
                system::forget(file)?;
            }
            ask(|| {
                let asker = Asker::open(&options.file, threads)?;
                Ok((asker.ask(*question, sample)?, asker.take_counts()))
            })
        });
        let answers: Result<Vec<_>, _> = answers.collect();
        print(options, question.name(), "cold", &answers?);
    }
    if let Some(bytes) = system::peak_memory() {
        match options.json {
            true => println!("{}", json!({ "peak_memory_bytes": bytes })),
            false => {
                println!("\npeak memory, drawing positions included: {} MB", bytes / 1_000_000)
            }
        }
    }
    Ok(())
}

/// Some of the positions, evenly spread.
fn spread(samples: &[Sample], some: usize) -> impl Iterator<Item = &Sample> {
    crate::shares::spread(samples.len(), some).filter_map(|at| samples.get(at))
}

/// Returns the packed file and the parts of its index.
fn files(file: &Path) -> Result<Vec<PathBuf>, String> {
    let named = |error: std::io::Error| format!("{}: {error}", file.display());
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let index = file.with_extension("plyindex");
    let index = index.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = vec![file.to_owned()];
    for entry in std::fs::read_dir(folder.unwrap_or(Path::new("."))).map_err(named)? {
        let path = entry.map_err(named)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with(&index) {
            files.push(path);
        }
    }
    Ok(files)
}

/// Runs and measures a query, which returns the number of games found and the reads of the packed
/// file; all other reads of the process were of the index.
fn ask(question: impl FnOnce() -> Result<(u64, Reads), String>) -> Result<Answered, String> {
    let before = system::reads();
    let start = Instant::now();
    let (found, file) = question()?;
    let time = start.elapsed();
    // Getting the counts takes a read or two as well: the cost of an empty measurement is
    // subtracted.
    let after = system::reads();
    let nothing = system::reads();
    let rest = |[before, after, nothing]: [u64; 3], file: u64| {
        (after - before).saturating_sub(nothing - after).saturating_sub(file)
    };
    let index = before.zip(after).zip(nothing).map(|((before, after), nothing)| {
        (rest([before.0, after.0, nothing.0], file.0), rest([before.1, after.1, nothing.1], file.1))
    });
    Ok(Answered { time, index: index.unwrap_or_default(), file, found })
}

fn print(options: &Options, question: &str, state: &str, answers: &[Answered]) {
    if answers.is_empty() {
        return;
    }
    let percentiles = |value: &dyn Fn(&Answered) -> u64| {
        let mut values: Vec<u64> = answers.iter().map(value).collect();
        values.sort_unstable();
        [50, 95, 99, 100].map(|percent| percentile(&values, percent))
    };
    let micros = |answer: &Answered| u64::try_from(answer.time.as_micros()).unwrap_or(u64::MAX);
    let times = percentiles(&micros);
    let found = percentiles(&|answer| answer.found);
    let reads: [fn(&Answered) -> u64; 4] = [
        |answer| answer.index.0,
        |answer| answer.index.1,
        |answer| answer.file.0,
        |answer| answer.file.1,
    ];
    let reads = reads.map(|reads| percentiles(&reads));
    if options.json {
        let object = |values: [u64; 4]| {
            let [p50, p95, p99, max] = values;
            json!({ "p50": p50, "p95": p95, "p99": p99, "max": max })
        };
        let line = json!({
            "question": question, "state": state, "count": answers.len(),
            "microseconds": object(times), "found": object(found),
            "index_ranges": object(reads[0]), "index_bytes": object(reads[1]),
            "file_ranges": object(reads[2]), "file_bytes": object(reads[3]),
        });
        println!("{line}");
        return;
    }
    let mut line = format!("{question:<16} {state:<6} {:5}", answers.len());
    for time in times {
        line += &format!(" {:>8.2}", time as f64 / 1_000.0);
    }
    line += "    ";
    for [ranges, bytes] in [[reads[0], reads[1]], [reads[2], reads[3]]] {
        let kib = |bytes: u64| bytes as f64 / 1_024.0;
        let [p95, max] = [kib(bytes[1]), kib(bytes[3])];
        line += &format!("   {:>10} {:>4} {p95:>9.1} {max:>7.1}", ranges[1], ranges[3]);
    }
    println!("{line}");
}

/// Returns the smallest of ascending values that at least `percent` percent of them do not exceed.
pub fn percentile(values: &[u64], percent: usize) -> u64 {
    let rank = (values.len() * percent).div_ceil(100).max(1);
    values.get(rank - 1).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_measured() {
        let values: Vec<u64> = (1..=1000).collect();
        let some = [50, 95, 99, 100].map(|percent| percentile(&values, percent));
        assert_eq!(some, [500, 950, 990, 1000]);
        assert_eq!((percentile(&[7], 50), percentile(&[7, 9], 95), percentile(&[], 50)), (7, 9, 0));
    }

    #[test]
    fn only_the_parts_of_its_own_index_go_with_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.parquet", "a.plyindex", "a.plyindex2", "b.plyindex", "a.pgn"] {
            std::fs::write(folder.path().join(name), name).expect("a file");
        }
        let mut found = files(&folder.path().join("a.parquet")).expect("a folder");
        found.sort();
        let names: Vec<_> = found.iter().filter_map(|path| path.file_name()).collect();
        assert_eq!(names, ["a.parquet", "a.plyindex", "a.plyindex2"]);
    }
}
