//! Tic-tac-toe in the registries: the codecs that links need, and the others.

use plypack_core::codecs::board::combination::combination;
use plypack_core::codecs::line::{ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

use crate::Tier;
use crate::common::registry::{line, position, rows};
use crate::tictactoe::Order;

rows!(TicTacToe, &[Tier::small(RANKED),]);

static RANKED: &dyn ErasedLineCodec = line!(ranked(Order));

static LINES: &[&dyn ErasedLineCodec] = &[line!(UNIFORM), RANKED];

static POSITIONS: &[&dyn ErasedPositionCodec] = &[TEXT, position!(combination(&[]))];

/// Codecs that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::blocks::{Blocks, Plain};
    use plypack_core::codecs::board::{
        aligned::ALIGNED, alternating::Alternating, huffman::huffman, nibble::NIBBLE, radix::RADIX,
        rle::RLE,
    };
    use plypack_core::codecs::line::text::Text;
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

    use super::GAME;
    use crate::common::registry::{line, position};

    pub static LINES: &[&dyn ErasedLineCodec] = &[line!(Text)];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        position!(NIBBLE),
        position!(ALIGNED),
        position!(Blocks { walk: Plain }),
        position!(RADIX),
        position!(RLE),
        #[cfg(feature = "literature")]
        position!(plypack_core::codecs::board::lzma::LZMA),
        position!(huffman(&[5, 2, 2])),
        position!(Alternating),
    ];
}
