//! `cargo xtask position-tables`: counts what stands on the squares of chess positions, for the
//! position codecs that want to know.

use std::fmt::Write;

use plypack_bits::huffman::Code;
use plypack_core::{Board, BoardGame};
use plypack_games::chess::{Chess, Position};
use plypack_games::position_codecs;

use crate::corpus::{PLIES, file_name, read_positions};
use crate::tables::lines;

/// How the chore is called.
pub const USAGE: &str = "\
cargo xtask position-tables [--check] [[--every N] FILE..]..

Counts what stands on each square, differences from the start and men in chess positions, and
writes crates/games/src/chess/frequencies.rs. A file is PGN, of which each Nth game of the last
--every before it takes part (default 1) with every 8th position, or else FEN or EPD, of which each
Nth line does. With --check, writes nothing, but states what every position codec takes on the
positions, with the tables that are compiled in, and the four board codecs that are best to choose
from.";

const TABLE_FILE: &str = "crates/games/src/chess/frequencies.rs";

/// Runs the chore.
pub fn run(args: &[String]) -> Result<(), String> {
    let (mut check, mut every) = (false, 1);
    let mut head = String::new();
    let mut positions = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--check" => check = true,
            "--every" => {
                let number = args.next().and_then(|arg| arg.parse().ok());
                every = number.filter(|&number| number > 0).ok_or("--every wants a number")?;
            }
            _ if arg.starts_with("--") => return Err(USAGE.into()),
            path => {
                let read = read_positions(path, every)?;
                eprintln!("{}: {} positions", file_name(path), read.len());
                let _ = writeln!(head, "//! --every {every} {}", file_name(path));
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
    let text = tables.render(&head)?;
    std::fs::write(TABLE_FILE, text).map_err(|error| format!("{TABLE_FILE}: {error}"))
}

/// What was counted. One more of everything than was seen, so that nothing is impossible.
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

    /// The lengths of a square's words, of which there are as many as its alphabet has symbols.
    fn lengths(&self, square: u32, alphabet: u32) -> Option<Vec<u8>> {
        let frequencies = &self.squares[square as usize][..alphabet as usize];
        let code = Code::from_frequencies(frequencies)?;
        (0..).zip(frequencies).map(|(symbol, _)| code.length(symbol)).collect()
    }

    /// The text of the table file.
    fn render(&self, head: &str) -> Result<String, String> {
        let mut text = format!(
            "//! What stands on the squares of chess positions, counted in games. The tables are \
             part of the\n//! format.\n//!\n\
             //! Written by `cargo xtask position-tables` with these arguments; of a game every \
             {PLIES}th position was\n//! counted:\n//!\n//! ```text\n{head}//! ```\n\n\
             /// By square: the bits of a symbol's word, 0 being none and the others as in \
             `board`.\n\
             #[rustfmt::skip]\npub static LENGTHS: &[&[u8]] = &[\n",
        );
        let start = Chess.split(&Position::default()).0;
        for square in 0..start.cells() {
            let lengths = self.lengths(square, start.alphabet(square));
            let lengths = lengths.ok_or("a square's frequencies make no prefix code")?;
            let list: Vec<String> = lengths.iter().map(u8::to_string).collect();
            let _ = writeln!(text, "    &[{}],", list.join(", "));
        }
        text.push_str(
            "];\n\n/// How often a symbol XOR that of the start is each number.\n\
             #[rustfmt::skip]\npub static DIFFERENCES: &[u64] = &[\n",
        );
        lines(&mut text, self.differences.iter(), "    ");
        text.push_str(
            "];\n\n/// By symbol from 1: how often there are 0, 1, 2 … men of it; as often as 1 \
             beyond the list.\n\
             #[rustfmt::skip]\npub static COUNTS: &[&[u32]] = &[\n",
        );
        for counts in &self.counts {
            let seen = counts.iter().rposition(|&count| count > 1).map_or(0, |last| last + 1);
            let list: Vec<String> = counts[..seen].iter().map(u64::to_string).collect();
            let _ = writeln!(text, "    &[{}],", list.join(", "));
        }
        text.push_str("];\n");
        Ok(text)
    }
}

/// Prints the mean bits of every position codec, and which four codecs of boards are best to choose
/// from.
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
        // Choosing wants codecs that hold every board, and nothing but it.
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

/// All choices of four places below `count`.
fn fours(count: usize) -> impl Iterator<Item = [usize; 4]> {
    (0..count).flat_map(move |a| {
        (a + 1..count).flat_map(move |b| {
            (b + 1..count).flat_map(move |c| (c + 1..count).map(move |d| [a, b, c, d]))
        })
    })
}
