//! The moves that were played in a position, and what became of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

use super::line::Hit;
use super::scan::{Candidates, prove, read_facts};
use super::sum::{Example, MoveSum, Sum};
use super::{Asked, Question, Watch};
use crate::error::Error;
use crate::export::in_pool;
use crate::facts::Fact;

/// How many example games there are.
const EXAMPLES: usize = 3;

/// How many games are added up at a time.
const CHUNK_RECORDS: usize = 2_048;

/// What was played in a position. A game counts once, and once for each different move that it
/// plays there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// All games that reach the position.
    pub all: Sum,
    /// The moves, the most frequent first; of equals in the order of candidates.
    pub moves: Vec<MoveSum>,
    /// The games that ended there.
    pub ended: Sum,
    /// The best-rated games, and which of the files each is in.
    pub examples: Vec<(usize, Example)>,
}

/// Adds up what was played in the position that is asked for.
///
/// # Errors
/// If a file cannot be read or a record is damaged, or it was told to stop.
pub fn tree(files: &[Asked], question: &Question<'_>, watch: &Watch<'_>) -> Result<Tree, Error> {
    let Some(first) = files.first() else { return Ok(Tree::default()) };
    in_pool(&first.file, watch.threads, || {
        let mut growth = Growth::default();
        for (file, asked) in files.iter().enumerate() {
            for candidates in Candidates::all(asked) {
                let Some(candidates) = candidates.narrowed(asked, question)? else { continue };
                growth.scan(file, asked, &candidates, question, watch)?;
            }
        }
        growth.finish(files)
    })
}

/// A tree that is being made.
#[derive(Default)]
struct Growth {
    all: Sum,
    moves: BTreeMap<Option<u16>, Sum>,
    examples: Vec<Ranked>,
}

/// An example, and what it is sorted by: the best-rated, then the latest comes first.
type Ranked = (Reverse<(Option<u16>, Option<u16>)>, usize, u64, Example);

impl Growth {
    /// Adds those of these candidates that reach the position.
    fn scan(
        &mut self,
        file: usize,
        asked: &Asked,
        candidates: &Candidates,
        question: &Question<'_>,
        watch: &Watch<'_>,
    ) -> Result<(), Error> {
        let mut found = Vec::new();
        _ = prove(asked, candidates, question, watch, &mut |row, hits| {
            found.push((row, hits));
            if found.len() >= CHUNK_RECORDS {
                self.add(file, asked, &std::mem::take(&mut found))?;
            }
            Ok(ControlFlow::Continue(()))
        })?;
        self.add(file, asked, &found)
    }

    /// Adds games in ascending rows.
    fn add(&mut self, file: usize, asked: &Asked, found: &[(u64, Vec<Hit>)]) -> Result<(), Error> {
        let rows: Vec<u64> = found.iter().map(|game| game.0).collect();
        for ((row, hits), fact) in found.iter().zip(read_facts(asked, &rows)?) {
            self.all.add(&fact);
            let mut played: Vec<Option<u16>> = hits.iter().map(|hit| hit.candidate).collect();
            let first = played.first().copied().flatten();
            played.sort_unstable();
            played.dedup();
            for candidate in played {
                self.moves.entry(candidate).or_default().add(&fact);
            }
            let rank = Reverse((fact.rating(), fact.year));
            self.examples.push((rank, file, *row, example(*row, first, &fact)));
        }
        self.prune();
        Ok(())
    }

    /// Keeps the best examples.
    fn prune(&mut self) {
        self.examples.sort_unstable_by_key(|(rank, file, row, _)| (*rank, *file, *row));
        self.examples.truncate(EXAMPLES);
    }

    fn finish(mut self, files: &[Asked]) -> Result<Tree, Error> {
        let ended = self.moves.remove(&None).unwrap_or_default();
        let moves = self.moves.into_iter();
        let mut moves: Vec<MoveSum> = moves
            .filter_map(|(candidate, sum)| Some(MoveSum { candidate: candidate?, sum }))
            .collect();
        moves.sort_by_key(|played| Reverse(played.sum.records));
        let mut examples = Vec::new();
        for (_, file, row, mut example) in self.examples {
            if let Some(asked) = files.get(file) {
                name_players(asked, row, &mut example)?;
            }
            examples.push((file, example));
        }
        Ok(Tree { all: self.all, moves, ended, examples })
    }
}

/// A game without its players' names.
fn example(row: u64, candidate: Option<u16>, fact: &Fact) -> Example {
    Example {
        row,
        candidate,
        white: String::new(),
        black: String::new(),
        white_rating: fact.white_rating,
        black_rating: fact.black_rating,
        year: fact.year,
        outcome: fact.outcome,
    }
}

/// Reads the players' names.
fn name_players(asked: &Asked, row: u64, example: &mut Example) -> Result<(), Error> {
    let groups = Candidates::all(asked);
    let Some(group) = groups.iter().find(|group| group.whole.contains(&row)) else {
        return Ok(());
    };
    let players = asked.file.players(group.group, Some(&group.within(&[row])))?;
    if let Some(players) = players.into_iter().next() {
        example.white = players.white.unwrap_or_default();
        example.black = players.black.unwrap_or_default();
    }
    Ok(())
}
