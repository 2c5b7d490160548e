//! A game without its types.

use std::fmt::Debug;

use super::cursor::{self, Cursor};
use super::start_of;
use crate::candidates::Candidates;
use crate::error::Error;
use crate::game::{GameInfo, Notation, Rules, Turn};
use crate::line::{IndexSink, IndexSource, MoveSink, Ply, TextSink, TextSource, walk};
use crate::pattern::{self, Diagram, Pattern, Query};
use crate::texts::Texts;

/// A game without its types.
///
/// A `start` of `None` is the game's usual start.
pub trait ErasedRules: Debug + Send + Sync {
    /// Returns the description of the game.
    fn info(&self) -> &'static GameInfo;

    /// Returns the number of a line's first move, and the side to move.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn turn(&self, start: Option<&str>) -> Result<Turn, Error>;

    /// Returns the start of a record, in canonical spelling, inferred from the words at its head
    /// and the texts of its moves. Returns `None` if it is the usual one or cannot be inferred.
    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<String>;

    /// Reads moves in any notation as candidate indices, up to the first that cannot be resolved.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn read_moves(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<(Vec<u16>, Option<Error>), Error>;

    /// Returns the notation that spells most of these moves as written, up to the first that cannot
    /// be resolved; in a tie, the likeliest.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn notation_of(&self, start: Option<&str>, moves: &[&str]) -> Result<Notation, Error>;

    /// Returns the position after a line, in canonical spelling.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read, [`Error::Index`] if an index is too
    /// large.
    fn position_after(&self, start: Option<&str>, indices: &[u16]) -> Result<String, Error>;

    /// Returns the texts of a line's moves.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read, [`Error::Index`] if an index is too
    /// large.
    fn write_moves(
        &self,
        start: Option<&str>,
        indices: &[u16],
        notation: Notation,
    ) -> Result<Texts, Error>;

    /// Returns what the text of a position leaves open ([`Rules::lacks`]).
    fn lacks(&self, text: &str) -> Option<&'static str>;

    /// Returns whether a text names the null move, which lines may contain but is never a
    /// candidate.
    fn is_null(&self, text: &str) -> bool;

    /// Returns the text of the null move at `start`; `None` if there is none.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn null(&self, start: Option<&str>, notation: Notation) -> Result<Option<String>, Error>;

    /// Returns the texts of the candidates at `start`, in canonical order.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn candidates(&self, start: Option<&str>, notation: Notation) -> Result<Texts, Error>;

    /// Returns a cursor at `start`, with no moves ahead: [`Cursor::play`] and [`Cursor::read`] move
    /// it.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn cursor<'a>(&'a self, start: Option<&str>) -> Result<Box<dyn Cursor<'a> + 'a>, Error>;

    /// Returns how the board is drawn, in whose terms queries are.
    ///
    /// # Errors
    /// Returns a message if the game, or this build, does not support patterns.
    fn diagram(&self) -> Result<&'static Diagram, String>;

    /// Compiles a query into a pattern to find in lines of this game.
    ///
    /// # Errors
    /// Returns a message with a remedy if the game does not support a part of the query.
    fn pattern(&self, query: &Query) -> Result<Pattern, String>;

    /// Returns what [`ErasedLineCodec::matched`](super::ErasedLineCodec::matched) does, for a line
    /// of candidate indices.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read, [`Error::Index`] if an index is too
    /// large.
    fn matched(
        &self,
        start: Option<&str>,
        indices: &[u16],
        pattern: &Pattern,
        result: u8,
    ) -> Result<Option<Vec<u32>>, Error>;

    /// Perft: returns the number of lines of `depth` plies from `start`, the usual check of a move
    /// generator.
    ///
    /// # Errors
    /// Returns [`Error::Position`] if `start` cannot be read.
    fn perft(&self, start: Option<&str>, depth: u32) -> Result<u64, Error>;
}

/// Builds for links have no code for patterns.
const NO_PATTERNS: &str = "this build does not support patterns";

