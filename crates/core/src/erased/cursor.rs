//! Cursors along a line, without the game's types and without texts: for searches, tables of plies
//! and viewers.

use super::line::LineRow;
use crate::candidates::Candidates;
use crate::codec::LineCodec;
use crate::error::Error;
use crate::game::{Notation, Rules, Turn};
use crate::key::Structure;
use crate::limits::check_plies;
use crate::line::{IndexSource, MoveSource, Ply, move_error, move_of};

/// A point in a line: a position, the moves that led to it, and the moves ahead, if it was opened
/// on a code.
///
/// Moves ahead are decoded one at a time, so stopping early costs nothing. The start is read once;
/// moves and positions become text only on request.
pub trait Cursor<'a> {
    /// Returns the number of plies from the start of the line.
    fn ply(&self) -> u32;

    /// Returns the number of the next move, and the side to move.
    fn turn(&self) -> Turn;

    /// Plays the next move ahead and returns its index among the candidates. Returns `None` at the
    /// end of the line, or without a code.
    ///
    /// # Errors
    /// Returns an error if the code is not one of its codec's, or holds fewer plies. Nothing is
    /// ahead then.
    fn next(&mut self) -> Result<Option<u16>, Error>;

    /// Plays a candidate, or the null move, whose index follows theirs. Drops the moves ahead, even
    /// if this was the next of them.
    ///
    /// # Errors
    /// Returns [`Error::Index`] if there is no such candidate, [`Error::TooLong`] if the line
    /// already has the maximum number of plies. The cursor then stays where it is.
    fn play(&mut self, index: u16) -> Result<(), Error>;

    /// Plays the candidate that `text` names, in any notation, as [`play`](Self::play) does, and
    /// returns its index.
    ///
    /// # Errors
    /// Returns [`Error::Move`] if `text` names no candidate, or several; otherwise as
    /// [`play`](Self::play).
    fn read(&mut self, text: &str) -> Result<u16, Error>;

    /// Returns the position's key ([`Rules::key`]).
    fn key(&self) -> u64;

    /// Returns the position's second hash ([`Rules::second_key`]).
    fn second_key(&self) -> u32;

    /// Returns the position's structure ([`Rules::structure`]).
    fn structure(&self) -> Structure;

    /// Appends the text of the facts that determine the key ([`Rules::write_facts`]).
    fn write_facts(&self, out: &mut String);

    /// Returns the progress of the line ([`Rules::progress`]).
    fn progress(&self) -> u32;

    /// Returns the first player's material advantage ([`Rules::material`]).
    fn material(&self) -> i32;

    /// Returns what remains of the start ([`Rules::remains`]).
    fn remains(&self) -> u64;

    /// Returns the lowest key of the position's images ([`Rules::canonical_key`]).
    fn canonical_key(&self) -> u64;

    /// Returns how often the position has occurred in the line, including now: 3 is a threefold
    /// repetition. Positions are compared by their keys.
    fn occurrences(&mut self) -> usize;

    /// Returns the index of the last move among its candidates; `None` at the start.
    fn last(&self) -> Option<u16>;

    /// Appends the last move's text to `out`; nothing at the start.
    fn write_move(&mut self, notation: Notation, out: &mut String);

    /// Appends the position's text, in canonical spelling, to `out`.
    fn write_position(&self, out: &mut String);

    /// Returns the number of candidates; 0 if the game is over.
    fn candidates(&mut self) -> usize;

    /// Returns a cursor with nothing ahead at the position before the move at `ply`, counted from
    /// 1, or at this position for a ply beyond the last. It counts plies from the same start.
    fn fork(&self, ply: u32) -> Box<dyn Cursor<'a> + 'a>;

    /// Returns a cursor before the first of `plies` moves of a branch, which replaces the move at
    /// `ply`, counted from 1, and all later ones; for a ply beyond the last, it continues from
    /// here.
    ///
    /// # Errors
    /// Returns the errors of the codec's [`cursor`](super::ErasedLineCodec::cursor), and
    /// [`Error::Cell`] if the cursor is a game's and thus has no codec.
    fn branch(
        &self,
        ply: u32,
        plies: u32,
        code: &'a [u8],
    ) -> Result<Box<dyn Cursor<'a> + 'a>, Error>;
}

