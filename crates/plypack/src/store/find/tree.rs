//! Sums up the moves played in a position, and their outcomes.
//!
//! Where an index has the sums of a position that many games share, a witness alone proves that it
//! is the position asked for, and a condition is evaluated on the list of its games, unless it asks
//! for rating groups of which the index has sums. All other games are decoded.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use crate::rows::hits;
use plypack_index::{GROUPS, GroupSums, Head, RATED_MIN, Sum, Visit, rating_group};
use rayon::prelude::*;

use super::scan::{CHUNK_GROUPS, CHUNK_RECORDS, Candidates, Search, read_facts, runs};
use super::{Asked, Hit, Question, Target, spot};
use crate::store::error::Error;
use crate::store::facts;
use crate::store::index::{Entry, Example, MoveSum, Shared, Witness, head};
use crate::store::work::Work;

/// Up to this many games are described by their heads; for more, reading columns is faster.
const FEW_RECORDS: usize = 64;

/// Number of example games.
const EXAMPLES: usize = 3;

/// Moves played in a position. A game counts once for each different move it plays there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The number of games that reach the position.
    pub records: u64,
    /// The moves, most frequent first; ties in candidate order.
    pub moves: Vec<MoveSum>,
    /// The games that end there.
    pub ended: Sum,
    /// The best-rated games, ties latest first, each with its file's position in the list.
    pub examples: Vec<(usize, Example)>,
}

impl Tree {
    /// Returns the candidates of the moves, in their order.
    pub fn candidates(&self) -> Vec<u16> {
        self.moves.iter().map(|played| played.candidate).collect()
    }
}

/// Sums up the moves played in the question's position.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, or the stop flag is set.
pub fn tree(files: &[Asked], question: &Question<'_>, work: &Work<'_>) -> Result<Tree, Error> {
    let Some(target) = question.target else {
        return Ok(Tree::default());
    };
    work.run(|| {
        let mut growth = Growth::new(question, work, 1);
        for (file, asked) in files.iter().enumerate() {
            work.check()?;
            // A game may be listed both for its main line and for its variations.
            if !question.variations && !asked.indices.is_empty() {
                let before = growth.clone();
                if asked.indices.ask(|| growth.indexed(file, asked, target))?.is_some() {
                    continue;
                }
                growth = before;
            }
            growth.decode(file, asked, &Candidates::of(asked, question, usize::MAX)?)?;
        }
        growth.finish(files)
    })
}

/// Sums up the moves played in the question's position by the ratings of the games: a tree without
/// examples for each group of [`RATING_GROUPS`](super::RATING_GROUPS).
///
/// `None` is unknown: fewer than [`RATED_MIN`] games reach the position, or more than that in
/// indices that have no sums by rating of it; the question has a condition, limits or variations;
/// a file has games that no index covers; or an index is damaged.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, or the stop flag is set.
pub fn tree_by_rating(
    files: &[Asked],
    question: &Question<'_>,
    work: &Work<'_>,
) -> Result<Option<[Tree; GROUPS]>, Error> {
    let is_narrow =
        question.condition.is_some() || question.limits.is_some() || question.variations;
    let is_covered = files.iter().all(|asked| asked.indices.uncovered().is_empty());
    let Some(target) = question.target.filter(|_| is_covered && !is_narrow) else {
        return Ok(None);
    };
    work.run(|| {
        let mut growth = Growth::new(question, work, GROUPS);
        for (file, asked) in files.iter().enumerate() {
            work.check()?;
            if asked.indices.ask(|| growth.indexed(file, asked, target))?.is_none() {
                return Ok(None);
            }
        }
        let records: u64 = growth.counts.iter().map(|counts| counts.records).sum();
        if records < RATED_MIN || growth.listed > RATED_MIN {
            return Ok(None);
        }
        let mut counts = growth.counts.into_iter();
        Ok(Some([(); GROUPS].map(|()| counts.next().unwrap_or_default().tree())))
    })
}

