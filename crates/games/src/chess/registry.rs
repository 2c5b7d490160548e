//! The registry rows of chess: those that links need, and the rest.

use plypack_core::codecs::board::{combination::combination, xor_start::XOR_START_RLE};
use plypack_core::codecs::line::{policy, ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec, GameRow, LineRow, PositionRow, position};

use crate::Tier;
use crate::chess::claims;
use crate::chess::frequencies::COUNTS;
use crate::chess::link;
use crate::chess::order;
use crate::common::registry::rows;

rows!(
    Chess,
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
    &LineRow { game: &GAME, codec: ranked(order::Order), claims: claims::RANKED },
    LINK,
];

static POSITIONS: &[&dyn ErasedPositionCodec] = &[
    TEXT,
    &PositionRow { game: &GAME, codec: XOR_START_RLE, claims: claims::XOR_START_RLE },
    &PositionRow { game: &GAME, codec: combination(COUNTS), claims: &[] },
];

/// The rows that links do not need.
#[cfg(feature = "full")]
mod rest {
    use plypack_core::codecs::board::{
        aligned::ALIGNED, best_of::best_of, huffman::huffman, huffman_fitted::huffman_fitted,
        nibble::NIBBLE, radix::RADIX, radix::RADIX_EVEN, rle::RLE, xor_start::xor_start,
    };
    use plypack_core::codecs::line::modelled::Modelled;
    use plypack_core::codecs::line::nulls::{self, Nulls};
    use plypack_core::codecs::line::{policy, text::Text, uniform::UNIFORM};
    use plypack_core::policy::{ByModel, Judged};
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec, LineRow, PositionRow};

    use super::GAME;
    use crate::chess::board::SHIELDS_WEIGHTS;
    use crate::chess::claims;
    use crate::chess::codecs::BEST_FOUR;
    use crate::chess::codecs::blocks::BLOCKS;
    use crate::chess::codecs::board_model::BoardModel;
    use crate::chess::codecs::from_to12::FROM_TO12;
    use crate::chess::codecs::index::Index;
    use crate::chess::codecs::nibble16::Nibble16;
    use crate::chess::codecs::piece_list::PIECE_LIST;
    use crate::chess::codecs::piece_list::PIECE_LIST_DRAWN;
    use crate::chess::codecs::rank::Rank;
    use crate::chess::codecs::san_bits::SAN_BITS;
    use crate::chess::codecs::san_bits_naive::SAN_BITS_NAIVE;
    use crate::chess::default;
    use crate::chess::fast::Fast;
    use crate::chess::frequencies::DIFFERENCES;
    use crate::chess::frequencies::LENGTHS;
    use crate::chess::small;

    type Default = Judged<ByModel<Fast>, default::Eyes>;

    const DEFAULT_CODEC: Modelled<Default> = policy::default::<5, _, _>(
        ByModel(Fast),
        default::Eyes,
        (&default::JUDGE, default::LEAST),
        &default::BOOK,
    );

    const SMALL_CODEC: Modelled<Judged<Fast, small::Eyes>> = policy::small_judged::<128, _, _>(
        Fast,
        small::Eyes,
        (&small::JUDGE, small::LEAST),
        Some(&default::BOOK),
    );

    const FAST_CODEC: Modelled<Fast> = policy::fast::<6, _>(Fast);

    pub static DEFAULT: &dyn ErasedLineCodec =
        &LineRow { game: &GAME, codec: DEFAULT_CODEC, claims: &[] };

    pub static SMALL: &dyn ErasedLineCodec =
        &LineRow { game: &GAME, codec: SMALL_CODEC, claims: &[] };

    pub static FAST: &dyn ErasedLineCodec =
        &LineRow { game: &GAME, codec: FAST_CODEC, claims: &[] };

    pub static LINES: &[&dyn ErasedLineCodec] = &[
        &LineRow { game: &GAME, codec: Text, claims: claims::TEXT },
        DEFAULT,
        SMALL,
        FAST,
        &LineRow {
            game: &GAME,
            codec: Nulls { info: &nulls::DEFAULT, others: DEFAULT_CODEC },
            claims: &[],
        },
        &LineRow {
            game: &GAME,
            codec: Nulls { info: &nulls::SMALL, others: SMALL_CODEC },
            claims: &[],
        },
        &LineRow {
            game: &GAME,
            codec: Nulls { info: &nulls::FAST, others: FAST_CODEC },
            claims: &[],
        },
        &LineRow {
            game: &GAME,
            codec: Nulls { info: &nulls::UNIFORM, others: UNIFORM },
            claims: &[],
        },
        &LineRow { game: &GAME, codec: Index, claims: &[] },
        &LineRow { game: &GAME, codec: FROM_TO12, claims: claims::FROM_TO12 },
        &LineRow { game: &GAME, codec: SAN_BITS, claims: claims::SAN_BITS },
        &LineRow { game: &GAME, codec: SAN_BITS_NAIVE, claims: claims::SAN_BITS_NAIVE },
    ];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        &PositionRow { game: &GAME, codec: NIBBLE, claims: claims::NIBBLE },
        &PositionRow { game: &GAME, codec: ALIGNED, claims: &[] },
        &PositionRow { game: &GAME, codec: RADIX_EVEN, claims: claims::RADIX_EVEN },
        &PositionRow { game: &GAME, codec: RADIX, claims: claims::RADIX },
        &PositionRow { game: &GAME, codec: huffman(SHIELDS_WEIGHTS), claims: claims::HUFFMAN },
        &PositionRow { game: &GAME, codec: huffman_fitted(LENGTHS), claims: &[] },
        &PositionRow { game: &GAME, codec: xor_start(DIFFERENCES), claims: claims::XOR_START },
        &PositionRow { game: &GAME, codec: RLE, claims: &[] },
        #[cfg(feature = "literature")]
        &PositionRow { game: &GAME, codec: plypack_core::codecs::board::lzma::LZMA, claims: &[] },
        &PositionRow { game: &GAME, codec: best_of(BEST_FOUR), claims: claims::BEST_OF },
        &PositionRow { game: &GAME, codec: Nibble16, claims: claims::NIBBLE16 },
        &PositionRow { game: &GAME, codec: PIECE_LIST, claims: claims::PIECE_LIST },
        &PositionRow { game: &GAME, codec: PIECE_LIST_DRAWN, claims: claims::PIECE_LIST_DRAWN },
        &PositionRow { game: &GAME, codec: Rank, claims: &[] },
        &PositionRow { game: &GAME, codec: BoardModel, claims: &[] },
        &PositionRow { game: &GAME, codec: BLOCKS, claims: &[] },
    ];
}
