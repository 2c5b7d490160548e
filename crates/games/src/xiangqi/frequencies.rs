//! What stands on the squares of xiangqi positions, counted in games. The tables are part of the
//! format.
//!
//! Counted by the test `count_cells` of `crates/games/tests/xiangqi.rs` in the 286,422 positions
//! before every eighth ply of the games of `xiangqi_train.tsv.xz`; one more of everything than was
//! seen, so that nothing is impossible.

/// How often squares have each symbol, 0 being none and the others as in `cells`.
pub static SYMBOLS: &[u64] = &[
    18_752_969, 381_352, 413_512, 416_259, 384_870, 410_135, 420_346, 149_552, 1_744_931,
    1_036_333, 572_845, 1_094_888, 1, 1,
];

/// How often a symbol XOR that of the start is each number.
pub static DIFFERENCES: &[u64] = &[
    17_999_487, 725_926, 749_147, 749_243, 617_112, 731_763, 651_003, 142_638, 1_588_453, 836_962,
    145_907, 684_518, 31_762, 42_555, 37_398, 44_122,
];

/// By symbol from 1: how often there are 0, 1, 2 … men of it; as often as 1 beyond the list.
pub static COUNTS: &[&[u32]] = &[
    &[40_860, 109_776, 135_789],
    &[34_815, 89_706, 161_904],
    &[32_507, 91_575, 162_343],
    &[39_794, 108_390, 138_241],
    &[37_227, 88_259, 160_939],
    &[32_398, 87_706, 166_321],
    &[181_668, 70_258, 25_808, 7_241, 1_304, 141, 9],
    &[20_344, 13_572, 16_236, 18_594, 23_963, 25_765, 30_048, 23_508, 27_068, 16_256, 71_079],
    &[1_775, 5_647, 21_154, 43_017, 214_834],
    &[1, 1, 286_423],
    &[606, 2_193, 10_075, 21_658, 251_895],
    &[286_423],
    &[286_423],
];
