//! The one loop that every line goes through: list the candidates, choose one, play it.
//!
//! Reading move texts, decoding, encoding and writing move texts differ only in where the next
//! move comes from (a [`MoveSource`]) and where it goes (a [`MoveSink`]). One walk packs a record,
//! from its texts into an encoder and a text writer at once.

use crate::error::{Error, MoveFault, readable};
use crate::game::{Game, Notation};
use crate::limits::PLIES_MAX;
use crate::texts::Texts;

/// One move of a line, as sinks and models see it.
#[derive(Debug)]
pub struct Ply<'a, G: Game> {
    /// The position before the move.
    pub before: &'a G::Position,
    /// The candidates of that position in canonical order.
    pub candidates: &'a [G::Move],
    /// Which of them is played.
    pub index: usize,
    /// The position after the move.
    pub after: &'a G::Position,
}

impl<G: Game> Ply<'_, G> {
    /// The move that is played.
    #[must_use]
    pub fn mv(&self) -> G::Move {
        self.candidates[self.index]
    }
}

/// Where the moves of a line come from.
pub trait MoveSource<G: Game> {
    /// The index of the candidate to play, or `None` at the end of the line.
    ///
    /// # Errors
    /// If there is a move but it cannot be resolved. `ply` counts from 1.
    fn next(
        &mut self,
        ply: u32,
        position: &G::Position,
        candidates: &[G::Move],
    ) -> Result<Option<usize>, Error>;

    /// Called after the move was played.
    fn played(&mut self, _ply: &Ply<'_, G>) {}
}

/// Where the moves of a line go.
pub trait MoveSink<G: Game> {
    /// Takes the next move.
    fn push(&mut self, ply: &Ply<'_, G>);
}

impl<G: Game> MoveSink<G> for () {
    fn push(&mut self, _: &Ply<'_, G>) {}
}

impl<G: Game, A: MoveSink<G>, B: MoveSink<G>> MoveSink<G> for (A, B) {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.0.push(ply);
        self.1.push(ply);
    }
}

/// How far a walk got.
#[derive(Debug)]
pub struct Walk<G: Game> {
    /// The number of plies that were played and passed to the sink.
    pub plies: u32,
    /// The position after them.
    pub end: G::Position,
    /// What stopped the walk before the source ended the line.
    pub stopped: Option<Error>,
}

/// Plays a line from `start`, moving each move from `source` to `sink`.
pub fn walk<G: Game>(
    game: &G,
    start: G::Position,
    source: &mut impl MoveSource<G>,
    sink: &mut impl MoveSink<G>,
) -> Walk<G> {
    let mut before = start;
    let mut candidates = Vec::with_capacity(64);
    let mut plies = 0;
    loop {
        candidates.clear();
        game.candidates(&before, &mut candidates);
        let index = match source.next(plies + 1, &before, &candidates) {
            Ok(Some(_)) if plies >= PLIES_MAX => {
                let stopped = Some(Error::TooLong { plies: plies + 1, max: PLIES_MAX });
                return Walk { plies, end: before, stopped };
            }
            Ok(Some(index)) => index,
            Ok(None) => return Walk { plies, end: before, stopped: None },
            Err(error) => return Walk { plies, end: before, stopped: Some(error) },
        };
        let mut after = before.clone();
        game.play(&mut after, candidates[index]);
        let ply = Ply { before: &before, candidates: &candidates, index, after: &after };
        source.played(&ply);
        sink.push(&ply);
        before = after;
        plies += 1;
    }
}

/// Reads moves from texts.
#[derive(Debug)]
pub struct TextSource<'a, G: Game, I> {
    game: &'a G,
    texts: I,
}

impl<'a, G: Game, I> TextSource<'a, G, I> {
    /// Reads the moves in `texts`, in any notation of the game.
    pub fn new(game: &'a G, texts: I) -> Self {
        Self { game, texts }
    }
}

impl<'t, G: Game, I: Iterator<Item = &'t str>> MoveSource<G> for TextSource<'_, G, I> {
    fn next(
        &mut self,
        ply: u32,
        position: &G::Position,
        candidates: &[G::Move],
    ) -> Result<Option<usize>, Error> {
        let Some(text) = self.texts.next() else { return Ok(None) };
        match self.game.read_move(position, candidates, text) {
            Ok(index) => Ok(Some(index)),
            Err(fault) => Err(move_error(ply, text, fault)),
        }
    }
}

pub(crate) fn move_error(ply: u32, text: &str, fault: MoveFault) -> Error {
    Error::Move { ply, text: readable(text, 40), fault }
}

/// Writes moves as texts.
#[derive(Debug)]
pub struct TextSink<'a, G: Game> {
    game: &'a G,
    notation: Notation,
    /// The texts so far.
    pub texts: Texts,
}

impl<'a, G: Game> TextSink<'a, G> {
    /// Writes in `notation`.
    pub fn new(game: &'a G, notation: Notation) -> Self {
        Self { game, notation, texts: Texts::default() }
    }
}

impl<G: Game> MoveSink<G> for TextSink<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        let Ply { before, candidates, index, after } = *ply;
        self.texts.push_with(|out| {
            self.game.write_move(before, candidates, index, after, self.notation, out);
        });
    }
}

/// Reads moves from a list of candidate indices, a line without notation (Shields: "a game as
/// indices into the legal moves").
#[derive(Debug)]
pub struct IndexSource<'a>(pub std::slice::Iter<'a, u16>);

impl<G: Game> MoveSource<G> for IndexSource<'_> {
    fn next(
        &mut self,
        ply: u32,
        _: &G::Position,
        candidates: &[G::Move],
    ) -> Result<Option<usize>, Error> {
        match self.0.next() {
            None => Ok(None),
            Some(&index) if usize::from(index) < candidates.len() => Ok(Some(index.into())),
            Some(&index) => Err(Error::Index { ply, index, candidates: candidates.len() }),
        }
    }
}

/// Writes moves as candidate indices.
#[derive(Debug, Default)]
pub struct IndexSink(pub Vec<u16>);

impl<G: Game> MoveSink<G> for IndexSink {
    fn push(&mut self, ply: &Ply<'_, G>) {
        // `Game::candidates` promises at most 65,535.
        self.0.push(u16::try_from(ply.index).unwrap_or(u16::MAX));
    }
}
