//! What the chores share that learn an order of candidates: playing games by it, and the bits that
//! tables of its ranks cost.

use plypack_core::codecs::line::ranked::{self, MoveOrder};
use plypack_core::{Candidates, GameInfo, MoveSink, Ply};

use crate::corpus::{Line, file_name};
use crate::games::{State, Subject};

/// Learns from moves.
pub trait Learner<G: Subject> {
    fn learn(&mut self, state: &State<G>, ply: &Ply<'_, G>);
}

struct Follower<'a, G: Subject, L> {
    state: State<G>,
    learner: &'a mut L,
}

impl<G: Subject, L: Learner<G>> MoveSink<G> for Follower<'_, G, L> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        let usual = ply.candidates.len() - G::GAME.rare(&ply.candidates);
        if ply.index() < usual {
            let candidates = Candidates::listed(ply.before, &ply.candidates[..usual]);
            self.learner.learn(&self.state, &Ply::new(candidates, ply.mv(), ply.after));
        }
        G::ORDER.update(&mut self.state, ply);
    }
}

/// Replays a game, as far as it is legal. Rare moves teach nothing.
pub fn replay<G: Subject>(game: &Line, learner: &mut impl Learner<G>) {
    let Some(start) = game.start_position(&G::GAME) else { return };
    let mut follower = Follower { state: G::ORDER.begin(&start), learner };
    game.walk(&G::GAME, start, &mut follower);
}

/// Returns the rank of the candidate played.
pub fn rank(keys: &[i32], index: usize) -> usize {
    let played = keys[index];
    let before = |(at, &key): (usize, &i32)| key > played || key == played && at < index;
    keys.iter().enumerate().filter(|&each| before(each)).count()
}

/// Sums of a coder's bits: by rank, and with all candidates equally likely.
#[derive(Default)]
pub struct Meter {
    plies: f64,
    ranked: f64,
    uniform: f64,
    first: f64,
}

impl Meter {
    /// Adds a move, of this many candidates; `place` returns its rank, and the table of ranks.
    pub fn add<'t>(&mut self, candidates: usize, place: impl FnOnce() -> (usize, &'t [u16])) {
        self.plies += 1.0;
        if candidates > 1 {
            let (rank, by_rank) = place();
            let weight = |rank: usize| f64::from(by_rank[rank.min(by_rank.len() - 1)]);
            let total: f64 = (0..candidates).map(weight).sum();
            self.ranked += (total / weight(rank)).log2();
            self.uniform += (candidates as f64).log2();
            self.first += f64::from(u8::from(rank == 0));
        } else {
            self.first += 1.0;
        }
    }

    /// Prints the means for the games of a file.
    pub fn print(&self, path: &str) {
        let Self { plies, ranked, uniform, first } = self;
        println!(
            "{}: {plies} plies, net bits a ply: ranked {:.4}, uniform {:.4}; first rank {:.1} %",
            file_name(path),
            ranked / plies,
            uniform / plies,
            100.0 * first / plies,
        );
    }
}

/// Writes the file of a game's order.
pub fn write(game: &GameInfo, weights: &[i8], tables: &[Vec<u16>]) -> Result<(), String> {
    let file = format!("crates/tables/{}/ranked.order", game.name);
    let order = ranked::file(weights, tables).ok_or("there are too many features or ranks")?;
    std::fs::write(&file, order).map_err(|error| format!("{file}: {error}"))
}