/// The moves that led to a position.
#[derive(Clone)]
struct Path<'a, G: Rules> {
    game: &'a G,
    /// The positions before the first move and after each; at least one.
    positions: Vec<G::Position>,
    /// The index of the candidate played in each position except the last.
    indices: Vec<u16>,
    /// The keys of the first positions, computed on demand.
    keys: Vec<u64>,
    /// The candidates of one position.
    candidates: Vec<G::Move>,
    /// The number of that position.
    listed: Option<usize>,
}

impl<'a, G: Rules> Path<'a, G> {
    fn new(game: &'a G, start: G::Position) -> Self {
        let (positions, candidates) = (vec![start], Vec::with_capacity(64));
        let (indices, keys) = (Vec::new(), Vec::new());
        Self { game, positions, indices, keys, candidates, listed: None }
    }

    fn start(&self) -> &G::Position {
        &self.positions[0]
    }

    fn here(&self) -> &G::Position {
        &self.positions[self.indices.len()]
    }

    fn ply(&self) -> u32 {
        // A path has at most PLIES_MAX plies.
        u32::try_from(self.indices.len()).unwrap_or(u32::MAX)
    }

    /// Lists the candidates of the position with this number, unless they are listed already.
    fn list(&mut self, place: usize) {
        if self.listed != Some(place) {
            self.candidates.clear();
            self.game.candidates(&self.positions[place], &mut self.candidates);
            self.listed = Some(place);
        }
    }

    /// Returns the candidates of the last position, which must be listed.
    fn candidates_here(&self) -> Candidates<'_, G> {
        Candidates::listed(self.here(), &self.candidates)
    }

    /// Plays one of the listed candidates, or the null move.
    fn push(&mut self, index: usize, mv: G::Move, played: impl FnOnce(&Ply<'_, G>)) -> u16 {
        let mut after = self.here().clone();
        self.game.play(&mut after, mv);
        played(&Ply::new(self.candidates_here(), mv, &after));
        self.positions.push(after);
        // `Rules::candidates` promises at most 65,535.
        let index = u16::try_from(index).unwrap_or(u16::MAX);
        self.indices.push(index);
        index
    }

    fn play(&mut self, index: u16) -> Result<(), Error> {
        check_plies(self.ply().saturating_add(1))?;
        self.list(self.indices.len());
        let Some(mv) = move_of(self.game, &self.candidates_here(), index.into()) else {
            let (ply, candidates) = (self.ply() + 1, self.candidates.len());
            return Err(Error::Index { ply, index, candidates });
        };
        self.push(index.into(), mv, |_| {});
        Ok(())
    }

    fn read(&mut self, text: &str) -> Result<u16, Error> {
        check_plies(self.ply().saturating_add(1))?;
        self.list(self.indices.len());
        let candidates = self.candidates_here();
        let mv = self.game.read_move(&candidates, text);
        let mv = mv.map_err(|fault| move_error(self.ply() + 1, text, fault))?;
        let index = candidates.index(mv).unwrap_or_else(|| candidates.len());
        Ok(self.push(index, mv, |_| {}))
    }

    fn occurrences(&mut self) -> usize {
        for position in &self.positions[self.keys.len()..] {
            self.keys.push(self.game.key(position));
        }
        let here = self.keys.last();
        self.keys.iter().filter(|&key| Some(key) == here).count()
    }

    fn write_move(&mut self, notation: Notation, out: &mut String) {
        let Some(&index) = self.indices.last() else { return };
        let place = self.indices.len() - 1;
        self.list(place);
        let [before, after] = [&self.positions[place], &self.positions[place + 1]];
        let candidates = Candidates::listed(before, &self.candidates);
        if let Some(mv) = move_of(self.game, &candidates, index.into()) {
            self.game.write_move(&Ply::new(candidates, mv, after), notation, out);
        }
    }

    /// Returns the path up to the position before the move at `ply`.
    fn before(&self, ply: u32) -> Self {
        let plies = usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX);
        let plies = plies.min(self.indices.len());
        Self {
            positions: self.positions[..=plies].to_vec(),
            indices: self.indices[..plies].to_vec(),
            ..Self::new(self.game, self.positions[plies].clone())
        }
    }
}

