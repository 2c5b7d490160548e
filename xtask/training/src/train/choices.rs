//! The games for training, as lists of choices.

use std::collections::BTreeSet;

use plypack_core::{Candidates, MoveSink, Ply, Rules};

use crate::corpus::{Line, read_lines};

/// A game: its start, and the candidate chosen at each ply.
pub struct Choices {
    /// The start, if it is not the usual one.
    pub start: Option<String>,
    /// The chosen candidates' indices.
    pub indices: Vec<u16>,
    /// How often an epoch includes it.
    pub times: usize,
}

impl Choices {
    /// Replays the game into `sink`.
    pub fn replay<G: Rules>(&self, game: &G, sink: &mut impl MoveSink<G>) {
        let start = match &self.start {
            None => game.start(),
            Some(text) => match game.read_position(text) {
                Ok(position) => position,
                Err(_) => return,
            },
        };
        let mut before = start;
        let mut candidates = Vec::new();
        for &index in &self.indices {
            candidates.clear();
            game.candidates(&before, &mut candidates);
            let mut after = before.clone();
            let index = usize::from(index);
            let mv = candidates[index];
            game.play(&mut after, mv);
            // Candidates after the escape are not weighed, and a game with such a move teaches
            // little.
            candidates.truncate(candidates.len() - game.rare(&candidates));
            if index >= candidates.len() {
                return;
            }
            sink.push(&Ply::new(Candidates::listed(&before, &candidates), mv, &after));
            before = after;
        }
    }
}

struct Collector(Vec<u16>);

impl<G: Rules> MoveSink<G> for Collector {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.0.push(u16::try_from(ply.index()).unwrap_or(u16::MAX));
    }
}

/// Games shorter than this teach nothing.
const PLIES_MIN: usize = 10;

/// Games that agree for this many plies are taken as the same game.
const PLIES_ALIKE: usize = 40;

/// Reads every `every`th game of a file, as far as it is legal.
pub fn read<G: Rules>(game: &G, path: &str, every: usize) -> Result<Vec<Choices>, String> {
    let choices = |line: Line| {
        let start = line.start_position(game)?;
        let mut collector = Collector(Vec::new());
        line.walk(game, start, &mut collector);
        Some(Choices { start: line.start, indices: collector.0, times: 1 })
    };
    Ok(read_lines(path, every)?.into_iter().filter_map(choices).collect())
}

/// Drops short games, and those that agree with an earlier one for 40 plies, or to their end.
pub fn sift(games: Vec<Choices>) -> Vec<Choices> {
    let mut seen = BTreeSet::new();
    let mut keep = |game: &Choices| {
        let head = &game.indices[..game.indices.len().min(PLIES_ALIKE)];
        game.indices.len() >= PLIES_MIN && seen.insert((game.start.clone(), head.to_vec()))
    };
    games.into_iter().filter(|game| keep(game)).collect()
}

/// The plies after which positions are compared to find copies of one game.
const PLIES_COMPARED: std::ops::Range<usize> = 24..45;

/// The positions that identify copies of a game, even truncated or mistyped ones: their texts,
/// hashed.
pub struct Positions<'a, G> {
    game: &'a G,
    plies: usize,
    /// All of them.
    pub all: BTreeSet<u64>,
    /// The position after the last ply.
    pub last: u64,
}

impl<'a, G: Rules> Positions<'a, G> {
    pub fn new(game: &'a G) -> Self {
        Self { game, plies: 0, all: BTreeSet::new(), last: 0 }
    }

    /// Adds a game.
    pub fn add(&mut self, choices: &Choices) {
        self.plies = 0;
        let head = choices.indices.len().min(PLIES_COMPARED.end);
        let indices = choices.indices[..head].to_vec();
        Choices { start: choices.start.clone(), indices, times: 1 }.replay(self.game, self);
    }

    /// Drops the games that share a position with these after 44 plies or, if they end earlier but
    /// not before 24, before their last ply.
    pub fn strict(&self, games: Vec<Choices>) -> Vec<Choices> {
        let copied = |choices: &Choices| {
            let mut own = Positions::new(self.game);
            own.add(&Choices {
                start: choices.start.clone(),
                indices: choices.indices[..choices.indices.len().saturating_sub(1)].to_vec(),
                times: 1,
            });
            own.plies >= PLIES_COMPARED.start && self.all.contains(&own.last)
        };
        games.into_iter().filter(|game| !copied(game)).collect()
    }
}

impl<G: Rules> MoveSink<G> for Positions<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.plies += 1;
        if PLIES_COMPARED.contains(&self.plies) {
            let mut text = String::new();
            self.game.write_position(ply.after, &mut text);
            // Without the counters, which a mistyped game may have wrong.
            let text: Vec<&str> = text.split(' ').take(4).collect();
            self.last = text.concat().bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
            self.all.insert(self.last);
        }
    }
}
