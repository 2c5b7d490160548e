//! `cargo xtask planes`: writes what the nets of go's `line.default` and `line.max` see before each
//! move of games, for `xtask/training/tower.py`, which learns from it; or measures the nets in the
//! codecs' integers.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use plypack_core::{MoveModel, MoveSink, Ply, Rules};
use plypack_games::go::tower::planes::Memory;
use plypack_games::go::tower::{self, ByTower, State};
use plypack_games::go::{Go, Move};

use crate::corpus::{Line, read_lines};

/// The usage of this chore.
const USAGE: &str = "\
cargo xtask planes DIR FILE..
cargo xtask planes --check FILE..

Writes to a folder, for each move of games of go on 19 rows and columns, the planes of each point,
32 bits, then the number of the move's point, 361 for a pass, 32 bits too: 1,448 bytes a move, with
the lowest byte first, in a file for each thread. Moves against the rules are left out. --check
prints the net bits a ply of both codecs instead. Files end in .tsv: a line has a name, a tab, and
the moves from an empty board.";

/// Number of points.
const POINTS: u16 = 361;

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let [folder, files @ ..] = args else { return Err(USAGE.into()) };
    if files.is_empty() {
        return Err(USAGE.into());
    }
    if folder == "--check" {
        return files.iter().try_for_each(|file| check(file));
    }
    let mut lines = Vec::new();
    for file in files {
        lines.extend(read_lines(file, 1)?);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = lines.len().div_ceil(threads).max(1);
    let write = |(number, lines): (usize, &[Line])| {
        let path = Path::new(folder).join(format!("planes.{number}"));
        write(&path, lines).map_err(|error| format!("{}: {error}", path.display()))
    };
    let write = &write;
    std::thread::scope(|scope| {
        let shares = lines.chunks(share).enumerate();
        let writers: Vec<_> = shares.map(|share| scope.spawn(move || write(share))).collect();
        let join = |writer: std::thread::ScopedJoinHandle<'_, _>| {
            writer.join().unwrap_or_else(|_| Err("a thread ended early".into()))
        };
        writers.into_iter().try_for_each(join)
    })
}

/// Prints what the moves in a file take.
fn check(file: &str) -> Result<(), String> {
    let lines = read_lines(file, 1)?;
    for (tier, table) in [("default", &tower::DEFAULT), ("max", &tower::MAX)] {
        let mut meter = Meter {
            model: ByTower(table),
            state: State::default(),
            weights: Vec::new(),
            plies: 0,
            bits: 0.0,
        };
        for line in &lines {
            meter.state = State::default();
            line.walk(&Go, Go.start(), &mut meter);
        }
        let Meter { plies, bits, .. } = meter;
        println!("{file}: {tier}: {plies} plies, {:.4} net bits a ply", bits / f64::from(plies));
    }
    Ok(())
}

/// Writes the moves of games.
fn write(path: &Path, lines: &[Line]) -> std::io::Result<()> {
    let mut writer = Writer {
        out: BufWriter::with_capacity(1 << 20, File::create(path)?),
        memory: Memory::default(),
        planes: Vec::new(),
        done: Ok(()),
    };
    for line in lines {
        writer.memory = Memory::default();
        line.walk(&Go, Go.start(), &mut writer);
    }
    writer.done?;
    writer.out.flush()
}

/// Writes the moves of a game.
struct Writer {
    out: BufWriter<File>,
    memory: Memory,
    planes: Vec<u32>,
    done: std::io::Result<()>,
}

impl MoveSink<Go> for Writer {
    fn push(&mut self, ply: &Ply<'_, Go>) {
        let candidates = ply.candidates.list();
        if self.done.is_ok() && ply.index() < candidates.len() - Go.rare(candidates) {
            self.planes.clear();
            self.memory.see(ply.before, &mut self.planes);
            let point = ply.mv().point;
            self.planes.push(if point == Move::PASS { POINTS } else { point }.into());
            let bytes = self.planes.iter().flat_map(|number| number.to_le_bytes());
            self.done = self.out.write_all(&bytes.collect::<Vec<u8>>());
        }
        self.memory.follow(ply);
    }
}

/// Measures the moves of games.
struct Meter {
    model: ByTower,
    state: State,
    weights: Vec<u32>,
    plies: u32,
    bits: f64,
}

impl MoveSink<Go> for Meter {
    fn push(&mut self, ply: &Ply<'_, Go>) {
        let candidates = ply.candidates.list();
        let usual = candidates.len() - Go.rare(candidates);
        self.weights.clear();
        self.model.weigh(&mut self.state, ply.before, &candidates[..usual], &mut self.weights);
        // What is against the rules begins with an escape of weight 1.
        self.weights.push(1);
        let total: u64 = self.weights.iter().map(|&weight| u64::from(weight)).sum();
        let weight = self.weights[ply.index().min(usual)];
        self.bits += f64::log2(total as f64 / f64::from(weight));
        if ply.index() >= usual {
            self.bits += f64::log2((candidates.len() - usual) as f64);
        }
        self.plies += 1;
        self.model.update(&mut self.state, ply);
    }
}