/// The codec of a line's branches, if any.
trait Codec<'a, G: Rules>: Copy + 'a {
    /// Opens a cursor at the end of a path, before the moves of a code.
    fn open(
        self,
        path: Path<'a, G>,
        plies: u32,
        code: &'a [u8],
    ) -> Result<Box<dyn Cursor<'a> + 'a>, Error>;
}

impl<'a, G: Rules, C: LineCodec<G>> Codec<'a, G> for &'a LineRow<G, C> {
    fn open(
        self,
        path: Path<'a, G>,
        plies: u32,
        code: &'a [u8],
    ) -> Result<Box<dyn Cursor<'a> + 'a>, Error> {
        let before = path.ply();
        check_plies(before.saturating_add(plies))?;
        let source = self.codec.decoder(&self.game.0, path.here(), plies, code)?;
        Ok(Box::new(LineCursor { codec: self, path, ahead: Some(source), before }))
    }
}

/// No codec, because a game has many.
#[derive(Clone, Copy)]
struct NoCodec;

impl<'a, G: Rules> Codec<'a, G> for NoCodec {
    fn open(self, _: Path<'a, G>, _: u32, _: &'a [u8]) -> Result<Box<dyn Cursor<'a> + 'a>, Error> {
        Err(Error::Cell { at: 0, why: "a game's cursor has no codec: open one from a codec" })
    }
}

/// Returns a cursor with nothing ahead and no codec.
pub(super) fn at<'a, G: Rules>(game: &'a G, start: G::Position) -> Box<dyn Cursor<'a> + 'a> {
    let ahead = None::<IndexSource<'a, 'a, G>>;
    Box::new(LineCursor { codec: NoCodec, path: Path::new(game, start), ahead, before: 0 })
}

/// Returns a cursor before the moves of a code.
pub(super) fn along<'a, G: Rules, C: LineCodec<G>>(
    row: &'a LineRow<G, C>,
    start: G::Position,
    plies: u32,
    code: &'a [u8],
) -> Result<Box<dyn Cursor<'a> + 'a>, Error> {
    row.open(Path::new(&row.game.0, start), plies, code)
}

/// Returns a cursor at the end of a line whose positions are known, with nothing ahead. There is
/// one more of `positions` than of `indices`.
pub(super) fn behind<'a, G: Rules, C: LineCodec<G>>(
    row: &'a LineRow<G, C>,
    positions: Vec<G::Position>,
    indices: Vec<u16>,
) -> Box<dyn Cursor<'a> + 'a> {
    let (keys, candidates) = (Vec::new(), Vec::new());
    let path = Path { game: &row.game.0, positions, indices, keys, candidates, listed: None };
    let before = path.ply();
    Box::new(LineCursor { codec: row, path, ahead: None::<IndexSource<'a, 'a, G>>, before })
}

struct LineCursor<'a, G: Rules, C, S> {
    codec: C,
    path: Path<'a, G>,
    /// The source of the moves ahead.
    ahead: Option<S>,
    /// Number of plies before the first of them.
    before: u32,
}

