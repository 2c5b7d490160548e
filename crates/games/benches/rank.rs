//! Measures how many positions a second `chess.rank` ranks and unranks, on one core, with and
//! without conversion from and to the positions of the rules crate.
//!
//! `cargo bench -p plypack-games --bench rank -- FILE...` reads positions from files with one FEN
//! per line, up to a semicolon; without files they come from random play.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::hint::black_box;
use std::time::Instant;

use plypack_core::Rules;
use plypack_core::testkit::Random;
use plypack_games::chess::position_rank::{BYTES, Placement, rank, unrank};
use plypack_games::chess::{Chess, Position};

/// The number of positions measured; further ones in a file are skipped.
const POSITIONS: usize = 200_000;

/// The number measured in one go.
const STRETCH: usize = 1_000;

fn main() {
    let files: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    measure_start_up();
    if files.is_empty() {
        measure("random play", &random_play());
    }
    for file in &files {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        measure(file, &read(&text));
    }
}

/// Measures the first rank, which builds the tables.
fn measure_start_up() {
    let position = Chess.start();
    let begun = Instant::now();
    black_box(rank(&position)).expect("the start has a rank");
    println!("start-up: {} µs", begun.elapsed().as_micros());
}

fn random_play() -> Vec<Position> {
    let mut random = Random::new(1);
    let mut positions = Vec::new();
    let mut candidates = Vec::new();
    while positions.len() < POSITIONS {
        let mut position = Chess.start();
        for _ in 0..200 {
            candidates.clear();
            Chess.candidates(&position, &mut candidates);
            let Some(count) = std::num::NonZeroU64::new(candidates.len() as u64) else { break };
            let index = usize::try_from(random.next_u64() % count).expect("an index");
            Chess.play(&mut position, candidates[index]);
            positions.push(position.clone());
        }
    }
    positions
}

fn read(text: &str) -> Vec<Position> {
    let fens = text.lines().map(|line| line.split(';').next().unwrap_or_default());
    let positions = fens.filter_map(|fen| Position::read_fen(fen.trim()).ok());
    positions.take(POSITIONS).collect()
}

fn measure(name: &str, positions: &[Position]) {
    let kept: Vec<&Position> = positions.iter().filter(|position| rank(position).is_ok()).collect();
    println!(
        "{name}: {} positions, {} without rank",
        positions.len(),
        positions.len() - kept.len()
    );
    let placements: Vec<Placement> =
        kept.iter().map(|position| Placement::of(position).expect("it has a rank")).collect();
    let ranks: Vec<[u8; BYTES]> =
        placements.iter().map(|placement| placement.rank().expect("it has a rank")).collect();
    time("rank", &placements, |placement| placement.rank());
    time("unrank", &ranks, |rank| Placement::unrank(rank));
    time("from a position", &kept, |position| Placement::of(position));
    time("to a position", &placements, |placement| placement.position());
    time("from a position and rank", &kept, |position| rank(position));
    time("unrank and to a position", &ranks, |bytes| unrank(bytes));
}

/// Prints the time per input. It sums, over short stretches of the inputs, the best of ten runs, so
/// that other load matters little.
fn time<In, Out>(what: &str, inputs: &[In], work: impl Fn(&In) -> Out) {
    let mut best = vec![u128::MAX; inputs.len().div_ceil(STRETCH)];
    for _ in 0..10 {
        for (stretch, best) in inputs.chunks(STRETCH).zip(&mut best) {
            let begun = Instant::now();
            for input in stretch {
                black_box(work(black_box(input)));
            }
            *best = begun.elapsed().as_nanos().min(*best);
        }
    }
    let (inputs, total) = (inputs.len().max(1) as u128, best.iter().sum::<u128>().max(1));
    println!("  {what:<26} {:>5} ns, {} a second", total / inputs, inputs * 1_000_000_000 / total);
}
