//! The moves that were played in a position, and what became of them.
//!
//! Where an index has the sums of a position that many games share, it is only shown by a witness
//! that the position is the one that is asked for; a condition is asked of the list of its games.
//! All other games are decoded.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use plypack_index::{Fact, Head, Players, Sum};
use plypack_rows::hits;
use rayon::prelude::*;

use super::scan::{CHUNK_GROUPS, CHUNK_RECORDS, Candidates, narrow, prove, read_facts, runs};
use super::{Asked, Hit, Question, Target, Watch};
use crate::columns::Wanted;
use crate::error::Error;
use crate::export::in_pool;
use crate::facts;
use crate::import::go_on;
use crate::index::fact;
use crate::index::{Entry, Example, MoveSum, Shared, Witness};

/// So few games are told of by their heads: of more, columns are read sooner.
const FEW_RECORDS: usize = 64;

/// How many example games there are.
const EXAMPLES: usize = 3;

/// What was played in a position. A game counts once for each different move that it plays there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// How many games reach the position.
    pub records: u64,
    /// The moves, the most frequent first; of equals in the order of candidates.
    pub moves: Vec<MoveSum>,
    /// The games that ended there.
    pub ended: Sum,
    /// The best-rated games, of equals the latest, and which of the files each is in.
    pub examples: Vec<(usize, Example)>,
}

