//! A line with its positions, so that variations can branch from it.

use std::cell::OnceCell;

use super::cursor::{self, Cursor};
use super::line::{EncodedLine, LineRow};
use crate::candidates::{Candidates, Listing};
use crate::codec::{Excursion, Finish, LineCodec};
use crate::error::Error;
use crate::game::{Notation, Rules, Turn};
use crate::hint::Hint;
use crate::limits::{PLIES_MAX, check_plies};
use crate::line::{MoveSink, MoveSource, Ply, TextSink, TextSource, walk};
use crate::texts::Texts;

/// A line with its positions, so that variations can branch from it.
pub trait Trunk<'a> {
    /// Returns the number of its first move, and the side to move.
    fn turn(&self) -> Turn;

    /// Encodes moves that replace the move at `ply`, counted from 1, and all later ones; up to the
    /// first that cannot be resolved.
    fn encode_branch(
        &self,
        ply: u32,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
    ) -> (EncodedLine, Box<dyn Trunk<'a> + 'a>);

    /// Decodes a branch to texts.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies.
    fn decode_branch(
        &self,
        ply: u32,
        plies: u32,
        code: &[u8],
        notation: Notation,
    ) -> Result<(Texts, Box<dyn Trunk<'a> + 'a>), Error>;

    /// Visits each position of the line, beginning with the start.
    fn visit(&self, visit: &mut dyn FnMut(Visit));

    /// Returns a cursor at the end of the line, with nothing ahead. It may branch along codes with
    /// a shorter lifetime than the codec.
    fn cursor<'b>(&self) -> Box<dyn Cursor<'b> + 'b>
    where
        'a: 'b;

    /// Returns what remains of the start at the end of the line ([`Rules::remains`]).
    fn remains(&self) -> u64;

    /// Returns the hint of each ply of the line; empty if none were requested.
    ///
    /// # Errors
    /// Returns [`Error::NoHints`] if this build lacks the tables for them.
    fn hints(&self) -> Result<&[Hint], Error>;

    /// Returns whether these moves can replace the move at `ply`, counted from 1, and all later
    /// ones, and are spelt as in `notation`.
    fn spells(&self, ply: u32, moves: &[&str], notation: Notation) -> bool;

    /// Encodes branches into one code. Each is the ply that it replaces, counted from 1 and not
    /// less than the previous branch's, and its moves. This is cheaper than separate codes: only
    /// one last byte is padded, and the codec knows the moves before a branch. Returns `None` if a
    /// move cannot be resolved, or if there are more than [`PLIES_MAX`].
    fn encode_branches(&self, branches: &[(u32, Vec<&str>)]) -> Option<Vec<u8>>;

    /// Decodes the branches of [`encode_branches`](Self::encode_branches) to texts, given the ply
    /// that each replaces and its number of plies.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies.
    fn decode_branches(
        &self,
        branches: &[(u32, u32)],
        code: &[u8],
        notation: Notation,
    ) -> Result<Vec<Texts>, Error>;
}

/// A position of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Its key ([`Rules::key`]).
    pub key: u64,
    /// Its second hash ([`Rules::second_key`]).
    pub check: u32,
    /// The index of the candidate played there; `None` at the end of the line.
    pub candidate: Option<u16>,
}

/// Records a line's moves during a walk.
pub(super) struct Recorder<'g, G: Rules> {
    game: &'g G,
    start: G::Position,
    moves: Vec<G::Move>,
    /// The previous move, and the hint of each ply; `None` if none were requested.
    hints: Option<(Option<G::Move>, Vec<Hint>)>,
    /// Whether a ply had no hint.
    untold: bool,
}

impl<'g, G: Rules> Recorder<'g, G> {
    pub(super) fn new(game: &'g G, start: G::Position, hinted: bool) -> Self {
        let hints = hinted.then(|| (None, Vec::new()));
        Self { game, start, moves: Vec::with_capacity(128), hints, untold: false }
    }

