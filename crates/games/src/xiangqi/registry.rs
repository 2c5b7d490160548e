//! Xiangqi in the registries: the codecs that links need, and the others.

use plypack_core::codecs::board::{combination::combination, xor_start::XOR_START_RLE};
use plypack_core::codecs::line::{policy, ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

use crate::Tier;
use crate::common::registry::{line, position, rows};
use crate::xiangqi::{claims, frequencies, link, order};

rows!(
    Xiangqi,
    &[
        #[cfg(feature = "full")]
        Tier::default(rest::DEFAULT),
        #[cfg(feature = "full")]
        Tier::small(rest::SMALL),
        #[cfg(not(feature = "full"))]
        Tier::small(LINK),
        #[cfg(feature = "full")]
        Tier::fast(rest::FAST),
    ]
);

/// For links and browsers.
static LINK: &dyn ErasedLineCodec = line!(policy::link(link::Eyes, &link::GATE));

static LINES: &[&dyn ErasedLineCodec] =
    &[line!(UNIFORM, claims::UNIFORM), line!(ranked(order::Order)), LINK];

static POSITIONS: &[&dyn ErasedPositionCodec] =
    &[TEXT, position!(XOR_START_RLE), position!(combination(frequencies::COUNTS))];

/// Codecs that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::blocks::{Blocks, Plain};
    use plypack_core::codecs::board::{
        aligned::ALIGNED, huffman::huffman, nibble::NIBBLE, radix::RADIX, radix::RADIX_EVEN,
        rle::RLE, xor_start::xor_start,
    };
    use plypack_core::codecs::line::{policy, text::Text};
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

    use super::GAME;
    use crate::common::registry::{line, position};
    use crate::xiangqi::codecs::bytes32::Bytes32;
    use crate::xiangqi::codecs::candidates::Candidates;
    use crate::xiangqi::codecs::map::Map;
    use crate::xiangqi::fast::Fast;
    use crate::xiangqi::{claims, codecs, default, frequencies, small};

    pub static DEFAULT: &dyn ErasedLineCodec = line!(policy::default::<5, _, _>(
        Fast,
        default::Eyes,
        (&default::JUDGE, default::LEAST),
        &default::BOOK,
    ));

    pub static SMALL: &dyn ErasedLineCodec =
        line!(policy::small::<4, _, _>(Fast, small::Eyes, (&small::JUDGE, small::LEAST), None,));

    pub static FAST: &dyn ErasedLineCodec = line!(policy::fast::<6, _>(Fast));

    pub static LINES: &[&dyn ErasedLineCodec] = &[line!(Text), DEFAULT, SMALL, FAST];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        position!(NIBBLE),
        position!(ALIGNED),
        position!(Blocks { walk: Plain }),
        position!(RADIX_EVEN),
        position!(RADIX),
        position!(huffman(frequencies::SYMBOLS)),
        position!(xor_start(frequencies::DIFFERENCES)),
        position!(RLE),
        #[cfg(feature = "literature")]
        position!(plypack_core::codecs::board::lzma::LZMA),
        position!(Candidates, claims::CANDIDATES),
        position!(Bytes32, claims::BYTES32),
        position!(Map),
        position!(codecs::rank::Rank),
    ];
}
