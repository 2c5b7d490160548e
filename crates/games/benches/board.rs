//! Measures how many chess positions a second `board.model` encodes and decodes, on one core.
//!
//! `cargo bench -p plypack-games --bench board -- FILE...` reads positions from files with one FEN
//! per line, up to a semicolon. Rates are in processor time, measured in short turns.

#![allow(clippy::expect_used, reason = "clippy spares only functions marked #[test]")]

use std::hint::black_box;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use plypack_core::PositionCodec;
use plypack_games::chess::codecs::board_model::BoardModel;
use plypack_games::chess::{Chess, Position};

/// The number of positions measured per file.
const POSITIONS: usize = 20_000;

/// The number of positions coded in one turn.
const STRETCH: usize = 2_000;

/// How many times everything is coded.
const ROUNDS: usize = 3;

/// Processor time of this thread if the system reports it, else elapsed time.
fn now() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = text.split(' ').next().and_then(|spent| spent.parse().ok());
    spent.map_or_else(|| START.elapsed(), Duration::from_nanos)
}

static START: LazyLock<Instant> = LazyLock::new(Instant::now);

fn main() {
    for file in std::env::args().skip(1).filter(|arg| !arg.starts_with("--")) {
        measure(&file, &read(&std::fs::read_to_string(&file).expect("the file can be read")));
    }
}

/// Reads positions spread over a file.
fn read(text: &str) -> Vec<Position> {
    let every = text.lines().count().div_ceil(POSITIONS);
    let fens = text.lines().step_by(every).map(|line| line.split(';').next().unwrap_or_default());
    fens.filter_map(|fen| Position::read_fen(fen.trim()).ok()).collect()
}

fn measure(name: &str, positions: &[Position]) {
    let (mut encoding, mut decoding) = (Duration::ZERO, Duration::ZERO);
    let (mut bits, mut count) = (0, 0);
    for _ in 0..ROUNDS {
        for stretch in positions.chunks(STRETCH) {
            let begun = now();
            let encode = |position| BoardModel.encode(&Chess, position).expect("a usual position");
            let codes: Vec<_> = stretch.iter().map(encode).collect();
            encoding += now() - begun;
            let begun = now();
            for code in &codes {
                black_box(BoardModel.decode(&Chess, &code.bytes)).expect("its own code");
            }
            decoding += now() - begun;
            bits += codes.iter().map(|code| u64::from(code.bits)).sum::<u64>();
            count += stretch.len();
        }
    }
    let rate = |time: Duration| count as f64 / time.as_secs_f64() / 1e3;
    println!(
        "{name}: {:.2} bits, encoded {:.1} k/s, decoded {:.1} k/s",
        bits as f64 / count as f64,
        rate(encoding),
        rate(decoding)
    );
}
