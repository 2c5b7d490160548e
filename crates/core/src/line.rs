//! The loop that processes every line: choose one of the candidates, play it.
//!
//! Reading move texts, decoding, encoding and writing move texts differ only in the source of the
//! next move (a [`MoveSource`]) and its destination (a [`MoveSink`]). One walk packs a record, from
//! its texts into an encoder and a text writer at once.

use std::cell::OnceCell;

use crate::candidates::{Candidates, Listing};
use crate::error::{Error, MoveFault, readable};
use crate::game::{Notation, Rules};
use crate::limits::PLIES_MAX;
use crate::texts::Texts;

/// One move of a line, as sinks and models see it.
#[derive(Debug)]
pub struct Ply<'a, G: Rules> {
    /// The position before the move.
    pub before: &'a G::Position,
    /// The candidates of that position.
    pub candidates: Candidates<'a, G>,
    /// The candidate that is played.
    mv: G::Move,
    /// Its index, computed on demand.
    index: OnceCell<usize>,
    /// The position after the move.
    pub after: &'a G::Position,
}

impl<'a, G: Rules> Ply<'a, G> {
    /// Creates a ply that plays one of the candidates; `after` is the position after it.
    pub fn new(candidates: Candidates<'a, G>, mv: G::Move, after: &'a G::Position) -> Self {
        let before = candidates.position();
        Self { before, candidates, mv, index: OnceCell::new(), after }
    }

    /// Returns the move that is played.
    pub fn mv(&self) -> G::Move {
        self.mv
    }

    /// Returns the index of the move among the candidates, listing them; the index of a null move
    /// is their number.
    pub fn index(&self) -> usize {
        *self
            .index
            .get_or_init(|| self.candidates.index(self.mv).unwrap_or_else(|| self.candidates.len()))
    }
}

/// The source of a line's moves.
pub trait MoveSource<G: Rules> {
    /// Returns the candidate to play, or `None` at the end of the line. `ply` counts from 1.
    ///
    /// # Errors
    /// Returns an error if there is a move but it cannot be resolved.
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error>;

    /// Called after the move was played.
    fn played(&mut self, _ply: &Ply<'_, G>) {}
}

/// The destination of a line's moves.
pub trait MoveSink<G: Rules> {
    /// Takes the next move.
    fn push(&mut self, ply: &Ply<'_, G>);
}

impl<G: Rules> MoveSink<G> for () {
    fn push(&mut self, _: &Ply<'_, G>) {}
}

impl<G: Rules, S: MoveSink<G>> MoveSink<G> for &mut S {
    fn push(&mut self, ply: &Ply<'_, G>) {
        (**self).push(ply);
    }
}

impl<G: Rules, A: MoveSink<G>, B: MoveSink<G>> MoveSink<G> for (A, B) {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.0.push(ply);
        self.1.push(ply);
    }
}

/// The extent of a walk.
#[derive(Debug)]
pub struct Walk<G: Rules> {
    /// The number of plies that were played and passed to the sink.
    pub plies: u32,
    /// The position after them.
    pub end: G::Position,
    /// The error that stopped the walk before the source ended the line.
    pub stopped: Option<Error>,
}

/// Plays a line from `start`, moving each move from `source` to `sink`. They are trait objects, as
/// hundreds of pairs of them would make hundreds of copies of this loop.
pub fn walk<G: Rules>(
    game: &G,
    start: G::Position,
    source: &mut dyn MoveSource<G>,
    sink: &mut dyn MoveSink<G>,
) -> Walk<G> {
    let mut before = start;
    let mut listing = Listing::default();
    let mut plies = 0;
    loop {
        listing.clear();
        let candidates = Candidates::of(game, &before, &listing);
        let mv = match source.next(plies + 1, &candidates) {
            Ok(Some(_)) if plies >= PLIES_MAX => {
                let stopped = Some(Error::TooLong { plies: plies + 1, max: PLIES_MAX });
                return Walk { plies, end: before, stopped };
            }
            Ok(Some(mv)) => mv,
            Ok(None) => return Walk { plies, end: before, stopped: None },
            Err(error) => return Walk { plies, end: before, stopped: Some(error) },
        };
        let mut after = before.clone();
        game.play(&mut after, mv);
        let ply = Ply::new(candidates, mv, &after);
        source.played(&ply);
        sink.push(&ply);
        before = after;
        plies += 1;
    }
}

/// Reads moves from texts.
#[derive(Debug)]
pub struct TextSource<'a, G: Rules, I> {
    game: &'a G,
    texts: I,
    nulls: bool,
}

impl<'a, G: Rules, I> TextSource<'a, G, I> {
    /// Creates a source of the moves in `texts`, in any notation of the game.
    pub fn new(game: &'a G, texts: I) -> Self {
        Self { game, texts, nulls: false }
    }

