//! The requested pattern.

use plypack::rows::{PatternText, matched};
use plypack_core::Outcome;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use super::row::Row;
use crate::find;

/// A pattern of games.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Pattern {
    text: PatternText,
    pattern: plypack_core::Pattern,
}

#[wasm_bindgen]
impl Pattern {
    /// Reads a pattern of a game.
    ///
    /// # Errors
    /// Returns an error if it is none, or there is no such game.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &str, text: &str) -> Result<Self, JsError> {
        let failed = |error: String| JsError::new(&error);
        let text = PatternText::read(text).map_err(failed)?;
        let pattern = text.of(find(game)?).map_err(failed)?;
        Ok(Self { text, pattern })
    }

    /// Whether results decide about it.
    pub fn asks_result(&self) -> bool {
        self.pattern.asks_result()
    }

    /// The number of matching games to leave out.
    pub fn skip(&self) -> f64 {
        self.text.skip as f64
    }

    /// The most games wanted after those.
    pub fn limit(&self) -> Option<f64> {
        self.text.limit.map(|limit| limit as f64)
    }
}

#[wasm_bindgen]
impl Row {
    /// Returns the plies at which the main line of a game with this outcome, a number as in
    /// `Row::told`, first meets the conditions of a pattern in turn; `None` if it does not.
    ///
    /// # Errors
    /// Returns a message if the row is invalid.
    pub fn met(&self, pattern: &Pattern, outcome: u8) -> Result<Option<Vec<u32>>, JsError> {
        let found = matched(&self.stored(), &pattern.pattern, Outcome::of_number(outcome));
        found.map_err(|error| JsError::new(&error))
    }
}
