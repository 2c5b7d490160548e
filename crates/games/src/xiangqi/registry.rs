//! Xiangqi in the registries: the codecs that links need, and the others.

use plypack_core::codecs::board::{combination::combination, xor_start::XOR_START_RLE};
use plypack_core::codecs::line::{policy, ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec, GameRow, LineRow, PositionRow, position};

use crate::Tier;
use crate::common::registry::rows;
use crate::xiangqi::claims;
use crate::xiangqi::frequencies;
use crate::xiangqi::link;
use crate::xiangqi::order;

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
static LINK: &dyn ErasedLineCodec =
    &LineRow { game: &GAME, codec: policy::small::<4, _>(link::Eyes, &link::GATE), claims: &[] };

static LINES: &[&dyn ErasedLineCodec] = &[
    &LineRow { game: &GAME, codec: UNIFORM, claims: claims::UNIFORM },
    &LineRow { game: &GAME, codec: ranked(order::Order), claims: &[] },
    LINK,
];

static POSITIONS: &[&dyn ErasedPositionCodec] = &[
    TEXT,
    &PositionRow { game: &GAME, codec: XOR_START_RLE, claims: &[] },
    &PositionRow { game: &GAME, codec: combination(frequencies::COUNTS), claims: &[] },
];

/// Codecs that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::blocks::{Blocks, Plain};
    use plypack_core::codecs::board::{
        aligned::ALIGNED, huffman::huffman, nibble::NIBBLE, radix::RADIX, radix::RADIX_EVEN,
        rle::RLE, xor_start::xor_start,
    };
    use plypack_core::codecs::line::{policy, text::Text};
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec, LineRow, PositionRow};

    use super::GAME;
    use crate::xiangqi::claims;
    use crate::xiangqi::codecs;
    use crate::xiangqi::codecs::bytes32::Bytes32;
    use crate::xiangqi::codecs::candidates::Candidates;
    use crate::xiangqi::codecs::map::Map;
    use crate::xiangqi::default;
    use crate::xiangqi::fast::Fast;
    use crate::xiangqi::frequencies;
    use crate::xiangqi::small;

    pub static DEFAULT: &dyn ErasedLineCodec = &LineRow {
        game: &GAME,
        codec: policy::default::<5, _, _>(
            Fast,
            default::Eyes,
            (&default::JUDGE, default::LEAST),
            &default::BOOK,
        ),
        claims: &[],
    };

    pub static SMALL: &dyn ErasedLineCodec = &LineRow {
        game: &GAME,
        codec: policy::small_judged::<128, _, _>(
            Fast,
            small::Eyes,
            (&small::JUDGE, small::LEAST),
            None,
        ),
        claims: &[],
    };

    pub static FAST: &dyn ErasedLineCodec =
        &LineRow { game: &GAME, codec: policy::fast::<6, _>(Fast), claims: &[] };

    pub static LINES: &[&dyn ErasedLineCodec] =
        &[&LineRow { game: &GAME, codec: Text, claims: &[] }, DEFAULT, SMALL, FAST];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        &PositionRow { game: &GAME, codec: NIBBLE, claims: &[] },
        &PositionRow { game: &GAME, codec: ALIGNED, claims: &[] },
        &PositionRow { game: &GAME, codec: Blocks { walk: Plain }, claims: &[] },
        &PositionRow { game: &GAME, codec: RADIX_EVEN, claims: &[] },
        &PositionRow { game: &GAME, codec: RADIX, claims: &[] },
        &PositionRow { game: &GAME, codec: huffman(frequencies::SYMBOLS), claims: &[] },
        &PositionRow { game: &GAME, codec: xor_start(frequencies::DIFFERENCES), claims: &[] },
        &PositionRow { game: &GAME, codec: RLE, claims: &[] },
        #[cfg(feature = "literature")]
        &PositionRow { game: &GAME, codec: plypack_core::codecs::board::lzma::LZMA, claims: &[] },
        &PositionRow { game: &GAME, codec: Candidates, claims: claims::CANDIDATES },
        &PositionRow { game: &GAME, codec: Bytes32, claims: claims::BYTES32 },
        &PositionRow { game: &GAME, codec: Map, claims: &[] },
        &PositionRow { game: &GAME, codec: codecs::rank::Rank, claims: &[] },
    ];
}
