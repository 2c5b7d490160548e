//! What each game that reaches a position plays there: for sums that an index does not have.

use std::ops::ControlFlow;

use super::Hit;
use super::scan::{CHUNK_RECORDS, Candidates, narrow, prove};
use super::tree::shows;
use super::{Asked, Question, Target, Watch};
use crate::error::Error;
use crate::export::in_pool;
use crate::import::go_on;
use crate::index::{Entry, Shared};

/// That a game reaches a position, and what it plays there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Which of the files it is in.
    pub file: usize,
    /// Its row there, counted from 0.
    pub row: u64,
    /// Which candidate it plays; `None`: it ends there. A game that comes back and plays something
    /// else is there twice.
    pub candidate: Option<u16>,
}

/// Gives every game that reaches the position that is asked for, with what it plays there, to
/// `each`; those of a file together, in no particular order.
///
/// # Errors
/// If a file cannot be read or a record is damaged, or it was told to stop.
pub fn plays(
    files: &[Asked],
    question: &Question<'_>,
    watch: &Watch<'_>,
    each: &mut (dyn FnMut(Play) + Send),
) -> Result<(), Error> {
    let (Some(first), Some(target)) = (files.first(), question.target) else { return Ok(()) };
    in_pool(&first.file, watch.threads, || {
        for (file, asked) in files.iter().enumerate() {
            // Given only when all are known: what a damaged index lists does not count.
            let mut plays = Vec::new();
            let mut list = List { file, asked, question, watch, plays: &mut plays };
            let is_indexed = !question.variations && !asked.indices.is_empty();
            if !is_indexed || asked.indices.ask(|| list.indexed(target))?.is_none() {
                list.plays.clear();
                list.decode(&Candidates::of(asked, question, usize::MAX)?)?;
            }
            plays.into_iter().for_each(&mut *each);
        }
        Ok(())
    })
}

/// Games of a file on their way.
struct List<'l> {
    file: usize,
    asked: &'l Asked,
    question: &'l Question<'l>,
    watch: &'l Watch<'l>,
    plays: &'l mut Vec<Play>,
}

impl List<'_> {
    /// Gives the games that the indices of the file know to reach the position.
    fn indexed(&mut self, target: &Target) -> Result<(), Error> {
        let asked = self.asked;
        let (mut few, mut many) = (Vec::new(), Vec::new());
        for entry in asked.indices.look_up(target.key())? {
            go_on(self.watch.stop)?;
            match entry {
                Entry::Few(rows) => few.extend(rows),
                Entry::Shared(shared) => match shared.witness() {
                    Some(witness) if shows(&shared, witness, target)? => {
                        self.listed(&shared)?;
                        many.push(shared);
                    }
                    Some(_) => {}
                    None => few.extend(shared.games()?.into_iter().map(|game| game.0)),
                },
            }
        }
        // A stranger's game may reach this position, too, and was listed then.
        few.retain(|&row| !many.iter().any(|shared| shared.covers(row)));
        few.sort_unstable();
        few.dedup();
        self.decode(&Candidates::among(asked, &few, true))
    }

    /// Gives those of these candidates that reach the position.
    fn decode(&mut self, candidates: &[Candidates]) -> Result<(), Error> {
        let (asked, question, watch) = (self.asked, self.question, self.watch);
        for candidates in narrow(asked, candidates, question, watch)? {
            _ = prove(asked, &candidates, question, watch, CHUNK_RECORDS, &mut |row, hits| {
                let mut before: Vec<Option<u16>> = Vec::with_capacity(1);
                for Hit { candidate, .. } in hits {
                    if !before.contains(&candidate) {
                        before.push(candidate);
                        self.plays.push(Play { file: self.file, row, candidate });
                    }
                }
                Ok(ControlFlow::Continue(()))
            })?;
        }
        Ok(())
    }

    /// Gives the games of a position that many share, as the index lists them.
    fn listed(&mut self, shared: &Shared<'_>) -> Result<(), Error> {
        let games = shared.games()?;
        if self.question.condition.is_none()
            && let Some(known) = &self.asked.known
        {
            // Nothing has to be read of the file.
            let limits = self.question.limits;
            let admits =
                |row| limits.is_none_or(|limits| limits.admit(&known.fact(row), known.speed(row)));
            for (row, candidate) in games.into_iter().filter(|game| admits(game.0)) {
                self.plays.push(Play { file: self.file, row, candidate });
            }
            return Ok(());
        }
        let mut rows: Vec<u64> = games.iter().map(|game| game.0).collect();
        rows.dedup();
        let groups = Candidates::among(self.asked, &rows, false);
        let mut rest = &games[..];
        for group in narrow(self.asked, &groups, self.question, self.watch)? {
            for row in group.rows.unwrap_or_default() {
                rest = rest.split_at(rest.partition_point(|game| game.0 < row)).1;
                for &(_, candidate) in rest.iter().take_while(|game| game.0 == row) {
                    self.plays.push(Play { file: self.file, row, candidate });
                }
            }
        }
        Ok(())
    }
}
