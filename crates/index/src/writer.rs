//! Writes the pages of sorted occurrences.

use std::collections::VecDeque;

use crate::layout::{KEY_BITS, Layout};
use crate::occurrence::{Occurrence, Summand};
use crate::page::{Content, Frame, LISTED_MAX, Listed, Men, Node, Page, Position, place_of};
use crate::shared::{FEW_MAX, Players, Tally, Witness};

/// The approximate size of a page's entries, in bits: 20 KB.
const PAGE_BITS: usize = 160_000;

/// The approximate bits of an entry besides its games, and of a position besides its block.
const ENTRY_BITS: usize = 8;
const BLOCK_BITS: usize = 24;

/// The number of positions that are never divided between two pages.
const POSITIONS_TOGETHER: usize = 1_024;

/// What a writer of pages needs to know about the games.
pub trait Source {
    /// The type of errors.
    type Error;

    /// What each of these games, ascending, adds to sums.
    ///
    /// # Errors
    /// Depends on the source.
    fn summands(&self, games: &[u32]) -> Result<Vec<Summand>, Self::Error>;

    /// The players of a game.
    ///
    /// # Errors
    /// Depends on the source.
    fn players(&self, game: u32) -> Result<Players, Self::Error>;

    /// The line that leads to the position after this many plies of a game; `None` if it is
    /// unknown.
    ///
    /// # Errors
    /// Depends on the source.
    fn line(&self, game: u32, plies: u16) -> Result<Option<Witness>, Self::Error>;
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// The number of positions.
    pub keys: u64,
    /// The number of pairs of a position and a game.
    pub visits: u64,
}

/// Writes pages.
#[derive(Clone, Copy, Debug)]
pub struct PageWriter {
    pub(crate) layout: Layout,
}

impl PageWriter {
    /// A writer of pages of this layout.
    pub fn new(layout: Layout) -> Self {
        Self { layout }
    }

    /// Writes the pages of occurrences, which are all those of their frames: ascending, their
    /// places [`masked`](Layout::masked). Memory holds a page, its blocks, and the occurrences of
    /// [`LISTED_MAX`] games in a frame.
    ///
    /// # Errors
    /// Returns the errors of the occurrences, of the source and of `page`.
    pub fn write<S: Source>(
        &self,
        occurrences: impl Iterator<Item = Result<Occurrence, S::Error>>,
        source: &S,
        page: impl FnMut(Page) -> Result<(), S::Error>,
    ) -> Result<Counts, S::Error> {
        let visits = Visits { occurrences, back: VecDeque::new(), games: Vec::new() };
        let (filling, counts) = (Filling::new(self.layout), Counts::default());
        let mut writing = Writing { layout: self.layout, visits, source, filling, page, counts };
        while writing.visits.peek()?.is_some() {
            writing.frame()?;
        }
        writing.end()
    }
}

/// Occurrences in order, of which some may be put back.
struct Visits<I> {
    occurrences: I,
    back: VecDeque<Occurrence>,
    /// The games of the last few, kept for its memory.
    games: Vec<u32>,
}

impl<I: Iterator<Item = Result<Occurrence, E>>, E> Visits<I> {
    fn peek(&mut self) -> Result<Option<&Occurrence>, E> {
        if self.back.is_empty() {
            self.back.extend(self.occurrences.next().transpose()?);
        }
        Ok(self.back.front())
    }

    /// Takes the next one if it is like this.
    fn next_if(&mut self, is_like: impl Fn(&Occurrence) -> bool) -> Result<Option<Occurrence>, E> {
        Ok(match self.peek()? {
            Some(next) if is_like(next) => self.back.pop_front(),
            _ => None,
        })
    }

    /// Takes those that are like this, if they are of at most so many games; otherwise none.
    fn few(
        &mut self,
        most: usize,
        is_like: impl Fn(&Occurrence) -> bool,
    ) -> Result<Option<Vec<Occurrence>>, E> {
        let mut few: Vec<Occurrence> = Vec::new();
        self.games.clear();
        while let Some(next) = self.next_if(&is_like)? {
            few.push(next);
            if !self.games.contains(&next.game) {
                self.games.push(next.game);
            }
            if self.games.len() > most {
                self.put_back(few);
                return Ok(None);
            }
        }
        Ok(Some(few))
    }

