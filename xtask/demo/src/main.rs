//! The demonstration of `cargo xtask demo`: real games packed, compared, unpacked to the byte, and
//! asked what was played; one of them as a link and a board. It runs at the root, beside the
//! program with which it was built.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use serde_json::Value;

const SAMPLE: &str = "samples/championship.pgn";
const PACKED: &str = "target/demo/championship.parquet";
const BACK: &str = "target/demo/championship.pgn";

/// The opening asked for, by which Black drew most games of these matches.
const BERLIN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6";

/// The game shown: the last one, in which Carlsen stayed champion.
const RECORD: &str = "567";

fn main() -> ExitCode {
    match show() {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("demo: {why}");
            ExitCode::FAILURE
        }
    }
}

fn show() -> Result<(), String> {
    let plypack = Plypack::beside_us()?;
    std::fs::create_dir_all("target/demo").map_err(|error| format!("target/demo: {error}"))?;
    heading("Pack the games that led to the world title, 2013 to 2016");
    plypack.shown(&["pack", SAMPLE, "--index", "-o", PACKED, "-f"])?;
    heading("Compare the sizes");
    let original = read(SAMPLE)?;
    let begun = Instant::now();
    let others = zstd::bulk::compress(&original, 19).map_err(|error| error.to_string())?.len();
    let theirs = format!("zstd -19, in {:.2} s", begun.elapsed().as_secs_f64());
    let ours = read(PACKED)?.len();
    size("as PGN", original.len(), original.len());
    size(&theirs, others, original.len());
    size("plypack", ours, original.len());
    let percent = ours * 100 / others;
    println!("{percent} % of zstd's, yet each game can be read alone and each tag queried");
    heading("Every checksum, and every byte back");
    plypack.shown(&["verify", PACKED])?;
    plypack.shown(&["unpack", PACKED, "-o", BACK, "-f"])?;
    if read(BACK)? != original {
        return Err(format!("{BACK} differs from {SAMPLE}"));
    }
    println!("{BACK} equals {SAMPLE}, byte for byte");
    heading("What was played against the Berlin defence, and who won");
    plypack.shown(&["tree", PACKED, "--moves", BERLIN])?;
    heading("The best games in which rook and pawn met rook");
    let ending = ["--pattern", "KRPKR", "--sort", "rating", "--limit", "5"];
    plypack.shown(&[&["find", PACKED][..], &ending].concat())?;
    heading("One game from the packed file");
    plypack.shown(&["cat", PACKED, "--records", RECORD])?;
    heading("The same game as a link, stored on no server");
    let link = plypack.says(&["link", SAMPLE, "--record", RECORD])?;
    let link = link.trim();
    println!("$ plypack link {SAMPLE} --record {RECORD}\n{link}\n");
    let shown = plypack.says(&["unlink", link, "--json"])?;
    let shown: Value = serde_json::from_str(&shown).map_err(|error| format!("unlink: {error}"))?;
    let fen = shown["fen"].as_str().unwrap_or_default();
    println!("$ plypack unlink '{link}' --json   # its last position: {fen}\n\n{}", board(fen));
    let page = Path::new("crates/cli/page/index.html").canonicalize();
    let page = page.map_err(|error| format!("crates/cli/page/index.html: {error}"))?;
    println!("In the browser, offline too: file://{}{link}", page.display());
    println!("or                           {} serve {PACKED} --record {RECORD}", plypack.name());
    println!("All games, with the tree:    {} serve {PACKED}", plypack.name());
    heading("Now your own");
    println!("{} pack games.pgn\ncargo install --path crates/cli", plypack.name());
    Ok(())
}

/// The program to show.
struct Plypack(PathBuf);

impl Plypack {
    fn beside_us() -> Result<Self, String> {
        let us = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
        let name = format!("plypack{}", std::env::consts::EXE_SUFFIX);
        let plypack = us.with_file_name(name);
        let why = || format!("{} is missing: `cargo xtask demo` builds it", plypack.display());
        if plypack.exists() { Ok(Self(plypack)) } else { Err(why()) }
    }

    /// The command to call it from here.
    fn name(&self) -> String {
        let here = std::env::current_dir().unwrap_or_default();
        self.0.strip_prefix(here).unwrap_or(&self.0).display().to_string()
    }

    /// Runs it with visible output, and prints its time.
    fn shown(&self, arguments: &[&str]) -> Result<(), String> {
        println!("$ plypack {}", arguments.join(" "));
        let begun = Instant::now();
        let status = Command::new(&self.0).args(arguments).status();
        let status = status.map_err(|error| format!("{}: {error}", self.0.display()))?;
        if !status.success() {
            return Err(format!("plypack {} failed: {status}", arguments.join(" ")));
        }
        println!("({:.2} s)", begun.elapsed().as_secs_f64());
        Ok(())
    }

    /// Returns its output.
    fn says(&self, arguments: &[&str]) -> Result<String, String> {
        let output = Command::new(&self.0).args(arguments).stderr(Stdio::inherit()).output();
        let output = output.map_err(|error| format!("{}: {error}", self.0.display()))?;
        if !output.status.success() {
            return Err(format!("plypack {} failed: {}", arguments.join(" "), output.status));
        }
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    }
}

fn heading(text: &str) {
    println!("\n== {text}");
}

fn read(name: &str) -> Result<Vec<u8>, String> {
    std::fs::read(name).map_err(|error| format!("{name}: {error}"))
}

/// Prints a size with a bar; the largest has 40 columns.
fn size(what: &str, bytes: usize, largest: usize) {
    let bar = "#".repeat((bytes * 40).div_ceil(largest.max(1)));
    println!("{what:<22}{bytes:>8} bytes  {bar}");
}

/// Draws the board of a FEN, White below.
fn board(fen: &str) -> String {
    let ranks = fen.split(' ').next().unwrap_or_default().split('/');
    let mut text = String::new();
    for (rank, name) in ranks.zip(('1'..='8').rev()) {
        text.push(name);
        for symbol in rank.chars() {
            match symbol.to_digit(10) {
                Some(empty) => (0..empty).for_each(|_| text.push_str(" .")),
                None => text.extend([' ', piece(symbol)]),
            }
        }
        text.push('\n');
    }
    text + "  a b c d e f g h\n"
}

fn piece(symbol: char) -> char {
    let pieces = "KQRBNPkqrbnp".chars().zip("♔♕♖♗♘♙♚♛♜♝♞♟".chars());
    pieces.into_iter().find(|pair| pair.0 == symbol).map_or(symbol, |pair| pair.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_drawn_from_its_fen() {
        let drawn = board("3r3k/8/8/8/8/8/8/K6Q w - - 0 1");
        let lines: Vec<&str> = drawn.lines().collect();
        assert_eq!(lines[0], "8 . . . ♜ . . . ♚");
        assert_eq!(lines[7..], ["1 ♔ . . . . . . ♕", "  a b c d e f g h"]);
        assert_eq!(lines.len(), 9);
    }
}
