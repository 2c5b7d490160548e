//! Real games: their texts, and for those that can be altered their moves and position keys.

use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

use plypack_core::line::TextSource;
use plypack_core::{MoveSink, Ply, Rules, walk};
use plypack_games::chess::Chess;
use plypack_records::pgn::{self, PgnSplitter};
use plypack_records::{Record, Splitter, charset};
use rayon::prelude::*;

/// The games of some inputs.
#[derive(Debug, Default)]
pub struct Corpus {
    bytes: Vec<u8>,
    records: Vec<Range<usize>>,
}

/// A game from the usual start with only legal moves.
#[derive(Debug)]
pub struct Line {
    /// The number of its record in the corpus, from 0.
    pub record: usize,
    /// The candidate played at each ply. No position of chess has more than 218.
    pub moves: Vec<u8>,
}

impl Corpus {
    /// Reads PGN, or PGN compressed by zstd.
    ///
    /// # Errors
    /// Returns an error if an input cannot be read, as a message.
    pub fn read(paths: &[impl AsRef<Path>]) -> Result<Self, String> {
        let mut corpus = Self::default();
        for path in paths {
            let path = path.as_ref();
            let named = |error: std::io::Error| format!("{}: {error}", path.display());
            let mut file = File::open(path).map_err(named)?;
            let mut bytes = Vec::new();
            match path.extension().is_some_and(|extension| extension == "zst") {
                true => zstd::Decoder::new(file)
                    .and_then(|mut decoder| decoder.read_to_end(&mut bytes))
                    .map_err(named)?,
                false => file.read_to_end(&mut bytes).map_err(named)?,
            };
            corpus.add(&bytes);
        }
        Ok(corpus)
    }

    /// Adds the games of a text.
    pub fn add(&mut self, text: &[u8]) {
        let mut start = self.bytes.len();
        self.bytes.extend_from_slice(text);
        for record in PgnSplitter::new(b'\n').records(text) {
            let range = start..start + record.len();
            start = range.end;
            // Text before the first tag of an input is not a game.
            if record.contains(&b'[') {
                self.records.push(range);
            }
        }
    }

    /// The number of games.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The bytes of a game.
    pub fn bytes(&self, record: usize) -> &[u8] {
        let range = self.records.get(record).cloned().unwrap_or_default();
        self.bytes.get(range).unwrap_or_default()
    }

    /// Returns the result of `made` for each game that can be altered.
    pub fn lines<T: Send>(&self, made: impl Fn(Line, &Keys) -> T + Sync) -> Vec<T> {
        let read = |record| {
            let (_, text) = charset::decode(self.bytes(record), "");
            let (moves, keys) = play(&pgn::parse(&text))?;
            Some(made(Line { record, moves }, &keys))
        };
        (0..self.len()).into_par_iter().filter_map(read).collect()
    }
}

/// The keys of a line's positions: at the start and after each ply.
pub type Keys = Vec<u64>;

/// Returns the moves and keys of a record; `None` if it has another start or an illegal move.
fn play(record: &Record<'_>) -> Option<(Vec<u8>, Keys)> {
    if record.tag("FEN").is_some() {
        return None;
    }
    let mut sink = Played { moves: Vec::new(), keys: vec![Chess.key(&Chess.start())] };
    let mut source = TextSource::new(&Chess, record.moves.iter().copied());
    let end = walk(&Chess, Chess.start(), &mut source, &mut sink);
    end.stopped.is_none().then_some((sink.moves, sink.keys))
}

struct Played {
    moves: Vec<u8>,
    keys: Keys,
}

impl MoveSink<Chess> for Played {
    fn push(&mut self, ply: &Ply<'_, Chess>) {
        self.moves.push(u8::try_from(ply.index()).unwrap_or(u8::MAX));
        self.keys.push(Chess.key(ply.after));
    }
}

/// Returns the keys that occur in more than one game, ascending. `games` holds the keys of each.
pub fn shared(games: &[Keys]) -> Vec<u64> {
    let mut all = distinct(games);
    let mut kept = 0;
    let mut at = 0;
    while at < all.len() {
        let same = all[at..].iter().take_while(|key| **key == all[at]).count();
        if same > 1 {
            all[kept] = all[at];
            kept += 1;
        }
        at += same;
    }
    all.truncate(kept);
    all.shrink_to_fit();
    all
}

/// Returns the keys of all games, ascending, each once per game that has it.
pub fn distinct(games: &[Keys]) -> Vec<u64> {
    let mut all = Vec::with_capacity(games.iter().map(Vec::len).sum());
    let mut own = Vec::new();
    for keys in games {
        own.clone_from(keys);
        own.sort_unstable();
        own.dedup();
        all.extend_from_slice(&own);
    }
    all.par_sort_unstable();
    all
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Three games: two that meet after four plies, and a separate one.
    pub const REAL: &str = "\
[Event \"Ours\"]
[White \"Ann\"]
[Black \"Bob\"]
[Result \"1-0\"]
[WhiteElo \"2501\"]
[BlackElo \"2402\"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O
9. h3 Nb8 10. d4 Nbd7 1-0

[Event \"Ours\"]
[White \"Cleo\"]
[Black \"Dan\"]
[Result \"0-1\"]

1. Nf3 Nc6 2. e4 e5 3. Bc4 Bc5 4. c3 Nf6 5. d3 d6 6. O-O O-O 7. Re1 a6 8. Bb3 Ba7
9. h3 h6 10. Nbd2 Nh5 0-1

[Event \"Ours\"]
[White \"Eve\"]
[Black \"Ann\"]
[Result \"1/2-1/2\"]

1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. cxd5 exd5 5. Bg5 Be7 6. e3 c6 7. Bd3 Nbd7 8. Qc2 O-O
9. Nf3 Re8 10. O-O Nf8 1/2-1/2

";

    #[test]
    fn records_are_cut_and_only_games_of_legal_moves_are_lines() {
        let mut corpus = Corpus::default();
        corpus.add(REAL.as_bytes());
        corpus.add(
            b"\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n[White \"F\"]\n\n1. e5 *\n",
        );
        assert_eq!(corpus.len(), 5);
        assert!(corpus.bytes(1).starts_with(b"[Event \"Ours\"]\n[White \"Cleo\"]"));
        let lines = corpus.lines(|line, keys| (line.record, line.moves.len(), keys.len()));
        assert_eq!(lines, [(0, 20, 21), (1, 20, 21), (2, 20, 21)]);
    }

    #[test]
    fn a_position_is_shared_by_games_and_not_within_one() {
        let games = [vec![5, 1, 5, 2], vec![2, 9, 1], vec![7, 7, 1]];
        assert_eq!(shared(&games), [1, 2]);
        assert_eq!(distinct(&games), [1, 1, 1, 2, 2, 5, 7, 9]);
    }
}
