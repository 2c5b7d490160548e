//! `cargo xtask blocks`: trains the initial tables of blocks of chess positions (`board.blocks`).

use plypack_core::bits::range::Encoder;
use plypack_core::codecs::blocks::{BLOCK_MAX, HABITS, Model, Walk};
use plypack_core::position::Counters;
use plypack_core::table::Head;
use plypack_core::testkit::Random;
use plypack_core::{Board, BoardRules, Rules};
use plypack_games::chess::codecs::blocks::{Squares, untrained};
use plypack_games::chess::{Chess, Position};

use crate::corpus::{file_name, read_mixed_positions};

/// The usage of this chore.
pub const USAGE: &str = "\
cargo xtask blocks [--rounds N] [[--habit N] [--share N] [--every N] (FILE | --endings PGN |
                   --fischer)]..

Trains the initial tables of blocks of chess positions and writes
crates/tables/chess/board.start, which makes it another codec. Each of --rounds rounds
(default 100) learns from the next --share blocks (default 1) of each source, with the --habit (0
to 3) given last before it. A source is a file of FEN or EPD, in its order; every 8th position of
every Nth game of a PGN file, shuffled, with --endings only those after a capture or a pawn's move
with no queens and few men; or, with --fischer, random openings of double Fischer random
chess.";

const FILE: &str = "crates/tables/chess/board.start";

/// A position and the counters of its line.
type Known = (Position, Counters);

/// A source of positions.
struct Source {
    positions: Vec<Known>,
    habit: usize,
    /// The number of blocks that it supplies per round.
    share: usize,
}

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let (mut rounds, mut habit, mut share, mut every) = (100, 0, 1, 1);
    let mut sources = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let mut number = || {
            let number = args.next().and_then(|arg| arg.parse().ok());
            number.ok_or(format!("{arg} takes a number"))
        };
        let positions = match arg.as_str() {
            "--rounds" => {
                rounds = number()?;
                continue;
            }
            "--habit" => {
                habit = number()?.min(HABITS - 1);
                continue;
            }
            "--share" => {
                share = number()?.max(1);
                continue;
            }
            "--every" => {
                every = number()?.max(1);
                continue;
            }
            "--fischer" => fischer(rounds * share * BLOCK_MAX),
            "--endings" => {
                let path = args.next().ok_or("--endings takes a file")?;
                games(path, every, is_ending)?
            }
            _ if arg.starts_with("--") => return Err(USAGE.into()),
            path if path.ends_with(".pgn") => games(path, every, |_| true)?,
            path => lines(path)?,
        };
        eprintln!("habit {habit}, {arg}: {} positions", positions.len());
        sources.push(Source { positions, habit, share });
    }
    if sources.is_empty() {
        return Err(USAGE.into());
    }
    let start = learn(&sources, rounds)?;
    std::fs::write(FILE, Head::START.file(&start)).map_err(|error| format!("{FILE}: {error}"))
}

/// Reads the positions of a file of FEN or EPD.
fn lines(path: &str) -> Result<Vec<Known>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    let read = |line: &str| {
        let words: Vec<&str> = line.split(';').next()?.split_whitespace().collect();
        let position = Chess.read_position(&words.get(..4)?.join(" ")).ok()?;
        let counter = |place: usize| words.get(place).and_then(|word| word.parse().ok());
        Some((position, [counter(4), counter(5)]))
    };
    Ok(text.lines().filter_map(read).collect())
}

/// Reads positions of games, shuffled, as neighbours would predict each other.
fn games(path: &str, every: usize, wanted: fn(&Position) -> bool) -> Result<Vec<Known>, String> {
    let mut positions: Vec<Known> = read_mixed_positions(path, every)?
        .into_iter()
        .filter(wanted)
        .map(|position| {
            let known = [Some(position.halfmove_clock), Some(position.fullmove_number)];
            (position, known)
        })
        .collect();
    let mut random = Random::new(5);
    for last in (1..positions.len()).rev() {
        positions.swap(last, below(&mut random, last + 1));
    }
    eprintln!("{}: {} positions", file_name(path), positions.len());
    Ok(positions)
}

fn is_ending(position: &Position) -> bool {
    let (board, _) = Chess.split(position);
    let count = |symbols: &[u32]| {
        (0..board.cells()).filter(|&cell| symbols.contains(&board.symbol(cell))).count()
    };
    position.halfmove_clock == 0
        && position.fullmove_number >= 22
        && count(&[2, 7]) == 0
        && (2..=8).contains(&count(&[3, 4, 5, 8, 9, 10]))
}

/// The numbers of plies of random openings, equally likely.
const PLIES: [usize; 14] = [0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6];

fn fischer(count: usize) -> Vec<Known> {
    let mut random = Random::new(12);
    let mut found = Vec::with_capacity(count);
    while found.len() < count {
        let white = home(&mut random);
        let black = match below(&mut random, 7) {
            0 => white.clone(),
            _ => home(&mut random),
        };
        let text = format!(
            "{}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1",
            black.to_ascii_lowercase()
        );
        let Ok(mut position) = Chess.read_position(&text) else { continue };
        let mut moves = Vec::new();
        for _ in 0..PLIES[below(&mut random, PLIES.len())] {
            moves.clear();
            Chess.candidates(&position, &mut moves);
            if let Some(&mv) = moves.get(below(&mut random, moves.len().max(1))) {
                Chess.play(&mut position, mv);
            }
        }
        let known = [Some(position.halfmove_clock), Some(position.fullmove_number)];
        found.push((position, known));
    }
    found
}

/// Returns a first rank of Fischer random chess.
fn home(random: &mut Random) -> String {
    let mut rank = [' '; 8];
    rank[2 * below(random, 4)] = 'B';
    rank[2 * below(random, 4) + 1] = 'B';
    for man in ['Q', 'N', 'N'] {
        let empty: Vec<usize> = (0..8).filter(|&file| rank[file] == ' ').collect();
        rank[empty[below(random, empty.len())]] = man;
    }
    let empty: Vec<usize> = (0..8).filter(|&file| rank[file] == ' ').collect();
    for (file, man) in empty.into_iter().zip(['R', 'K', 'R']) {
        rank[file] = man;
    }
    rank.iter().collect()
}

fn below(random: &mut Random, count: usize) -> usize {
    usize::try_from(random.next_u64() % count as u64).unwrap_or(0)
}

/// Learns from blocks of all sources in turn, and returns the tables.
fn learn(sources: &[Source], rounds: usize) -> Result<Vec<u8>, String> {
    let mut start = untrained();
    for round in 0..rounds {
        let mut bytes = 0;
        for source in sources {
            let blocks = source.positions.chunks_exact(BLOCK_MAX);
            for block in blocks.skip(round * source.share).take(source.share) {
                let mut model = Model::new(&start, source.habit);
                let mut coder = Encoder::new();
                for (position, known) in block {
                    model.begin(*known);
                    let walked = Squares.walk(&Chess, &mut model, &mut coder, Some(position));
                    walked.map_err(|error| error.to_string())?;
                    model.end();
                }
                model.teach(&mut start, source.habit);
                bytes += coder.finish().len();
            }
        }
        if (round + 1) % 10 == 0 {
            eprintln!("round {}: {bytes} bytes", round + 1);
        }
    }
    Ok(start.write())
}
