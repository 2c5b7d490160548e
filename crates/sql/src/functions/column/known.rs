//! What texts mean in a game, read once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use datafusion::common::Result;
use plypack_core::ErasedRules;
use plypack_games::GAMES;

use super::walk::failed;

/// By the game's number and the text.
type Meanings<'t, T> = BTreeMap<(u8, &'t str), Option<Arc<T>>>;

/// The meanings of texts, per game; `None` in games in which one has none.
pub(crate) struct Known<'t, T> {
    function: &'static str,
    known: Mutex<Meanings<'t, T>>,
}

impl<'t, T> Known<'t, T> {
    pub fn new(function: &'static str) -> Self {
        Self { function, known: Mutex::default() }
    }

    /// Returns the meaning of a text. One that is invalid in this game may be valid in another, as
    /// tables may hold several games.
    pub fn get(
        &self,
        game: &'static dyn ErasedRules,
        text: &'t str,
        read: impl Fn(&'static dyn ErasedRules) -> Result<T, String>,
    ) -> Result<Option<Arc<T>>> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (game.info().id, text);
        if let Some(found) = known.get(&key) {
            return Ok(found.clone());
        }
        let found = match read(game) {
            Ok(found) => Some(Arc::new(found)),
            Err(_) if GAMES.iter().any(|other| read(*other).is_ok()) => None,
            Err(why) => return Err(failed(self.function, why)),
        };
        known.insert(key, found.clone());
        Ok(found)
    }
}
