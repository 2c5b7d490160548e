//! A line with its positions, so that variations can branch from it.

use std::cell::OnceCell;

use super::cursor::{self, Cursor};
use super::line::{EncodedLine, LineRow};
use crate::candidates::{Candidates, Listing};
use crate::codec::{Excursion, Finish, LineCodec};
use crate::error::Error;
use crate::game::{Notation, Rules, Turn};
use crate::hint::Hint;
use crate::key::Structure;
use crate::limits::PLIES_MAX;
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

    /// Returns how many of these moves, from the first on, can replace the move at `ply`, counted
    /// from 1, and all later ones, and are spelt as in `notation`.
    fn spelt(&self, ply: u32, moves: &[&str], notation: Notation) -> usize;

    /// Encodes branches into one code, each with its moves but for those that were foretold. No
    /// branch replaces an earlier ply than the one before it. This is cheaper than separate codes:
    /// only one last byte is padded, and the codec knows the moves before a branch. Returns `None`
    /// if a move cannot be resolved, if nothing foretells what a branch says it does, or if there
    /// are more than [`PLIES_MAX`] plies that nothing foretold.
    fn encode_branches(&self, branches: &[(Branch, Vec<&str>)]) -> Option<Vec<u8>>;

    /// Decodes the branches of [`encode_branches`](Self::encode_branches) to texts.
    ///
    /// # Errors
    /// Returns an error if the code is not one of this codec's, or holds fewer plies, or if nothing
    /// foretells what a branch says it does.
    fn decode_branches(
        &self,
        branches: &[Branch],
        code: &[u8],
        notation: Notation,
    ) -> Result<Vec<Texts>, Error>;
}

/// A line that branches from a trunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Branch {
    /// The ply of the trunk that its first move replaces, counted from 1.
    pub ply: u32,
    /// Where its first moves were seen before, if they were.
    pub foretold: Option<Foretold>,
    /// The number of its plies.
    pub plies: u32,
}

/// Moves that a branch begins with, as they stand in a line that is known when it is decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Foretold {
    /// The place of an earlier branch, from 0; `None` for the trunk.
    pub by: Option<usize>,
    /// The number of moves of that line before them.
    pub skip: u32,
    /// How many there are.
    pub plies: u32,
}

/// A position of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// Its key ([`Rules::key`]).
    pub key: u64,
    /// Its second hash ([`Rules::second_key`]).
    pub check: u32,
    /// Its structure ([`Rules::structure`]).
    pub structure: Structure,
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

    /// Follows the line to the ply of each branch, makes an excursion from there along its foretold
    /// moves, and lets `visit` go on. That gets the branch's place, what was foretold, written to
    /// `texts`, and the position behind it, and returns the other moves.
    fn tour<'g, T: Excursion<G>>(
        &self,
        traveller: &mut T,
        branches: impl Iterator<Item = Branch>,
        texts: &mut dyn FnMut() -> TextSink<'g, G>,
        mut visit: impl FnMut(&mut T, Leg<'g, G>) -> Result<Vec<G::Move>, Error>,
    ) -> Result<(), Error>
    where
        G: 'g,
    {
        let game = &self.row.game.0;
        let Played { positions, indices } = self.played();
        let mut listing = Listing::default();
        let mut moves = (1..).zip(positions.windows(2).zip(&self.moves)).peekable();
        let mut lines: Vec<Vec<G::Move>> = Vec::new();
        for branch in branches {
            let Branch { ply, foretold, .. } = branch;
            while let Some((_, (around, &mv))) = moves.next_if(|mv| mv.0 < ply) {
                let [before, after] = around else { continue };
                listing.clear();
                traveller.pass(&Ply::new(Candidates::of(game, before, &listing), mv, after));
            }
            let at = usize::try_from(ply.saturating_sub(1)).unwrap_or(usize::MAX);
            traveller.leave(indices.get(at).map(|&index| index.into()));
            let mut here = self.before(ply);
            let mut texts = texts();
            let (known, next) = match foretold {
                Some(foretold) => {
                    let plies = usize::try_from(foretold.plies).unwrap_or(usize::MAX);
                    let rest = self.foretelling(&lines, foretold)?;
                    rest.split_at_checked(plies).ok_or(UNFORETOLD)?
                }
                None => (&[][..], &[][..]),
            };
            for &mv in known {
                listing.clear();
                let candidates = Candidates::of(game, &here, &listing);
                candidates.index(mv).ok_or(UNFORETOLD)?;
                let mut after = here.clone();
                game.play(&mut after, mv);
                let ply = Ply::new(candidates, mv, &after);
                traveller.pass(&ply);
                texts.push(&ply);
                here = after;
            }
            if foretold.is_some() {
                listing.clear();
                let candidates = Candidates::of(game, &here, &listing);
                traveller.doubt(next.first().and_then(|&mv| candidates.index(mv)));
            }
            let mut line = known.to_vec();
            line.extend(visit(traveller, Leg { start: here, texts })?);
            lines.push(line);
            traveller.come_back();
        }
        Ok(())
    }

    /// Returns the moves from where they begin to foretell a branch, given the branches so far.
    fn foretelling<'l>(
        &'l self,
        lines: &'l [Vec<G::Move>],
        Foretold { by, skip, .. }: Foretold,
    ) -> Result<&'l [G::Move], Error> {
        let line = match by {
            Some(at) => lines.get(at).ok_or(UNFORETOLD)?,
            None => &self.moves,
        };
        line.get(usize::try_from(skip).unwrap_or(usize::MAX)..).ok_or(UNFORETOLD)
    }
}