impl<'a, G: Rules, C: Codec<'a, G>, S: MoveSource<G> + 'a> Cursor<'a> for LineCursor<'a, G, C, S> {
    fn ply(&self) -> u32 {
        self.path.ply()
    }

    fn turn(&self) -> Turn {
        self.path.game.turn(self.path.here())
    }

    fn next(&mut self) -> Result<Option<u16>, Error> {
        let Some(source) = &mut self.ahead else { return Ok(None) };
        let path = &mut self.path;
        path.list(path.indices.len());
        let ply = path.ply() + 1 - self.before;
        let candidates = path.candidates_here();
        match source.next(ply, &candidates) {
            Ok(Some(mv)) => {
                let index = candidates.index(mv).unwrap_or_else(|| candidates.len());
                Ok(Some(path.push(index, mv, |ply| source.played(ply))))
            }
            end => {
                self.ahead = None;
                end.map(|_| None)
            }
        }
    }

    fn play(&mut self, index: u16) -> Result<(), Error> {
        self.path.play(index)?;
        self.ahead = None;
        Ok(())
    }

    fn read(&mut self, text: &str) -> Result<u16, Error> {
        let index = self.path.read(text)?;
        self.ahead = None;
        Ok(index)
    }

    fn key(&self) -> u64 {
        self.path.game.key(self.path.here())
    }

    fn second_key(&self) -> u32 {
        self.path.game.second_key(self.path.here())
    }

    fn structure(&self) -> Structure {
        self.path.game.structure(self.path.here())
    }

    fn write_facts(&self, out: &mut String) {
        self.path.game.write_facts(self.path.here(), out);
    }

    fn progress(&self) -> u32 {
        self.path.game.progress(self.path.here())
    }

    fn material(&self) -> i32 {
        self.path.game.material(self.path.here())
    }

    fn remains(&self) -> u64 {
        if !cfg!(feature = "full") {
            return 0;
        }
        self.path.game.remains(self.path.start(), self.path.here())
    }

    fn canonical_key(&self) -> u64 {
        self.path.game.canonical_key(self.path.here())
    }

    fn occurrences(&mut self) -> usize {
        self.path.occurrences()
    }

    fn last(&self) -> Option<u16> {
        self.path.indices.last().copied()
    }

    fn write_move(&mut self, notation: Notation, out: &mut String) {
        self.path.write_move(notation, out);
    }

    fn write_position(&self, out: &mut String) {
        self.path.game.write_position(self.path.here(), out);
    }

    fn candidates(&mut self) -> usize {
        self.path.list(self.path.indices.len());
        self.path.candidates.len()
    }

    fn fork(&self, ply: u32) -> Box<dyn Cursor<'a> + 'a> {
        let (codec, path) = (self.codec, self.path.before(ply));
        Box::new(LineCursor { codec, path, ahead: None::<S>, before: 0 })
    }

    fn branch(
        &self,
        ply: u32,
        plies: u32,
        code: &'a [u8],
    ) -> Result<Box<dyn Cursor<'a> + 'a>, Error> {
        self.codec.open(self.path.before(ply), plies, code)
    }
}

#[cfg(test)]
mod tests {
    use super::super::toy::{HEAP, LINES};
    use super::super::{ErasedLineCodec, ErasedRules};
    use super::*;
    use crate::error::MoveFault;
    use crate::limits::PLIES_MAX;

    fn position(cursor: &dyn Cursor<'_>) -> String {
        let mut text = String::new();
        cursor.write_position(&mut text);
        text
    }

    #[test]
    fn a_cursor_steps_over_a_code_and_stops_anywhere() {
        let code = LINES.encode_indices(None, &[0, 2, 1]).expect("legal moves");
        let mut cursor = LINES.cursor(None, 3, &code).expect("a code");
        assert_eq!((cursor.ply(), cursor.last(), cursor.candidates()), (0, None, 3));
        for (ply, index, text, stones) in [(1, 0, "1", "9'"), (2, 2, "3", "6"), (3, 1, "2", "4'")] {
            assert_eq!(cursor.next(), Ok(Some(index)));
            let mut mv = String::new();
            cursor.write_move(Notation::Customary, &mut mv);
            assert_eq!((cursor.ply(), cursor.last(), mv.as_str()), (ply, Some(index), text));
            assert_eq!(position(&*cursor), stones);
            assert_eq!(cursor.turn().second, stones.ends_with('\''));
        }
        assert_eq!(cursor.next(), Ok(None));
        assert_eq!(cursor.candidates(), 3);
    }