    fn put_back(&mut self, visits: Vec<Occurrence>) {
        visits.into_iter().rev().for_each(|visit| self.back.push_front(visit));
    }
}

/// Pages being written.
struct Writing<'s, S, I, P> {
    layout: Layout,
    visits: Visits<I>,
    source: &'s S,
    filling: Filling,
    page: P,
    counts: Counts,
}

impl<S, I, P> Writing<'_, S, I, P>
where
    S: Source,
    I: Iterator<Item = Result<Occurrence, S::Error>>,
    P: FnMut(Page) -> Result<(), S::Error>,
{
    /// Writes the next frame.
    fn frame(&mut self) -> Result<(), S::Error> {
        let layout = self.layout;
        let slots = |one: &Occurrence| layout.slots(one.place);
        let Some(frame) = self.visits.peek()?.map(slots).map(|first| first.frame) else {
            return Ok(());
        };
        if let Some(few) = self.few(|one| slots(one).frame == frame)? {
            return self.add(place_of(layout, frame, 0, 0), Node { slot: frame, content: few });
        }
        let mut is_first = true;
        let in_frame = |one: &&Occurrence| slots(one).frame == frame;
        while let Some(men) = self.visits.peek()?.filter(in_frame).map(|one| slots(one).men) {
            let is_same = |one: &Occurrence| slots(one).frame == frame && slots(one).men == men;
            // The first page that has something of a frame begins with the frame.
            let start = place_of(layout, frame, if is_first { 0 } else { men }, 0);
            is_first = false;
            let piece = |content| {
                let content = Content::Many(vec![Node { slot: men, content }]);
                Node { slot: frame, content }
            };
            if let Some(few) = self.few(is_same)? {
                self.add(start, piece(few))?;
                continue;
            }
            let mut chunk: Vec<Position> = Vec::new();
            let mut start = start;
            while self.visits.peek()?.is_some_and(is_same) {
                let position = self.position()?;
                let is_together = chunk.last().is_none_or(|last| last.slot == position.slot);
                if chunk.len() >= POSITIONS_TOGETHER && !is_together {
                    self.add(start, piece(Content::Many(std::mem::take(&mut chunk))))?;
                    start = place_of(layout, frame, men, position.slot);
                }
                chunk.push(position);
            }
            self.add(start, piece(Content::Many(chunk)))?;
        }
        Ok(())
    }

    /// What lists the games of the next visits that are like this; `None`, and nothing is taken, if
    /// these have many games or are of a single position, which has a block.
    fn few<T>(
        &mut self,
        is_like: impl Fn(&Occurrence) -> bool,
    ) -> Result<Option<Content<T>>, S::Error> {
        let Some(visits) = self.visits.few(LISTED_MAX, is_like)? else { return Ok(None) };
        let layout = self.layout;
        let is_block = |position: &[Occurrence]| {
            let alone = position.first().is_some_and(|one| layout.slots(one.place).men == 0);
            alone && games_of(position).len() > FEW_MAX
        };
        if by_position(&visits).any(is_block) {
            self.visits.put_back(visits);
            return Ok(None);
        }
        let mut blocks = Vec::new();
        for position in by_position(&visits) {
            let games = games_of(position).len();
            if games <= FEW_MAX {
                self.count(games as u64);
                continue;
            }
            let mut tally = Tally::default();
            for visit in position {
                tally.add(*visit, self.source)?;
            }
            blocks.push(self.block(tally)?);
        }
        // Positions of several men, if the frame has few games.
        blocks.sort_by_key(|position| position.slot);
        Ok(Some(Content::Few(games_of(&visits), blocks)))
    }

    /// Takes the visits of the next position.
    fn position(&mut self) -> Result<Position, S::Error> {
        let first = self.visits.peek()?.copied().unwrap_or_default();
        let is_same = |one: &Occurrence| {
            (one.place, one.key, one.check) == (first.place, first.key, first.check)
        };
        if let Some(few) = self.visits.few(FEW_MAX, is_same)? {
            let games = games_of(&few);
            self.count(games.len() as u64);
            let slot = self.layout.slots(first.place).key;
            return Ok(Position { slot, bits: KEY_BITS, content: Listed::Few(games) });
        }
        let mut tally = Tally::default();
        while let Some(visit) = self.visits.next_if(is_same)? {
            tally.add(visit, self.source)?;
        }
        self.block(tally)
    }

    /// The position of a tally.
    fn block(&mut self, tally: Tally) -> Result<Position, S::Error> {
        let slot = self.layout.slots(tally.place()).key;
        let written = tally.finish(self.layout, self.source)?;
        self.count(written.records);
        Ok(Position { slot, bits: KEY_BITS, content: Listed::Block(written) })
    }

    /// Counts a position of so many games.
    fn count(&mut self, games: u64) {
        self.counts.keys += 1;
        self.counts.visits += games;
    }

    /// Adds a piece that is not divided between pages.
    fn add(&mut self, place: u64, piece: Frame) -> Result<(), S::Error> {
        match self.filling.add(place, piece) {
            Some(page) => (self.page)(page),
            None => Ok(()),
        }
    }

    fn end(mut self) -> Result<Counts, S::Error> {
        if let Some(page) = self.filling.finish() {
            (self.page)(page)?;
        }
        Ok(self.counts)
    }
}

