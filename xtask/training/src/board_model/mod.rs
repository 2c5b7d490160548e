//! `cargo xtask board-model`: trains the tables of chess's `board.model`.

mod net;
mod questions;

use plypack_core::table::Head;
use plypack_core::testkit::Random;
use plypack_games::chess::squares::{BYTES, Contents};

use crate::corpus::{file_name, read_mixed_positions};
use net::Net;
use questions::Questions;

/// The usage of this chore.
pub const USAGE: &str = "\
cargo xtask board-model [--passes N] [[--every N] FILE..]..

Trains the tables of `board.model` on chess positions and writes
crates/tables/chess/board.squares, which makes it another codec. Of a PGN file every
Nth game is used, N being the last --every before it (default 1), with every 8th position; of any
other file, FEN or EPD, every Nth line. --passes is the number of passes over all positions, in
random order (default 1). RUSTFLAGS='-C target-cpu=native' and --release make it twice as fast.
`cargo xtask position-tables --check` then measures the codec.";

const FILE: &str = "crates/tables/chess/board.squares";

/// The number of positions learnt between two reports.
const REPORT: usize = 100_000;

/// The initial learning rate; it falls linearly to the fraction [`LAST`].
const RATE: f32 = 0.2;
/// The same for the weights from and to hidden units.
const HIDDEN_RATE: f32 = 0.1;
const LAST: f32 = 0.02;

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let (mut passes, mut every) = (1, 1);
    let mut positions = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut number = || {
            let number = args.next().and_then(|arg| arg.parse().ok());
            number.filter(|&number| number > 0).ok_or(format!("{arg} takes a number above 0"))
        };
        match arg.as_str() {
            "--passes" => passes = number()?,
            "--every" => every = number()?,
            _ if arg.starts_with("--") => return Err(USAGE.into()),
            path => {
                let read = read_mixed_positions(path, every)?;
                eprintln!("{}: {} positions", file_name(path), read.len());
                positions.extend(read.iter().map(Contents::of));
            }
        }
    }
    if positions.is_empty() {
        return Err(USAGE.into());
    }
    let mut questions = Questions::default();
    positions.iter().for_each(|position| questions.count(position));
    let mut table = learn(&mut positions, passes);
    table.extend(questions.bytes());
    let file = Head::SQUARES.file(&table);
    if file.len() != BYTES {
        return Err(format!("the tables take {} bytes instead of {BYTES}", file.len()));
    }
    std::fs::write(FILE, file).map_err(|error| format!("{FILE}: {error}"))
}

/// Trains a net and returns its tables.
fn learn(positions: &mut [Contents], passes: usize) -> Vec<u8> {
    let mut random = Random::new(7);
    let mut net = Net::new(Random::new(8));
    let total = positions.len() * passes;
    let (mut done, mut bits) = (0, 0.0);
    for _ in 0..passes {
        shuffle(positions, &mut random);
        for position in &*positions {
            let left = (1.0 - done as f32 / total as f32).max(LAST);
            bits += net.learn(position, RATE * left, HIDDEN_RATE * left);
            done += 1;
            if done % REPORT == 0 {
                eprintln!("{done} of {total}: {:.3} bits a board", bits / REPORT as f64);
                bits = 0.0;
            }
        }
    }
    net.bytes()
}

fn shuffle(positions: &mut [Contents], random: &mut Random) {
    for last in (1..positions.len()).rev() {
        let other = random.next_u64() % (last as u64 + 1);
        positions.swap(last, usize::try_from(other).unwrap_or(last));
    }
}
