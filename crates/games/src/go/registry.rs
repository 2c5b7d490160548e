//! Go in the registries: the codecs that links need, and the others.

use plypack_core::codecs::board::combination::combination;
use plypack_core::codecs::line::{policy, ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec, GameRow, LineRow, PositionRow, position};

use crate::Tier;
use crate::common::registry::rows;
use crate::go::{order, small};

rows!(
    Go,
    &[
        #[cfg(feature = "full")]
        Tier::default(rest::DEFAULT),
        Tier::small(SMALL),
        #[cfg(feature = "full")]
        Tier::fast(rest::FAST),
    ]
);

static SMALL: &dyn ErasedLineCodec =
    &LineRow { game: &GAME, codec: policy::small::<4, _>(small::Eyes, &small::GATE), claims: &[] };

static LINES: &[&dyn ErasedLineCodec] = &[
    &LineRow { game: &GAME, codec: UNIFORM, claims: &[] },
    &LineRow { game: &GAME, codec: ranked(order::Order), claims: &[] },
    SMALL,
];

static POSITIONS: &[&dyn ErasedPositionCodec] =
    &[TEXT, &PositionRow { game: &GAME, codec: combination(&[]), claims: &[] }];

/// Codecs that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::blocks::{Blocks, Plain};
    use plypack_core::codecs::board::{
        aligned::ALIGNED, huffman::huffman, nibble::NIBBLE, radix::RADIX, rle::RLE,
    };
    use plypack_core::codecs::line::{policy, text::Text};
    use plypack_core::policy::ByModel;
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec, LineRow, PositionRow};

    use super::GAME;
    use crate::go::codecs::{model::Model, number::Number};
    use crate::go::default;
    use crate::go::fast::Fast;

    pub static DEFAULT: &dyn ErasedLineCodec = &LineRow {
        game: &GAME,
        codec: policy::default::<5, _, _>(
            ByModel(Fast),
            default::Eyes,
            (&default::JUDGE, default::LEAST),
            &default::BOOK,
        ),
        claims: &[],
    };

    pub static FAST: &dyn ErasedLineCodec =
        &LineRow { game: &GAME, codec: policy::fast::<6, _>(Fast), claims: &[] };

    pub static LINES: &[&dyn ErasedLineCodec] =
        &[&LineRow { game: &GAME, codec: Text, claims: &[] }, DEFAULT, FAST];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        &PositionRow { game: &GAME, codec: NIBBLE, claims: &[] },
        &PositionRow { game: &GAME, codec: ALIGNED, claims: &[] },
        &PositionRow { game: &GAME, codec: Blocks { walk: Plain }, claims: &[] },
        &PositionRow { game: &GAME, codec: RADIX, claims: &[] },
        &PositionRow { game: &GAME, codec: huffman(&[2, 1, 1]), claims: &[] },
        &PositionRow { game: &GAME, codec: RLE, claims: &[] },
        #[cfg(feature = "literature")]
        &PositionRow { game: &GAME, codec: plypack_core::codecs::board::lzma::LZMA, claims: &[] },
        &PositionRow { game: &GAME, codec: Number, claims: &[] },
        &PositionRow { game: &GAME, codec: Model, claims: &[] },
    ];
}
