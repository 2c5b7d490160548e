//! Measures how fast moves of go are played, on one core: random points of empty boards, without
//! listing candidates. `cargo bench -p plypack-games --bench go`

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::hint::black_box;
use std::time::{Duration, Instant};

use plypack_core::testkit::Random;
use plypack_games::go::{Move, Position};

/// The time spent on each board.
const TIME: Duration = Duration::from_secs(2);

fn main() {
    for side in [9, 13, 19] {
        let mut random = Random::new(u64::from(side));
        let points = side * side;
        // Each point once, in a random order; a game is the first 70 %.
        let games: Vec<Vec<u16>> = (0..200)
            .map(|_| {
                let mut order: Vec<u16> = (0..points).collect();
                for last in (1..order.len()).rev() {
                    let place = random.next_u64() % (last as u64 + 1);
                    order.swap(last, usize::try_from(place).expect("small"));
                }
                order.truncate(usize::from(points) * 7 / 10);
                order
            })
            .collect();
        let (mut moves, mut captured) = (0u64, 0u64);
        let started = Instant::now();
        while started.elapsed() < TIME {
            for game in &games {
                let mut position = Position::empty(side, side, false);
                for &point in game {
                    let white = position.white_to_move();
                    position.play(Move { point, white });
                }
                moves += game.len() as u64;
                captured += position.captures().iter().map(|&count| u64::from(count)).sum::<u64>();
                black_box(position);
            }
        }
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{side} rows: {:.2} million moves a second, {:.2} stones captured a move",
            moves as f64 / seconds / 1e6,
            captured as f64 / moves as f64,
        );
    }
}
