//! What the explorer needs to read a packed file and its index from a host without a server: the
//! page fetches ranges of bytes and reads Parquet; here is what only plypack knows.

mod index;
mod position;
mod row;

use plypack_rows::facts::Outcome;
use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::wasm_bindgen;

/// The outcome that a Result means: 1, White won, 2, a draw, 3, Black won, or 0, none of these.
#[wasm_bindgen]
#[must_use]
pub fn outcome(result: &str) -> u8 {
    code(Outcome::read(result))
}

/// The SHA-256 of some bytes, by which indices know row groups. What browsers have for it works in
/// pages from safe hosts only.
#[wasm_bindgen]
#[must_use]
pub fn sha256(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}

fn code(outcome: Option<Outcome>) -> u8 {
    match outcome {
        None => 0,
        Some(Outcome::White) => 1,
        Some(Outcome::Draw) => 2,
        Some(Outcome::Black) => 3,
    }
}

/// Whether moves that were coded by this codec are read here; by its name in files.
#[wasm_bindgen]
#[must_use]
pub fn knows(codec: &str) -> bool {
    plypack_games::stored_line_codec(codec).is_ok()
}