/// Adds up what was played in the position that is asked for.
///
/// # Errors
/// If a file cannot be read or a record is damaged, or it was told to stop.
pub fn tree(files: &[Asked], question: &Question<'_>, watch: &Watch<'_>) -> Result<Tree, Error> {
    let (Some(first), Some(target)) = (files.first(), question.target) else {
        return Ok(Tree::default());
    };
    in_pool(&first.file, watch.threads, || {
        let (sums, best) = (BTreeMap::new(), Vec::new());
        let mut growth = Growth { question, watch, sums, records: 0, best };
        for (file, asked) in files.iter().enumerate() {
            go_on(watch.stop)?;
            // A game may be listed with its line and with its variations.
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

/// Whether a witness leads to the position that is asked for, and not to another of the same key.
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

/// A tree that is being made.
#[derive(Clone)]
struct Growth<'g> {
    question: &'g Question<'g>,
    watch: &'g Watch<'g>,
    /// What became of games by the candidate that they play; `None`: they end.
    sums: BTreeMap<Option<u16>, Sum>,
    records: u64,
    best: Vec<Ranked>,
}

/// A game's row, and what it plays, the first first; `None`: it ends.
type Played = (u64, Vec<Option<u16>>);

/// An example, and what it is sorted by: its rating and its year, then its place.
type Ranked = (Reverse<(Option<u16>, Option<u16>)>, usize, Example);

impl Growth<'_> {
    /// Adds the games of a file that its indices know to reach the position.
    fn indexed(&mut self, file: usize, asked: &Asked, target: &Target) -> Result<(), Error> {
        let (mut few, mut many) = (Vec::new(), Vec::new());
        for entry in asked.indices.look_up(target.key())? {
            match entry {
                Entry::Few(rows) => few.extend(rows),
                Entry::Shared(shared) => {
                    if self.share(file, asked, &shared)? {
                        many.push(shared);
                    }
                }
            }
        }
        // A stranger's game may reach this position, too, and was counted then.
        few.retain(|&row| !many.iter().any(|shared| shared.covers(row)));
        few.sort_unstable();
        few.dedup();
        self.decode(file, asked, &Candidates::among(asked, &few, true))
    }

    /// Adds those of these candidates that reach the position.
    fn decode(
        &mut self,
        file: usize,
        asked: &Asked,
        candidates: &[Candidates],
    ) -> Result<(), Error> {
        let (question, watch) = (self.question, self.watch);
        let (mut few, mut many) = (Vec::new(), Vec::new());
        for candidates in narrow(asked, candidates, question, watch)? {
            match &candidates.rows {
                Some(rows) if few.len() + rows.len() <= FEW_RECORDS => few.extend(rows),
                _ => many.push(candidates),
            }
        }
        let found = look(asked, &few, question, watch)?;
        self.add_few(file, asked, &found)?;
        for candidates in many {
            let mut found = Vec::new();
            _ = prove(asked, &candidates, question, watch, CHUNK_RECORDS, &mut |row, hits| {
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

    /// Adds those of these games, which reach the position, of which the condition holds.
    fn list(
        &mut self,
        file: usize,
        asked: &Asked,
        games: &[(u64, Option<u16>)],
    ) -> Result<(), Error> {
        let mut rows: Vec<u64> = games.iter().map(|game| game.0).collect();
        rows.dedup();
        for groups in Candidates::among(asked, &rows, false).chunks(CHUNK_GROUPS) {
            let narrowed = narrow(asked, groups, self.question, self.watch)?.into_iter();
            let rows: Vec<u64> = narrowed.filter_map(|group| group.rows).flatten().collect();
            go_on(self.watch.stop)?;
            let found = self.with_moves(asked, &rows, games)?;
            self.add(file, asked, &found)?;
        }
        Ok(())
    }

    /// What games in these rows play, as the list says; one that plays several moves is decoded,
    /// as it does not tell which came first.
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
        let watch = &Watch { progress: &|_| (), ..*self.watch };
        let several = Candidates::these(several);
        _ = prove(asked, &several, self.question, watch, CHUNK_RECORDS, &mut |row, hits| {
            if let Some(game) = places.find(|game| game.0 == row) {
                game.1 = played(&hits);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        Ok(found)
    }

    /// Adds the games of a position that many share, if it is the one that is asked for. Returns
    /// whether it is.
    fn share(&mut self, file: usize, asked: &Asked, shared: &Shared<'_>) -> Result<bool, Error> {
        let Some(target) = self.question.target else { return Ok(false) };
        let is_shown = match shared.witness() {
            Some(witness) => shows(shared, witness, target)?,
            None => self.reaches(asked, shared)?,
        };
        match self.question.condition {
            _ if !is_shown => {}
            Some(_) => self.list(file, asked, &shared.games()?)?,
            None => self.take(file, asked, shared)?,
        }
        Ok(is_shown)
    }

    /// Whether one of the best games of a position shows that it is the one that is asked for.
    fn reaches(&self, asked: &Asked, shared: &Shared<'_>) -> Result<bool, Error> {
        for (row, _) in shared.best() {
            if !look(asked, &[row], self.question, self.watch)?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes the sums of a position that many games share.
    fn take(&mut self, file: usize, asked: &Asked, shared: &Shared<'_>) -> Result<(), Error> {
        self.records = self.records.saturating_add(shared.records());
        for MoveSum { candidate, sum } in shared.moves() {
            self.sums.entry(Some(*candidate)).or_default().merge(sum);
        }
        if let Some(sum) = shared.ended() {
            self.sums.entry(None).or_default().merge(&sum);
        }
        let examples = shared.examples();
        if examples.is_empty() {
            let mut best = shared.best();
            best.sort_unstable_by_key(|game| game.0);
            let rows: Vec<u64> = best.iter().map(|game| game.0).collect();
            for ((row, candidate), head) in best.into_iter().zip(tell(asked, &rows)?) {
                self.best.push(ranked(file, row, candidate, head));
            }
        }
        self.best.extend(examples.into_iter().map(|example| {
            let rating = match (example.white_rating, example.black_rating) {
                (Some(white), Some(black)) => Some(white.midpoint(black)),
                (one, other) => one.or(other),
            };
            (Reverse((rating, example.year)), file, example)
        }));
        self.prune();
        Ok(())
    }

    /// Adds a few games in ascending rows, and what each plays, without repetitions.
    fn add_few(&mut self, file: usize, asked: &Asked, found: &[Played]) -> Result<(), Error> {
        let rows: Vec<u64> = found.iter().map(|game| game.0).collect();
        for ((row, moves), head) in found.iter().zip(tell(asked, &rows)?) {
            self.records = self.records.saturating_add(1);
            for candidate in moves {
                self.sums.entry(*candidate).or_default().add(head.fact());
            }
            self.best.push(ranked(file, *row, moves.first().copied().flatten(), head));
        }
        self.prune();
        Ok(())
    }

    /// Adds games in ascending rows, and what each plays, without repetitions.
    fn add(&mut self, file: usize, asked: &Asked, found: &[Played]) -> Result<(), Error> {
        let rows: Vec<u64> = found.iter().map(|game| game.0).collect();
        if rows.len() <= FEW_RECORDS && rows.iter().all(|&row| asked.indices.covers(row)) {
            return self.add_few(file, asked, found);
        }
        for ((row, moves), fact) in found.iter().zip(read_facts(asked, &rows)?) {
            self.records = self.records.saturating_add(1);
            for candidate in moves {
                self.sums.entry(*candidate).or_default().add(summand(&fact));
            }
            self.offer(file, *row, moves, &fact);
        }
        self.prune();
        Ok(())
    }

    /// Offers a game for an example, yet without its players.
    fn offer(&mut self, file: usize, row: u64, moves: &[Option<u16>], fact: &facts::Fact) {
        let example = Example {
            row,
            candidate: moves.first().copied().flatten(),
            white: String::new(),
            black: String::new(),
            white_rating: fact.white_rating,
            black_rating: fact.black_rating,
            year: fact.year,
            outcome: summand(fact).outcome,
        };
        self.best.push((Reverse((fact.rating(), fact.year)), file, example));
        if self.best.len() > CHUNK_RECORDS {
            self.prune();
        }
    }

    /// Keeps the best examples.
    fn prune(&mut self) {
        self.best.sort_by_key(|(rank, file, example)| (*rank, *file, example.row));
        self.best.truncate(EXAMPLES);
    }

    fn finish(mut self, files: &[Asked]) -> Result<Tree, Error> {
        let ended = self.sums.remove(&None).unwrap_or_default();
        let moves = self.sums.into_iter();
        let mut moves: Vec<MoveSum> = moves
            .filter_map(|(candidate, sum)| Some(MoveSum { candidate: candidate?, sum }))
            .collect();
        moves.sort_by_key(|played| Reverse(played.sum.records));
        let mut examples = Vec::new();
        for (_, file, mut example) in self.best {
            if let Some(asked) = files.get(file).filter(|_| example.white.is_empty()) {
                name_players(asked, &mut example)?;
            }
            examples.push((file, example));
        }
        Ok(Tree { records: self.records, moves, ended, examples })
    }
}

/// An example of which all is known.
fn ranked(file: usize, row: u64, candidate: Option<u16>, head: Head) -> Ranked {
    let (rank, year) = (head.players.rating(), head.year);
    let Head { players: Players { white, black, white_rating, black_rating }, outcome, .. } = head;
    let example =
        Example { row, candidate, white, black, white_rating, black_rating, year, outcome };
    (Reverse((rank, year)), file, example)
}

/// Decodes a few games in ascending rows, and gives those that reach the position.
fn look(
    asked: &Asked,
    rows: &[u64],
    question: &Question<'_>,
    watch: &Watch<'_>,
) -> Result<Vec<Played>, Error> {
    let Some(target) = question.target.filter(|_| !rows.is_empty()) else { return Ok(Vec::new()) };
    let wanted = match question.variations {
        true => Wanted::LINES,
        false => Wanted::MOVES,
    };
    let read = asked.file.read_rows(&runs(rows.iter().copied()), wanted)?;
    let one = |place: usize, row: u64| {
        go_on(watch.stop)?;
        let Some((record, ..)) = read.record(place) else { return Ok(None) };
        let found = hits(&record, target, question.variations, watch.stop);
        go_on(watch.stop)?;
        let found = found.map_err(|why| {
            let path = asked.file.path().into();
            Error::Record { path, record: row + 1, why }
        })?;
        Ok(Some((row, played(&found))).filter(|_| !found.is_empty()))
    };
    let places = rows.par_iter().enumerate();
    let found: Result<Vec<Option<Played>>, Error> =
        places.map(|(place, &row)| one(place, row)).collect();
    Ok(found?.into_iter().flatten().collect())
}

/// What is told of the games in these ascending rows: by their heads, or where no index covers them
/// by columns of the file.
fn tell(asked: &Asked, rows: &[u64]) -> Result<Vec<Head>, Error> {
    let told = asked.indices.heads(rows)?;
    let untold = rows.iter().zip(&told).filter(|(_, head)| head.is_none());
    let untold: Vec<u64> = untold.map(|(&row, _)| row).collect();
    let mut read = Vec::new();
    for group in Candidates::among(asked, &untold, false) {
        let within = group.rows.as_ref().map(|rows| group.within(rows));
        read.extend(fact::of_group(&asked.file, group.group, within.as_deref())?);
    }
    let mut read = read.into_iter();
    Ok(told.into_iter().map(|head| head.or_else(|| read.next()).unwrap_or_default()).collect())
}

/// What a game plays at its hits, the first first, without repetitions.
fn played(hits: &[Hit]) -> Vec<Option<u16>> {
    let mut played = Vec::with_capacity(1);
    for hit in hits {
        if !played.contains(&hit.candidate) {
            played.push(hit.candidate);
        }
    }
    played
}

/// A game as it is added up.
fn summand(fact: &facts::Fact) -> Fact {
    let outcome = fact.outcome.map(fact::outcome);
    Fact { outcome, rating: fact.rating(), year: fact.year }
}

/// Names the players of an example, which the index tells, or else the columns of the file.
fn name_players(asked: &Asked, example: &mut Example) -> Result<(), Error> {
    if let Some(Some(head)) = asked.indices.heads(&[example.row])?.pop() {
        (example.white, example.black) = (head.players.white, head.players.black);
        return Ok(());
    }
    for group in Candidates::among(asked, &[example.row], false) {
        let within = group.rows.as_ref().map(|rows| group.within(rows));
        let players = asked.file.players(group.group, within.as_deref())?;
        if let Some(players) = players.into_iter().next() {
            example.white = players.white.unwrap_or_default();
            example.black = players.black.unwrap_or_default();
        }
    }
    Ok(())
}