/// A row of the registry of games.
#[derive(Debug)]
pub struct GameRow<G>(pub G);

impl<G: Rules> ErasedRules for GameRow<G> {
    fn info(&self) -> &'static GameInfo {
        self.0.info()
    }

    fn turn(&self, start: Option<&str>) -> Result<Turn, Error> {
        Ok(self.0.turn(&start_of(&self.0, start)?))
    }

    fn start_told(&self, head: &[&str], moves: &[&str]) -> Option<String> {
        let mut text = String::new();
        self.0.write_position(&self.0.start_told(head, moves)?, &mut text);
        Some(text)
    }

    fn read_moves(
        &self,
        start: Option<&str>,
        moves: &mut dyn Iterator<Item = &str>,
    ) -> Result<(Vec<u16>, Option<Error>), Error> {
        let mut sink = IndexSink::default();
        let start = start_of(&self.0, start)?;
        let mut source = TextSource::new(&self.0, moves).with_nulls(true);
        let end = walk(&self.0, start, &mut source, &mut sink);
        Ok((sink.0, end.stopped))
    }

    fn notation_of(&self, start: Option<&str>, moves: &[&str]) -> Result<Notation, Error> {
        let game = &self.0;
        let counts = self.info().all_notations().map(|notation| (notation, 0)).collect();
        let mut tally = Tally { game, written: moves.iter(), counts, text: String::new() };
        let mut source = TextSource::new(game, moves.iter().copied()).with_nulls(true);
        walk(game, start_of(game, start)?, &mut source, &mut tally);
        // `max_by_key` returns the last of equals, so the likeliest comes last.
        let best = tally.counts.into_iter().rev().max_by_key(|(_, count)| *count);
        Ok(best.map_or(Notation::Customary, |(notation, _)| notation))
    }

    fn position_after(&self, start: Option<&str>, indices: &[u16]) -> Result<String, Error> {
        let start = start_of(&self.0, start)?;
        let end = walk(&self.0, start, &mut IndexSource::new(&self.0, indices, true), &mut ());
        let mut text = String::new();
        self.0.write_position(&end.end, &mut text);
        end.stopped.map_or(Ok(text), Err)
    }

    fn write_moves(
        &self,
        start: Option<&str>,
        indices: &[u16],
        notation: Notation,
    ) -> Result<Texts, Error> {
        let start = start_of(&self.0, start)?;
        let mut sink = TextSink::new(&self.0, notation);
        let end = walk(&self.0, start, &mut IndexSource::new(&self.0, indices, true), &mut sink);
        end.stopped.map_or(Ok(sink.texts), Err)
    }

    fn lacks(&self, text: &str) -> Option<&'static str> {
        self.0.lacks(text)
    }

    fn is_null(&self, text: &str) -> bool {
        self.0.is_null(text)
    }

    fn null(&self, start: Option<&str>, notation: Notation) -> Result<Option<String>, Error> {
        let before = start_of(&self.0, start)?;
        let Some(mv) = self.0.null(&before) else { return Ok(None) };
        let mut after = before.clone();
        self.0.play(&mut after, mv);
        let mut text = String::new();
        let ply = Ply::new(Candidates::listed(&before, &[]), mv, &after);
        self.0.write_move(&ply, notation, &mut text);
        Ok(Some(text))
    }

    fn candidates(&self, start: Option<&str>, notation: Notation) -> Result<Texts, Error> {
        let before = start_of(&self.0, start)?;
        let (mut candidates, mut texts) = (Vec::new(), Texts::default());
        self.0.candidates(&before, &mut candidates);
        let all = Candidates::listed(&before, &candidates);
        for &mv in &candidates {
            let mut after = before.clone();
            self.0.play(&mut after, mv);
            let ply = Ply::new(all, mv, &after);
            texts.push_with(|out| self.0.write_move(&ply, notation, out));
        }
        Ok(texts)
    }

    fn cursor<'a>(&'a self, start: Option<&str>) -> Result<Box<dyn Cursor<'a> + 'a>, Error> {
        Ok(cursor::at(&self.0, start_of(&self.0, start)?))
    }

    fn diagram(&self) -> Result<&'static Diagram, String> {
        if !cfg!(feature = "patterns") {
            return Err(NO_PATTERNS.into());
        }
        Ok(pattern::supported(&self.0)?.drawing())
    }

    fn pattern(&self, query: &Query) -> Result<Pattern, String> {
        if !cfg!(feature = "patterns") {
            return Err(NO_PATTERNS.into());
        }
        pattern::compile(&self.0, query)
    }

    fn matched(
        &self,
        start: Option<&str>,
        indices: &[u16],
        pattern: &Pattern,
        result: u8,
    ) -> Result<Option<Vec<u32>>, Error> {
        // A build without patterns cannot have made one.
        if !cfg!(feature = "patterns") {
            return Ok(None);
        }
        let line = (start_of(&self.0, start)?, indices);
        pattern::matched_by_indices(&self.0, line, pattern, result)
    }

    fn perft(&self, start: Option<&str>, depth: u32) -> Result<u64, Error> {
        fn count<G: Rules>(game: &G, position: &G::Position, depth: u32) -> u64 {
            if depth == 0 {
                return 1;
            }
            let mut candidates = Vec::with_capacity(64);
            game.candidates(position, &mut candidates);
            if depth == 1 {
                return candidates.len() as u64;
            }
            candidates
                .iter()
                .map(|&mv| {
                    let mut after = position.clone();
                    game.play(&mut after, mv);
                    count(game, &after, depth - 1)
                })
                .sum()
        }
        Ok(count(&self.0, &start_of(&self.0, start)?, depth))
    }
}

