//! The registry rows of chess: those that links need, and the rest.

use plypack_core::codecs::board::{combination::combination, xor_start::XOR_START_RLE};
use plypack_core::codecs::line::{policy, ranked::ranked, uniform::UNIFORM};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

use crate::Tier;
use crate::chess::frequencies::COUNTS;
use crate::chess::{claims, link, order};
use crate::common::registry::{line, position, rows};

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
static LINK: &dyn ErasedLineCodec = line!(policy::link(link::Eyes, &link::GATE));

static LINES: &[&dyn ErasedLineCodec] =
    &[line!(UNIFORM, claims::UNIFORM), line!(ranked(order::Order), claims::RANKED), LINK];

static POSITIONS: &[&dyn ErasedPositionCodec] =
    &[TEXT, position!(XOR_START_RLE, claims::XOR_START_RLE), position!(combination(COUNTS))];

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
    use plypack_core::{ErasedLineCodec, ErasedPositionCodec};

    use super::GAME;
    use crate::chess::board::SHIELDS_WEIGHTS;
    use crate::chess::codecs::{
        BEST_FOUR, blocks::BLOCKS, board_model::BoardModel, from_to12::FROM_TO12, index::Index,
        nibble16::Nibble16, piece_list::PIECE_LIST, piece_list::PIECE_LIST_DRAWN, rank::Rank,
        san_bits::SAN_BITS, san_bits_naive::SAN_BITS_NAIVE,
    };
    use crate::chess::fast::Fast;
    use crate::chess::frequencies::{DIFFERENCES, LENGTHS};
    use crate::chess::{claims, default, small};
    use crate::common::registry::{line, position};

    type Default = Judged<ByModel<Fast>, default::Eyes>;

    const DEFAULT_CODEC: Modelled<Default> = policy::default::<5, _, _>(
        ByModel(Fast),
        default::Eyes,
        (&default::JUDGE, default::LEAST),
        &default::BOOK,
    );

    const SMALL_CODEC: Modelled<Judged<Fast, small::Eyes>> = policy::small::<4, _, _>(
        Fast,
        small::Eyes,
        (&small::JUDGE, small::LEAST),
        Some(&default::BOOK),
    );

    const FAST_CODEC: Modelled<Fast> = policy::fast::<6, _>(Fast);

    pub static DEFAULT: &dyn ErasedLineCodec = line!(DEFAULT_CODEC);

    pub static SMALL: &dyn ErasedLineCodec = line!(SMALL_CODEC);

    pub static FAST: &dyn ErasedLineCodec = line!(FAST_CODEC);

    pub static LINES: &[&dyn ErasedLineCodec] = &[
        line!(Text, claims::TEXT),
        DEFAULT,
        SMALL,
        FAST,
        line!(Nulls { info: &nulls::DEFAULT, others: DEFAULT_CODEC }),
        line!(Nulls { info: &nulls::SMALL, others: SMALL_CODEC }),
        line!(Nulls { info: &nulls::FAST, others: FAST_CODEC }),
        line!(Nulls { info: &nulls::UNIFORM, others: UNIFORM }),
        line!(Index),
        line!(FROM_TO12, claims::FROM_TO12),
        line!(SAN_BITS, claims::SAN_BITS),
        line!(SAN_BITS_NAIVE, claims::SAN_BITS_NAIVE),
    ];

    pub static POSITIONS: &[&dyn ErasedPositionCodec] = &[
        position!(NIBBLE, claims::NIBBLE),
        position!(ALIGNED),
        position!(RADIX_EVEN, claims::RADIX_EVEN),
        position!(RADIX, claims::RADIX),
        position!(huffman(SHIELDS_WEIGHTS), claims::HUFFMAN),
        position!(huffman_fitted(LENGTHS)),
        position!(xor_start(DIFFERENCES), claims::XOR_START),
        position!(RLE),
        #[cfg(feature = "literature")]
        position!(plypack_core::codecs::board::lzma::LZMA),
        position!(best_of(BEST_FOUR), claims::BEST_OF),
        position!(Nibble16, claims::NIBBLE16),
        position!(PIECE_LIST, claims::PIECE_LIST),
        position!(PIECE_LIST_DRAWN, claims::PIECE_LIST_DRAWN),
        position!(Rank),
        position!(BoardModel),
        position!(BLOCKS),
    ];
}