    /// Sets whether null moves are also read.
    #[must_use]
    pub fn with_nulls(self, nulls: bool) -> Self {
        Self { nulls, ..self }
    }
}

impl<'t, G: Rules, I: Iterator<Item = &'t str>> MoveSource<G> for TextSource<'_, G, I> {
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error> {
        let Some(text) = self.texts.next() else { return Ok(None) };
        if !self.nulls && self.game.is_null(text) {
            return Err(move_error(ply, text, MoveFault::Illegal));
        }
        let read = self.game.read_move(candidates, text);
        read.map(Some).map_err(|fault| move_error(ply, text, fault))
    }
}

pub(crate) fn move_error(ply: u32, text: &str, fault: MoveFault) -> Error {
    Error::Move { ply, text: readable(text, 40), fault }
}

/// Writes moves as texts.
#[derive(Debug)]
pub struct TextSink<'a, G: Rules> {
    game: &'a G,
    notation: Notation,
    /// The texts so far.
    pub texts: Texts,
}

impl<'a, G: Rules> TextSink<'a, G> {
    /// Creates a sink that writes in `notation`.
    pub fn new(game: &'a G, notation: Notation) -> Self {
        Self { game, notation, texts: Texts::of_line() }
    }
}

impl<G: Rules> MoveSink<G> for TextSink<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.texts.push_with(|out| self.game.write_move(ply, self.notation, out));
    }
}

/// Reads moves from a list of candidate indices, a line without notation (Shields: "a game as
/// indices into the legal moves").
#[derive(Debug)]
pub struct IndexSource<'a, 'g, G> {
    indices: std::slice::Iter<'a, u16>,
    game: &'g G,
    nulls: bool,
}

impl<'a, 'g, G: Rules> IndexSource<'a, 'g, G> {
    /// Creates a source of these indices; with `nulls`, also those of null moves.
    pub fn new(game: &'g G, indices: &'a [u16], nulls: bool) -> Self {
        Self { indices: indices.iter(), game, nulls }
    }
}

impl<G: Rules> MoveSource<G> for IndexSource<'_, '_, G> {
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error> {
        let Some(&index) = self.indices.next() else { return Ok(None) };
        let mv = move_of(self.game, candidates, index.into());
        let is_null = || usize::from(index) >= candidates.len();
        let mv = mv.filter(|_| self.nulls || !is_null());
        mv.map(Some).ok_or_else(|| Error::Index { ply, index, candidates: candidates.len() })
    }
}

/// Returns the move with this index: a candidate, or after them the null move, if there is one.
pub(crate) fn move_of<G: Rules>(
    game: &G,
    candidates: &Candidates<'_, G>,
    index: usize,
) -> Option<G::Move> {
    let null = || game.null(candidates.position()).filter(|_| index == candidates.len());
    candidates.get(index).copied().or_else(null)
}

/// Writes moves as candidate indices.
#[derive(Debug, Default)]
pub struct IndexSink(pub Vec<u16>);

impl<G: Rules> MoveSink<G> for IndexSink {
    fn push(&mut self, ply: &Ply<'_, G>) {
        // `Rules::candidates` promises at most 65,535.
        self.0.push(u16::try_from(ply.index()).unwrap_or(u16::MAX));
    }
}
