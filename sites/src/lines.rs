//! Opening lines, as kept by a site's users.

use std::path::Path;

use anyhow::{Context, Result, ensure};

/// One line from the usual start.
#[derive(Debug)]
pub struct Opening {
    /// Its moves in SAN, separated by spaces.
    pub moves: String,
    /// The number of plies.
    pub plies: usize,
    /// The position after them as EPD: FEN without its counters.
    pub position: String,
    /// The position's key.
    pub key: u64,
}

/// Reads PGN without comments and variations, such as lists of openings.
///
/// # Errors
/// Returns an error if the file cannot be read or has no lines, or if a move is illegal.
pub fn read(path: &Path) -> Result<Vec<Opening>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut openings = Vec::new();
    let mut moves = Vec::new();
    // A tag or the end of the file ends the game before it.
    for line in text.lines().chain(["["]) {
        if !line.starts_with('[') {
            moves.extend(sans(line));
        } else if !moves.is_empty() {
            let number = openings.len() + 1;
            openings.push(opening(&moves).with_context(|| format!("game {number}"))?);
            moves.clear();
        }
    }
    ensure!(!openings.is_empty(), "{} has no games", path.display());
    Ok(openings)
}

fn opening(moves: &[&str]) -> Result<Opening> {
    let mut steps = "chess".parse::<plypack::Rules>()?.cursor(None)?;
    let mut texts = Vec::with_capacity(moves.len());
    for mv in moves {
        steps.play(mv)?;
        texts.push(steps.last_move(plypack::Notation::Customary));
    }
    Ok(Opening {
        moves: texts.join(" "),
        plies: texts.len(),
        position: epd(&steps.position()).to_owned(),
        key: steps.key(),
    })
}

/// Returns the moves of a line of PGN, with or without spaces after their numbers.
pub fn sans(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split_ascii_whitespace();
    let words = words.map(|word| word.rsplit_once('.').map_or(word, |(_, mv)| mv));
    words.filter(|word| !matches!(*word, "" | "*" | "1-0" | "0-1" | "1/2-1/2"))
}

/// Returns a FEN without its counters.
pub fn epd(fen: &str) -> &str {
    let end = fen.match_indices(' ').nth(3).map_or(fen.len(), |(at, _)| at);
    &fen[..end]
}

/// Formats the moves as Buffett prints them: `1.e4 d5 2.exd5`.
pub fn numbered(moves: &str) -> String {
    let number = |(ply, mv): (usize, &str)| match ply % 2 {
        0 => format!("{}.{mv}", ply / 2 + 1),
        _ => mv.to_owned(),
    };
    moves.split(' ').enumerate().map(number).collect::<Vec<_>>().join(" ")
}

/// The key of a row: its user, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// The user.
    pub owner: i32,
    /// The number of the line among the user's.
    pub number: i32,
}

/// The number of lines per user.
pub const LINES_A_USER: u64 = 5_000;

/// The rows of a table: the openings repeated under new keys.
#[derive(Clone, Copy, Debug)]
pub struct Rows {
    /// The number of rows.
    pub count: u64,
    /// The number of openings.
    pub openings: u64,
}

impl Rows {
    /// Returns the row's key.
    pub fn key(self, row: u64) -> Result<Key> {
        Ok(Key {
            owner: i32::try_from(row / LINES_A_USER)?,
            number: i32::try_from(row % LINES_A_USER)?,
        })
    }

    /// Returns the index of the row's opening. Neighbouring rows have openings that are not
    /// neighbours.
    pub fn opening(self, row: u64) -> Result<usize> {
        /// A prime, so that every opening occurs.
        const STRIDE: u64 = 1_000_003;
        Ok(usize::try_from(row % self.openings * STRIDE % self.openings)?)
    }
}

/// Pseudo-random numbers, the same in every run (SplitMix64).
#[derive(Debug)]
pub struct Random(pub u64);

impl Random {
    /// Returns a number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % end.max(1)
    }
}
