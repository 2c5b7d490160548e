//! Which game a record is of, by what it says of itself.

use plypack_core::ErasedGame;
use plypack_games::GAMES;
use plypack_records::charset::Charset;
use plypack_records::{START_TAG, dhtmlxq, pgn, psq};

/// The game that a record tells of: by its syntax, by a tag with the game's name, by a tag that no
/// other game has, or by a position that `usual` cannot read. If it tells of none, `usual`.
#[must_use]
pub fn of(record: &str, usual: &'static dyn ErasedGame) -> &'static dyn ErasedGame {
    let mut games = GAMES.iter().copied();
    let knows = |notation| move |game: &&dyn ErasedGame| game.info().notation(notation).is_some();
    if cfg!(not(feature = "all-games")) {
        return usual;
    }
    if dhtmlxq::parse(record, Charset::Utf8).is_some() {
        return games.find(knows(dhtmlxq::NOTATION)).unwrap_or(usual);
    }
    if psq::parse(record, Charset::Utf8).is_some() {
        return games.find(knows(psq::NOTATION)).unwrap_or(usual);
    }
    let (tags, _) = pgn::parse_tags(record);
    let tag = |name: &str| tags.iter().find(|tag| tag.0 == name).map(|tag| tag.1.as_ref());
    for name in [tag("Variant"), tag("Game")].into_iter().flatten() {
        if is_variant(usual, name) {
            return usual;
        }
        if let Some(game) = games.clone().find(|game| is_variant(*game, name)) {
            return game;
        }
    }
    let has_own = |game: &&dyn ErasedGame| {
        game.info().own_tags.iter().any(|own| tags.iter().any(|tag| tag.0 == *own))
    };
    if let Some(game) = games.clone().find(has_own) {
        return game;
    }
    let reads = |game: &&dyn ErasedGame| game.turn(tag(START_TAG)).is_ok();
    if reads(&usual) { usual } else { games.find(reads).unwrap_or(usual) }
}

/// Whether the value of a Variant or Game tag means a game's rules.
#[must_use]
pub fn is_variant(game: &dyn ErasedGame, name: &str) -> bool {
    game.info().variants.iter().any(|known| name.eq_ignore_ascii_case(known))
}
