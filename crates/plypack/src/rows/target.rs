//! The position to search for.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use crate::reading::record::{parse, unread};
use plypack_core::key::Structure;
use plypack_core::{Cursor, ErasedLineCodec, ErasedRules, Error, Notation, Turn};
use plypack_records::{FALLBACK_READER, START_TAG};

/// A position of a game, to compare with others. Positions are the same if they have the same men
/// on the same cells, the same side to move and the same rights, whatever the counters say.
#[derive(Clone, Debug)]
pub struct Target {
    game: &'static dyn ErasedRules,
    text: String,
    key: u64,
    structure: Structure,
    facts: String,
    progress: u32,
    /// The start that it was reached from; `None` for the usual one.
    start: Option<String>,
    /// The candidates played from there.
    moves: Vec<u16>,
}

/// The notation in which players of a game name moves: of go the coordinates around the board, of
/// other games the customary one.
pub fn spoken(game: &dyn ErasedRules) -> Notation {
    match game.info().name {
        "go" => Notation::Coordinate,
        _ => Notation::Customary,
    }
}

/// Returns what the players of a game are called, the first one first. So are the tags that name
/// them.
pub fn sides(game: &dyn ErasedRules) -> [&'static str; 2] {
    match game.info().name {
        "chess" | "tictactoe" => ["White", "Black"],
        "xiangqi" => ["Red", "Black"],
        _ => ["Black", "White"],
    }
}

/// Returns a move's number with its dots: `3.`, `3...`.
pub fn numbered(turn: Turn) -> String {
    let dots = if turn.second { "..." } else { "." };
    format!("{}{dots}", turn.number)
}

/// The texts of a position's candidates, in customary notation and as coordinates.
#[derive(Clone, Debug, Default)]
pub struct CandidateTexts([Vec<String>; 2]);

impl CandidateTexts {
    /// A move in customary notation; `None` for the end of a game.
    pub fn customary(&self, candidate: Option<u16>) -> Option<&str> {
        self.0[0].get(usize::from(candidate?)).map(String::as_str)
    }

    /// A move in one of these notations.
    pub fn of(&self, notation: Notation, candidate: Option<u16>) -> Option<&str> {
        match notation {
            Notation::Coordinate => self.coordinates(candidate),
            _ => self.customary(candidate),
        }
    }

    /// A move as coordinates.
    pub fn coordinates(&self, candidate: Option<u16>) -> Option<&str> {
        self.0[1].get(usize::from(candidate?)).map(String::as_str)
    }
}

impl Target {
    /// Reads the position after these moves from `start`, a position's text in any dialect of the
    /// game; without one, from the game's usual start, or the one that the moves imply. Moves are
    /// in any notation, with or without their numbers, or a whole record.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read, [`Error::Move`] if a move is invalid.
    pub fn read(
        game: &'static dyn ErasedRules,
        start: Option<&str>,
        moves: &str,
    ) -> Result<Self, Error> {
        let record = parse(game, moves, FALLBACK_READER);
        let start = start.or(record.tag(START_TAG));
        let told = if start.is_none() { game.start_told(&[], &record.moves) } else { None };
        let start = start.or(told.as_deref());
        let mut cursor = game.cursor(start)?;
        let mut played = Vec::with_capacity(record.moves.len());
        for text in &record.moves {
            played.push(cursor.read(text)?);
        }
        // Text that is not understood is not a move either.
        if let Some(text) = unread(&record, moves) {
            played.push(cursor.read(text)?);
        }
        let start = start.map(str::to_owned);
        Ok(Self { start, moves: played, ..Self::at(game, &*cursor) })
    }

    /// The position at a cursor of this game.
    pub fn at(game: &'static dyn ErasedRules, cursor: &dyn Cursor<'_>) -> Self {
        let (mut text, mut facts) = (String::new(), String::new());
        cursor.write_position(&mut text);
        cursor.write_facts(&mut facts);
        let (key, structure, progress) = (cursor.key(), cursor.structure(), cursor.progress());
        let (start, moves) = (Some(text.clone()), Vec::new());
        Self { game, text, key, structure, facts, progress, start, moves }
    }

