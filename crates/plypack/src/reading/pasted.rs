//! Pasted text: a game in any format, a bare list of moves, or a position.

use plypack_core::{ErasedRules, Error, MoveFault};
use plypack_records::{Reader, Record, START_TAG, pgn};

use crate::reading::game::{self, is_variant};
use crate::reading::record::parse;

/// A pasted game. A position is a game without moves.
#[derive(Debug)]
pub struct Pasted<'a> {
    /// The game.
    pub game: &'static dyn ErasedRules,
    /// Its contents.
    pub record: Record<'a>,
    /// The position that it starts from, as written; `None` for the usual start.
    pub start: Option<String>,
    /// The moves of the main line, up to the first that cannot be resolved.
    pub indices: Vec<u16>,
    /// Why the moves after them, if any, could not be read.
    pub stopped: Option<Error>,
}

/// Why a text holds no game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its Variant tag names rules that plypack does not know.
    OtherRules(String),
    /// It has neither a move nor a position. The error says why a text that could be a position is
    /// not one.
    Nothing(Option<Error>),
    /// The position that the moves start from is not valid.
    Start(Error),
}

impl<'a> Pasted<'a> {
    /// Reads a text, which may be a record in this format. The game is the one that the text
    /// indicates, or else `usual`; with `told`, always `usual`. The moves start from the position
    /// of the record's FEN tag, or else from `start`.
    ///
    /// # Errors
    /// Returns an error if the text is neither a game nor a position.
    pub fn read(
        text: &'a str,
        format: &'static dyn Reader,
        usual: &'static dyn ErasedRules,
        told: bool,
        start: Option<&str>,
    ) -> Result<Self, Refusal> {
        let game = game_of(text, usual, told)?;
        let (record, bare) = (parse(game, text, format), text.trim());
        if record.tags.is_empty() && start.is_none() && game.turn(Some(bare)).is_ok() {
            // The words of a position may look like moves.
            let record = Record { items: Vec::new(), moves: Vec::new(), ..record };
            let start = Some(bare.to_owned());
            return Ok(Self { game, record, start, indices: Vec::new(), stopped: None });
        }
        let start = record.tag(START_TAG).or(start).map(str::to_owned);
        let read = game.read_moves(start.as_deref(), &mut record.moves.iter().copied());
        if record.tags.is_empty() && is_nothing(&record, start.is_some(), &read) {
            return Err(Refusal::Nothing(game.turn(Some(bare)).err().filter(|_| !bare.is_empty())));
        }
        let (indices, stopped) = read.map_err(Refusal::Start)?;
        Ok(Self { game, record, start, indices, stopped })
    }
}

fn game_of(
    text: &str,
    usual: &'static dyn ErasedRules,
    told: bool,
) -> Result<&'static dyn ErasedRules, Refusal> {
    let game = if told { usual } else { game::of(text, usual) };
    let (tags, _) = pgn::parse_tags(text);
    match tags.iter().find(|tag| tag.0 == "Variant") {
        Some((_, variant)) if !is_variant(game, variant) => {
            Err(Refusal::OtherRules(variant.chars().take(100).collect()))
        }
        _ => Ok(game),
    }
}

/// Whether a record without tags is not a game of this kind: its first word cannot be read as a
/// move, or none of its words could be a move. A result alone is a game without moves, and so is an
/// empty text.
fn is_nothing(
    record: &Record<'_>,
    set_up: bool,
    read: &Result<(Vec<u16>, Option<Error>), Error>,
) -> bool {
    match read {
        Ok((_, Some(Error::Move { ply, fault, .. }))) => {
            (*ply, *fault) == (1, MoveFault::Unreadable)
        }
        Ok(_) => {
            !set_up
                && record.moves.is_empty()
                && record.result.is_none()
                && !record.movetext.trim().is_empty()
        }
        Err(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use plypack_records::FALLBACK_READER;

    use super::*;

    fn game(name: &str) -> &'static dyn ErasedRules {
        plypack_games::game(name).expect("a game")
    }

    fn paste(text: &str) -> Result<Pasted<'_>, Refusal> {
        Pasted::read(text, FALLBACK_READER, game("chess"), false, None)
    }

    #[test]
    fn games_moves_and_positions_are_taken() {
        let alone = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        for (text, name, start, plies) in [
            ("[Event \"a\"]\n\n1. e4 e5 *", "chess", None, 2),
            ("e4 e5 Nf3", "chess", None, 3),
            ("", "chess", None, 0),
            (alone, "chess", Some(alone), 0),
            ("[Game \"xiangqi\"]\n\n1. C2=5", "xiangqi", None, 1),
        ] {
            let pasted = paste(text).expect("a game");
            assert_eq!(pasted.game.info().name, name, "{text}");
            assert_eq!(pasted.start.as_deref(), start, "{text}");
            assert_eq!((pasted.indices.len(), pasted.stopped), (plies, None), "{text}");
        }
        let stopped = paste("1. e4 e5 2. Kd4").expect("a game");
        assert!(stopped.indices.len() == 2 && stopped.stopped.is_some());
        let othello = game("othello");
        let told = Pasted::read("f5d6c3", FALLBACK_READER, othello, true, None).expect("a game");
        assert_eq!((told.game.info().name, told.indices.len()), ("othello", 3));
    }

    #[test]
    fn the_rest_is_refused() {
        let other = "[Variant \"Horde\"]\n\n1. e4";
        assert_eq!(paste(other).err(), Some(Refusal::OtherRules("Horde".into())));
        assert!(matches!(paste("hello world").err(), Some(Refusal::Nothing(_))));
        let start = "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4";
        assert!(matches!(paste(start).err(), Some(Refusal::Start(_))));
    }
}
