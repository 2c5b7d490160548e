//! The rank of chess positions, on books of positions and on all positions of real games.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use crate::common::{corpus, files_under};
use plypack_core::{Candidates, Error, Listing, Rules};
use plypack_games::chess::position_rank::{rank, unrank};
use plypack_games::chess::{Chess, Position};
use plypack_records::Splitter;
use plypack_records::pgn::{PgnSplitter, parse};

/// One in this many positions of a book is checked.
const POSITIONS_EVERY: usize = 4;

/// The most bytes read of a file of games.
const GAMES_MAX: u64 = 1 << 20;

/// How many positions came back, and why others have no rank.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    refused: BTreeMap<String, usize>,
}

impl Tally {
    fn check(&mut self, position: &Position, fen: &mut String) {
        self.positions += 1;
        let bytes = match rank(position) {
            Ok(bytes) => bytes,
            Err(Error::Position { why, .. }) => {
                *self.refused.entry(why).or_default() += 1;
                return;
            }
            Err(error) => panic!("{position:?}: {error}"),
        };
        let back = unrank(&bytes).unwrap_or_else(|error| panic!("{position:?}: {error}"));
        fen.clear();
        back.write_fen(fen);
        let middle = fen.len();
        Position { fullmove_number: 1, ..position.clone() }.write_fen(fen);
        let (ours, expected) = fen.split_at(middle);
        assert_eq!(ours, expected);
    }

    /// Only Chess960 castling and long endings leave positions without a rank.
    fn report(&self, path: &Path) {
        println!("{}: {} positions, {:?}", path.display(), self.positions, self.refused);
        let expected = [
            "its castling rights are not those of standard chess",
            "the halfmove clock is above 100",
        ];
        let other = self.refused.keys().find(|why| !expected.contains(&why.as_str()));
        assert_eq!(other, None, "{}", path.display());
    }
}

/// The first bytes of a file, decompressed if need be, as text.
fn read(path: &Path, bytes_max: u64) -> String {
    let file =
        std::fs::File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let compressed = path.extension().is_some_and(|extension| extension == "zst");
    let input: Box<dyn Read> = if compressed {
        Box::new(zstd::Decoder::new(file).expect("a zstd stream"))
    } else {
        Box::new(file)
    };
    let mut bytes = Vec::new();
    input.take(bytes_max).read_to_end(&mut bytes).expect("a whole file");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn positions_of_the_corpus_come_back() {
    let Some(corpus) = corpus() else { return };
    let files = files_under(&corpus.join("chess/dev/positions"), "zst");
    assert!(!files.is_empty(), "no positions under {}", corpus.display());
    for path in files {
        let text = read(&path, u64::MAX);
        let mut tally = Tally::default();
        let mut fen = String::new();
        for line in text.lines().step_by(POSITIONS_EVERY) {
            let text = line.split(';').next().unwrap_or_default();
            let position = Position::read_fen(text.trim_end()).expect(line);
            tally.check(&position, &mut fen);
        }
        tally.report(&path);
        assert!(tally.positions > 10_000, "{}", path.display());
    }
}

#[test]
fn positions_of_games_come_back() {
    let Some(corpus) = corpus() else { return };
    for folder in ["otb", "engine", "online", "annotated"] {
        let folder = corpus.join("chess/dev").join(folder);
        for path in files_under(&folder, "pgn").into_iter().chain(files_under(&folder, "zst")) {
            let mut tally = Tally::default();
            for record in records(&read(&path, GAMES_MAX)) {
                check_game(record, &mut tally);
            }
            tally.report(&path);
        }
    }
}

/// The records of a file.
fn records(text: &str) -> Vec<&str> {
    let records = PgnSplitter::new(b'\n').records(text.as_bytes()).into_iter();
    records.map(|record| std::str::from_utf8(record).expect("lines of a text")).collect()
}

/// Checks every position of a game's main line, as far as it can be read.
fn check_game(record: &str, tally: &mut Tally) {
    let record = parse(record);
    let start = record.tag("FEN").map_or(Ok(Chess.start()), |fen| Chess.read_position(fen));
    let Ok(mut position) = start else { return };
    let mut fen = String::new();
    tally.check(&position, &mut fen);
    for text in &record.moves {
        let listing = Listing::default();
        let candidates = Candidates::of(&Chess, &position, &listing);
        let Ok(mv) = Chess.read_move(&candidates, text) else { break };
        Chess.play(&mut position, mv);
        tally.check(&position, &mut fen);
    }
}
