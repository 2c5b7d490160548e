//! Measures how many positions a second `xiangqi.rank` ranks and unranks, on one core.
//!
//! `cargo bench -p plypack-games --bench xiangqi_rank -- FILE...` reads positions from files with
//! one FEN per line. Random ranks and positions of random play come first.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::hint::black_box;
use std::time::Instant;

use plypack_core::Rules;
use plypack_core::testkit::Random;
use plypack_games::xiangqi::position_rank::{BYTES, Placement, rank, unrank};
use plypack_games::xiangqi::{Position, Xiangqi};

/// The number of positions measured; further ones in a file are skipped.
const POSITIONS: usize = 200_000;

/// The number measured at a time: short turns are seldom interrupted by other programs.
const TURN: usize = 4_000;

fn main() {
    let files: Vec<String> =
        std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let begun = Instant::now();
    black_box(rank(&Xiangqi.start())).expect("the start has a rank");
    println!("start-up: {} µs", begun.elapsed().as_micros());
    measure("random ranks", &random_ranks());
    measure_positions("random play", &random_play());
    for file in &files {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        let positions = text.lines().filter_map(|fen| Xiangqi.read_position(fen).ok());
        measure_positions(file, &positions.take(POSITIONS).collect::<Vec<_>>());
    }
}

fn random_ranks() -> Vec<Placement> {
    let mut random = Random::new(1);
    let mut placements = Vec::new();
    while placements.len() < POSITIONS {
        let mut bytes = [0; BYTES];
        for part in bytes.chunks_mut(8) {
            part.copy_from_slice(&random.next_u64().to_le_bytes()[..part.len()]);
        }
        bytes[BYTES - 1] &= !3;
        placements.extend(Placement::unrank(&bytes));
    }
    placements
}

fn random_play() -> Vec<Position> {
    let mut random = Random::new(1);
    let mut positions = Vec::new();
    let mut candidates = Vec::new();
    while positions.len() < POSITIONS {
        let mut position = Xiangqi.start();
        for _ in 0..200 {
            candidates.clear();
            Xiangqi.candidates(&position, &mut candidates);
            let Some(count) = std::num::NonZeroU64::new(candidates.len() as u64) else { break };
            let index = usize::try_from(random.next_u64() % count).expect("an index");
            Xiangqi.play(&mut position, candidates[index]);
            positions.push(position.clone());
        }
    }
    positions
}

fn measure_positions(name: &str, positions: &[Position]) {
    let placements: Vec<Placement> =
        positions.iter().filter_map(|position| Placement::of(position).ok()).collect();
    println!("{name}: {} without rank", positions.len() - placements.len());
    measure(name, &placements);
    let kept: Vec<&Position> = positions.iter().filter(|position| rank(position).is_ok()).collect();
    let ranks: Vec<[u8; BYTES]> =
        kept.iter().map(|position| rank(position).expect("it has a rank")).collect();
    time("from a position and rank", &kept, |position| rank(position));
    time("unrank and to a position", &ranks, |rank| unrank(rank));
}

fn measure(name: &str, placements: &[Placement]) {
    println!("{name}: {} placements", placements.len());
    let ranks: Vec<[u8; BYTES]> =
        placements.iter().map(|placement| placement.rank().expect("it has a rank")).collect();
    time("rank", placements, Placement::rank);
    time("unrank", &ranks, |rank| Placement::unrank(rank));
}

/// Prints the time of the fastest turn, and the median.
fn time<In, Out>(what: &str, inputs: &[In], work: impl Fn(&In) -> Out) {
    let run = |inputs: &[In]| {
        let begun = Instant::now();
        for input in inputs {
            black_box(work(black_box(input)));
        }
        begun.elapsed().as_nanos() / inputs.len().max(1) as u128
    };
    let mut times: Vec<u128> = (0..5).flat_map(|_| inputs.chunks_exact(TURN).map(run)).collect();
    times.sort_unstable();
    let [best, median] = [0, times.len() / 2].map(|at| times.get(at).copied().unwrap_or(0).max(1));
    let a_second = 1_000_000_000 / best;
    println!("  {what:<26} {best:>5} ns, {a_second} a second (median {median} ns)");
}
