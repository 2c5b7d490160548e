//! The number of positions shared by games: the size of an index depends on it, and synthetic games
//! must reproduce it.

use std::path::PathBuf;

use serde_json::json;

use crate::corpus::{Corpus, Keys, distinct};

/// The positions of some games, by sharing.
#[derive(Debug, PartialEq, Eq)]
pub struct Shares {
    /// The number of games.
    pub games: usize,
    /// The number of distinct positions.
    pub positions: usize,
    /// The number of distinct pairs of a position and a game that reaches it.
    pub pairs: usize,
    /// The number of positions, and so of pairs, reached by one game alone.
    pub single: usize,
    /// The number of positions reached by 2 to 16 games, and of their pairs.
    pub few: [usize; 2],
}

impl Shares {
    /// Counts them.
    pub fn of(games: &[Keys]) -> Self {
        let all = distinct(games);
        let mut shares =
            Self { games: games.len(), positions: 0, pairs: all.len(), single: 0, few: [0; 2] };
        for same in all.chunk_by(|one, next| one == next) {
            shares.positions += 1;
            match same.len() {
                1 => shares.single += 1,
                count @ 2..=16 => {
                    shares.few[0] += 1;
                    shares.few[1] += count;
                }
                _ => {}
            }
        }
        shares
    }
}

/// Prints the counts of all games and of subsets.
///
/// # Errors
/// Returns an error if an input cannot be read, as a message.
pub fn run(inputs: &[PathBuf], sizes: &[usize], json: bool) -> Result<(), String> {
    let corpus = Corpus::read(inputs)?;
    let games = corpus.lines(|_, keys| keys.clone());
    let mut sizes = sizes.to_vec();
    sizes.retain(|size| *size < games.len());
    sizes.push(games.len());
    if !json {
        println!("    games  pairs a game  in one game only  in 2 to 16  positions of one game");
    }
    for size in sizes {
        let some: Vec<Keys> = spread(games.len(), size).map(|at| games[at].clone()).collect();
        let Shares { games, positions, pairs, single, few } = Shares::of(&some);
        if json {
            println!(
                "{}",
                json!({
                    "games": games, "positions": positions, "pairs": pairs,
                    "single": single, "few_positions": few[0], "few_pairs": few[1],
                })
            );
            continue;
        }
        let percent = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        println!(
            "{games:9} {:13.1} {:15.1} % {:9.1} % {:19.1} %",
            pairs as f64 / games.max(1) as f64,
            percent(single, pairs),
            percent(few[1], pairs),
            percent(single, positions),
        );
    }
    Ok(())
}

/// Returns `some` numbers below `all`, evenly spread, ascending.
pub fn spread(all: usize, some: usize) -> impl Iterator<Item = usize> + Clone {
    let some = some.min(all);
    (0..some).map(move |at| {
        let at = at as u128 * all as u128 / some as u128;
        usize::try_from(at).unwrap_or(0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_by_how_many_games_have_the_position() {
        let mut games: Vec<Keys> = (0..17).map(|game| vec![1, 100 + game]).collect();
        games[0].extend([1, 2, 3]);
        games[1].push(2);
        let shares = Shares::of(&games);
        let expected = Shares { games: 17, positions: 20, pairs: 37, single: 18, few: [1, 2] };
        assert_eq!(shares, expected);
    }

    #[test]
    fn numbers_are_spread_evenly() {
        assert!(spread(10, 4).eq([0, 2, 5, 7]));
        assert!(spread(3, 9).eq([0, 1, 2]));
        assert_eq!(spread(0, 5).count(), 0);
    }
}
