//! Determines the game of a record from the record itself.

use plypack_core::ErasedRules;
use plypack_games::GAMES;
use plypack_records::{READERS, START_TAG, pgn};

use crate::reading::rules::OfGame;

/// This game, then all others if `others`.
pub fn in_turn(game: &'static dyn ErasedRules, others: bool) -> Vec<&'static dyn ErasedRules> {
    let rest = GAMES.iter().copied().filter(|other| other.info().id != game.info().id);
    std::iter::once(game).chain(rest.filter(|_| others)).collect()
}

/// The game of a record, according to its format, a tag with the game's name, a tag that no other
/// game has, or a position that `usual` cannot read; otherwise `usual`.
pub fn of(record: &str, usual: &'static dyn ErasedRules) -> &'static dyn ErasedRules {
    let mut games = GAMES.iter().copied();
    if GAMES.len() == 1 {
        return usual;
    }
    if let Some(format) = READERS.iter().find(|format| format.announces(record)) {
        let named = format.game(record);
        let with = |game: &&dyn ErasedRules| {
            format.serves(&OfGame(*game)) && named.is_none_or(|name| game.info().name == name)
        };
        return games.find(with).unwrap_or(usual);
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
    let has_own = |game: &&dyn ErasedRules| {
        game.info().own_tags.iter().any(|own| tags.iter().any(|tag| tag.0 == *own))
    };
    if let Some(game) = games.clone().find(has_own) {
        return game;
    }
    let reads = |game: &&dyn ErasedRules| game.turn(tag(START_TAG)).is_ok();
    if reads(&usual) { usual } else { games.find(reads).unwrap_or(usual) }
}

/// Whether the value of a Variant or Game tag names this game.
pub fn is_variant(game: &dyn ErasedRules, name: &str) -> bool {
    game.info().variants.iter().any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(name: &str) -> &'static dyn ErasedRules {
        plypack_games::game(name).expect("a game")
    }

    #[test]
    fn a_record_tells_its_game() {
        let chess = game("chess");
        for (record, expected) in [
            ("1. e4 e5", "chess"),
            ("[Variant \"Reversi\"]", "othello"),
            ("[Game \"Chinese Chess\"]", "xiangqi"),
            ("[Variant \"Horde\"]", "chess"),
            ("[Red \"a\"]", "xiangqi"),
            ("[FEN \"3/1x1/3 o\"]", "tictactoe"),
            ("[FEN \"nothing\"]", "chess"),
            ("[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "xiangqi"),
            ("(;GM[1]SZ[15];B[hh])", "go"),
            ("(;SZ[15]MULTIGOGM[4]C[GM\\[2\\]];B[hh])", "go"),
            ("\u{feff}(;FF[4]GM[2];B[fe])", "othello"),
            ("(;FF[4] GM [4]SZ[15];B[hh])", "gomoku"),
            ("(;GM[3];B[e4])", "go"),
            (";B[pd];W[dd]", "go"),
            ("Piskvorky 15x15, 0:0, 0\n8,8,0\n", "gomoku"),
        ] {
            assert_eq!(of(record, chess).info().name, expected, "{record}");
        }
        // A name that two games share means the usual one.
        for usual in ["othello", "gomoku"] {
            assert_eq!(of("[Variant \"standard\"]", game(usual)).info().name, usual);
        }
    }

    #[test]
    fn games_come_in_turn() {
        let names = |others| {
            let games = in_turn(game("othello"), others);
            games.iter().map(|game| game.info().name).collect::<Vec<_>>()
        };
        assert_eq!(names(false), ["othello"]);
        assert_eq!((names(true)[0], names(true).len()), ("othello", GAMES.len()));
        assert!(is_variant(game("chess"), "CHESS960") && !is_variant(game("chess"), "Horde"));
    }
}
