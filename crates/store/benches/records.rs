//! What it costs to read a few records of a file by their numbers: ranges, bytes and milliseconds.
//!
//!     cargo bench -p plypack-store --bench records -- FILE

use std::fs::File;
use std::path::Path;
use std::time::Instant;

use plypack_store::ranges::{Counted, Counts};
use plypack_store::{Error, PackedFile, Wanted};

/// How often each request is made, of other records each time.
const ROUNDS: usize = 50;

fn main() -> Result<(), Error> {
    let Some(path) = std::env::args().skip(1).find(|argument| !argument.starts_with("--")) else {
        println!("name a packed file of games: ... --bench records -- FILE");
        return Ok(());
    };
    let path = Path::new(&path);
    let file = File::open(path).map_err(Error::io(path))?;
    let (ranges, counts) = Counted::new(file);
    let start = Instant::now();
    let file = PackedFile::open_ranges(path, Box::new(ranges))?;
    report("open: the footer", &counts, start);
    let start = Instant::now();
    file.load_index()?;
    report("the index of pages", &counts, start);
    let records = file.records();
    println!("{records} records in {} row groups\n", file.groups());
    println!("{:<34}{:>15}{:>24}{:>20}", "", "ranges", "KB", "milliseconds");
    println!(
        "{:<34}{:>8}{:>7}{:>12}{:>12}{:>10}{:>10}",
        "", "mean", "max", "mean", "max", "mean", "max"
    );
    for (name, rows, columns) in [
        ("a record, all columns", 1, Wanted::All),
        ("a record, all columns, as text", 1, Wanted::All),
        ("a record, its tags", 1, Wanted::TAGS),
        ("a record, its moves", 1, Wanted::MOVES),
        ("a record, its result", 1, Wanted::Of(&["Result"])),
        ("a record, its checksum", 1, Wanted::Of(&["checksum"])),
        ("20 records, all columns", 20, Wanted::All),
        ("20 records, their tags", 20, Wanted::TAGS),
        ("20 records, their moves", 20, Wanted::MOVES),
    ] {
        measure(&file, &counts, name, (rows, name.ends_with("text")), columns)?;
    }
    Ok(())
}

/// Reads so many scattered records again and again, and writes them out if that is wanted.
fn measure(
    file: &PackedFile,
    counts: &Counts,
    name: &str,
    (rows, rendered): (usize, bool),
    columns: Wanted<'_>,
) -> Result<(), Error> {
    let mut state = 1_u64;
    let mut random = |below: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below.max(1)
    };
    let mut found = Vec::new();
    counts.take();
    for _ in 0..ROUNDS {
        let mut wanted: Vec<u64> = (0..rows).map(|_| random(file.records())).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let wanted: Vec<_> = wanted.into_iter().map(|row| row..row + 1).collect();
        let start = Instant::now();
        let rows = file.read_rows(&wanted, columns)?;
        let mut bytes = 0;
        for row in 0..rows.len() {
            let Some((record, ..)) = rows.record(row) else { continue };
            bytes += if rendered { record.render().map_or(0, |bytes| bytes.len()) } else { 0 };
        }
        assert_eq!((rows.len(), rendered), (wanted.len(), bytes > 0), "all that was asked for");
        let elapsed = start.elapsed().as_secs_f64() * 1e3;
        let (ranges, bytes) = counts.take();
        found.push((ranges as f64, bytes as f64 / 1e3, elapsed));
    }
    // The first reads what no cache holds yet.
    found.remove(0);
    let mean = |of: &dyn Fn(&(f64, f64, f64)) -> f64| {
        found.iter().map(of).sum::<f64>() / found.len() as f64
    };
    let max = |of: &dyn Fn(&(f64, f64, f64)) -> f64| found.iter().map(of).fold(0.0, f64::max);
    let (ranges, bytes, time) = (
        |found: &(f64, f64, f64)| found.0,
        |found: &(f64, f64, f64)| found.1,
        |found: &(f64, f64, f64)| found.2,
    );
    println!(
        "{name:<34}{:>8.1}{:>7}{:>12.1}{:>12.1}{:>10.2}{:>10.2}",
        mean(&ranges),
        max(&ranges),
        mean(&bytes),
        max(&bytes),
        mean(&time),
        max(&time)
    );
    Ok(())
}

fn report(what: &str, counts: &Counts, start: Instant) {
    let (ranges, bytes) = counts.take();
    let elapsed = start.elapsed().as_secs_f64() * 1e3;
    println!("{what}: {ranges} ranges, {:.1} KB, {elapsed:.2} ms", bytes as f64 / 1e3);
}
