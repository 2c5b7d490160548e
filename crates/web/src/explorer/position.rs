//! The requested position.

use plypack::rows::Target;
use plypack_core::{Error, Notation};
use plypack_index::Spot;
use wasm_bindgen::prelude::{JsError, wasm_bindgen};

use crate::find;

/// Returns the keys after lines of a game, whose moves are in customary notation, separated by
/// spaces; 0 where a move is illegal.
///
/// # Errors
/// Returns an error if there is no such game.
#[wasm_bindgen]
pub fn keys_behind(game: &str, lines: Vec<String>) -> Result<Vec<u64>, JsError> {
    let game = find(game)?;
    let key = |line: &str| -> Result<u64, Error> {
        let mut cursor = game.cursor(None)?;
        line.split(' ').try_for_each(|text| cursor.read(text).map(drop))?;
        Ok(cursor.key())
    };
    Ok(lines.iter().map(|line| key(line).unwrap_or(0)).collect())
}

/// A position of a game.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Position {
    pub(super) target: Target,
}

#[wasm_bindgen]
impl Position {
    /// Plays these moves, in any notation, from a start, or the game's usual one.
    ///
    /// # Errors
    /// Returns an error if the start or a move cannot be read, or there is no such game.
    #[wasm_bindgen(constructor)]
    pub fn new(game: &str, start: Option<String>, moves: &str) -> Result<Self, JsError> {
        Ok(Self { target: Target::read(find(game)?, start.as_deref(), moves)? })
    }

    /// The position in canonical spelling.
    pub fn text(&self) -> String {
        self.target.text().into()
    }

    /// Its key.
    pub fn key(&self) -> u64 {
        self.target.key()
    }

    /// Where indices list it.
    pub(super) fn place(&self) -> u64 {
        Spot { structure: self.target.structure(), key: self.target.key() }.place()
    }

    /// The keys of the positions after its candidates.
    ///
    /// # Errors
    /// Never fails, as the position was read before.
    pub fn keys(&self) -> Result<Vec<u64>, JsError> {
        let mut cursor = self.target.game().cursor(Some(self.target.text()))?;
        let mut keys = Vec::new();
        for candidate in 0..u16::try_from(cursor.candidates()).unwrap_or(u16::MAX) {
            let mut behind = cursor.fork(u32::MAX);
            behind.play(candidate)?;
            keys.push(behind.key());
        }
        Ok(keys)
    }

    /// Its candidates in customary notation.
    ///
    /// # Errors
    /// Never fails, as the position was read before.
    pub fn moves(&self) -> Result<Vec<String>, JsError> {
        Ok(self.target.candidates(Notation::Customary)?)
    }

    /// Its candidates as squares.
    ///
    /// # Errors
    /// Never fails, as the position was read before.
    pub fn coordinates(&self) -> Result<Vec<String>, JsError> {
        Ok(self.target.candidates(Notation::Coordinate)?)
    }
}

impl Position {
    /// Whether these moves lead to the position.
    pub(super) fn is_behind(&self, start: Option<&str>, moves: &[u16]) -> Result<bool, Error> {
        let mut cursor = self.target.game().cursor(start)?;
        moves.iter().try_for_each(|&candidate| cursor.play(candidate))?;
        Ok(self.target.is_at(&*cursor))
    }
}
