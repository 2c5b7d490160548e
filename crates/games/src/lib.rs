//! The games that plypack stores: one folder each, and the registries that list them.
//!
//! Adding a game is one folder, one row in [`GAMES`] and its rows in [`LINE_CODECS`]
//! (`docs/adding-a-game.md`). Rows stand in plain slices, because link-time registration does not
//! work on wasm32.

pub mod chess;
mod common;
pub mod gomoku;
pub mod link;
pub mod othello;
pub mod tictactoe;
pub mod xiangqi;

use plypack_core::codecs::board::{
    aligned::ALIGNED, alternating::Alternating, best_of::best_of, combination::combination,
    huffman::huffman, huffman_fitted::huffman_fitted, lzma::LZMA, nibble::NIBBLE, radix::RADIX,
    radix::RADIX_EVEN, rle::RLE, xor_start::XOR_START_RLE, xor_start::xor_start,
};
use plypack_core::codecs::line::{policy, ranked::ranked, text::Text, uniform::UNIFORM};
use plypack_core::{
    ErasedGame, ErasedLineCodec, ErasedPositionCodec, GameRow, LineRow, PositionRow, position,
};

use chess::board::SHIELDS_WEIGHTS;
use chess::claims;
use chess::codecs::{
    BEST_FOUR, board_model::BoardModel, from_to12::FROM_TO12, nibble16::Nibble16,
    piece_list::PIECE_LIST, piece_list::PIECE_LIST_DRAWN, rank::Rank, san_bits::SAN_BITS,
    san_bits_naive::SAN_BITS_NAIVE,
};
use chess::frequencies::{COUNTS, DIFFERENCES, LENGTHS};
use chess::model::{self, Eyes};
use xiangqi::codecs::{bytes32::Bytes32, candidates::Candidates, map::Map};

/// Every game, in the order of their numbers.
pub static GAMES: &[&dyn ErasedGame] = &[&TICTACTOE, &CHESS, &XIANGQI, &OTHELLO, &GOMOKU];

/// Every line codec of every game.
pub static LINE_CODECS: &[&dyn ErasedLineCodec] = &[
    &LineRow { game: &TICTACTOE, codec: Text, claims: &[] },
    &LineRow { game: &TICTACTOE, codec: UNIFORM, claims: &[] },
    &LineRow { game: &TICTACTOE, codec: ranked(tictactoe::Order), claims: &[] },
    &LineRow { game: &CHESS, codec: Text, claims: claims::TEXT },
    &LineRow { game: &CHESS, codec: UNIFORM, claims: claims::UNIFORM },
    &LineRow { game: &CHESS, codec: ranked(chess::order::Order), claims: claims::RANKED },
    &LineRow { game: &CHESS, codec: policy::small(Eyes, &model::GATE), claims: &[] },
    &LineRow {
        game: &CHESS,
        codec: policy::default(Eyes, &model::GATE, &model::JUDGE, &model::BOOK),
        claims: &[],
    },
    &LineRow { game: &CHESS, codec: FROM_TO12, claims: claims::FROM_TO12 },
    &LineRow { game: &CHESS, codec: SAN_BITS, claims: claims::SAN_BITS },
    &LineRow { game: &CHESS, codec: SAN_BITS_NAIVE, claims: claims::SAN_BITS_NAIVE },
    &LineRow { game: &XIANGQI, codec: Text, claims: &[] },
    &LineRow { game: &XIANGQI, codec: UNIFORM, claims: &[] },
    &LineRow { game: &XIANGQI, codec: ranked(xiangqi::order::Order), claims: &[] },
    &LineRow { game: &OTHELLO, codec: Text, claims: &[] },
    &LineRow { game: &OTHELLO, codec: UNIFORM, claims: &[] },
    &LineRow { game: &OTHELLO, codec: ranked(othello::order::Order), claims: &[] },
    &LineRow {
        game: &OTHELLO,
        codec: policy::small(othello::model::Eyes, &othello::model::GATE),
        claims: &[],
    },
    &LineRow {
        game: &OTHELLO,
        codec: policy::default(
            othello::model::Eyes,
            &othello::model::GATE,
            &othello::model::JUDGE,
            &othello::model::BOOK,
        ),
        claims: &[],
    },
    &LineRow { game: &GOMOKU, codec: Text, claims: &[] },
    &LineRow { game: &GOMOKU, codec: UNIFORM, claims: &[] },
    &LineRow { game: &GOMOKU, codec: ranked(gomoku::order::Order), claims: &[] },
];

