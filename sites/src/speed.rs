//! The cost and savings of codecs on opening lines, without a database.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::clock::{median, thread_time};
use crate::lines::{Opening, numbered};

/// The number of moves to which Buffett's figure refers, encoded and decoded.
const MOVES: usize = 1_000;

/// Prints a row for every line codec, and the sizes of texts and positions. Every codec is measured
/// in every round.
pub fn report(openings: &[Opening], rounds: usize) -> Result<()> {
    // Enough to measure, spread over the list.
    let step = openings.len().div_ceil(2_000);
    let some: Vec<&Opening> = openings.iter().step_by(step).collect();
    let plies: usize = some.iter().map(|opening| opening.plies).sum();
    let all: usize = openings.iter().map(|opening| opening.plies).sum();
    println!("{} lines, {:.2} plies each", openings.len(), mean(all, openings.len()));
    let text =
        |bytes: usize, what: &str| println!("{what}: {:.2} bytes", mean(bytes, openings.len()));
    text(openings.iter().map(|opening| numbered(&opening.moves).len()).sum(), "with numbers");
    text(openings.iter().map(|opening| opening.moves.len()).sum(), "SAN");
    text(openings.iter().map(|opening| opening.position.len()).sum(), "EPD");

    let codecs: Vec<_> = "chess".parse::<plypack::Rules>()?.line_codecs().collect();
    let mut times = vec![[Vec::new(), Vec::new()]; codecs.len()];
    let mut bytes = vec![0; codecs.len()];
    for _ in 0..rounds {
        for (place, codec) in codecs.iter().enumerate() {
            let (cells, coded) = timed(|| {
                let encode = |opening: &&Opening| codec.encode(opening.moves.split(' '));
                some.iter().map(encode).collect::<Result<Vec<_>, _>>()
            });
            let cells = cells?;
            let (moves, decoded) = timed(|| {
                cells.iter().map(|cell| codec.decode(cell)).collect::<Result<Vec<_>, _>>()
            });
            let same = moves?
                .iter()
                .zip(&some)
                .all(|(moves, opening)| moves.iter().eq(opening.moves.split(' ')));
            ensure!(same, "{codec} does not restore its lines");
            bytes[place] = cells.iter().map(Vec::len).sum();
            times[place][0].push(coded);
            times[place][1].push(decoded);
        }
    }
    println!("| codec | bytes a line | ns for {MOVES} moves: encode | decode | both |");
    println!("|---|---|---|---|---|");
    for ((codec, times), bytes) in codecs.iter().zip(&mut times).zip(bytes) {
        let ns = |times: &mut Vec<Duration>| {
            median(times).as_nanos() * MOVES as u128 / plies.max(1) as u128
        };
        let [encode, decode] = times.each_mut().map(ns);
        let (size, both) = (mean(bytes, some.len()), encode + decode);
        println!("| `{}` | {size:.2} | {encode} | {decode} | {both} |", codec.name());
    }
    Ok(())
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = thread_time();
    let done = work();
    (done, thread_time().saturating_sub(start))
}

#[allow(clippy::cast_precision_loss, reason = "a mean for people")]
fn mean(sum: usize, count: usize) -> f64 {
    sum as f64 / count as f64
}
