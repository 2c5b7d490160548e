//! Tic-tac-toe in the registries: the codecs that links need, and the others.

use plypack_core::codecs::board::combination::combination;
use plypack_core::codecs::line::{ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec, GameRow, LineRow, PositionRow, position};

use crate::Tier;
use crate::common::registry::rows;
use crate::tictactoe::Order;

rows!(TicTacToe, &[Tier::small(RANKED),]);

static RANKED: &dyn ErasedLineCodec = &LineRow { game: &GAME, codec: ranked(Order), claims: &[] };

static LINES: &[&dyn ErasedLineCodec] =
    &[&LineRow { game: &GAME, codec: UNIFORM, claims: &[] }, RANKED];

static POSITIONS: &[&dyn ErasedPositionCodec] =
    &[TEXT, &PositionRow { game: &GAME, codec: combination(&[]), claims: &[] }];

/// Codecs that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::blocks::{Blocks, Plain};
    use plypack_core::codecs::board::{
        aligned::ALIGNED, alternating::Alternating, huffman::huffman, nibble::NIBBLE, radix::RADIX,
        rle::RLE,
    };
    use plypack_core::codecs::line::text::Text;
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec, LineRow, PositionRow};

    use super::GAME;

    pub static LINES: &[&dyn ErasedLineCodec] =
        &[&LineRow { game: &GAME, codec: Text, claims: &[] }];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        &PositionRow { game: &GAME, codec: NIBBLE, claims: &[] },
        &PositionRow { game: &GAME, codec: ALIGNED, claims: &[] },
        &PositionRow { game: &GAME, codec: Blocks { walk: Plain }, claims: &[] },
        &PositionRow { game: &GAME, codec: RADIX, claims: &[] },
        &PositionRow { game: &GAME, codec: RLE, claims: &[] },
        #[cfg(feature = "literature")]
        &PositionRow { game: &GAME, codec: plypack_core::codecs::board::lzma::LZMA, claims: &[] },
        &PositionRow { game: &GAME, codec: huffman(&[5, 2, 2]), claims: &[] },
        &PositionRow { game: &GAME, codec: Alternating, claims: &[] },
    ];
}