/// Whether a witness leads to the position asked for, rather than to another with the same key.
pub(super) fn shows(
    shared: &Shared<'_>,
    witness: &Witness,
    target: &Target,
) -> Result<bool, Error> {
    let replay = || {
        let mut cursor = target.game().cursor(witness.start.as_deref())?;
        witness.candidates.iter().try_for_each(|&candidate| cursor.play(candidate))?;
        Ok(target.is_at(&*cursor))
    };
    replay().map_err(|error: plypack_core::Error| shared.damaged(error))
}

/// A tree under construction.
#[derive(Clone)]
struct Growth<'g> {
    question: &'g Question<'g>,
    work: &'g Work<'g>,
    /// The counts of all games, or those of each rating group.
    counts: Vec<Counts>,
    /// How many games were listed, as an index had no sums of the groups asked for.
    listed: u64,
    best: Vec<Ranked>,
}

/// Games that reach the position.
#[derive(Clone, Default)]
struct Counts {
    records: u64,
    /// Outcomes by candidate played; `None` for games that end.
    sums: BTreeMap<Option<u16>, Sum>,
}

impl Counts {
    /// Adds the sums of shared positions that have any games.
    fn merge<'s>(&mut self, records: u64, sums: impl Iterator<Item = (Option<u16>, &'s Sum)>) {
        self.records = self.records.saturating_add(records);
        for (candidate, sum) in sums.filter(|(_, sum)| sum.records > 0) {
            self.sums.entry(candidate).or_default().merge(sum);
        }
    }

    /// Returns the tree, without examples.
    fn tree(mut self) -> Tree {
        let ended = self.sums.remove(&None).unwrap_or_default();
        let moves = self.sums.into_iter();
        let mut moves: Vec<MoveSum> = moves
            .filter_map(|(candidate, sum)| Some(MoveSum { candidate: candidate?, sum }))
            .collect();
        moves.sort_by_key(|played| Reverse(played.sum.records));
        Tree { records: self.records, moves, ended, examples: Vec::new() }
    }
}

/// A game's row and the moves it plays, in order; `None` if it ends.
type Played = (u64, Vec<Option<u16>>);

/// An example with its sort key: rating and year, then its place.
type Ranked = (Reverse<(Option<u16>, Option<u16>)>, usize, Example);

impl<'g> Growth<'g> {
    /// `groups` is how many counts there are.
    fn new(question: &'g Question<'g>, work: &'g Work<'g>, groups: usize) -> Self {
        let (counts, best) = (vec![Counts::default(); groups], Vec::new());
        Self { question, work, counts, listed: 0, best }
    }

    /// Returns the counts to which the games of a rating group belong.
    fn counts(&mut self, group: usize) -> Option<&mut Counts> {
        let place = if self.counts.len() > 1 { group } else { 0 };
        self.counts.get_mut(place)
    }

