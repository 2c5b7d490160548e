//! The games that an index has decoded for a position, and the time of a tree, by how rare the
//! position is.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use plypack::store::PackedFile;
use plypack::store::find::Target;
use plypack::store::index::{Entry, Indices, Spot};

use crate::questions::{Asker, Question};
use crate::random::Random;
use crate::sample::{Sample, draw};

/// The random plies that lead from a position of a game to one that nobody played.
const STRAY_PLIES: usize = 4;

/// Counts the games decoded for positions of games, and for positions a few random plies off, and
/// measures trees.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// A packed file, with its index beside it.
    pub file: PathBuf,
    /// The games, PGN or compressed by zstd, from which positions are drawn.
    #[arg(long, required = true)]
    pub positions: Vec<PathBuf>,
    /// The number of positions of either kind.
    #[arg(long, default_value_t = 1_000)]
    pub count: usize,
    /// The seed of the positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of threads.
    #[arg(short = 'T', long, default_value_t = 1)]
    pub threads: usize,
}

/// A tree of a position.
#[derive(Clone, Copy)]
struct Answer {
    /// The games that reach it.
    found: u64,
    /// The games that had to be decoded; 0 for a position with a block.
    decoded: usize,
    time: Duration,
}

/// Asks for the trees, and prints them by rarity.
///
/// # Errors
/// Returns an error if an input cannot be read or a query fails, as a message.
pub fn run(options: &Options) -> Result<(), String> {
    let played = draw(&options.positions, options.count, options.seed)?;
    let strays: Vec<Sample> =
        played.iter().zip(0..).map(|(sample, at)| stray(sample, at)).collect::<Result<_, _>>()?;
    let asker = Asker::open(&options.file, options.threads)?;
    println!("{}: {}, {} threads", options.file.display(), asker.describe(), options.threads);
    println!("                       asked   games decoded p50 p95 p99 max   ms p50    p95    p99");
    for (name, samples) in [("of games", played), ("some plies off", strays)] {
        let answers = answers(&options.file, &asker, &samples)?;
        let of = |range: std::ops::RangeInclusive<u64>| {
            let answers = answers.iter().copied().filter(move |one| range.contains(&one.found));
            answers.collect::<Vec<Answer>>()
        };
        print(&format!("{name}, 4 games or more"), of(4..=u64::MAX));
        print(&format!("{name}, 1 to 3"), of(1..=3));
        print(&format!("{name}, absent"), of(0..=0));
    }
    Ok(())
}

/// A position a few random plies behind another, or where the game ends before.
fn stray(sample: &Sample, at: u64) -> Result<Sample, String> {
    let chess = plypack_games::game("chess").ok_or("this build lacks chess")?;
    let mut random = Random::of(7, at);
    let mut cursor = chess.cursor(Some(&sample.fen)).map_err(|error| error.to_string())?;
    for _ in 0..STRAY_PLIES {
        let moves = cursor.candidates();
        let Ok(one) = u16::try_from(random.below(moves)) else { break };
        if moves == 0 || cursor.play(one).is_err() {
            break;
        }
    }
    let mut fen = String::new();
    cursor.write_position(&mut fen);
    Ok(Sample { fen, ..sample.clone() })
}

fn answers(file: &Path, asker: &Asker, samples: &[Sample]) -> Result<Vec<Answer>, String> {
    let file = PackedFile::open(file).map_err(|error| error.to_string())?;
    let indices = Indices::open(&file);
    let chess = plypack_games::game("chess").ok_or("this build lacks chess")?;
    let answer = |sample: &Sample| {
        let target = Target::read(chess, Some(&sample.fen), "").map_err(|e| e.to_string())?;
        let spot = Spot { structure: target.structure(), key: target.key() };
        let entries = indices.look_up(spot).map_err(|error| error.to_string())?;
        let is_shared = entries.iter().any(|entry| matches!(entry, Entry::Shared(_)));
        let few = entries.iter().filter_map(|entry| match entry {
            Entry::Few(games) => Some(games.len()),
            Entry::Shared(_) => None,
        });
        let decoded = if is_shared { 0 } else { few.sum() };
        let before = Instant::now();
        let found = asker.ask(Question::Tree, sample)?;
        Ok(Answer { found, decoded, time: before.elapsed() })
    };
    samples.iter().map(answer).collect()
}

fn print(name: &str, answers: Vec<Answer>) {
    let mut decoded: Vec<usize> = answers.iter().map(|answer| answer.decoded).collect();
    let mut times: Vec<Duration> = answers.iter().map(|answer| answer.time).collect();
    decoded.sort_unstable();
    times.sort_unstable();
    let at = |percent: usize| (answers.len() * percent / 100).min(answers.len().saturating_sub(1));
    let games = [50, 95, 99, 100].map(|percent| decoded.get(at(percent)).copied().unwrap_or(0));
    let times = [50, 95, 99].map(|percent| times.get(at(percent)).map_or(0.0, millis));
    println!(
        "{name:<32}{:>6}{:>14}{:>4}{:>4}{:>4}{:>9.2}{:>7.2}{:>7.2}",
        answers.len(),
        games[0],
        games[1],
        games[2],
        games[3],
        times[0],
        times[1],
        times[2],
    );
}

fn millis(time: &Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
