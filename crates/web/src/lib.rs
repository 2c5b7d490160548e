//! The cores of the pages, for a browser: the viewer's, that of the explorer without a server, and
//! one for its patterns alone.

#[cfg(feature = "explorer")]
pub mod explorer;
#[cfg(feature = "patterns")]
pub mod pattern;
mod sliding;
#[cfg(feature = "viewer")]
mod tree;
#[cfg(feature = "viewer")]
pub mod viewer;

use plypack_core::ErasedRules;
use plypack_games::GAMES;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// Returns the table of sliding moves that the build left out of this module.
#[wasm_bindgen]
pub fn sliding_moves() -> Vec<u64> {
    sliding::table()
}

fn find(name: &str) -> Result<&'static dyn ErasedRules, JsError> {
    plypack_games::game(name).ok_or_else(|| {
        let names: Vec<&str> = GAMES.iter().map(|game| game.info().name).collect();
        JsError::new(&format!("there is no game `{name}`; there are {}", names.join(", ")))
    })
}
