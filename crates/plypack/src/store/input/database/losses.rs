//! What databases hold that their PGN does not, by kind.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most games that are named for each kind.
const NAMED_MAX: usize = 10;

/// Counts that readers fill and the report of packing takes.
#[derive(Clone, Debug, Default)]
pub struct Losses(Arc<Mutex<Kinds>>);

/// For each database and kind, what was lost.
type Kinds = BTreeMap<String, BTreeMap<&'static str, Loss>>;

/// How often a kind was lost, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loss {
    /// The number.
    pub count: u64,
    /// The first games with it, by number from 1.
    pub games: Vec<u32>,
    /// Whether there are more such games than are named.
    pub is_cut: bool,
}

impl Losses {
    /// Counts one more of a kind, in a game of a database.
    pub fn add(&self, database: &str, kind: &'static str, game: u32) {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !kinds.contains_key(database) {
            kinds.insert(database.to_owned(), BTreeMap::new());
        }
        let Some(kinds) = kinds.get_mut(database) else { return };
        let loss = kinds.entry(kind).or_default();
        loss.count += 1;
        if loss.games.last() == Some(&game) {
            return;
        }
        loss.is_cut = loss.games.len() == NAMED_MAX;
        if !loss.is_cut {
            loss.games.push(game);
        }
    }

    /// Returns the counts so far, by database and kind.
    pub fn counts(&self) -> BTreeMap<String, BTreeMap<&'static str, Loss>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