    /// The game.
    pub fn game(&self) -> &'static dyn ErasedRules {
        self.game
    }

    /// The position, in canonical spelling.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The start that it was read from, `None` for the usual one, and the candidates played from
    /// there to it.
    pub fn line(&self) -> (Option<&str>, &[u16]) {
        (self.start.as_deref(), &self.moves)
    }

    /// Its structure ([`plypack_core::Rules::structure`]).
    pub fn structure(&self) -> Structure {
        self.structure
    }

    /// Its key ([`plypack_core::Rules::key`]).
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The texts of its candidates, by their numbers, followed by the null move's, if there is one.
    ///
    /// # Errors
    /// Never returns an error, as the position was read before.
    pub fn candidates(&self, notation: Notation) -> Result<Vec<String>, Error> {
        let texts = self.game.candidates(Some(&self.text), notation)?;
        let null = self.game.null(Some(&self.text), notation)?;
        Ok(texts.iter().map(str::to_owned).chain(null).collect())
    }

    /// The texts of its candidates in both notations.
    ///
    /// # Errors
    /// As [`candidates`](Self::candidates).
    pub fn texts(&self) -> Result<CandidateTexts, Error> {
        let (customary, coordinates) = (Notation::Customary, Notation::Coordinate);
        Ok(CandidateTexts([self.candidates(customary)?, self.candidates(coordinates)?]))
    }

    /// Whether a cursor of the same game is at this position. Equal keys are a hint; the facts
    /// behind them prove it.
    pub fn is_at(&self, cursor: &dyn Cursor<'_>) -> bool {
        let is_like = || cursor.key() == self.key;
        cursor.progress() == self.progress && is_like() && self.has(|out| cursor.write_facts(out))
    }

    /// Whether these are its facts.
    fn has(&self, write: impl FnOnce(&mut String)) -> bool {
        let mut facts = String::with_capacity(self.facts.len());
        write(&mut facts);
        facts == self.facts
    }

    /// The number of plies after which a line first reaches this position; `None` if it never does,
    /// or is of another game. Only positions are decoded, and none that come too late.
    ///
    /// # Errors
    /// Returns an error if the start cannot be read, if the code is not one of the codec's, or if
    /// it holds fewer plies.
    pub fn first_ply(
        &self,
        codec: &dyn ErasedLineCodec,
        start: Option<&str>,
        plies: u32,
        code: &[u8],
    ) -> Result<Option<u32>, Error> {
        if codec.game().info().id != self.game.info().id {
            return Ok(None);
        }
        let first = codec.game().cursor(start)?;
        if self.is_at(&*first) {
            return Ok(Some(0));
        }
        if self.is_behind(&*first) {
            return Ok(None);
        }
        let (mut ply, mut found) = (0, None);
        codec.scan(start, plies, code, &mut |place| {
            ply += 1;
            match place.progress().cmp(&self.progress) {
                Ordering::Less => ControlFlow::Continue(()),
                Ordering::Greater => ControlFlow::Break(()),
                Ordering::Equal if place.key() != self.key => ControlFlow::Continue(()),
                Ordering::Equal if !self.has(|out| place.write_facts(out)) => {
                    ControlFlow::Continue(())
                }
                Ordering::Equal => {
                    found = Some(ply);
                    ControlFlow::Break(())
                }
            }
        })?;
        Ok(found)
    }

    /// Whether no line from a cursor can reach this position any more.
    pub fn is_behind(&self, cursor: &dyn Cursor<'_>) -> bool {
        cursor.progress() > self.progress
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(game: &str, start: Option<&str>, moves: &str) -> Result<Target, Error> {
        Target::read(plypack_games::game(game).expect("a game"), start, moves)
    }

    #[test]
    fn spellings_of_a_position_are_one() {
        let after = target("chess", None, "1. e4 c5 2. Nf3").expect("moves");
        let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b HAha - 99 40";
        for (start, moves) in [
            (None, "Nf3 c5 e4"),
            (None, "g1f3 c7c5 e2e4"),
            (Some(fen), ""),
            (Some(&fen[..fen.len() - 6]), "  "),
        ] {
            let other = target("chess", start, moves).expect("moves");
            assert_eq!((other.key(), &other.facts), (after.key(), &after.facts), "{moves}");
        }
        let record = format!("[FEN \"{fen}\"]\n\n20... d6");
        let whole = target("chess", None, &record).expect("a record");
        assert_eq!(whole.key(), target("chess", Some(fen), "d6").expect("moves").key());
        assert!(target("gomoku", None, "h8 t20").is_ok_and(|of| of.facts.starts_with("19o/")));
        assert!(target("othello", None, "f5d6c3").is_ok());
    }

    /// An en passant square counts only if a pawn can capture there.
    #[test]
    fn en_passant_counts_where_it_is_legal() {
        let same = |one: &str, other: &str| {
            let [one, other] = [one, other].map(|fen| target("chess", Some(fen), "").expect(fen));
            assert_eq!(one.key() == other.key(), one.facts == other.facts);
            one.facts == other.facts
        };
        let beside = "4k3/8/8/8/4Pp2/8/8/4K3 b -";
        assert!(!same(&format!("{beside} e3 0 1"), &format!("{beside} - 0 1")));
        let alone = "4k3/8/8/8/4P3/8/8/4K3 b -";
        assert!(same(&format!("{alone} e3 0 1"), &format!("{alone} - 7 9")));
    }

    #[test]
    fn a_line_comes_first_to_a_position() {
        let moves = "e4 e5 Nf3 Nf6 Ng1 Ng8 Nf3";
        for codec in plypack_games::line_codecs("chess") {
            let mut texts = moves.split(' ');
            let line = codec.encode(None, &mut texts, Notation::Customary).expect("legal moves");
            let first = |start, moves| {
                let target = target("chess", start, moves).expect("a position");
                target.first_ply(codec, None, line.plies, &line.code)
            };
            assert_eq!(first(None, ""), Ok(Some(0)));
            assert_eq!(first(None, "e4 e5"), Ok(Some(2)));
            assert_eq!(first(None, "e4 e5 Nf3"), Ok(Some(3)));
            assert_eq!(first(None, "e4 e5 Nc3"), Ok(None));
            assert_eq!(first(None, "d4"), Ok(None));
            let other = target("xiangqi", None, "").expect("a position");
            assert_eq!(other.first_ply(codec, None, line.plies, &line.code), Ok(None));
        }
    }

    #[test]
    fn what_is_no_position_is_refused() {
        assert!(matches!(target("chess", Some("x"), ""), Err(Error::Position { .. })));
        assert!(matches!(target("chess", None, "e4 e4"), Err(Error::Move { ply: 2, .. })));
        assert!(matches!(target("chess", None, "e4 } e5"), Err(Error::Move { .. })));
        assert!(matches!(target("chess", None, "1. e4 ; c5 2. Nf3"), Err(Error::Move { .. })));
        assert!(target("chess", None, "1. e4 ; best by test\n c5").is_ok());
    }
}
