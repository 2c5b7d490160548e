//! The games that plypack stores: one folder each, and the registries that list them.
//!
//! To add a game, add a folder with a `registry.rs` and a row in `REGISTRY`
//! (`docs/adding-a-game.md`). Registries are plain slices because link-time registration does not
//! work on wasm32.

// Code that decides coded bytes uses no files, threads, clock or terminal; tests may (clippy.toml).
#![cfg_attr(
    not(test),
    deny(
        clippy::disallowed_methods,
        clippy::print_stderr,
        clippy::print_stdout,
        clippy::unreachable
    )
)]

pub mod chess;
mod common;
#[cfg(feature = "all-games")]
pub mod go;
#[cfg(feature = "all-games")]
pub mod gomoku;
pub mod link;
pub mod openings;
#[cfg(feature = "all-games")]
pub mod othello;
#[cfg(feature = "all-games")]
pub mod tictactoe;
mod tier;
#[cfg(feature = "all-games")]
pub mod xiangqi;

use plypack_core::codec::{CodecInfo, named, stored};
use plypack_core::{ErasedLineCodec, ErasedPositionCodec, ErasedRules, UnknownCodec};

pub use tier::Tier;

/// The registry rows of a game.
#[derive(Debug)]
struct Rows {
    /// The game.
    game: &'static dyn ErasedRules,
    /// Its line codecs, in two lists: those that links may use by default, and the others.
    lines: &'static [&'static [&'static dyn ErasedLineCodec]],
    /// Its tiers, at least one, best first; of the same name, newest first. Their codecs are in
    /// `lines`.
    tiers: &'static [Tier],
    /// The codec of its positions as text.
    text: &'static dyn ErasedPositionCodec,
    /// Its position codecs, in two such lists.
    positions: &'static [&'static [&'static dyn ErasedPositionCodec]],
}

/// Every game in the registries.
static REGISTRY: &[&Rows] = &[
    #[cfg(feature = "all-games")]
    &tictactoe::registry::ROWS,
    &chess::registry::ROWS,
    #[cfg(feature = "all-games")]
    &xiangqi::registry::ROWS,
    #[cfg(feature = "all-games")]
    &go::registry::ROWS,
    #[cfg(feature = "all-games")]
    &othello::registry::ROWS,
    #[cfg(feature = "all-games")]
    &gomoku::registry::ROWS,
];

/// Every game, by ascending number.
pub static GAMES: &[&dyn ErasedRules] = &{
    let mut games = [REGISTRY[0].game; REGISTRY.len()];
    plypack_core::each!(at, 1, games.len(), games[at] = REGISTRY[at].game);
    games
};

/// Returns the game with this name.
pub fn game(name: &str) -> Option<&'static dyn ErasedRules> {
    GAMES.iter().copied().find(|game| game.info().name == name)
}

/// Returns the rows of the game with this name.
fn rows(game: &str) -> Option<&'static Rows> {
    REGISTRY.iter().copied().find(|rows| rows.game.info().name == game)
}

/// Returns a game's line codec: by name alone, `line.default`, the newest; by name and number,
/// `line.default/5`, that one.
pub fn line_codec(game: &str, codec: &str) -> Option<&'static dyn ErasedLineCodec> {
    named(line_codecs(game), codec)
}

/// Returns the line codec that a file names, such as `chess/line.default/5`.
///
/// # Errors
/// Returns an error if the codec is not registered: another version of the program wrote the file.
pub fn stored_line_codec(text: &str) -> Result<&'static dyn ErasedLineCodec, UnknownCodec> {
    let (game, codec) = text.split_once('/').unwrap_or(("", text));
    stored(line_codecs(game), codec, text)
}

/// Returns a game's default line codec: its tier `default`, else its best tier.
pub fn usual_line_codec(game: &str) -> Option<&'static dyn ErasedLineCodec> {
    let tiers = rows(game)?.tiers;
    let tier = tiers.iter().find(|tier| tier.name == tier::DEFAULT).or(tiers.first());
    tier.map(|tier| tier.codec)
}

/// Returns the counterpart of `codec` for another game: `codec` itself if it belongs to that game,
/// else the newest codec of the same name, else that of the same tier, else the game's default.
pub fn line_codec_like(
    codec: &'static dyn ErasedLineCodec,
    game: &str,
) -> &'static dyn ErasedLineCodec {
    let (own, info) = (codec.game().info().name, codec.info());
    if own == game {
        return codec;
    }
    let named = || tiers(own).find(|row| row.codec.info().name == info.name);
    let by_tier = || tier(game, named()?.name);
    let like = line_codec(game, info.name).or_else(by_tier);
    like.or_else(|| usual_line_codec(game)).unwrap_or(codec)
}