    #[test]
    fn a_code_that_goes_beyond_the_end_is_refused_and_left() {
        let mut cursor = LINES.cursor(Some("2"), 5, &[0; 4]).expect("it is read later");
        while cursor.candidates() > 0 {
            assert!(cursor.next().is_ok_and(|index| index.is_some()));
        }
        let ply = cursor.ply();
        assert!(matches!(cursor.next(), Err(Error::Over { .. })));
        assert_eq!((cursor.next(), cursor.ply()), (Ok(None), ply));
        assert!(LINES.cursor(None, PLIES_MAX + 1, &[]).is_err());
        assert!(LINES.cursor(Some("x"), 0, &[]).is_err());
    }

    #[test]
    fn to_play_leaves_the_code() {
        let code = LINES.encode_indices(None, &[0, 0, 0]).expect("legal moves");
        let mut cursor = LINES.cursor(None, 3, &code).expect("a code");
        assert_eq!(cursor.next(), Ok(Some(0)));
        let index = Error::Index { ply: 2, index: 3, candidates: 3 };
        assert_eq!(cursor.play(3), Err(index));
        let refused = Err(MoveFault::Illegal);
        assert_eq!(cursor.read("4").map_err(|error| fault(&error)), refused.map_err(Some));
        // The rejected move changed nothing.
        assert_eq!(cursor.next(), Ok(Some(0)));
        assert_eq!(cursor.read("3"), Ok(2));
        assert_eq!((position(&*cursor).as_str(), cursor.next()), ("5'", Ok(None)));
        cursor.play(1).expect("two stones");
        assert_eq!((position(&*cursor).as_str(), cursor.ply()), ("3", 4));
        // Playing the very move that is ahead drops the moves ahead too.
        let mut cursor = LINES.cursor(None, 3, &code).expect("a code");
        cursor.play(0).expect("one stone");
        assert_eq!((cursor.next(), cursor.ply()), (Ok(None), 1));
    }

    fn fault(error: &Error) -> Option<MoveFault> {
        match error {
            Error::Move { fault, .. } => Some(*fault),
            _ => None,
        }
    }

    #[test]
    fn forks_and_branches_start_before_the_move_that_they_replace() {
        let code = LINES.encode_indices(None, &[2, 2]).expect("legal moves");
        let branch = LINES.encode_indices(Some("7'"), &[0, 1]).expect("legal moves");
        let mut cursor = LINES.cursor(None, 2, &code).expect("a code");
        while cursor.next() != Ok(None) {}
        for (ply, stones) in [(0, "10"), (1, "10"), (2, "7'"), (3, "4"), (9, "4")] {
            assert_eq!(position(&*cursor.fork(ply)), stones, "{ply}");
        }
        let mut other = cursor.branch(2, 2, &branch).expect("a code");
        assert_eq!((other.ply(), other.next(), other.next()), (1, Ok(Some(0)), Ok(Some(1))));
        assert_eq!((position(&*other).as_str(), other.ply(), other.next()), ("4'", 3, Ok(None)));
        assert_eq!(position(&*cursor), "4");
        assert!(cursor.branch(1, PLIES_MAX + 1, &branch).is_err());
        assert!(HEAP.cursor(None).expect("a start").branch(1, 2, &branch).is_err());
    }

    #[test]
    fn positions_that_come_back_are_counted() {
        // No position repeats in this game, so the path is built by hand.
        let mut path = Path::new(&HEAP.0, (9, false));
        assert_eq!(path.occurrences(), 1);
        for position in [(8, true), (9, false), (7, true), (9, false)] {
            path.positions.push(position);
        }
        assert_eq!(path.occurrences(), 3);
        path.positions.push((6, false));
        assert_eq!(path.occurrences(), 1);
    }

    #[test]
    fn keys_are_those_of_the_position() {
        let mut cursor = HEAP.cursor(Some("5'")).expect("a start");
        assert_eq!(cursor.key(), HEAP.0.key(&(5, true)));
        cursor.read("2").expect("two stones");
        assert_eq!((cursor.key(), cursor.canonical_key()), (HEAP.0.key(&(3, false)), cursor.key()));
    }
}