    /// Returns the trunk of the line so far.
    pub(super) fn trunk<C>(self, row: &LineRow<G, C>) -> LineTrunk<'_, G, C> {
        let Self { start, moves, hints, untold, .. } = self;
        let hints = hints.map(|(_, hints)| hints).unwrap_or_default();
        let hints = if untold { None } else { Some(hints) };
        LineTrunk { row, start, moves, played: OnceCell::new(), hints }
    }
}

impl<G: Rules> MoveSink<G> for Recorder<'_, G> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.moves.push(ply.mv());
        if let Some((last, hints)) = &mut self.hints {
            let last = last.replace(ply.mv()).zip(hints.last());
            let hint = self.game.hint(ply, last);
            self.untold |= hint.is_none();
            hints.extend(hint);
        }
    }
}

/// The trunk of a codec.
pub(super) struct LineTrunk<'a, G: Rules, C> {
    row: &'a LineRow<G, C>,
    start: G::Position,
    moves: Vec<G::Move>,
    /// The played line. Most lines have no branches, and never need it.
    played: OnceCell<Played<G>>,
    /// `None` if a ply had no hint.
    hints: Option<Vec<Hint>>,
}

/// A line that was played.
struct Played<G: Rules> {
    /// The positions before the first move and after each.
    positions: Vec<G::Position>,
    /// The index of the candidate played in each position except the last.
    indices: Vec<u16>,
}

impl<G: Rules, C> LineTrunk<'_, G, C> {
    /// Plays the line, unless that was done before.
    fn played(&self) -> &Played<G> {
        self.played.get_or_init(|| {
            let game = &self.row.game.0;
            let (mut positions, mut indices) = (vec![self.start.clone()], Vec::new());
            let (mut here, mut listing) = (self.start.clone(), Listing::default());
            for &mv in &self.moves {
                let candidates = Candidates::of(game, &here, &listing);
                // A move that is not a candidate is the null move.
                let index = candidates.index(mv).unwrap_or_else(|| candidates.len());
                // `Rules::candidates` promises at most 65,535.
                indices.push(u16::try_from(index).unwrap_or(u16::MAX));
                listing.clear();
                game.play(&mut here, mv);
                positions.push(here.clone());
            }
            Played { positions, indices }
        })
    }

    /// Returns the position before the move at `ply`; the last one for a ply beyond the end.
    fn before(&self, ply: u32) -> G::Position {
        let positions = &self.played().positions;
        let last = positions.len() - 1;
        positions[usize::try_from(ply.saturating_sub(1)).unwrap_or(last).min(last)].clone()
    }

    /// Follows the line to each of these ascending plies and makes an excursion from there.
    fn tour<T: Excursion<G>>(
        &self,
        traveller: &mut T,
        plies: impl Iterator<Item = u32>,
        mut visit: impl FnMut(&mut T, G::Position) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let game = &self.row.game.0;
        let Played { positions, indices } = self.played();
        let mut listing = Listing::default();
        let mut moves = (1..).zip(positions.windows(2).zip(&self.moves)).peekable();
        for ply in plies {
            while let Some((_, (around, &mv))) = moves.next_if(|mv| mv.0 < ply) {
                let [before, after] = around else { continue };
                listing.clear();
                traveller.pass(&Ply::new(Candidates::of(game, before, &listing), mv, after));
            }
            let at = usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX);
            traveller.leave(indices.get(at).map(|&index| index.into()));
            visit(traveller, self.before(ply))?;
            traveller.come_back();
        }
        Ok(())
    }
}

/// One of several branches decoded from one code.
struct Leg<'s, S> {
    source: &'s mut S,
    /// Number of plies of the earlier branches.
    before: u32,
    plies: u32,
}

impl<G: Rules, S: MoveSource<G>> MoveSource<G> for Leg<'_, S> {
    fn next(&mut self, ply: u32, candidates: &Candidates<'_, G>) -> Result<Option<G::Move>, Error> {
        if ply > self.plies {
            return Ok(None);
        }
        self.source.next(self.before + ply, candidates)
    }

    fn played(&mut self, ply: &Ply<'_, G>) {
        self.source.played(ply);
    }
}