/// Returns the counterpart of `codec` for lines with null moves; `None` if the game has none.
pub fn with_nulls(codec: &'static dyn ErasedLineCodec) -> Option<&'static dyn ErasedLineCodec> {
    if codec.takes_nulls() {
        return Some(codec);
    }
    let game = codec.game().info().name;
    let like = |name: &str| line_codec(game, &format!("{name}{NULLS}"));
    like(codec.info().name).or_else(|| like("line.uniform"))
}

/// Returns the counterpart of `codec` for lines without null moves.
pub fn without_nulls(codec: &'static dyn ErasedLineCodec) -> &'static dyn ErasedLineCodec {
    let usual = codec.info().name.strip_suffix(NULLS);
    usual.and_then(|name| line_codec(codec.game().info().name, name)).unwrap_or(codec)
}

/// The suffix in the names of codecs that take null moves.
const NULLS: &str = "-null";

/// Returns the newest codec of a game's tier.
pub fn tier(game: &str, name: &str) -> Option<&'static dyn ErasedLineCodec> {
    let tier = rows(game)?.tiers.iter().find(|tier| tier.name == name)?;
    Some(tier.codec)
}

/// Returns every tier of a game, best first; of the same name, newest first.
pub fn tiers(game: &str) -> impl Iterator<Item = &'static Tier> {
    rows(game).into_iter().flat_map(|rows| rows.tiers)
}

/// Returns every line codec of a game.
pub fn line_codecs(
    game: &str,
) -> impl Iterator<Item = &'static dyn ErasedLineCodec> + Clone + use<> {
    rows(game).into_iter().flat_map(|rows| rows.lines.iter().copied().flatten().copied())
}

/// Returns the line codecs of a game that links may use by default. Every link reader has them; a
/// reader in a browser has to hold their tables.
pub(crate) fn link_codecs(game: &str) -> &'static [&'static dyn ErasedLineCodec] {
    rows(game).and_then(|rows| rows.lines.first()).copied().unwrap_or_default()
}

/// Returns every line codec of every game.
pub fn all_line_codecs() -> impl Iterator<Item = &'static dyn ErasedLineCodec> + Clone {
    REGISTRY.iter().flat_map(|rows| rows.lines.iter().copied().flatten().copied())
}

/// Returns a game's position codec: by name alone, `board.aligned`, the newest; by name and number,
/// `board.aligned/34`, that one.
pub fn position_codec(game: &str, codec: &str) -> Option<&'static dyn ErasedPositionCodec> {
    named(position_codecs(game), codec)
}

/// Returns the position codec that a file names, such as `chess/board.aligned/34`.
///
/// # Errors
/// Returns an error if the codec is not registered: another version of the program wrote the file.
pub fn stored_position_codec(text: &str) -> Result<&'static dyn ErasedPositionCodec, UnknownCodec> {
    let (game, codec) = text.split_once('/').unwrap_or(("", text));
    stored(position_codecs(game), codec, text)
}

/// Returns the counterpart of `codec` for another game: `codec` itself if it belongs to that game,
/// else the newest codec of the same name, if any.
pub fn position_codec_like(
    codec: &'static dyn ErasedPositionCodec,
    game: &str,
) -> Option<&'static dyn ErasedPositionCodec> {
    if codec.game().info().name == game {
        return Some(codec);
    }
    position_codec(game, codec.info().name)
}

/// Returns the codec of positions as text, which every game has; chess's for an unknown game.
pub fn position_text(game: &str) -> &'static dyn ErasedPositionCodec {
    rows(game).map_or(chess::registry::TEXT, |rows| rows.text)
}

/// Returns every position codec of a game.
pub fn position_codecs(
    game: &str,
) -> impl Iterator<Item = &'static dyn ErasedPositionCodec> + Clone + use<> {
    rows(game).into_iter().flat_map(|rows| rows.positions.iter().copied().flatten().copied())
}

/// Returns every position codec of every game.
pub fn all_position_codecs() -> impl Iterator<Item = &'static dyn ErasedPositionCodec> + Clone {
    REGISTRY.iter().flat_map(|rows| rows.positions.iter().copied().flatten().copied())
}

/// Returns a codec's name as files store it: `chess/line.default/5`.
pub fn stored_text(game: &dyn ErasedRules, codec: &CodecInfo) -> String {
    format!("{}/{}", game.info().name, codec.text())
}

#[cfg(test)]
mod tests {
    use plypack_core::{Error, Notation};

    use super::*;

    /// A build rejects what it lacks instead of misreading it. Also run this with
    /// `--no-default-features`.
    #[test]
    fn no_feature_changes_what_codes_mean() {
        let codec = line_codec("chess", "line.uniform").expect("it is registered");
        let mut moves = ["e4", "e5"].into_iter();
        let trunk = codec.encode_trunk(None, &mut moves, Notation::Customary, true);
        let trunk = trunk.expect("the usual start").1;
        if cfg!(feature = "full") {
            assert_eq!(trunk.hints().map(<[_]>::len), Ok(2));
            assert!(stored_line_codec("chess/line.default/5").is_ok());
        } else {
            assert_eq!(trunk.hints().err(), Some(Error::NoHints { game: "chess" }));
            assert!(stored_line_codec("chess/line.default/5").is_err());
        }
        let lzma = stored_position_codec("chess/board.lzma/26");
        assert_eq!(lzma.is_ok(), cfg!(feature = "literature"));
        assert!(matches!(lzma, Ok(_) | Err(UnknownCodec::LeftOut { .. })));
        assert_eq!(
            stored_line_codec("othello/line.uniform/2").is_ok(),
            cfg!(feature = "all-games")
        );
    }
}
