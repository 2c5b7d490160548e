//! The positions to query: drawn from games that the file may or may not contain.

use std::path::PathBuf;

use plypack_records::{charset, pgn};

use crate::corpus::Corpus;
use crate::random::Random;

/// The plies after which positions are drawn.
const PLIES: std::ops::RangeInclusive<usize> = 2..=60;

/// A position, and a player who reached it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position's text.
    pub fen: String,
    /// The number of plies after which it was drawn.
    pub ply: usize,
    /// One of the players of the game from which it was drawn.
    pub player: String,
}

/// Draws positions: random games, and a random ply of each.
///
/// # Errors
/// Returns an error if an input cannot be read or has no game that is long enough, as a message.
pub fn draw(inputs: &[PathBuf], count: usize, seed: u64) -> Result<Vec<Sample>, String> {
    let corpus = Corpus::read(inputs)?;
    let mut lines = corpus.lines(|line, _| line);
    lines.retain(|line| line.moves.len() >= *PLIES.start());
    if lines.is_empty() {
        return Err("no game is long enough to draw positions from".into());
    }
    let chess = plypack_games::game("chess").ok_or("this build lacks chess")?;
    let sample = |number| {
        let mut random = Random::of(seed, number as u64);
        let line = &lines[random.below(lines.len())];
        let last = line.moves.len().min(*PLIES.end());
        let ply = PLIES.start() + random.below(last - PLIES.start() + 1);
        let mut cursor = chess.cursor(None).map_err(|error| error.to_string())?;
        for &index in &line.moves[..ply] {
            cursor.play(index.into()).map_err(|error| error.to_string())?;
        }
        let mut fen = String::new();
        cursor.write_position(&mut fen);
        let text = charset::decode(corpus.bytes(line.record), "").1;
        let side = ["White", "Black"][random.below(2)];
        let tags = pgn::parse_tags(&text).0;
        let player = tags.into_iter().find(|(name, _)| *name == side);
        let player = player.map(|(_, value)| value.into_owned()).unwrap_or_default();
        Ok(Sample { fen, ply, player })
    };
    (0..count).map(sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::tests::REAL;

    #[test]
    fn positions_and_players_are_drawn_of_games() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("real.pgn");
        std::fs::write(&path, REAL).expect("a file");
        let inputs = [path];
        let samples = draw(&inputs, 200, 3).expect("games");
        assert_eq!(samples, draw(&inputs, 200, 3).expect("games"));
        assert_ne!(samples, draw(&inputs, 200, 4).expect("games"));
        let plies: std::collections::BTreeSet<usize> = samples.iter().map(|s| s.ply).collect();
        assert!(plies.into_iter().eq(2..=20));
        let chess = plypack_games::game("chess").expect("it is there");
        for Sample { fen, ply, player } in &samples {
            assert!(["Ann", "Bob", "Cleo", "Dan", "Eve"].contains(&player.as_str()));
            let turn = chess.turn(Some(fen)).expect("a position");
            assert_eq!(turn.second, ply % 2 == 1, "{fen}");
        }
    }
}