/// Every position codec of every game.
pub static POSITION_CODECS: &[&dyn ErasedPositionCodec] = &[
    &PositionRow { game: &TICTACTOE, codec: position::Text, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: NIBBLE, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: ALIGNED, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: RADIX, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: RLE, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: LZMA, claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: huffman(&[5, 2, 2]), claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: combination(&[]), claims: &[] },
    &PositionRow { game: &TICTACTOE, codec: Alternating, claims: &[] },
    &PositionRow { game: &CHESS, codec: position::Text, claims: &[] },
    &PositionRow { game: &CHESS, codec: NIBBLE, claims: claims::NIBBLE },
    &PositionRow { game: &CHESS, codec: ALIGNED, claims: &[] },
    &PositionRow { game: &CHESS, codec: RADIX_EVEN, claims: claims::RADIX_EVEN },
    &PositionRow { game: &CHESS, codec: RADIX, claims: claims::RADIX },
    &PositionRow { game: &CHESS, codec: huffman(SHIELDS_WEIGHTS), claims: claims::HUFFMAN },
    &PositionRow { game: &CHESS, codec: huffman_fitted(LENGTHS), claims: &[] },
    &PositionRow { game: &CHESS, codec: xor_start(DIFFERENCES), claims: claims::XOR_START },
    &PositionRow { game: &CHESS, codec: XOR_START_RLE, claims: claims::XOR_START_RLE },
    &PositionRow { game: &CHESS, codec: RLE, claims: &[] },
    &PositionRow { game: &CHESS, codec: LZMA, claims: &[] },
    &PositionRow { game: &CHESS, codec: combination(COUNTS), claims: &[] },
    &PositionRow { game: &CHESS, codec: best_of(BEST_FOUR), claims: claims::BEST_OF },
    &PositionRow { game: &CHESS, codec: Nibble16, claims: claims::NIBBLE16 },
    &PositionRow { game: &CHESS, codec: PIECE_LIST, claims: claims::PIECE_LIST },
    &PositionRow { game: &CHESS, codec: PIECE_LIST_DRAWN, claims: claims::PIECE_LIST_DRAWN },
    &PositionRow { game: &CHESS, codec: Rank, claims: &[] },
    &PositionRow { game: &CHESS, codec: BoardModel, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: position::Text, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: NIBBLE, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: ALIGNED, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: RADIX_EVEN, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: RADIX, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: huffman(xiangqi::frequencies::SYMBOLS), claims: &[] },
    &PositionRow {
        game: &XIANGQI,
        codec: xor_start(xiangqi::frequencies::DIFFERENCES),
        claims: &[],
    },
    &PositionRow { game: &XIANGQI, codec: XOR_START_RLE, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: RLE, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: LZMA, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: combination(xiangqi::frequencies::COUNTS), claims: &[] },
    &PositionRow { game: &XIANGQI, codec: Candidates, claims: xiangqi::claims::CANDIDATES },
    &PositionRow { game: &XIANGQI, codec: Bytes32, claims: xiangqi::claims::BYTES32 },
    &PositionRow { game: &XIANGQI, codec: Map, claims: &[] },
    &PositionRow { game: &XIANGQI, codec: xiangqi::codecs::rank::Rank, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: position::Text, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: NIBBLE, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: ALIGNED, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: RADIX, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: huffman(&[2, 1, 1]), claims: &[] },
    &PositionRow { game: &OTHELLO, codec: XOR_START_RLE, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: RLE, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: LZMA, claims: &[] },
    &PositionRow { game: &OTHELLO, codec: combination(&[]), claims: &[] },
    &PositionRow { game: &OTHELLO, codec: othello::codecs::bytes13::Bytes13, claims: &[] },
    &PositionRow { game: &GOMOKU, codec: position::Text, claims: &[] },
    &PositionRow { game: &GOMOKU, codec: NIBBLE, claims: &[] },
    &PositionRow { game: &GOMOKU, codec: ALIGNED, claims: &[] },
    &PositionRow { game: &GOMOKU, codec: RADIX, claims: &[] },
    &PositionRow { game: &GOMOKU, codec: huffman(&[4, 1, 1]), claims: &[] },
    &PositionRow { game: &GOMOKU, codec: RLE, claims: &[] },
    &PositionRow { game: &GOMOKU, codec: LZMA, claims: &[] },
    &PositionRow { game: &GOMOKU, codec: combination(&[]), claims: &[] },
    &PositionRow { game: &GOMOKU, codec: Alternating, claims: &[] },
];

static TICTACTOE: GameRow<tictactoe::TicTacToe> = GameRow(tictactoe::TicTacToe);
static CHESS: GameRow<chess::Chess> = GameRow(chess::Chess);
static XIANGQI: GameRow<xiangqi::Xiangqi> = GameRow(xiangqi::Xiangqi);
static OTHELLO: GameRow<othello::Othello> = GameRow(othello::Othello);
static GOMOKU: GameRow<gomoku::Gomoku> = GameRow(gomoku::Gomoku);

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
