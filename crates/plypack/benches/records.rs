//! The cost of reading a few records of a file by number: ranges, bytes and milliseconds.
//!
//!     cargo bench -p plypack --bench records -- FILE

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use plypack::store::games::Rows;
use plypack::store::ranges::{Counted, Counts};
use plypack::store::{Error, PackedFile, Wanted};

/// How often each request is made, for different records each time.
const ROUNDS: usize = 200;

/// What is done with the records read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// They are only accessed.
    Look,
    /// This many plies of each are decoded.
    Plies(u32),
    /// Each is written as text.
    Text,
}

fn main() -> Result<(), Error> {
    let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("name a packed file of games: ... --bench records -- FILE");
        return Ok(());
    };
    let path = Path::new(&path);
    let (ranges, counts) = Counted::new(File::open(path).map_err(Error::io(path))?);
    let file = PackedFile::open_ranges(path, Box::new(ranges))?;
    report("the footer", &counts);
    file.load_index()?;
    report("the index of pages", &counts);
    let records = file.records();
    println!("{records} records in {} row groups\n", file.groups());
    println!("{:<38}{:>13}{:>18}{:>24}{:>10}", "", "ranges", "KB", "milliseconds", "worked");
    println!(
        "{:<38}{:>7}{:>6}{:>9}{:>9}{:>8}{:>8}{:>8}{:>10}",
        "", "mean", "max", "mean", "max", "median", "95 %", "max", "mean"
    );
    measure_opening(path, "to open it", false)?;
    measure_opening(path, "to open it, and read the index of pages", true)?;
    for (name, rows, columns, done) in [
        ("a record, all columns", 1, Wanted::All, Use::Look),
        ("a record, all columns, as text", 1, Wanted::All, Use::Text),
        ("a record, its tags and moves", 1, Wanted::TAGS_AND_MOVES, Use::Look),
        ("a record, its tags", 1, Wanted::TAGS, Use::Look),
        ("a record, its moves", 1, Wanted::MOVES, Use::Look),
        ("a record, its moves, 10 plies decoded", 1, Wanted::MOVES, Use::Plies(10)),
        ("a record, its moves, all decoded", 1, Wanted::MOVES, Use::Plies(u32::MAX)),
        ("3 records, their moves", 3, Wanted::MOVES, Use::Look),
        ("a record, its result", 1, Wanted::Of(&["Result"]), Use::Look),
        ("a record, its checksum", 1, Wanted::Of(&["checksum"]), Use::Look),
        ("20 records, all columns", 20, Wanted::All, Use::Look),
        ("20 records, their tags and moves", 20, Wanted::TAGS_AND_MOVES, Use::Look),
        ("20 records, their tags", 20, Wanted::TAGS, Use::Look),
        ("20 records, their moves", 20, Wanted::MOVES, Use::Look),
        ("20 records, moves, 10 plies decoded", 20, Wanted::MOVES, Use::Plies(10)),
        ("20 records, moves, all decoded", 20, Wanted::MOVES, Use::Plies(u32::MAX)),
        ("1,000 records, their moves", 1_000, Wanted::MOVES, Use::Look),
    ] {
        measure(&file, &counts, name, (rows, columns, done))?;
    }
    measure_groups(&file)
}

