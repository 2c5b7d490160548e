//! `line.fast`, `line.small`, `line.default`, `line.max` and `line.link`: moves weighed by a model.
//! `fast` is for frequent reading, `link` for links and browsers, `default` for files, `max` for
//! archives.

use std::sync::LazyLock;

use crate::codec::CodecInfo;
use crate::codecs::line::modelled::Modelled;
use crate::policy::{Book, ByGate, Gate, Gated, Judge, Judged};

/// The description of `line.link`. Links keep it for ever, so it has one table in each game; a
/// better one would be a codec with another name.
const LINK: CodecInfo = CodecInfo {
    name: "line.link",
    id: 7,
    summary: "each move weighed by a trained sum of its features, at most 50 KB of weights",
    source: "ours; Shields (the index among the legal moves)",
};

/// The description of a `line.small`. Each game has its own tables and numbers: the first table is
/// 4 in every game, later ones have numbers from [`OWN_NUMBERS`](crate::codec::OWN_NUMBERS) on.
const fn small_info(number: u16) -> CodecInfo {
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

/// The description of a `line.default` by another model; the first table is 5 in every game.
const fn default_of_info(number: u16) -> CodecInfo {
    CodecInfo {
        name: "line.default",
        id: number,
        summary: "a small convolutional net sees the whole board and weighs each move",
        source: "ours; Shields (the index among the legal moves)",
    }
}

/// The description of a `line.max`; the first table is 9 in every game.
const fn max_info(number: u16) -> CodecInfo {
    CodecInfo {
        name: "line.max",
        id: number,
        summary: "a convolutional net sees the whole board and weighs each move",
        source: "ours; Shields (the index among the legal moves)",
    }
}

/// Creates the `line.max` with this number, from a game's model.
pub const fn max<const NUMBER: u16, M>(model: M) -> Modelled<M> {
    Modelled { info: const { &max_info(NUMBER) }, model }
}

/// Creates the `line.default` with this number, from a game's own model.
pub const fn default_of<const NUMBER: u16, M>(model: M) -> Modelled<M> {
    Modelled { info: const { &default_of_info(NUMBER) }, model }
}

/// Creates the `line.fast` with this number, from a game's model.
pub const fn fast<const NUMBER: u16, M>(model: M) -> Modelled<M> {
    Modelled { info: const { &fast_info(NUMBER) }, model }
}

/// Creates `line.link`, from a game's features and gate.
pub const fn link<F>(features: F, gate: &'static LazyLock<Gate>) -> Modelled<Gated<F>> {
    Modelled { info: &LINK, model: Gated { features, gate: ByGate(gate) } }
}

/// Creates `line.link`, from a game's own computation of its gate's sums.
pub const fn link_of<M>(model: M) -> Modelled<M> {
    Modelled { info: &LINK, model }
}

/// Creates the `line.small` with this number, from a game's own first look, its features, a judge
/// and perhaps a book.
pub const fn small<const NUMBER: u16, L, F>(
    first: L,
    features: F,
    (judge, least): (&'static LazyLock<Judge>, u32),
    book: Option<&'static LazyLock<Book>>,
) -> Modelled<Judged<L, F>> {
    let model = Judged { first, features, judge, least, book };
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
