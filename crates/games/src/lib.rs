//! The games that plypack stores: one folder each, and the registries that list them.
//!
//! Adding a game is one folder, with its `registry.rs`, and one row in `REGISTRY`
//! (`docs/adding-a-game.md`). Rows stand in plain slices, because link-time registration does not
//! work on wasm32.

pub mod chess;
mod common;
#[cfg(feature = "all-games")]
pub mod gomoku;
pub mod link;
#[cfg(feature = "all-games")]
pub mod othello;
#[cfg(feature = "all-games")]
pub mod tictactoe;
#[cfg(feature = "all-games")]
pub mod xiangqi;

use plypack_core::{ErasedGame, ErasedLineCodec, ErasedPositionCodec};

/// A game in the registries.
#[derive(Debug)]
struct Rows {
    /// The game.
    game: &'static dyn ErasedGame,
    /// Its line codecs, in two lists: those that links need, and the rest.
    lines: &'static [&'static [&'static dyn ErasedLineCodec]],
    /// The codec of its positions as texts.
    text: &'static dyn ErasedPositionCodec,
    /// Its position codecs, in two such lists.
    positions: &'static [&'static [&'static dyn ErasedPositionCodec]],
}

/// Every game in the registries.
static REGISTRY: &[&Rows] = &[
    #[cfg(feature = "all-games")]
    &tictactoe::registry::ROWS,
    &chess::registry::ROWS,
    #[cfg(feature = "all-games")]
    &xiangqi::registry::ROWS,
    #[cfg(feature = "all-games")]
    &othello::registry::ROWS,
    #[cfg(feature = "all-games")]
    &gomoku::registry::ROWS,
];

/// Every game, in the order of their numbers.
pub static GAMES: &[&dyn ErasedGame] = &{
    let mut games = [REGISTRY[0].game; REGISTRY.len()];
    let mut at = 1;
    while at < games.len() {
        games[at] = REGISTRY[at].game;
        at += 1;
    }
    games
};

/// The game of this name.
#[must_use]
pub fn game(name: &str) -> Option<&'static dyn ErasedGame> {
    GAMES.iter().copied().find(|game| game.info().name == name)
}

/// The codec of this name for the game of that name.
#[must_use]
pub fn line_codec(game: &str, codec: &str) -> Option<&'static dyn ErasedLineCodec> {
    line_codecs(game).find(|row| row.info().name == codec)
}

/// The codecs to store lines with unless another is asked for, the best first: a game has one of
/// these at least.
const USUAL: [&str; 3] = ["line.default", "line.small", "line.ranked"];

/// The codec to store lines of the game of this name with unless another is asked for.
#[must_use]
pub fn usual_line_codec(game: &str) -> Option<&'static dyn ErasedLineCodec> {
    USUAL.iter().find_map(|codec| line_codec(game, codec))
}

/// Every line codec of the game of this name.
pub fn line_codecs(game: &str) -> impl Iterator<Item = &'static dyn ErasedLineCodec> {
    all_line_codecs().filter(move |row| row.game().info().name == game)
}

/// Every line codec of every game.
pub fn all_line_codecs() -> impl Iterator<Item = &'static dyn ErasedLineCodec> + Clone {
    REGISTRY.iter().flat_map(|rows| rows.lines.iter().copied().flatten().copied())
}

/// The position codec of this name for the game of that name.
#[must_use]
pub fn position_codec(game: &str, codec: &str) -> Option<&'static dyn ErasedPositionCodec> {
    position_codecs(game).find(|row| row.info().name == codec)
}

/// The codec of positions as texts, which every game has; chess' for a game that is not here.
#[must_use]
pub fn position_text(game: &str) -> &'static dyn ErasedPositionCodec {
    let rows = REGISTRY.iter().find(|rows| rows.game.info().name == game);
    rows.map_or(chess::registry::TEXT, |rows| rows.text)
}

/// Every position codec of the game of this name.
pub fn position_codecs(game: &str) -> impl Iterator<Item = &'static dyn ErasedPositionCodec> {
    all_position_codecs().filter(move |row| row.game().info().name == game)
}

/// Every position codec of every game.
pub fn all_position_codecs() -> impl Iterator<Item = &'static dyn ErasedPositionCodec> + Clone {
    REGISTRY.iter().flat_map(|rows| rows.positions.iter().copied().flatten().copied())
}