/// Counts for each notation how many moves of a line it spells as written.
struct Tally<'a, G> {
    game: &'a G,
    written: std::slice::Iter<'a, &'a str>,
    counts: Vec<(Notation, u32)>,
    text: String,
}

impl<G: Rules> MoveSink<G> for Tally<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        let Some(&written) = self.written.next() else { return };
        for (notation, count) in &mut self.counts {
            self.text.clear();
            self.game.write_move(ply, *notation, &mut self.text);
            *count += u32::from(self.text == written);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::HEAP;
    use super::*;

    #[test]
    fn lines_are_indices_texts_and_positions() {
        let (indices, stopped) =
            HEAP.read_moves(None, &mut ["1", "2", "9"].into_iter()).expect("the usual start");
        assert_eq!(indices, [0, 1]);
        assert!(matches!(stopped, Some(Error::Move { ply: 3, .. })));
        let texts = HEAP.write_moves(None, &indices, Notation::Customary).expect("candidates");
        assert!(texts.iter().eq(["1", "2"]));
        assert_eq!(HEAP.position_after(None, &indices).as_deref(), Ok("7"));
        let beyond = Error::Index { ply: 2, index: 3, candidates: 3 };
        assert_eq!(HEAP.position_after(None, &[0, 3]), Err(beyond));
    }

    #[test]
    fn the_notation_is_the_one_that_spells_most() {
        let of = |moves: &[&str]| HEAP.notation_of(None, moves).expect("the usual start");
        assert_eq!(of(&["01", "2", "03"]), Notation::Coordinate);
        assert_eq!(of(&["1", "02"]), Notation::Customary);
        assert_eq!(of(&[]), Notation::Customary);
    }

    #[test]
    fn candidates_and_lines_are_counted() {
        let texts = HEAP.candidates(Some("2"), Notation::Customary).expect("a start");
        assert!(texts.iter().eq(["1", "2"]));
        // Of four stones: take 1, 2 or 3, then continue with three, two or one.
        assert_eq!([1, 2, 3].map(|depth| HEAP.perft(Some("4"), depth)), [Ok(3), Ok(6), Ok(4)]);
    }
}
