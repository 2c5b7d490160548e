//! The explorer's part of the core, for reading a packed file and its index from a host without a
//! server: the page fetches ranges of bytes and parses Parquet; this module does the rest.

mod index;
mod position;
mod row;

use plypack::rows::facts::Outcome;
use sha2::{Digest, Sha256};
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

/// The outcome in a Result tag: 1 White won, 2 a draw, 3 Black won, 0 none of these.
#[wasm_bindgen]
pub fn outcome(result: &str) -> u8 {
    Outcome::number(Outcome::read(result))
}

/// Returns the SHA-256 of some bytes, by which indices identify row groups. The browsers' own
/// function is available only on pages from secure hosts.
#[wasm_bindgen]
pub fn sha256(bytes: &[u8]) -> Vec<u8> {
    Sha256::digest(bytes).to_vec()
}

/// Decodes the texts of a block of prose. The records of its rows with texts have these checksums.
///
/// # Errors
/// Returns a message if it is damaged, or of other rows.
#[wasm_bindgen]
pub fn prose(code: &[u8], checksums: &[u32]) -> Result<Vec<String>, JsError> {
    let texts = plypack::rows::prose::decode(code, checksums)?;
    Ok(texts.iter().map(str::to_owned).collect())
}

/// Whether this build can read moves coded by this codec, given its name in files.
#[wasm_bindgen]
pub fn knows(codec: &str) -> bool {
    plypack_games::stored_line_codec(codec).is_ok()
}
