//! Lists what each game that reaches a position plays there, for sums that an index lacks.

use std::ops::ControlFlow;

use super::scan::{CHUNK_RECORDS, Candidates, Search};
use super::tree::shows;
use super::{Asked, Hit, Question, Target, spot};
use crate::store::error::Error;
use crate::store::index::{Entry, Shared};
use crate::store::work::Work;

/// A game that reaches a position, and what it plays there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Play {
    /// Its file's position in the list.
    pub file: usize,
    /// Its row in that file, from 0.
    pub row: u64,
    /// The candidate it plays; `None` if it ends there. A game that returns and plays something
    /// else is listed twice.
    pub candidate: Option<u16>,
}

/// Passes every game that reaches the position, with what it plays there, to `each`; grouped by
/// file, otherwise unordered.
///
/// # Errors
/// Returns an error if a file cannot be read, a record is damaged, or the stop flag is set.
pub fn plays(
    files: &[Asked],
    question: &Question<'_>,
    work: &Work<'_>,
    each: &mut (dyn FnMut(Play) + Send),
) -> Result<(), Error> {
    let Some(target) = question.target else { return Ok(()) };
    work.run(|| {
        for (file, asked) in files.iter().enumerate() {
            // Passed on only when complete: entries of a damaged index must not count.
            let mut plays = Vec::new();
            let search = Search { asked, question, work };
            let mut list = List { file, search, plays: &mut plays };
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

/// Collects the games of a file.
struct List<'l> {
    file: usize,
    search: Search<'l>,
    plays: &'l mut Vec<Play>,
}

impl List<'_> {
    /// Lists the games that reach the position according to the file's indices.
    fn indexed(&mut self, target: &Target) -> Result<(), Error> {
        let asked = self.search.asked;
        let (mut few, mut many) = (Vec::new(), Vec::new());
        for entry in asked.indices.look_up(spot(target))? {
            self.search.work.check()?;
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
        // Games of a colliding key may also reach this position; those are listed already.
        few.retain(|&row| !many.iter().any(|shared| shared.covers(row)));
        few.sort_unstable();
        few.dedup();
        self.decode(&Candidates::among(asked, &few, true))
    }

    /// Lists the candidates that reach the position.
    fn decode(&mut self, candidates: &[Candidates]) -> Result<(), Error> {
        let search = self.search;
        for candidates in search.narrow(candidates)? {
            _ = search.prove(&candidates, CHUNK_RECORDS, &mut |row, hits| {
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

    /// Lists the games of a shared position, as the index has them.
    fn listed(&mut self, shared: &Shared<'_>) -> Result<(), Error> {
        let games = shared.games()?;
        let Search { asked, question, .. } = self.search;
        if question.condition.is_none()
            && let Some(known) = &asked.known
        {
            // The file need not be read.
            let limits = question.limits;
            let admits =
                |row| limits.is_none_or(|limits| limits.admit(&known.fact(row), known.speed(row)));
            for (row, candidate) in games.into_iter().filter(|game| admits(game.0)) {
                self.plays.push(Play { file: self.file, row, candidate });
            }
            return Ok(());
        }
        let mut rows: Vec<u64> = games.iter().map(|game| game.0).collect();
        rows.dedup();
        let groups = Candidates::among(asked, &rows, false);
        let mut rest = &games[..];
        for group in self.search.narrow(&groups)? {
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