    fn search<'s>(&self, asked: &'s Asked) -> Search<'s>
    where
        'g: 's,
    {
        Search { asked, question: self.question, work: self.work }
    }

    /// Adds the games that reach the position according to the file's indices.
    fn indexed(&mut self, file: usize, asked: &Asked, target: &Target) -> Result<(), Error> {
        let (mut few, mut many) = (Vec::new(), Vec::new());
        for entry in asked.indices.look_up(spot(target))? {
            match entry {
                Entry::Few(rows) => few.extend(rows),
                Entry::Shared(shared) => {
                    if self.share(file, asked, &shared)? {
                        many.push(shared);
                    }
                }
            }
        }
        // Games of a colliding key may also reach this position; those are counted already.
        few.retain(|&row| !many.iter().any(|shared| shared.covers(row)));
        few.sort_unstable();
        few.dedup();
        self.decode(file, asked, &Candidates::among(asked, &few, true))
    }

    /// Adds the candidates that reach the position.
    fn decode(
        &mut self,
        file: usize,
        asked: &Asked,
        candidates: &[Candidates],
    ) -> Result<(), Error> {
        let search = self.search(asked);
        let (mut few, mut many) = (Vec::new(), Vec::new());
        for candidates in search.narrow(candidates)? {
            match &candidates.rows {
                Some(rows) if few.len() + rows.len() <= FEW_RECORDS => few.extend(rows),
                _ => many.push(candidates),
            }
        }
        let found = look(search, &few)?;
        self.add_few(file, asked, &found)?;
        for candidates in many {
            let mut found = Vec::new();
            _ = search.prove(&candidates, CHUNK_RECORDS, &mut |row, hits| {
                found.push((row, played(&hits)));
                if found.len() >= CHUNK_RECORDS {
                    self.add(file, asked, &std::mem::take(&mut found))?;
                }
                Ok(ControlFlow::Continue(()))
            })?;
            self.add(file, asked, &found)?;
        }
        Ok(())
    }

    /// Adds the listed games, which reach the position, that satisfy the condition and the limits.
    fn list(
        &mut self,
        file: usize,
        asked: &Asked,
        games: &[(u64, Option<u16>)],
    ) -> Result<(), Error> {
        let mut rows: Vec<u64> = games.iter().map(|game| game.0).collect();
        rows.dedup();
        for groups in Candidates::among(asked, &rows, false).chunks(CHUNK_GROUPS) {
            let narrowed = self.search(asked).narrow(groups)?.into_iter();
            let rows: Vec<u64> = narrowed.filter_map(|group| group.rows).flatten().collect();
            self.work.check()?;
            let found = self.with_moves(asked, &rows, games)?;
            self.add(file, asked, &found)?;
        }
        Ok(())
    }

    /// Returns what games in these rows play, according to the list. A game that plays several
    /// moves is decoded, as the list lacks their order.
    fn with_moves(
        &self,
        asked: &Asked,
        rows: &[u64],
        games: &[(u64, Option<u16>)],
    ) -> Result<Vec<Played>, Error> {
        let mut found = Vec::with_capacity(rows.len());
        let mut several = Vec::new();
        let mut rest = games;
        for &row in rows {
            rest = rest.split_at(rest.partition_point(|game| game.0 < row)).1;
            let here = rest.iter().take_while(|game| game.0 == row);
            let moves: Vec<Option<u16>> = here.map(|game| game.1).collect();
            if moves.len() > 1 {
                several.push(row);
            }
            found.push((row, moves));
        }
        let mut places = found.iter_mut();
        let work = &self.work.unwatched();
        let several = Candidates::these(several);
        let search = Search { work, ..self.search(asked) };
        _ = search.prove(&several, CHUNK_RECORDS, &mut |row, hits| {
            if let Some(game) = places.find(|game| game.0 == row) {
                game.1 = played(&hits);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    /// Adds the games of a shared position, if it is the one asked for. Returns whether it is.
    fn share(&mut self, file: usize, asked: &Asked, shared: &Shared<'_>) -> Result<bool, Error> {
        let Some(target) = self.question.target else { return Ok(false) };
        let is_shown = match shared.witness() {
            Some(witness) => shows(shared, witness, target)?,
            None => self.reaches(asked, shared)?,
        };
        if is_shown {
            let Question { condition, limits, .. } = self.question;
            let groups = match limits {
                _ if condition.is_some() => None,
                Some(limits) => limits.rating_groups(),
                None => Some([true; GROUPS]),
            };
            match groups {
                Some(_) if limits.is_none() && self.counts.len() == 1 => {
                    self.take(file, asked, shared)?;
                }
                Some(groups) => self.take_groups(file, asked, shared, groups)?,
                None => self.list(file, asked, &shared.games()?)?,
            }
        }
        Ok(is_shown)
    }

    /// Whether one of the best games of a position proves that it is the one asked for.
    fn reaches(&self, asked: &Asked, shared: &Shared<'_>) -> Result<bool, Error> {
        for (row, _) in shared.best() {
            if !look(self.search(asked), &[row])?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the sums of a shared position.
    fn take(&mut self, file: usize, asked: &Asked, shared: &Shared<'_>) -> Result<(), Error> {
        let ended = shared.ended();
        let sums = shared.moves().iter().map(|played| (Some(played.candidate), &played.sum));
        let sums = sums.chain(ended.iter().map(|sum| (None, sum)));
        self.counts(0).into_iter().for_each(|counts| counts.merge(shared.records(), sums.clone()));
        let examples = shared.examples();
        if examples.is_empty() {
            self.add_best(file, asked, shared.best())?;
        }
        self.best.extend(examples.into_iter().map(|example| ranked(file, example)));
        self.prune();
        Ok(())
    }

    /// Adds the sums of these rating groups of a shared position; lists its games where the index
    /// has no such sums.
    fn take_groups(
        &mut self,
        file: usize,
        asked: &Asked,
        shared: &Shared<'_>,
        groups: [bool; GROUPS],
    ) -> Result<(), Error> {
        let Some(sums) = shared.by_rating()? else {
            self.listed = self.listed.saturating_add(shared.records());
            if self.counts.len() > 1 && self.listed > RATED_MIN {
                return Ok(());
            }
            return self.list(file, asked, &shared.games()?);
        };
        let played = shared.moves().iter().map(|played| Some(played.candidate));
        let played: Vec<Option<u16>> = played.chain(shared.ended().map(|_| None)).collect();
        let mut best = Vec::new();
        let wanted = sums.iter().enumerate().zip(groups).filter(|(_, is_wanted)| *is_wanted);
        for ((group, GroupSums { records, sums, best: own }), _) in wanted.rev() {
            let sums = played.iter().copied().zip(sums);
            self.counts(group).into_iter().for_each(|counts| counts.merge(*records, sums.clone()));
            best.extend(own.iter().take(EXAMPLES.saturating_sub(best.len())));
        }
        if self.counts.len() == 1 {
            let row = |visit: &Visit| (shared.row(visit.game), visit.candidate);
            self.add_best(file, asked, best.into_iter().map(row).collect())?;
        }
        Ok(())
    }

    /// Adds examples.
    fn add_best(
        &mut self,
        file: usize,
        asked: &Asked,
        mut best: Vec<(u64, Option<u16>)>,
    ) -> Result<(), Error> {
        best.sort_unstable_by_key(|game| game.0);
        let rows: Vec<u64> = best.iter().map(|game| game.0).collect();
        for ((row, candidate), head) in best.into_iter().zip(tell(asked, &rows)?) {
            self.best.push(ranked(file, Example { row, candidate, head }));
        }
        self.prune();
        Ok(())
    }

    /// Adds a few games in ascending rows, each with its distinct moves.
    fn add_few(&mut self, file: usize, asked: &Asked, found: &[Played]) -> Result<(), Error> {
        self.add_told(file, found, tell(asked, &rows_of(found))?);
        Ok(())
    }

    /// Adds games in ascending rows, each with its distinct moves.
    fn add(&mut self, file: usize, asked: &Asked, found: &[Played]) -> Result<(), Error> {
        let rows = rows_of(found);
        if rows.len() <= FEW_RECORDS && rows.iter().all(|&row| asked.indices.covers(row)) {
            return self.add_few(file, asked, found);
        }
        let facts = read_facts(asked, &rows)?;
        // The players of those that remain are named last.
        let heads = facts.iter().map(|fact| head::head(fact, facts::Players::default()));
        self.add_told(file, found, heads);
        Ok(())
    }

    /// Adds games with their heads.
    fn add_told(&mut self, file: usize, found: &[Played], heads: impl IntoIterator<Item = Head>) {
        for ((row, moves), head) in found.iter().zip(heads) {
            let summand = head.summand();
            if let Some(counts) = self.counts(rating_group(summand.rating)) {
                counts.records = counts.records.saturating_add(1);
                for candidate in moves {
                    counts.sums.entry(*candidate).or_default().add(summand);
                }
            }
            let candidate = moves.first().copied().flatten();
            self.best.push(ranked(file, Example { row: *row, candidate, head }));
            if self.best.len() > CHUNK_RECORDS {
                self.prune();
            }
        }
        self.prune();
    }

    /// Keeps the best examples.
    fn prune(&mut self) {
        self.best.sort_by_key(|(rank, file, example)| (*rank, *file, example.row));
        self.best.truncate(EXAMPLES);
    }

    fn finish(self, files: &[Asked]) -> Result<Tree, Error> {
        let counts = self.counts.into_iter().next().unwrap_or_default();
        let mut tree = counts.tree();
        for (_, file, mut example) in self.best {
            if let Some(asked) = files.get(file).filter(|_| example.head.players.white.is_empty()) {
                name_players(asked, &mut example)?;
            }
            tree.examples.push((file, example));
        }
        Ok(tree)
    }
}

fn rows_of(found: &[Played]) -> Vec<u64> {
    found.iter().map(|game| game.0).collect()
}

/// Ranks an example.
fn ranked(file: usize, example: Example) -> Ranked {
    let head = &example.head;
    (Reverse((head.players.rating(), head.year)), file, example)
}

/// Decodes a few games in ascending rows, and returns those that reach the position.
fn look(search: Search<'_>, rows: &[u64]) -> Result<Vec<Played>, Error> {
    let Search { asked, question, work } = search;
    let Some(target) = question.target.filter(|_| !rows.is_empty()) else { return Ok(Vec::new()) };
    let read = asked.file.read_rows(&runs(rows.iter().copied()), search.wanted())?;
    let one = |place: usize, row: u64| {
        work.check()?;
        let Some((record, ..)) = read.record(place) else { return Ok(None) };
        let found = hits(&record, target, question.variations, work.stop);
        work.check()?;
        let found = found.map_err(Error::record(asked.file.path(), row))?;
        Ok(Some((row, played(&found))).filter(|_| !found.is_empty()))
    };
    let places = rows.par_iter().enumerate();
    let found: Result<Vec<Option<Played>>, Error> =
        places.map(|(place, &row)| one(place, row)).collect();
    Ok(found?.into_iter().flatten().collect())
}

/// Returns the heads of the games in these ascending rows: from the indices, or from columns of the
/// file where no index covers them.
pub(super) fn tell(asked: &Asked, rows: &[u64]) -> Result<Vec<Head>, Error> {
    let told = asked.indices.heads(rows)?;
    let untold = rows.iter().zip(&told).filter(|(_, head)| head.is_none());
    let untold: Vec<u64> = untold.map(|(&row, _)| row).collect();
    let mut read = Vec::new();
    for group in Candidates::among(asked, &untold, false) {
        let within = group.rows.as_ref().map(|rows| group.within(rows));
        read.extend(head::of_group(&asked.file, group.group, within.as_deref())?);
    }
    let mut read = read.into_iter();
    Ok(told.into_iter().map(|head| head.or_else(|| read.next()).unwrap_or_default()).collect())
}

/// Returns the distinct moves a game plays at its hits, in order.
fn played(hits: &[Hit]) -> Vec<Option<u16>> {
    let mut played = Vec::with_capacity(1);
    for hit in hits {
        if !played.contains(&hit.candidate) {
            played.push(hit.candidate);
        }
    }
    played
}

/// Fills in the players of an example, from the index or the columns of the file.
fn name_players(asked: &Asked, example: &mut Example) -> Result<(), Error> {
    if let Some(Some(head)) = asked.indices.heads(&[example.row])?.pop() {
        example.head.players = head.players;
        return Ok(());
    }
    for group in Candidates::among(asked, &[example.row], false) {
        let within = group.rows.as_ref().map(|rows| group.within(rows));
        let players = asked.file.players(group.group, within.as_deref())?;
        if let Some(players) = players.into_iter().next() {
            example.head.players.white = players.white.unwrap_or_default();
            example.head.players.black = players.black.unwrap_or_default();
        }
    }
    Ok(())
}
