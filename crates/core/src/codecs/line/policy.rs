//! `line.small` and `line.default`: moves weighed by a trained policy.
//!
//! The tiers differ in size, not in kind: `small` serves links and browsers, `default` files.

use std::sync::LazyLock;

use crate::codec::CodecInfo;
use crate::codecs::line::modelled::Modelled;
use crate::policy::{Book, Gate, Gated, Judge, Judged};

/// The facts about `line.small`, the same for every game.
pub const SMALL_INFO: CodecInfo = CodecInfo {
    name: "line.small",
    id: 4,
    summary: "each move weighed by a trained sum of its features, at most 50 KB of weights",
    source: "ours; Shields (the index among the legal moves)",
};

/// The facts about `line.default`, the same for every game.
pub const DEFAULT_INFO: CodecInfo = CodecInfo {
    name: "line.default",
    id: 5,
    summary: "as line.small, then a net that looks closer at the best, and a book",
    source: "ours; Shields (the index among the legal moves)",
};

/// The small codec for a game's features and its gate.
pub const fn small<F>(features: F, gate: &'static LazyLock<Gate>) -> Modelled<Gated<F>> {
    Modelled { info: &SMALL_INFO, model: Gated { features, gate } }
}

/// The default codec for a game's features, its gate, its judge and its book.
pub const fn default<F>(
    features: F,
    gate: &'static LazyLock<Gate>,
    judge: &'static LazyLock<Judge>,
    book: &'static LazyLock<Book>,
) -> Modelled<Judged<F>> {
    let model = Judged { gated: Gated { features, gate }, judge, book };
    Modelled { info: &DEFAULT_INFO, model }
}
