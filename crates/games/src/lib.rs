//! The games that plypack stores: one folder each, and the registries that list them.
//!
//! Adding a game is one folder, one row in [`GAMES`] and its rows in [`LINE_CODECS`]
//! (`docs/adding-a-game.md`). Rows stand in plain slices, because link-time registration does not
//! work on wasm32.

pub mod chess;
mod common;
pub mod othello;
pub mod tictactoe;

use plypack_core::codecs::board::{
    combination::combination, huffman::huffman, lzma::LZMA, nibble::NIBBLE, radix::RADIX,
    radix::RADIX_EVEN, rle::RLE, xor_start::XOR_START_RLE,
};
use plypack_core::codecs::line::{ranked::ranked, text::Text, uniform::UNIFORM};
use plypack_core::{
    ErasedGame, ErasedLineCodec, ErasedPositionCodec, GameRow, LineRow, PositionRow, position,
};

/// Every game, in the order of their numbers.
pub static GAMES: &[&dyn ErasedGame] = &[&TICTACTOE, &CHESS, &OTHELLO];

/// Every line codec of every game.
pub static LINE_CODECS: &[&dyn ErasedLineCodec] = &[
    &LineRow { game: &TICTACTOE, codec: Text, claims: &[] },
    &LineRow { game: &TICTACTOE, codec: UNIFORM, claims: &[] },
    &LineRow { game: &TICTACTOE, codec: ranked(tictactoe::Order), claims: &[] },
    &LineRow { game: &CHESS, codec: Text, claims: chess::claims::TEXT },
    &LineRow { game: &CHESS, codec: UNIFORM, claims: chess::claims::UNIFORM },
    &LineRow { game: &CHESS, codec: ranked(chess::order::Order), claims: chess::claims::RANKED },
    &LineRow { game: &OTHELLO, codec: Text, claims: &[] },
    &LineRow { game: &OTHELLO, codec: UNIFORM, claims: &[] },
    &LineRow { game: &OTHELLO, codec: ranked(othello::order::Order), claims: &[] },
];

/// Every position codec of every game.
pub static POSITION_CODECS: &[&dyn ErasedPositionCodec] = &[
    &PositionRow { game: &TICTACTOE, codec: position::Text, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: NIBBLE, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: RADIX, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: RLE, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: LZMA, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: huffman(&[5, 2, 2]), claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: combination(&[]), claims: &[] },
    &PositionRow { game: &CHESS, codec: position::Text, claims: &[] },
    &PositionRow { game: &CHESS, codec: NIBBLE, claims: &[] },
    &PositionRow { game: &CHESS, codec: RADIX_EVEN, claims: &[] },
    &PositionRow { game: &CHESS, codec: RADIX, claims: &[] },
    &PositionRow { game: &CHESS, codec: huffman(chess::board::SHIELDS_WEIGHTS), claims: &[] },
    &PositionRow { game: &CHESS, codec: XOR_START_RLE, claims: &[] },
    &PositionRow { game: &CHESS, codec: RLE, claims: &[] },
    &PositionRow { game: &CHESS, codec: LZMA, claims: &[] },
    &PositionRow { game: &CHESS, codec: combination(&[]), claims: &[] },
    &PositionRow { game: &OTHELLO, codec: position::Text, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: NIBBLE, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: RADIX, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: huffman(&[2, 1, 1]), claims: &[] },
    &PositionRow { game: &OTHELLO, codec: XOR_START_RLE, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: RLE, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: LZMA, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: combination(&[]), claims: &[] },
    &PositionRow { game: &OTHELLO, codec: othello::codecs::bytes13::Bytes13, claims: &[] },
];

static TICTACTOE: GameRow<tictactoe::TicTacToe> = GameRow(tictactoe::TicTacToe);
static CHESS: GameRow<chess::Chess> = GameRow(chess::Chess);
static OTHELLO: GameRow<othello::Othello> = GameRow(othello::Othello);

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

/// Every line codec of the game of this name.
pub fn line_codecs(game: &str) -> impl Iterator<Item = &'static dyn ErasedLineCodec> {
    LINE_CODECS.iter().copied().filter(move |row| row.game().info().name == game)
}

/// The position codec of this name for the game of that name.
#[must_use]
pub fn position_codec(game: &str, codec: &str) -> Option<&'static dyn ErasedPositionCodec> {
    position_codecs(game).find(|row| row.info().name == codec)
}

/// Every position codec of the game of this name.
pub fn position_codecs(game: &str) -> impl Iterator<Item = &'static dyn ErasedPositionCodec> {
    POSITION_CODECS.iter().copied().filter(move |row| row.game().info().name == game)
}