/// A branch says that moves were foretold that were not, or that are illegal there.
const UNFORETOLD: Error = Error::Cell { at: 0, why: "a line was not foretold" };

/// What is known of a branch before its first coded move.
struct Leg<'a, G: Rules> {
    /// The position behind the foretold moves.
    start: G::Position,
    /// Their texts.
    texts: TextSink<'a, G>,
}

/// The moves of one of several branches that are decoded from one code.
struct Decoding<'s, S> {
    source: &'s mut S,
    /// Number of plies decoded before.
    before: u32,
    plies: u32,
}

impl<G: Rules, S: MoveSource<G>> MoveSource<G> for Decoding<'_, S> {
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
            let structure = game.structure(position);
            visit(Visit { key, check, structure, candidate });
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

    fn spelt(&self, ply: u32, moves: &[&str], notation: Notation) -> usize {
        let game = &self.row.game.0;
        let mut source = TextSource::new(game, moves.iter().copied());
        let mut texts = TextSink::new(game, notation);
        walk(game, self.before(ply), &mut source, &mut texts);
        let pairs = texts.texts.iter().zip(moves);
        pairs.take_while(|(text, spelt)| text == *spelt).count()
    }

    fn encode_branches(&self, branches: &[(Branch, Vec<&str>)]) -> Option<Vec<u8>> {
        if !cfg!(feature = "series") {
            return None;
        }
        let heads = || branches.iter().map(|branch| branch.0);
        coded_plies(heads())?;
        let game = &self.row.game.0;
        let mut encoder = self.row.codec.encoder(game, &self.start);
        let mut moves = branches.iter();
        let mut texts = || TextSink::new(game, Notation::Customary);
        let toured = self.tour(&mut encoder, heads(), &mut texts, |encoder, leg| {
            let Some((branch, moves)) = moves.next() else { return Ok(Vec::new()) };
            let rest = moves.iter().skip(leg.texts.texts.len()).copied();
            let mut source = TextSource::new(game, rest).with_nulls(C::NULLS);
            let mut seen = Seen(Vec::new());
            let end = walk(game, leg.start, &mut source, &mut (&mut *encoder, &mut seen));
            let whole = usize::try_from(branch.plies).is_ok_and(|plies| plies == moves.len());
            match end.stopped {
                Some(stopped) => Err(stopped),
                None if whole => Ok(seen.0),
                None => Err(UNFORETOLD),
            }
        });
        toured.ok().map(|()| encoder.finish())
    }

    fn decode_branches(
        &self,
        branches: &[Branch],
        code: &[u8],
        notation: Notation,
    ) -> Result<Vec<Texts>, Error> {
        let game = &self.row.game.0;
        if !cfg!(feature = "series") {
            return Err(Error::NoHints { game: game.info().name });
        }
        let plies = coded_plies(branches.iter().copied());
        let plies = plies.ok_or(Error::TooLong { plies: u32::MAX, max: PLIES_MAX })?;
        let mut decoder = self.row.codec.decoder(game, &self.start, plies, code)?;
        let mut lengths = branches.iter().map(own_plies);
        let mut found = Vec::new();
        let mut before = 0;
        let mut texts = || TextSink::new(game, notation);
        self.tour(&mut decoder, branches.iter().copied(), &mut texts, |source, leg| {
            let plies = lengths.next().unwrap_or(0);
            let (mut texts, mut seen) = (leg.texts, Seen(Vec::new()));
            let moves = &mut Decoding { source, before, plies };
            let end = walk(game, leg.start, moves, &mut (&mut texts, &mut seen));
            before += plies;
            found.push(texts.texts);
            end.stopped.map_or(Ok(seen.0), Err)
        })?;
        // Anything after the last move is damage.
        decoder.next(plies + 1, &Candidates::listed(&self.start, &[]))?;
        Ok(found)
    }
}

