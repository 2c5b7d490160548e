//! Othello in the registries: the codecs that links need, and the others.

use plypack_core::codecs::board::{combination::combination, xor_start::XOR_START_RLE};
use plypack_core::codecs::line::{policy, ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

use crate::Tier;
use crate::common::registry::{line, position, rows};
use crate::othello::{link, order};

rows!(
    Othello,
    &[
        #[cfg(feature = "full")]
        Tier::default(rest::DEFAULT),
        Tier::small(LINK),
        #[cfg(feature = "full")]
        Tier::fast(rest::FAST),
    ]
);

static LINK: &dyn ErasedLineCodec = line!(policy::link_of(link::LINK));

static LINES: &[&dyn ErasedLineCodec] = &[line!(UNIFORM), line!(ranked(order::Order)), LINK];

static POSITIONS: &[&dyn ErasedPositionCodec] =
    &[TEXT, position!(XOR_START_RLE), position!(combination(&[]))];

/// Codecs that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::blocks::{Blocks, Plain};
    use plypack_core::codecs::board::{
        aligned::ALIGNED, huffman::huffman, nibble::NIBBLE, radix::RADIX, rle::RLE,
    };
    use plypack_core::codecs::line::{policy, text::Text};
    use plypack_core::policy::ByModel;
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

    use super::GAME;
    use crate::common::registry::{line, position};
    use crate::othello::codecs;
    use crate::othello::default::{self, Even};
    use crate::othello::fast::Fast;

    pub static DEFAULT: &dyn ErasedLineCodec = line!(policy::default::<5, _, _>(
        ByModel(Even),
        default::Eyes,
        (&default::JUDGE, default::LEAST),
        &default::BOOK,
    ));

    pub static FAST: &dyn ErasedLineCodec = line!(policy::fast::<6, _>(Fast));

    pub static LINES: &[&dyn ErasedLineCodec] = &[line!(Text), DEFAULT, FAST];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        position!(NIBBLE),
        position!(ALIGNED),
        position!(Blocks { walk: Plain }),
        position!(RADIX),
        position!(huffman(&[2, 1, 1])),
        position!(RLE),
        #[cfg(feature = "literature")]
        position!(plypack_core::codecs::board::lzma::LZMA),
        position!(codecs::bytes13::Bytes13),
    ];
}
