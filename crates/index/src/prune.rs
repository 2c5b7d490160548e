//! Removes games from an index: the rest is renumbered and written as it is, so that no game has to
//! be read again.

use crate::error::Error;
use crate::occurrence::{END, Occurrence, Summand};
use crate::page::{Layout, Page, PageWriter, Source, Stored};
use crate::shared::{Players, Shared, Witness};

/// The games of an index that stay.
#[derive(Debug, Default)]
pub struct Staying {
    /// The new number of each game, or [`GONE`].
    numbers: Vec<u32>,
    /// The [`Summand`] of each game that stays.
    summands: Vec<u32>,
}

/// The number of a game that does not stay.
const GONE: u32 = u32::MAX;

impl Staying {
    /// Adds the next game: its summand, if it stays.
    pub fn push(&mut self, summand: Option<Summand>) {
        let next = self.games();
        self.numbers.push(summand.map_or(GONE, |_| next));
        self.summands.extend(summand.map(Summand::to_bits));
    }

    /// The number of games that stay.
    pub fn games(&self) -> u32 {
        u32::try_from(self.summands.len()).unwrap_or(GONE)
    }

    /// The new number of a game, if it stays.
    fn number(&self, game: u32) -> Option<u32> {
        let place = usize::try_from(game).ok()?;
        self.numbers.get(place).copied().filter(|&number| number != GONE)
    }

    /// A visit of a game, if it stays.
    fn visit(&self, key: u64, game: u32, candidate: u16) -> Option<Occurrence> {
        let game = self.number(game)?;
        let summand = *self.summands.get(usize::try_from(game).ok()?)?;
        Some(Occurrence { key, game, candidate, summand, ..Occurrence::default() })
    }
}

/// A key of an old page.
enum Old {
    Few(Vec<u32>),
    /// The range of its block among those of the page.
    Block(std::ops::Range<usize>),
}

impl PageWriter {
    /// Writes a page of an old index without the games that do not stay. The old layout is this
    /// writer's except for the number of games.
    ///
    /// # Errors
    /// Returns the errors of the source, which knows games by their new numbers, and an error if
    /// the page is damaged.
    pub fn prune<S: Source<Error: From<Error>>>(
        &self,
        old: Layout,
        [entries, blocks]: [&[u8]; 2],
        staying: &Staying,
        source: &S,
    ) -> Result<Page, S::Error> {
        let (mut keys, mut end) = (Vec::new(), 0usize);
        old.entries(entries, |slot, entry| {
            keys.push((
                slot,
                match entry {
                    Stored::Few(games) => Old::Few(games.iter().collect()),
                    Stored::Block(length) => {
                        let start = end;
                        end = end.saturating_add(usize::try_from(length).unwrap_or(usize::MAX));
                        Old::Block(start..end)
                    }
                },
            ));
            true
        })?;
        let mut draft = self.draft(keys.len());
        let mut visits: Vec<Occurrence> = Vec::new();
        for (slot, key) in keys {
            visits.clear();
            match key {
                Old::Few(games) => {
                    visits.extend(games.into_iter().filter_map(|game| staying.visit(0, game, END)));
                    if !visits.is_empty() {
                        draft.push(slot, &visits, source)?;
                    }
                }
                Old::Block(range) => {
                    let block = blocks.get(range).unwrap_or_default();
                    let (lower, shared) = Shared::with_key(old, block)?;
                    for visit in shared.games(block) {
                        let visit = visit?;
                        let candidate = visit.candidate.unwrap_or(END);
                        visits.extend(staying.visit(lower, visit.game, candidate));
                    }
                    if !visits.is_empty() {
                        draft.push(slot, &visits, &Remembered { shared, staying, source })?;
                    }
                }
            }
        }
        Ok(draft.finish())
    }
}

/// A source that answers from an old block, or else from another source.
struct Remembered<'a, S> {
    shared: Shared,
    staying: &'a Staying,
    source: &'a S,
}

impl<S: Source> Source for Remembered<'_, S> {
    type Error = S::Error;

    fn players(&self, game: u32) -> Result<Players, Self::Error> {
        let is_it = |old: u32| self.staying.number(old) == Some(game);
        match self.shared.examples.iter().find(|example| is_it(example.game)) {
            Some(example) => Ok(example.head.players.clone()),
            None => self.source.players(game),
        }
    }

    /// The old line leads there even if its game is gone.
    fn line(&self, _game: u32, _plies: u16) -> Result<Option<Witness>, Self::Error> {
        Ok(self.shared.witness.clone())
    }
}