/// Returns how many plies of a branch are coded.
fn own_plies(branch: &Branch) -> u32 {
    branch.plies.saturating_sub(branch.foretold.map_or(0, |foretold| foretold.plies))
}

/// The most plies that may be foretold to the branches of one code: a few bytes may ask for as many
/// as there are branches, each as long as another line.
const FORETOLD_MAX: u32 = 16 * PLIES_MAX;

/// Returns how many plies of branches are coded; `None` if too many are, or were foretold.
fn coded_plies(branches: impl Iterator<Item = Branch>) -> Option<u32> {
    let (mut coded, mut foretold) = (0u32, 0u32);
    for branch in branches {
        coded = coded.saturating_add(own_plies(&branch));
        foretold = foretold.saturating_add(branch.foretold.map_or(0, |foretold| foretold.plies));
    }
    (coded <= PLIES_MAX && foretold <= FORETOLD_MAX).then_some(coded)
}

/// Collects moves.
struct Seen<M>(Vec<M>);

impl<G: Rules> MoveSink<G> for Seen<G::Move> {
    fn push(&mut self, ply: &Ply<'_, G>) {
        self.0.push(ply.mv());
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
            assert_eq!(trunk.spelt(3, &["3", "1"], CUSTOMARY), 2);
            assert_eq!(trunk.spelt(4, &["3"], CUSTOMARY), 0, "one stone is left");
            assert_eq!(trunk.spelt(1, &["1", "01"], CUSTOMARY), 1, "the spelling differs");
            let (line, branch) = trunk.encode_branch(2, &mut ["1", "2"].into_iter(), CUSTOMARY);
            assert_eq!((line.plies, branch.turn().second), (2, true));
            let (texts, again) = trunk.decode_branch(2, 2, &line.code, CUSTOMARY).expect("a code");
            assert!(texts.iter().eq(["1", "2"]));
            let twice = ["3", "3"];
            assert_eq!([2, 3].map(|ply| again.spelt(ply, &twice, CUSTOMARY)), [2, 1]);
        }
    }

    #[test]
    fn branches_of_one_code_come_back() {
        let branch = |ply, plies| Branch { ply, foretold: None, plies };
        let told = |by, skip, plies, branch| Branch {
            foretold: Some(Foretold { by, skip, plies }),
            ..branch
        };
        let branches = [
            (branch(1, 2), vec!["1", "1"]),
            (branch(1, 1), vec!["2"]),
            (branch(3, 3), vec!["1", "1", "2"]),
            // All of the first; a part of the one before, and of the trunk.
            (told(Some(0), 0, 2, branch(3, 2)), vec!["1", "1"]),
            (told(Some(2), 1, 1, branch(3, 2)), vec!["1", "3"]),
            (told(None, 2, 1, branch(3, 2)), vec!["3", "1"]),
        ];
        let heads = branches.clone().map(|branch| branch.0);
        for trunk in trunks(&["3", "3", "3"], false) {
            let code = trunk.encode_branches(&branches).expect("legal moves");
            let back = trunk.decode_branches(&heads, &code, CUSTOMARY).expect("their own code");
            let back = back.iter().map(|texts| texts.iter().collect::<Vec<_>>());
            assert!(back.eq(branches.iter().map(|branch| branch.1.clone())));
            let many = [branch(1, PLIES_MAX), branch(1, 1)];
            assert!(trunk.decode_branches(&many, &code, CUSTOMARY).is_err());
            assert_eq!(trunk.encode_branches(&[(branch(3, 1), vec!["4"])]), None);
            // A later branch foretells nothing, nor does a line that is shorter.
            for (by, skip, plies) in [(Some(0), 0, 1), (None, 3, 1), (None, 1, 3), (None, 4, 0)] {
                let head = told(by, skip, plies, branch(1, plies));
                let texts = vec!["1"; usize::try_from(plies).expect("small")];
                assert_eq!(trunk.encode_branches(&[(head, texts)]), None, "{head:?}");
                assert!(trunk.decode_branches(&[head], &[], CUSTOMARY).is_err(), "{head:?}");
            }
        }
    }
}