/// The visits of each position.
fn by_position(visits: &[Occurrence]) -> impl Iterator<Item = &[Occurrence]> {
    visits.chunk_by(|a, b| (a.key, a.check) == (b.key, b.check))
}

/// The games of some visits, ascending.
fn games_of(visits: &[Occurrence]) -> Vec<u32> {
    let mut games: Vec<u32> = visits.iter().map(|visit| visit.game).collect();
    games.sort_unstable();
    games.dedup();
    games
}

/// A page being filled.
struct Filling {
    layout: Layout,
    place: u64,
    frames: Vec<Frame>,
    bits: usize,
}

impl Filling {
    fn new(layout: Layout) -> Self {
        Self { layout, place: 0, frames: Vec::new(), bits: 0 }
    }

    /// Adds a piece; returns the page before if it is full.
    fn add(&mut self, place: u64, piece: Frame) -> Option<Page> {
        let bits = self.piece_bits(&piece);
        let full = self.bits.saturating_add(bits) > PAGE_BITS;
        let page = if full { self.finish() } else { None };
        if self.frames.is_empty() {
            self.place = place;
        }
        self.bits += bits;
        match self.frames.last_mut() {
            Some(last) if last.slot == piece.slot => continue_frame(last, piece.content),
            _ => self.frames.push(piece),
        }
        page
    }

    /// The approximate bits of a piece: a frame, or positions of one of its men.
    fn piece_bits(&self, piece: &Frame) -> usize {
        let few = |games: &[u32], blocks: &[Position]| {
            ENTRY_BITS + self.games_bits(games.len()) + BLOCK_BITS * blocks.len()
        };
        let position = |position: &Position| match &position.content {
            Listed::Few(games) => ENTRY_BITS + self.games_bits(games.len()),
            Listed::Block(_) => BLOCK_BITS,
        };
        let men = |men: &Men| match &men.content {
            Content::Few(games, blocks) => few(games, blocks),
            Content::Many(all) => ENTRY_BITS + all.iter().map(position).sum::<usize>(),
        };
        match &piece.content {
            Content::Few(games, blocks) => few(games, blocks),
            Content::Many(all) => all.iter().map(men).sum(),
        }
    }

    fn games_bits(&self, games: usize) -> usize {
        games * (self.layout.games().max(1).ilog2() as usize + 1)
    }

    /// Finishes the page, if it has anything.
    fn finish(&mut self) -> Option<Page> {
        let frames = std::mem::take(&mut self.frames);
        self.bits = 0;
        (!frames.is_empty()).then(|| Page::of(self.layout, self.place, &frames))
    }
}

/// Adds the next piece of a frame.
fn continue_frame(frame: &mut Frame, piece: Content<Men>) {
    let (Content::Many(all), Content::Many(pieces)) = (&mut frame.content, piece) else { return };
    for piece in pieces {
        match (all.last_mut(), piece) {
            (
                Some(Node { slot, content: Content::Many(positions) }),
                Node { slot: same, content: Content::Many(more) },
            ) if *slot == same => positions.extend(more),
            (_, piece) => all.push(piece),
        }
    }
}
