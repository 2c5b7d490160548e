//! Gomoku in the registries: the codecs that links need, and the others.

use plypack_core::codecs::board::combination::combination;
use plypack_core::codecs::line::{policy, ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

use crate::Tier;
use crate::common::registry::{line, position, rows};
use crate::gomoku::{link, order};

rows!(
    Gomoku,
    &[
        Tier::small(LINK),
        #[cfg(feature = "full")]
        Tier::fast(rest::FAST),
    ]
);

static LINK: &dyn ErasedLineCodec = line!(policy::link_of(link::Link));

static LINES: &[&dyn ErasedLineCodec] = &[line!(UNIFORM), line!(ranked(order::Order)), LINK];

static POSITIONS: &[&dyn ErasedPositionCodec] = &[TEXT, position!(combination(&[]))];

/// Codecs that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::blocks::{Blocks, Plain};
    use plypack_core::codecs::board::{
        aligned::ALIGNED, alternating::Alternating, huffman::huffman, nibble::NIBBLE, radix::RADIX,
        rle::RLE,
    };
    use plypack_core::codecs::line::{policy, text::Text};
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

    use super::GAME;
    use crate::common::registry::{line, position};
    use crate::gomoku::fast::Fast;

    pub static FAST: &dyn ErasedLineCodec = line!(policy::fast::<6, _>(Fast));

    pub static LINES: &[&dyn ErasedLineCodec] = &[line!(Text), FAST];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        position!(NIBBLE),
        position!(ALIGNED),
        position!(Blocks { walk: Plain }),
        position!(RADIX),
        position!(huffman(&[4, 1, 1])),
        position!(RLE),
        #[cfg(feature = "literature")]
        position!(plypack_core::codecs::board::lzma::LZMA),
        position!(Alternating),
    ];
}
