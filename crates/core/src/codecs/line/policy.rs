//! `line.fast`, `line.small` and `line.default`: moves weighed by a trained policy. `fast` is for
//! frequent reading, `small` for links and browsers, `default` for files.

use std::sync::LazyLock;

use crate::codec::CodecInfo;
use crate::codecs::line::modelled::Modelled;
use crate::policy::{Book, ByGate, Gate, Gated, Judge, Judged};

/// The description of a `line.small`. Each game has its own tables and numbers: the first table is
/// 4 in every game, later ones have numbers from [`OWN_NUMBERS`](crate::codec::OWN_NUMBERS) on.
const fn small_info(number: u16) -> CodecInfo {
    CodecInfo {
        name: "line.small",
        id: number,
        summary: "each move weighed by a trained sum of its features, at most 50 KB of weights",
        source: "ours; Shields (the index among the legal moves)",
    }
}

/// The description of a `line.small` with a judge.
const fn small_judged_info(number: u16) -> CodecInfo {
    CodecInfo {
        name: "line.small",
        id: number,
        summary: "line.fast, then a net that re-weighs the best moves, and perhaps a book",
        source: "ours; Shields (the index among the legal moves)",
    }
}

/// The description of a `line.fast`; the first table is 6 in every game.
const fn fast_info(number: u16) -> CodecInfo {
    CodecInfo {
        name: "line.fast",
        id: number,
        summary: "each move weighed by a trained sum of a few cheap features",
        source: "ours; Shields (the index among the legal moves)",
    }
}

/// The description of a `line.default`; the first table is 5 in every game.
const fn default_info(number: u16) -> CodecInfo {
    CodecInfo {
        name: "line.default",
        id: number,
        summary: "a first look, then a net that re-weighs the best moves, and a book",
        source: "ours; Shields (the index among the legal moves)",
    }
}

/// Creates the `line.fast` with this number, from a game's model.
pub const fn fast<const NUMBER: u16, M>(model: M) -> Modelled<M> {
    Modelled { info: const { &fast_info(NUMBER) }, model }
}

/// Creates the `line.small` with this number, from a game's features and gate.
pub const fn small<const NUMBER: u16, F>(
    features: F,
    gate: &'static LazyLock<Gate>,
) -> Modelled<Gated<F>> {
    let model = Gated { features, gate: ByGate(gate) };
    Modelled { info: const { &small_info(NUMBER) }, model }
}

/// Creates the `line.small` with this number, from a game's own first look, its features, a judge
/// and perhaps a book.
pub const fn small_judged<const NUMBER: u16, L, F>(
    first: L,
    features: F,
    (judge, least): (&'static LazyLock<Judge>, u32),
    book: Option<&'static LazyLock<Book>>,
) -> Modelled<Judged<L, F>> {
    let model = Judged { first, features, judge, least, book };
    Modelled { info: const { &small_judged_info(NUMBER) }, model }
}

/// Creates the `line.small` with this number, from a game's own computation of its gate's sums.
pub const fn small_of<const NUMBER: u16, M>(model: M) -> Modelled<M> {
    Modelled { info: const { &small_info(NUMBER) }, model }
}

/// Creates the `line.default` with this number, from a game's own first look, its features, a judge
/// and a book.
pub const fn default<const NUMBER: u16, L, F>(
    first: L,
    features: F,
    (judge, least): (&'static LazyLock<Judge>, u32),
    book: &'static LazyLock<Book>,
) -> Modelled<Judged<L, F>> {
    let model = Judged { first, features, judge, least, book: Some(book) };
    Modelled { info: const { &default_info(NUMBER) }, model }
}
