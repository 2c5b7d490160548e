//! `cargo xtask series-tables`: learns what codecs of clock readings, evaluations and reviews begin
//! with.

use plypack_core::codecs::series::{self, Evaluation, Review, training};
use plypack_records::charset;
use plypack_records::pgn::{self, Kind, ReviewStyle, ValueStyle, Values};

use crate::corpus::{file_name, records};

/// How the chore is called.
pub const USAGE: &str = "\
cargo xtask series-tables [--check] PGN..

Learns from the clock readings, evaluations and reviews in PGN files, and writes the tables
crates/core/src/codecs/series/*.table. With --check, writes nothing, but states how many bits a
reading, an evaluation and a review take in each file, with the tables that are compiled in.";

const FOLDER: &str = "crates/core/src/codecs/series";

type Clocks = (Vec<Option<u32>>, u8);
type Evaluations = Vec<Option<Evaluation>>;

/// What is learnt from.
#[derive(Default)]
struct Series {
    clocks: Vec<Clocks>,
    evaluations: Vec<Evaluations>,
    reviews: Vec<training::Reviewed>,
}

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let check = args.first().is_some_and(|arg| arg == "--check");
    let paths = &args[usize::from(check)..];
    if paths.is_empty() || paths.iter().any(|path| path.starts_with("--")) {
        return Err(USAGE.into());
    }
    let mut series = Series::default();
    for path in paths {
        read(path, &mut series)?;
        if check {
            state(path, &std::mem::take(&mut series));
        }
    }
    if check {
        return Ok(());
    }
    write("clocks", &training::clock_table(&series.clocks))?;
    write("evaluations", &training::evaluation_table(&series.evaluations))?;
    write("reviews", &training::review_table(&series.reviews))
}

fn write(name: &str, table: &[u8]) -> Result<(), String> {
    let path = format!("{FOLDER}/{name}.table");
    println!("{path}: {} bytes", table.len());
    std::fs::write(&path, table).map_err(|error| format!("{path}: {error}"))
}

/// Adds the series of a file's records, where they have any.
fn read(path: &str, series: &mut Series) -> Result<(), String> {
    let file = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    for record in records(&file) {
        let text = charset::decode(record, "").1;
        let (values, style, reviews) = values(&text);
        if values.iter().any(|values| values.clock.is_some()) {
            series
                .clocks
                .push((values.iter().map(|values| values.clock).collect(), style.decimals));
        }
        if values.iter().any(|values| values.evaluation.is_some()) {
            let evaluation = |values: &Values| {
                values.evaluation.map(|evaluation| match evaluation {
                    pgn::Evaluation::Pawns(value) => Evaluation::Pawns(value),
                    pgn::Evaluation::Mate(moves) => Evaluation::Mate(moves),
                })
            };
            let evaluations: Evaluations = values.iter().map(evaluation).collect();
            if reviews.iter().any(Option::is_some) {
                series.reviews.push((reviews, evaluations.clone()));
            }
            series.evaluations.push(evaluations);
        }
    }
    Ok(())
}

/// The values of the main line of a record, how they are written, and its reviews, all of one
/// class.
fn values(text: &str) -> (Vec<Values>, ValueStyle, Vec<Option<Review>>) {
    let record = pgn::parse(text);
    let comments = record.items.iter().filter(|item| item.kind == Kind::Comment);
    let style = ValueStyle::guess(comments.map(|item| item.text)).unwrap_or_default();
    let reviews = ReviewStyle::guess(&record, Some(style));
    let mut values: Vec<Values> = Vec::new();
    let mut found = Vec::new();
    let mut depth = 0;
    for (at, item) in record.items.iter().enumerate() {
        match item.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Move if depth == 0 => {
                let before = values.last().and_then(|values| values.evaluation);
                let rest = &record.items[at + 1..];
                let review = reviews.as_ref().and_then(|r| r.read(rest, Some(style), before));
                let plies = review.and_then(|review| u32::try_from(review.moves.len()).ok());
                found.push(plies.map(|plies| Review { class: 0, plies }));
                values.push(Values::default());
            }
            Kind::Comment if depth == 0 => {
                if let Some((read, last)) = style.read(item.text).zip(values.last_mut()) {
                    *last = read;
                }
            }
            _ => {}
        }
    }
    (values, style, found)
}

fn state(path: &str, Series { clocks, evaluations, reviews }: &Series) {
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
    let codes = reviews.iter().filter_map(|(series, e)| series::encode_reviews(series, e, 1));
    let values = reviews.iter().map(|(series, _)| series.iter().flatten().count()).sum();
    line("reviews", reviews.len(), values, codes.map(|code| code.len()).sum());
}
