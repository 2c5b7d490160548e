//! What databases hold that their PGN does not, by kind.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The most games that are named for each kind.
const NAMED_MAX: usize = 10;

/// The kind that counts comments in which a brace is written as another one.
pub const BRACES: &str = "comments with `}`, which is written as `)`";

/// Counts that readers fill and the report of packing takes.
#[derive(Clone, Debug, Default)]
pub struct Losses(Arc<Mutex<Kinds>>);

/// For each database and kind, what was lost.
type Kinds = BTreeMap<String, BTreeMap<&'static str, Loss>>;

/// How often a kind of thing in a database was left out of its PGN, and where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Loss {
    /// How many there are.
    pub count: u64,
    /// The first games with it, by number from 1.
    pub games: Vec<u32>,
    /// Whether there are more such games than are named.
    pub is_cut: bool,
}

impl Losses {
    /// Begins the counts of a database, of which nothing may be lost.
    pub fn begin(&self, database: &str) {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kinds.entry(database.to_owned()).or_default();
    }

    /// Counts one more of a kind, in a game of a database that was begun.
    pub fn add(&self, database: &str, kind: &'static str, game: u32) {
        let mut kinds = self.0.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Returns the counts so far, by database and kind. A database that was read is in them even if
    /// nothing of it was lost.
    pub fn counts(&self) -> BTreeMap<String, BTreeMap<&'static str, Loss>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
