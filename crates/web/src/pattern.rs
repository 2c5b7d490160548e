//! The core for patterns: it knows the rules of every game and no codecs, so that it is small. The
//! explorer's core decodes games to candidates, which this one plays.

use plypack::rows::{PatternText, result_of};
use plypack_core::Outcome;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::find;

/// A pattern of a game.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Pattern {
    text: PatternText,
    pattern: plypack_core::Pattern,
    game: &'static dyn plypack_core::ErasedRules,
}

#[wasm_bindgen]
impl Pattern {
    /// Reads a pattern, as `plypack find --pattern` takes it.
    ///
    /// # Errors
    /// Returns an error if it is invalid, or there is no such game.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &str, text: &str) -> Result<Self, JsError> {
        let failed = |error: String| JsError::new(&error);
        let (text, game) = (PatternText::read(text).map_err(failed)?, find(game)?);
        let pattern = text.of(game).map_err(failed)?;
        Ok(Self { text, pattern, game })
    }

    /// The number of matching games to leave out.
    pub fn skip(&self) -> f64 {
        self.text.skip as f64
    }

    /// The most games wanted after those.
    pub fn limit(&self) -> Option<f64> {
        self.text.limit.map(|limit| limit as f64)
    }

    /// Whether the result of a game matters.
    pub fn asks_result(&self) -> bool {
        self.pattern.asks_result()
    }

    /// Whether a game with this outcome may match: 1 White won, 2 a draw, 3 Black won, 0 none of
    /// these.
    pub fn may_end(&self, outcome: u8) -> bool {
        self.pattern.results() & result_of(Outcome::of_number(outcome)) != 0
    }

    /// The frames of which every matching game comes to one, as indices list them; `None` if the
    /// pattern does not tell.
    pub fn frames(&self) -> Option<Vec<u64>> {
        self.pattern.frames()
    }

    /// Whether what is left at the end of a game matters.
    pub fn asks_remains(&self) -> bool {
        self.pattern.asks_remains()
    }

    /// The places of those of these remains with which a game may match.
    pub fn may_leave(&self, remains: &[u64]) -> Vec<u32> {
        let places = (0..).zip(remains);
        places.filter(|(_, left)| self.pattern.may_leave(**left)).map(|(place, _)| place).collect()
    }

    /// Plays these candidates from a start, or the usual one, and returns the plies at which the
    /// conditions are first met in turn; `None` if they are not. The outcome is that of
    /// [`may_end`](Self::may_end).
    ///
    /// # Errors
    /// Returns an error if the start or a candidate is invalid.
    pub fn met(
        &self,
        start: Option<String>,
        candidates: &[u16],
        outcome: u8,
    ) -> Result<Option<Vec<u32>>, JsError> {
        let result = result_of(Outcome::of_number(outcome));
        Ok(self.game.matched(start.as_deref(), candidates, &self.pattern, result)?)
    }
}
