//! How many positions a second `chess.rank` ranks and unranks, on one core, with and without the
//! conversion from and to the positions of the rules crate.
//!
//! `cargo bench -p plypack-games --bench rank -- FILE...` reads positions from files of one FEN a
//! line (what follows a semicolon is skipped); without files they are those of random play.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::hint::black_box;
use std::time::Instant;

use plypack_core::Game;
use plypack_core::testkit::Random;
use plypack_games::chess::rank::{BYTES, Placement, rank, unrank};
use plypack_games::chess::{Chess, Position};

/// How many positions are measured on; more of a file are passed over.
const POSITIONS: usize = 200_000;

/// How many are measured in one go.
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

/// The first rank pays for the tables.
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

/// Prints the time of all inputs: the sum over short stretches of them of the best of ten runs
/// each, so that other work of the machine counts little.
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