/// Reads whole row groups, one after the other.
fn measure_groups(file: &PackedFile) -> Result<(), Error> {
    let (mut times, before) = (Vec::new(), worked());
    for group in 0..file.groups() {
        let start = Instant::now();
        assert_eq!(file.read_group(group)?.len() as u64, file.group_records(group));
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    let worked = (worked() - before) / file.groups() as f64;
    println!("{:<69}{}{worked:>10.2}", "a row group, all columns", spread(&mut times));
    Ok(())
}

/// Reads scattered records repeatedly, and uses them.
fn measure(
    file: &PackedFile,
    counts: &Counts,
    name: &str,
    (rows, columns, done): (usize, Wanted<'_>, Use),
) -> Result<(), Error> {
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below.max(1)
    };
    let rounds = if rows > 100 { ROUNDS / 10 } else { ROUNDS };
    let mut found = Vec::new();
    counts.take();
    let mut before = 0.0;
    for _ in 0..=rounds {
        let mut wanted: Vec<u64> = (0..rows).map(|_| random(file.records())).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let wanted: Vec<_> = wanted.into_iter().map(|row| row..row + 1).collect();
        let start = Instant::now();
        let rows = file.read_rows(&wanted, columns)?;
        let used = make_use(&rows, done);
        assert_eq!((rows.len(), used), (wanted.len(), wanted.len()), "all records requested");
        let elapsed = start.elapsed().as_secs_f64() * 1e3;
        let (ranges, bytes) = counts.take();
        found.push((ranges as f64, bytes as f64 / 1e3, elapsed));
        if found.len() == 1 {
            before = worked();
        }
    }
    let worked = (worked() - before) / rounds as f64;
    // The first read misses every cache.
    found.remove(0);
    let mean =
        |of: fn(&(f64, f64, f64)) -> f64| found.iter().map(of).sum::<f64>() / found.len() as f64;
    let max = |of: fn(&(f64, f64, f64)) -> f64| found.iter().map(of).fold(0.0, f64::max);
    let mut times: Vec<f64> = found.iter().map(|found| found.2).collect();
    println!(
        "{name:<38}{:>7.1}{:>6}{:>9.1}{:>9.1}{}{worked:>10.2}",
        mean(|found| found.0),
        max(|found| found.0),
        mean(|found| found.1),
        max(|found| found.1),
        spread(&mut times),
    );
    Ok(())
}

/// Uses the records, and returns how many could be used.
fn make_use(rows: &Rows, done: Use) -> usize {
    let used = |row: &usize| {
        let Some((record, ..)) = rows.record(*row) else { return false };
        match done {
            Use::Look => true,
            Use::Text => record.render().is_ok(),
            Use::Plies(plies) => {
                let Ok(Some((_, mut cursor))) = record.cursor() else {
                    return record.line.is_none();
                };
                while cursor.ply() < plies && cursor.next().is_ok_and(|played| played.is_some()) {}
                true
            }
        }
    };
    (0..rows.len()).filter(used).count()
}

/// Returns the CPU time of this process's threads in milliseconds: other processes may share its
/// cores. Only Linux reports it.
fn worked() -> f64 {
    let of = |task: std::io::Result<std::fs::DirEntry>| -> Option<f64> {
        let text = std::fs::read_to_string(task.ok()?.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task");
    tasks.map_or(f64::NAN, |tasks| tasks.filter_map(of).sum::<f64>() / 1e6)
}

/// Opens a file repeatedly.
fn measure_opening(path: &Path, name: &str, indexed: bool) -> Result<(), Error> {
    let mut times = Vec::new();
    let before = worked();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let file = PackedFile::open(path)?;
        if indexed {
            file.load_index()?;
        }
        times.push(start.elapsed().as_secs_f64() * 1e3);
    }
    println!("{name:<69}{}{:>10.2}", spread(&mut times), (worked() - before) / ROUNDS as f64);
    Ok(())
}

/// Formats the median, 95th percentile and maximum of some times.
fn spread(times: &mut [f64]) -> String {
    times.sort_unstable_by(f64::total_cmp);
    let part = |percent: usize| times.get(times.len() * percent / 100).copied().unwrap_or(0.0);
    let max = times.last().copied().unwrap_or(0.0);
    format!("{:>8.2}{:>8.2}{max:>8.2}", part(50), part(95))
}

fn report(what: &str, counts: &Counts) {
    let (ranges, bytes) = counts.take();
    println!("{what}: {ranges} ranges, {:.1} KB", bytes as f64 / 1e3);
}
