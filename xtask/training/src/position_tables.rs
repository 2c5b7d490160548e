//! `cargo xtask position-tables`: counts the symbols on the squares of chess positions, for the
//! tables of position codecs.

use plypack_core::bits::huffman::Code;
use plypack_core::table::numbers;
use plypack_core::{Board, BoardRules};
use plypack_games::chess::{Chess, Position};
use plypack_games::position_codecs;

use crate::corpus::{file_name, read_positions};

/// The usage of this chore.
pub const USAGE: &str = "\
cargo xtask position-tables [--check] [[--every N] FILE..]..

Counts the symbols on each square, differences from the start, and men in chess positions, and
writes the tables crates/tables/chess/*.numbers; frequencies.rs of chess should name the arguments.
Of a PGN file every Nth game is used, N being the last --every before it (default 1), with every 8th
position; of any other file, FEN or EPD, every Nth line. --check writes nothing, but prints the size
of the positions in every position codec, with the compiled-in tables, and the best choice of four
board codecs.";

const FOLDER: &str = "crates/tables/chess";

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let (mut check, mut every) = (false, 1);
    let mut positions = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--check" => check = true,
            "--every" => {
                let number = args.next().and_then(|arg| arg.parse().ok());
                every = number.filter(|&number| number > 0).ok_or("--every takes a number")?;
            }
            _ if arg.starts_with("--") => return Err(USAGE.into()),
            path => {
                let read = read_positions(path, every)?;
                eprintln!("{}: {} positions", file_name(path), read.len());
                positions.extend(read);
            }
        }
    }
    if positions.is_empty() {
        return Err(USAGE.into());
    }
    if check {
        state_sizes(&positions);
        return Ok(());
    }
    let mut tables = Tables::default();
    positions.iter().for_each(|position| tables.count(position));
    for (name, file) in tables.files().ok_or("a table has numbers that are too large")? {
        let path = format!("{FOLDER}/{name}");
        std::fs::write(&path, file).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// The counts. Everything counts once more than it was seen, so that nothing is impossible.
struct Tables {
    /// By square, then by symbol.
    squares: [[u64; 13]; 64],
    differences: [u64; 16],
    /// By symbol from 1, then by the number of squares that have it.
    counts: [[u64; 65]; 12],
}

impl Default for Tables {
    fn default() -> Self {
        Self { squares: [[1; 13]; 64], differences: [1; 16], counts: [[1; 65]; 12] }
    }
}

impl Tables {
    fn count(&mut self, position: &Position) {
        let (board, state) = Chess.split(position);
        let start = Chess.start_board(&state);
        let mut men = [0; 13];
        for cell in 0..board.cells() {
            let symbol = board.symbol(cell) as usize;
            men[symbol] += 1;
            self.squares[cell as usize][symbol] += 1;
            self.differences[symbol ^ start.symbol(cell) as usize] += 1;
        }
        for (counts, men) in self.counts.iter_mut().zip(&men[1..]) {
            counts[*men] += 1;
        }
    }

    /// Returns the lengths of a square's code words, one for each symbol of its alphabet.
    fn lengths(&self, square: u32, alphabet: u32) -> Option<Vec<u32>> {
        let frequencies = &self.squares[square as usize][..alphabet as usize];
        let code = Code::from_frequencies(frequencies)?;
        let length = |(symbol, _)| code.length(symbol).map(u32::from);
        (0..).zip(frequencies).map(length).collect()
    }

    /// Returns the table files, each with its name.
    fn files(&self) -> Option<[(&'static str, Vec<u8>); 3]> {
        let start = Chess.split(&Position::default()).0;
        let lengths = |square| self.lengths(square, start.alphabet(square));
        let lengths: Vec<Vec<u32>> = (0..start.cells()).map(lengths).collect::<Option<_>>()?;
        let row = |numbers: &[u64]| -> Option<Vec<u32>> {
            numbers.iter().map(|&number| u32::try_from(number).ok()).collect()
        };
        let seen = |counts: &[u64; 65]| {
            let seen = counts.iter().rposition(|&count| count > 1).map_or(0, |last| last + 1);
            row(&counts[..seen])
        };
        let counts: Vec<Vec<u32>> = self.counts.iter().map(seen).collect::<Option<_>>()?;
        Some([
            ("lengths.numbers", numbers::file(&lengths)?),
            ("differences.numbers", numbers::file(&[row(&self.differences)?])?),
            ("counts.numbers", numbers::file(&counts)?),
        ])
    }
}

/// Prints the mean bits of every position codec, and the best choice of four board codecs.
fn state_sizes(positions: &[Position]) {
    let fen = |position: &Position| {
        let mut fen = String::new();
        position.write_fen(&mut fen);
        fen
    };
    let fens: Vec<String> = positions.iter().map(fen).collect();
    println!("mean bits of {} positions", fens.len());
    let mut boards: Vec<(&str, Vec<u32>)> = Vec::new();
    for codec in position_codecs("chess") {
        let name = codec.info().name;
        let codes = fens.iter().filter_map(|fen| codec.encode(fen).ok());
        let (mut all, mut held, mut board) = (0.0, 0.0, Vec::new());
        for code in codes {
            all += f64::from(code.bits);
            held += 1.0;
            board.extend(code.board_bits);
        }
        let of_boards: f64 = board.iter().map(|&bits| f64::from(bits)).sum();
        let refused = fens.len() as f64 - held;
        let (all, of_boards) = (all / held, of_boards / held);
        println!("{name:<24} all {all:8.3}, board {of_boards:8.3}, refused {refused}");
        // Only codecs that represent every board, and nothing else.
        let chosen = !["board.best-of", "board.model"].contains(&name);
        if board.len() == fens.len() && chosen {
            boards.push((name, board));
        }
    }
    let mut best = (u64::MAX, Vec::new());
    for four in fours(boards.len()) {
        let shortest = |place| four.iter().map(|&codec| boards[codec].1[place]).min();
        let sum = (0..fens.len()).filter_map(shortest).map(u64::from).sum();
        if sum < best.0 {
            best = (sum, four.iter().map(|&codec| boards[codec].0).collect());
        }
    }
    println!("the best four: {}, at {:.3}", best.1.join(", "), best.0 as f64 / fens.len() as f64);
}

/// Returns all choices of four places below `count`.
fn fours(count: usize) -> impl Iterator<Item = [usize; 4]> {
    (0..count).flat_map(move |a| {
        (a + 1..count).flat_map(move |b| {
            (b + 1..count).flat_map(move |c| (c + 1..count).map(move |d| [a, b, c, d]))
        })
    })
}
