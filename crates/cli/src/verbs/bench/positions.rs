//! Benchmarks of position codecs.

use std::process::ExitCode;
use std::time::Duration;

use cpu_time::ThreadTime;
use indicatif::ProgressBar;
use plypack::store::sample::{Positions, read_positions};
use plypack_core::{ErasedPositionCodec, ErasedRules};
use plypack_games::position_codecs;
use serde_json::json;

use super::{Arguments, COMPRESSORS, fastest, measure_text};
use crate::failure::Failure;
use crate::progress;
use crate::verbs::codecs::names;

/// The sizes of one candidate's output, and its best times so far.
#[derive(Default)]
struct Row {
    name: String,
    /// Number of positions it holds.
    held: u64,
    refused: u64,
    drops: &'static [&'static str],
    mean: f64,
    /// The sizes that 5 % and 95 % of the codes do not exceed; compressors have no codes.
    spread: Option<[u32; 2]>,
    encode: Duration,
    decode: Duration,
}

pub fn run(
    arguments: &Arguments,
    games: Vec<&'static dyn ErasedRules>,
) -> Result<ExitCode, Failure> {
    let sizes = (arguments.games, arguments.positions_max);
    let positions = read_positions(&arguments.file, games, sizes.0, sizes.1)?;
    let positions = positions.filter(|positions| !positions.texts.is_empty());
    let Some(Positions { game, texts, all }) = positions else {
        let file = arguments.file.display();
        return Err(Failure::check(format!("{file} has no positions")));
    };
    let game = game.info().name;
    let rounds = arguments.rounds.max(1);
    let steps = rounds * (position_codecs(game).count() + COMPRESSORS.len());
    let bar = progress::steps(steps as u64, arguments.quiet);
    let measure = || measure(game, &texts, &bar);
    let rows = fastest(rounds, measure, |row| [&mut row.encode, &mut row.decode])?;
    bar.finish_and_clear();
    if texts.len() as u64 != all && !arguments.quiet {
        let [used, all] = [texts.len() as u64, all].map(progress::count);
        progress::say(format_args!(
            "measured {used} of {all} positions; --positions-max N takes more"
        ));
    }
    if arguments.json {
        for row in &rows {
            super::super::print_line(&json(game, row))?;
        }
    } else {
        print(&rows, game, texts.len(), all)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures every codec, and then the compressors, once.
fn measure(game: &str, texts: &[String], bar: &ProgressBar) -> Result<Vec<Row>, Failure> {
    let mut rows = Vec::new();
    for (codec, name) in position_codecs(game).zip(names(position_codecs(game))) {
        bar.set_message(name.clone());
        rows.push(measure_codec(codec, name, texts)?);
        bar.inc(1);
    }
    let text: String = texts.iter().flat_map(|text| [text.as_str(), "\n"]).collect();
    let count = texts.len() as u64;
    for (name, compress, expand) in COMPRESSORS {
        bar.set_message(name);
        let measured = measure_text(name, &text, compress, expand)?;
        bar.inc(1);
        rows.push(Row {
            name: measured.name,
            held: count,
            mean: 8.0 * measured.bytes as f64 / count as f64,
            encode: measured.encode,
            decode: measured.decode,
            ..Row::default()
        });
    }
    Ok(rows)
}

fn measure_codec(
    codec: &dyn ErasedPositionCodec,
    name: String,
    texts: &[String],
) -> Result<Row, Failure> {
    let trial = codec.trial(&mut texts.iter().map(String::as_str));
    let mut trial = trial.map_err(Failure::new)?;
    let begin = ThreadTime::now();
    trial.encode();
    let encode = begin.elapsed();
    let begin = ThreadTime::now();
    if !trial.decode() {
        return Err(Failure::check(format!("{name}: a position came back changed")));
    }
    let decode = begin.elapsed();
    let mut bits: Vec<u32> = trial.codes().iter().map(|code| code.bits).collect();
    bits.sort_unstable();
    let sum: u64 = bits.iter().map(|&bits| u64::from(bits)).sum();
    // The smallest size that `percent` of the codes do not exceed.
    let at = |percent: usize| bits.get((bits.len() * percent).div_ceil(100).max(1) - 1).copied();
    Ok(Row {
        name,
        held: bits.len() as u64,
        refused: trial.refused().into(),
        drops: codec.drops(),
        mean: sum as f64 / bits.len().max(1) as f64,
        spread: at(5).zip(at(95)).map(|(low, high)| [low, high]),
        encode,
        decode,
    })
}

impl Row {
    /// Returns the positions per second.
    fn rate(&self, time: Duration) -> f64 {
        (self.held as f64 / time.as_secs_f64().max(1e-9)).round()
    }
}

fn json(game: &str, row: &Row) -> String {
    let held = row.held > 0;
    json!({
        "codec": row.name,
        "game": game,
        "records": row.held,
        "refused": row.refused,
        "drops": row.drops,
        "bits_per_position": held.then_some(row.mean),
        "p5": row.spread.map(|spread| spread[0]),
        "p95": row.spread.map(|spread| spread[1]),
        "encode_per_second": held.then(|| row.rate(row.encode)),
        "decode_per_second": held.then(|| row.rate(row.decode)),
    })
    .to_string()
}

fn print(rows: &[Row], game: &str, used: usize, all: u64) -> Result<(), Failure> {
    let line = super::super::print_line;
    line(&match all == used as u64 {
        true => format!("{used} positions of {game}"),
        false => format!("{used} positions of {game}, spread evenly over {all}"),
    })?;
    line(&format!(
        "{:<22} {:>8} {:>6} {:>6} {:>14} {:>14} {:>9}",
        "codec", "bits", "5 %", "95 %", "encode pos./s", "decode pos./s", "refused"
    ))?;
    for row in rows {
        let number = |held: bool, number: String| if held { number } else { "-".to_owned() };
        let held = row.held > 0;
        let [low, high] = [0, 1].map(|end| row.spread.map_or(0, |spread| spread[end]));
        line(&format!(
            "{:<22} {:>8} {:>6} {:>6} {:>14} {:>14} {:>9}",
            row.name,
            number(held, format!("{:.1}", row.mean)),
            number(row.spread.is_some(), low.to_string()),
            number(row.spread.is_some(), high.to_string()),
            number(held, row.rate(row.encode).to_string()),
            number(held, row.rate(row.decode).to_string()),
            row.refused,
        ))?;
    }
    if rows.iter().any(|row| row.refused > 0) {
        line("positions that a codec refuses are left out of its figures")?;
    }
    for row in rows.iter().filter(|row| !row.drops.is_empty()) {
        line(&format!("{} does not hold: {}", row.name, row.drops.join(", ")))?;
    }
    Ok(())
}
