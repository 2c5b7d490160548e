//! The trained tables of the codecs, as bytes: a gate's weights, a judge's net, a book of openings,
//! the frequencies of symbols. The codecs that read them are in `plypack-core` and `plypack-games`.
//!
//! A table decides coded bytes, so once it has been released it never changes: a new table is a new
//! file with the number of its codec in its name, such as `chess/default.129.judge`, and the old
//! one stays, so that what was coded with it can be read. `docs/FORMAT.md` has the layouts (1.11)
//! and the hashes (8), and `docs/models.md` says how tables are made. A table that a program does
//! not read is not linked into it.

/// Declares the file at `$path` as a constant.
macro_rules! table {
    ($name:ident, $path:literal, $about:literal) => {
        #[doc = $about]
        pub const $name: &[u8; include_bytes!($path).len()] = include_bytes!($path);
    };
}

/// The tables of clock readings, evaluations and reviews, which serve every game.
pub mod series {
    table!(CLOCKS_NET, "../series/clocks.net", "The nets of `clock.mixed/3`.");
    table!(CLOCKS_TABLE, "../series/clocks.table", "The table of `clock.mixed/3`.");
    table!(EVALUATIONS_NET, "../series/evaluations.net", "The net of `eval.mixed/3`.");
    table!(EVALUATIONS_TABLE, "../series/evaluations.table", "The table of `eval.mixed/3`.");
    table!(REVIEWS_TABLE, "../series/reviews.table", "The table of `review.mixed/2`.");
}

/// The tables of chess.
pub mod chess {
    table!(
        FAST_GATE,
        "../chess/fast.gate",
        "The gate of `line.fast/6`, the first look of `line.small/128` and `line.default/5`."
    );
    table!(SMALL_JUDGE, "../chess/small.judge", "The judge of `line.small/128`.");
    table!(DEFAULT_JUDGE, "../chess/default.judge", "The judge of `line.default/5`.");
    table!(
        DEFAULT_BOOK,
        "../chess/default.book",
        "The book of `line.default/5` and `line.small/128`."
    );
    table!(LINK_GATE, "../chess/link.gate", "The gate of `line.small/4`, for links.");
    table!(RANKED_ORDER, "../chess/ranked.order", "The order and the ranks of `line.ranked/3`.");
    table!(EVALUATIONS_BOOK, "../chess/evaluations.book", "The hints of `eval.mixed/3`.");
    table!(BOARD_SQUARES, "../chess/board.squares", "The tables of `board.model/71`.");
    table!(BOARD_START, "../chess/board.start", "The beginning of `board.blocks/72`.");
    table!(
        COUNTS_NUMBERS,
        "../chess/counts.numbers",
        "The counts of men of `board.combination/25` and `board.best-of/24`."
    );
    table!(
        DIFFERENCES_NUMBERS,
        "../chess/differences.numbers",
        "The frequencies of `board.xor-start/22` and `board.best-of/24`."
    );
    table!(
        LENGTHS_NUMBERS,
        "../chess/lengths.numbers",
        "The lengths of words of `board.huffman-fitted/27` and `board.best-of/24`."
    );
}

/// The tables of xiangqi.
pub mod xiangqi {
    table!(
        FAST_GATE,
        "../xiangqi/fast.gate",
        "The gate of `line.fast/6`, the first look of `line.small/128` and `line.default/5`."
    );
    table!(SMALL_JUDGE, "../xiangqi/small.judge", "The judge of `line.small/128`.");
    table!(DEFAULT_JUDGE, "../xiangqi/default.judge", "The judge of `line.default/5`.");
    table!(DEFAULT_BOOK, "../xiangqi/default.book", "The book of `line.default/5`.");
    table!(LINK_GATE, "../xiangqi/link.gate", "The gate of `line.small/4`, for links.");
    table!(RANKED_ORDER, "../xiangqi/ranked.order", "The order and the ranks of `line.ranked/3`.");
    table!(
        COUNTS_NUMBERS,
        "../xiangqi/counts.numbers",
        "The counts of men of `board.combination/25`."
    );
    table!(
        DIFFERENCES_NUMBERS,
        "../xiangqi/differences.numbers",
        "The frequencies of `board.xor-start/22`."
    );
    table!(SYMBOLS_NUMBERS, "../xiangqi/symbols.numbers", "The frequencies of `board.huffman/20`.");
}

/// The tables of go.
pub mod go {
    table!(
        FAST_GATE,
        "../go/fast.gate",
        "The gate of `line.fast/6`, the first look of `line.default/5`."
    );
    table!(SMALL_GATE, "../go/small.gate", "The gate of `line.small/4`.");
    table!(DEFAULT_JUDGE, "../go/default.judge", "The judge of `line.default/5`.");
    table!(DEFAULT_BOOK, "../go/default.book", "The book of `line.default/5`.");
    table!(RANKED_ORDER, "../go/ranked.order", "The ranks of `line.ranked/3`.");
}

/// The tables of othello.
pub mod othello {
    table!(FAST_GATE, "../othello/fast.gate", "The gate of `line.fast/6`.");
    table!(SMALL_GATE, "../othello/small.gate", "The gate of `line.small/4`.");
    table!(DEFAULT_JUDGE, "../othello/default.judge", "The judge of `line.default/5`.");
    table!(DEFAULT_BOOK, "../othello/default.book", "The book of `line.default/5`.");
    table!(RANKED_ORDER, "../othello/ranked.order", "The ranks of `line.ranked/3`.");
}

/// The tables of gomoku.
pub mod gomoku {
    table!(FAST_GATE, "../gomoku/fast.gate", "The gate of `line.fast/6`.");
    table!(SMALL_GATE, "../gomoku/small.gate", "The gate of `line.small/4`.");
    table!(RANKED_ORDER, "../gomoku/ranked.order", "The ranks of `line.ranked/3`.");
}
