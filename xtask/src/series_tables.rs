//! `cargo xtask series-tables`: learns what codecs of clock readings and evaluations begin with.

use plypack_core::codecs::series::{self, Evaluation, training};
use plypack_records::charset;
use plypack_records::pgn::{self, Kind, ValueStyle, Values};

use crate::corpus::{file_name, records};

/// How the chore is called.
pub const USAGE: &str = "\
cargo xtask series-tables [--check] PGN..

Learns from the clock readings and evaluations in the comments of PGN files, and writes the tables
crates/core/src/codecs/series/*.table. With --check, writes nothing, but states how many bits a
reading and an evaluation take in each file, with the tables that are compiled in.";

const FOLDER: &str = "crates/core/src/codecs/series";

type Clocks = (Vec<Option<u32>>, u8);
type Evaluations = Vec<Option<Evaluation>>;

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let check = args.first().is_some_and(|arg| arg == "--check");
    let paths = &args[usize::from(check)..];
    if paths.is_empty() || paths.iter().any(|path| path.starts_with("--")) {
        return Err(USAGE.into());
    }
    let (mut clocks, mut evaluations) = (Vec::new(), Vec::new());
    for path in paths {
        let (first_clock, first_evaluation) = (clocks.len(), evaluations.len());
        read(path, &mut clocks, &mut evaluations)?;
        if check {
            state(path, &clocks[first_clock..], &evaluations[first_evaluation..]);
        }
    }
    if check {
        return Ok(());
    }
    write("clocks", &training::clock_table(&clocks))?;
    write("evaluations", &training::evaluation_table(&evaluations))
}

fn write(name: &str, table: &[u8]) -> Result<(), String> {
    let path = format!("{FOLDER}/{name}.table");
    println!("{path}: {} bytes", table.len());
    std::fs::write(&path, table).map_err(|error| format!("{path}: {error}"))
}

/// Adds the series of a file's records, where they have any.
fn read(
    path: &str,
    clocks: &mut Vec<Clocks>,
    evaluations: &mut Vec<Evaluations>,
) -> Result<(), String> {
    let file = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    for record in records(&file) {
        let text = charset::decode(record, "").1;
        let (values, style) = values(&text);
        if values.iter().any(|values| values.clock.is_some()) {
            clocks.push((values.iter().map(|values| values.clock).collect(), style.decimals));
        }
        if values.iter().any(|values| values.evaluation.is_some()) {
            let evaluation = |values: &Values| {
                values.evaluation.map(|evaluation| match evaluation {
                    pgn::Evaluation::Pawns(value) => Evaluation::Pawns(value),
                    pgn::Evaluation::Mate(moves) => Evaluation::Mate(moves),
                })
            };
            evaluations.push(values.iter().map(evaluation).collect());
        }
    }
    Ok(())
}

/// The values of the main line of a record, and how they are written.
fn values(text: &str) -> (Vec<Values>, ValueStyle) {
    let record = pgn::parse(text);
    let comments = record.items.iter().filter(|item| item.kind == Kind::Comment);
    let style = ValueStyle::guess(comments.map(|item| item.text)).unwrap_or_default();
    let mut values: Vec<Values> = Vec::new();
    let mut depth = 0;
    for item in &record.items {
        match item.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Move if depth == 0 => values.push(Values::default()),
            Kind::Comment if depth == 0 => {
                if let Some((read, last)) = style.read(item.text).zip(values.last_mut()) {
                    *last = read;
                }
            }
            _ => {}
        }
    }
    (values, style)
}

fn state(path: &str, clocks: &[Clocks], evaluations: &[Evaluations]) {
    let line = |what: &str, cells: usize, values: usize, bytes: usize| {
        let bits = bytes as f64 * 8.0 / values.max(1) as f64;
        println!("{}: {cells} cells, {values} {what}, {bits:.3} bits each", file_name(path));
    };
    let codes = clocks.iter().filter_map(|(readings, d)| series::encode_clocks(readings, *d));
    let values = clocks.iter().map(|(readings, _)| readings.iter().flatten().count()).sum();
    line("readings", clocks.len(), values, codes.map(|code| code.len()).sum());
    let codes = evaluations.iter().filter_map(|series| series::encode_evaluations(series));
    let values = evaluations.iter().map(|series| series.iter().flatten().count()).sum();
    line("evaluations", evaluations.len(), values, codes.map(|code| code.len()).sum());
}