impl<'a, G: Rules, C: LineCodec<G>> Trunk<'a> for LineTrunk<'a, G, C> {
    fn turn(&self) -> Turn {
        self.row.game.0.turn(&self.start)
    }

    fn encode_branch(
        &self,
        ply: u32,
        moves: &mut dyn Iterator<Item = &str>,
        notation: Notation,
    ) -> (EncodedLine, Box<dyn Trunk<'a> + 'a>) {
        let source = &mut TextSource::new(&self.row.game.0, moves).with_nulls(C::NULLS);
        let (line, trunk) = self.row.encode_recorded(self.before(ply), source, notation, false);
        (line, Box::new(trunk))
    }

    fn decode_branch(
        &self,
        ply: u32,
        plies: u32,
        code: &[u8],
        notation: Notation,
    ) -> Result<(Texts, Box<dyn Trunk<'a> + 'a>), Error> {
        let start = self.before(ply);
        let (texts, trunk) = self.row.decode_recorded(start, plies, code, notation, false)?;
        Ok((texts, Box::new(trunk)))
    }

    fn visit(&self, visit: &mut dyn FnMut(Visit)) {
        let game = &self.row.game.0;
        let Played { positions, indices } = self.played();
        let played = indices.iter().map(|&index| Some(index)).chain([None]);
        for (position, candidate) in positions.iter().zip(played) {
            let (key, check) = (game.key(position), game.second_key(position));
            visit(Visit { key, check, candidate });
        }
    }

    fn cursor<'b>(&self) -> Box<dyn Cursor<'b> + 'b>
    where
        'a: 'b,
    {
        let Played { positions, indices } = self.played();
        cursor::behind(self.row, positions.clone(), indices.clone())
    }

    fn remains(&self) -> u64 {
        if !cfg!(feature = "full") {
            return 0;
        }
        let positions = &self.played().positions;
        let end = positions.last().unwrap_or(&self.start);
        self.row.game.0.remains(&self.start, end)
    }

    fn hints(&self) -> Result<&[Hint], Error> {
        let game = self.row.game.0.info().name;
        self.hints.as_deref().ok_or(Error::NoHints { game })
    }

    fn spells(&self, ply: u32, moves: &[&str], notation: Notation) -> bool {
        let game = &self.row.game.0;
        let mut source = TextSource::new(game, moves.iter().copied());
        let mut texts = TextSink::new(game, notation);
        let end = walk(game, self.before(ply), &mut source, &mut texts);
        end.stopped.is_none() && texts.texts.iter().eq(moves.iter().copied())
    }

    fn encode_branches(&self, branches: &[(u32, Vec<&str>)]) -> Option<Vec<u8>> {
        let plies: usize = branches.iter().map(|branch| branch.1.len()).sum();
        u32::try_from(plies).ok().filter(|&plies| plies <= PLIES_MAX)?;
        let game = &self.row.game.0;
        let mut encoder = self.row.codec.encoder(game, &self.start);
        let mut moves = branches.iter().map(|branch| branch.1.iter().copied());
        let toured = self.tour(&mut encoder, branches.iter().map(|b| b.0), |encoder, start| {
            let Some(moves) = moves.next() else { return Ok(()) };
            let mut source = TextSource::new(game, moves).with_nulls(C::NULLS);
            let end = walk(game, start, &mut source, encoder);
            end.stopped.map_or(Ok(()), Err)
        });
        toured.ok().map(|()| encoder.finish())
    }

    fn decode_branches(
        &self,
        branches: &[(u32, u32)],
        code: &[u8],
        notation: Notation,
    ) -> Result<Vec<Texts>, Error> {
        let plies = branches.iter().fold(0u32, |sum, branch| sum.saturating_add(branch.1));
        check_plies(plies)?;
        let game = &self.row.game.0;
        let mut decoder = self.row.codec.decoder(game, &self.start, plies, code)?;
        let mut lengths = branches.iter().map(|branch| branch.1);
        let mut found = Vec::new();
        let mut before = 0;
        self.tour(&mut decoder, branches.iter().map(|branch| branch.0), |source, start| {
            let plies = lengths.next().unwrap_or(0);
            let mut texts = TextSink::new(game, notation);
            let end = walk(game, start, &mut Leg { source, before, plies }, &mut texts);
            before += plies;
            found.push(texts.texts);
            end.stopped.map_or(Ok(()), Err)
        })?;
        // Anything after the last move is damage.
        decoder.next(plies + 1, &Candidates::listed(&self.start, &[]))?;
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ErasedLineCodec;
    use super::super::toy::LINES;
    use super::*;

    const CUSTOMARY: Notation = Notation::Customary;

    /// Returns the trunk of a line, from encoding and from decoding it.
    fn trunks(moves: &[&str], hinted: bool) -> [Box<dyn Trunk<'static>>; 2] {
        let moves = &mut moves.iter().copied();
        let (line, encoded) =
            LINES.encode_trunk(None, moves, CUSTOMARY, hinted).expect("the usual start");
        let decoded = LINES.decode_trunk(None, line.plies, &line.code, CUSTOMARY, hinted);
        let (texts, decoded) = decoded.expect("its own code");
        assert_eq!(texts, line.texts);
        [encoded, decoded]
    }

    #[test]
    fn a_trunk_is_as_long_as_the_line_that_was_legal() {
        for trunk in trunks(&["1", "2", "x", "3"], true) {
            let worths: Vec<_> = trunk.hints().expect("hints").iter().map(|h| h.worth).collect();
            assert_eq!(worths, [[1, 0], [2, 1]]);
            assert_eq!(trunk.turn(), Turn { number: 1, second: false });
            let mut seen = Vec::new();
            trunk.visit(&mut |visit| seen.push((visit.key, visit.candidate)));
            let mut cursor = trunk.cursor();
            assert_eq!((cursor.ply(), cursor.last(), cursor.next()), (2, Some(1), Ok(None)));
            let here = [cursor.fork(1).key(), cursor.fork(2).key(), cursor.key()];
            assert!(seen.into_iter().eq(here.into_iter().zip([Some(0), Some(1), None])));
        }
        for trunk in trunks(&["1", "2"], false) {
            assert_eq!(trunk.hints(), Ok(&[][..]));
        }
    }

    #[test]
    fn branches_replace_a_move_and_what_followed() {
        for trunk in trunks(&["3", "3", "3"], false) {
            assert!(trunk.spells(3, &["3", "1"], CUSTOMARY));
            assert!(!trunk.spells(4, &["3"], CUSTOMARY), "one stone is left");
            assert!(!trunk.spells(1, &["01"], CUSTOMARY), "the spelling differs");
            let (line, branch) = trunk.encode_branch(2, &mut ["1", "2"].into_iter(), CUSTOMARY);
            assert_eq!((line.plies, branch.turn().second), (2, true));
            let (texts, again) = trunk.decode_branch(2, 2, &line.code, CUSTOMARY).expect("a code");
            assert!(texts.iter().eq(["1", "2"]));
            let twice = ["3", "3"];
            assert!(again.spells(2, &twice, CUSTOMARY) && !again.spells(3, &twice, CUSTOMARY));
        }
    }

    #[test]
    fn branches_of_one_code_come_back() {
        let branches = [(1, vec!["1", "1"]), (1, vec!["2"]), (3, vec!["1", "1", "2"])];
        let plies = [(1, 2), (1, 1), (3, 3)];
        for trunk in trunks(&["3", "3", "3"], false) {
            let code = trunk.encode_branches(&branches).expect("legal moves");
            let back = trunk.decode_branches(&plies, &code, CUSTOMARY).expect("their own code");
            let back = back.iter().map(|texts| texts.iter().collect::<Vec<_>>());
            assert!(back.eq(branches.iter().map(|branch| branch.1.clone())));
            assert!(trunk.decode_branches(&[(1, PLIES_MAX), (1, 1)], &code, CUSTOMARY).is_err());
            assert_eq!(trunk.encode_branches(&[(3, vec!["4"])]), None);
        }
    }
}
