//! The trained tables of the codecs, as bytes: a gate's weights, a judge's net, a book of openings,
//! the frequencies of symbols. The codecs that read them are in `plypack-core` and `plypack-games`.
//!
//! A table decides coded bytes, so once it has been released it never changes: a new table is a new
//! file with the number of its codec in its name, such as `chess/default.129.judge`, and the old
//! one stays, so that what was coded with it can be read. `docs/FORMAT.md` has the layouts (1.11)
//! and the hashes (8), and `docs/models.md` says how tables are made. A table that a program does
//! not read is not linked into it.

/// Declares the files of a folder as constants of a module.
macro_rules! tables {
    ($(#[$about:meta])* $folder:ident: $($(#[$doc:meta])* $name:ident = $file:literal,)*) => {
        $(#[$about])*
        pub mod $folder {
            $(tables!(@ concat!("../", stringify!($folder), "/", $file), $(#[$doc])* $name);)*
        }
    };
    (@ $path:expr, $(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub const $name: &[u8; include_bytes!($path).len()] = include_bytes!($path);
    };
}

tables! {
    /// The tables of clock readings, evaluations, reviews and prose, which serve every game.
    series:
    /// The nets of `clock.mixed/3`.
    CLOCKS_NET = "clocks.net",
    /// The table of `clock.mixed/3`.
    CLOCKS_TABLE = "clocks.table",
    /// The net of `eval.mixed/3`.
    EVALUATIONS_NET = "evaluations.net",
    /// The table of `eval.mixed/3`.
    EVALUATIONS_TABLE = "evaluations.table",
    /// The table of `review.mixed/2`.
    REVIEWS_TABLE = "reviews.table",
    /// The text that primes `prose.ppmd/1`.
    PROSE_TEXT = "prose.text",
    /// The code of that text, with which every code begins.
    PROSE_CODE = "prose.code",
}

tables! {
    /// The tables of chess.
    chess:
    /// The gate of `line.fast/6`, the first look of `line.small/4` and `line.default/5`.
    FAST_GATE = "fast.gate",
    /// The judge of `line.small/4`.
    SMALL_JUDGE = "small.judge",
    /// The judge of `line.default/5`.
    DEFAULT_JUDGE = "default.judge",
    /// The book of `line.default/5` and `line.small/4`.
    DEFAULT_BOOK = "default.book",
    /// The gate of `line.link/7`, for links.
    LINK_GATE = "link.gate",
    /// The order and the ranks of `line.ranked/3`.
    RANKED_ORDER = "ranked.order",
    /// The hints of `eval.mixed/3`.
    EVALUATIONS_BOOK = "evaluations.book",
    /// The tables of `board.model/71`.
    BOARD_SQUARES = "board.squares",
    /// The beginning of `board.blocks/72`.
    BOARD_START = "board.start",
    /// The counts of men of `board.combination/25` and `board.best-of/24`.
    COUNTS_NUMBERS = "counts.numbers",
    /// The frequencies of `board.xor-start/22` and `board.best-of/24`.
    DIFFERENCES_NUMBERS = "differences.numbers",
    /// The lengths of words of `board.huffman-fitted/27` and `board.best-of/24`.
    LENGTHS_NUMBERS = "lengths.numbers",
}

tables! {
    /// The tables of xiangqi.
    xiangqi:
    /// The gate of `line.fast/6`, the first look of `line.small/4` and `line.default/5`.
    FAST_GATE = "fast.gate",
    /// The judge of `line.small/4`.
    SMALL_JUDGE = "small.judge",
    /// The judge of `line.default/5`.
    DEFAULT_JUDGE = "default.judge",
    /// The book of `line.default/5`.
    DEFAULT_BOOK = "default.book",
    /// The gate of `line.link/7`, for links.
    LINK_GATE = "link.gate",
    /// The order and the ranks of `line.ranked/3`.
    RANKED_ORDER = "ranked.order",
    /// The counts of men of `board.combination/25`.
    COUNTS_NUMBERS = "counts.numbers",
    /// The frequencies of `board.xor-start/22`.
    DIFFERENCES_NUMBERS = "differences.numbers",
    /// The frequencies of `board.huffman/20`.
    SYMBOLS_NUMBERS = "symbols.numbers",
}

tables! {
    /// The tables of go.
    go:
    /// The gate of `line.fast/6`.
    FAST_GATE = "fast.gate",
    /// The gate of `line.link/7`.
    LINK_GATE = "link.gate",
    /// The tower of `line.default/5`.
    DEFAULT_TOWER = "default.tower",
    /// The tower of `line.max/9`.
    MAX_TOWER = "max.tower",
    /// The ranks of `line.ranked/3`.
    RANKED_ORDER = "ranked.order",
}

tables! {
    /// The tables of othello.
    othello:
    /// The gate of `line.fast/6`.
    FAST_GATE = "fast.gate",
    /// The gate of `line.link/7`.
    LINK_GATE = "link.gate",
    /// The judge of `line.default/5`.
    DEFAULT_JUDGE = "default.judge",
    /// The book of `line.default/5`.
    DEFAULT_BOOK = "default.book",
    /// The ranks of `line.ranked/3`.
    RANKED_ORDER = "ranked.order",
}

tables! {
    /// The tables of gomoku.
    gomoku:
    /// The gate of `line.fast/6`.
    FAST_GATE = "fast.gate",
    /// The gate of `line.link/7`.
    LINK_GATE = "link.gate",
    /// The ranks of `line.ranked/3`.
    RANKED_ORDER = "ranked.order",
}
