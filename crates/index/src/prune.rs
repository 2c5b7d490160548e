//! Removes games from an index: the rest is renumbered and written as it is, so that no game has to
//! be read again.

use crate::error::Error;
use crate::layout::{KEY_BITS, Layout};
use crate::list::Visit;
use crate::occurrence::{END, Occurrence, Summand};
use crate::page::{Content, Frame, Item, Kind, Listed, Node, Page, Position, Stored};
use crate::shared::{FEW_MAX, Players, Shared, Tally, Witness};
use crate::writer::{PageWriter, Source};

/// The games of an index that stay. It is looked up for every game of every position, so it is
/// small enough for the processor's cache.
#[derive(Debug, Default)]
pub struct Staying {
    some: Vec<SomeGames>,
    /// The number of games added.
    added: u32,
    /// The number of games that stay.
    games: u32,
}

/// Which of 64 successive games stay.
#[derive(Clone, Copy, Debug)]
struct SomeGames {
    /// A bit for each, the lowest for the first.
    stay: u64,
    /// The number of earlier games that stay.
    before: u32,
}

impl Staying {
    /// Adds the next game.
    pub fn push(&mut self, stays: bool) {
        let bit = self.added % u64::BITS;
        if bit == 0 {
            self.some.push(SomeGames { stay: 0, before: self.games });
        }
        if let Some(last) = self.some.last_mut() {
            last.stay |= u64::from(stays) << bit;
        }
        self.added = self.added.saturating_add(1);
        self.games = self.games.saturating_add(stays.into());
    }

    /// The number of games that stay.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The new number of a game, if it stays.
    fn number(&self, game: u32) -> Option<u32> {
        let some = self.some.get(usize::try_from(game / u64::BITS).ok()?)?;
        let bit = 1 << (game % u64::BITS);
        let before = (some.stay & (bit - 1)).count_ones();
        (some.stay & bit != 0).then_some(some.before + before)
    }

    /// The new numbers of those games that stay.
    fn numbers(&self, games: &[u32]) -> impl Iterator<Item = u32> {
        games.iter().filter_map(|&game| self.number(game))
    }
}

impl PageWriter {
    /// Writes a page of an old index without the games that do not stay. The old layout is this
    /// writer's except for the number of games. Frames and men of many games stay such even if few
    /// games are left.
    ///
    /// # Errors
    /// Returns the errors of the source, which knows games by their new numbers, and an error if
    /// the page is damaged.
    pub fn prune<S: Source<Error: From<Error>>>(
        &self,
        old: Layout,
        place: u64,
        [entries, blocks]: [&[u8]; 2],
        staying: &Staying,
        source: &S,
    ) -> Result<Page, S::Error> {
        let mut items = Vec::new();
        old.entries(entries, 0, |item, block| {
            items.push((item, block.map(|block| block.whole())));
            true
        })?;
        let mut frames: Vec<Frame> = Vec::new();
        for (Item { frame, men, kind }, block) in items {
            let offset = |at: u64| usize::try_from(at.checked_sub(entries.len() as u64)?).ok();
            let block = block.and_then(|range| Some(offset(range.start)?..offset(range.end)?));
            let block = block.and_then(|range| blocks.get(range)).unwrap_or_default();
            match kind {
                Kind::Games(few) => {
                    let games: Vec<u32> = staying.numbers(few.games()).collect();
                    if !games.is_empty() {
                        add_few(&mut frames, (frame, men), games);
                    }
                }
                Kind::Position { slot, bits, stored } => {
                    let content = match stored {
                        Stored::Few(few) => Listed::Few(staying.numbers(few.games()).collect()),
                        Stored::Block(_) => self.pruned(old, block, staying, source)?,
                    };
                    let slot = slot.checked_shl(KEY_BITS - bits).unwrap_or(0);
                    add_position(&mut frames, (frame, men), Position { slot, bits, content });
                }
            }
        }
        Ok(Page::of(self.layout, place, &frames))
    }

    /// What stays of a block.
    fn pruned<S: Source<Error: From<Error>>>(
        &self,
        old: Layout,
        block: &[u8],
        staying: &Staying,
        source: &S,
    ) -> Result<Listed, S::Error> {
        let (key, shared) = Shared::with_key(old, block)?;
        // A block may list millions of games, so their visits are never in memory at once.
        let visits = || {
            let stays = |Visit { game, candidate }| {
                let candidate = candidate.unwrap_or(END);
                let game = staying.number(game)?;
                Some(Occurrence { key, game, candidate, ..Occurrence::default() })
            };
            shared.games(block).filter_map(move |visit| visit.map(stays).transpose())
        };
        let mut games: Vec<u32> = Vec::new();
        for visit in visits() {
            let game = visit?.game;
            if games.last() != Some(&game) {
                games.push(game);
            }
            if games.len() > FEW_MAX {
                break;
            }
        }
        if games.len() <= FEW_MAX {
            return Ok(Listed::Few(games));
        }
        let source = Remembered { shared: &shared, staying, source };
        let mut tally = Tally::default();
        for visit in visits() {
            tally.add(visit?, &source)?;
        }
        Ok(Listed::Block(tally.finish(self.layout, &source)?))
    }
}

/// Adds the games of a frame, or of men in it.
fn add_few(frames: &mut Vec<Frame>, (frame, men): (u32, Option<u32>), games: Vec<u32>) {
    let Some(men) = men else {
        frames.push(Node { slot: frame, content: Content::Few(games, Vec::new()) });
        return;
    };
    let men = Node { slot: men, content: Content::Few(games, Vec::new()) };
    match frames.last_mut() {
        Some(Node { slot, content: Content::Many(all) }) if *slot == frame => all.push(men),
        _ => frames.push(Node { slot: frame, content: Content::Many(vec![men]) }),
    }
}

/// Adds a position, unless no game of it stays or its games are listed with it.
fn add_position(frames: &mut Vec<Frame>, (frame, men): (u32, Option<u32>), position: Position) {
    let is_block = matches!(position.content, Listed::Block(_));
    if matches!(&position.content, Listed::Few(games) if games.is_empty()) {
        return;
    }
    let last = frames.last_mut().filter(|last| last.slot == frame);
    let Some(men) = men else {
        if let Some(Node { content: Content::Few(_, blocks), .. }) = last
            && is_block
        {
            blocks.push(position);
        }
        return;
    };
    let many = |positions| Node { slot: men, content: Content::Many(positions) };
    let Some(Node { content: Content::Many(all), .. }) = last else {
        frames.push(Node { slot: frame, content: Content::Many(vec![many(vec![position])]) });
        return;
    };
    match all.last_mut().filter(|last| last.slot == men) {
        Some(Node { content: Content::Many(positions), .. }) => positions.push(position),
        Some(Node { content: Content::Few(_, blocks), .. }) => {
            if is_block {
                blocks.push(position);
            }
        }
        None => all.push(many(vec![position])),
    }
}

/// A source that answers from an old block, or else from another source.
struct Remembered<'a, S> {
    shared: &'a Shared,
    staying: &'a Staying,
    source: &'a S,
}

impl<S: Source> Source for Remembered<'_, S> {
    type Error = S::Error;

    fn summands(&self, games: &[u32]) -> Result<Vec<Summand>, Self::Error> {
        self.source.summands(games)
    }

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
