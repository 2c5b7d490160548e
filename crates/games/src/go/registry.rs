//! Go in the registries: the codecs that links need, and the others.

use plypack_core::codecs::board::combination::combination;
use plypack_core::codecs::line::{policy, ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

use crate::Tier;
use crate::common::registry::{line, position, rows};
use crate::go::{link, order};

rows!(
    Go,
    &[
        #[cfg(feature = "full")]
        Tier::max(rest::MAX),
        #[cfg(feature = "full")]
        Tier::default(rest::DEFAULT),
        Tier::small(LINK),
        #[cfg(feature = "full")]
        Tier::fast(rest::FAST),
    ]
);

static LINK: &dyn ErasedLineCodec = line!(policy::link(link::Eyes, &link::GATE));

static LINES: &[&dyn ErasedLineCodec] = &[line!(UNIFORM), line!(ranked(order::Order)), LINK];

static POSITIONS: &[&dyn ErasedPositionCodec] = &[TEXT, position!(combination(&[]))];

/// Codecs that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::blocks::{Blocks, Plain};
    use plypack_core::codecs::board::{
        aligned::ALIGNED, huffman::huffman, nibble::NIBBLE, radix::RADIX, rle::RLE,
    };
    use plypack_core::codecs::line::{policy, text::Text};
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

    use super::GAME;
    use crate::common::registry::{line, position};
    use crate::go::codecs::{model::Model, number::Number};
    use crate::go::fast::Fast;
    use crate::go::tower::{self, ByTower};

    pub static DEFAULT: &dyn ErasedLineCodec =
        line!(policy::default_of::<5, _>(ByTower(&tower::DEFAULT)));

    pub static FAST: &dyn ErasedLineCodec = line!(policy::fast::<6, _>(Fast));

    pub static MAX: &dyn ErasedLineCodec = line!(policy::max::<9, _>(ByTower(&tower::MAX)));

    pub static LINES: &[&dyn ErasedLineCodec] = &[line!(Text), DEFAULT, FAST, MAX];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        position!(NIBBLE),
        position!(ALIGNED),
        position!(Blocks { walk: Plain }),
        position!(RADIX),
        position!(huffman(&[2, 1, 1])),
        position!(RLE),
        #[cfg(feature = "literature")]
        position!(plypack_core::codecs::board::lzma::LZMA),
        position!(Number),
        position!(Model),
    ];
}
