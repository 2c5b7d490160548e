//! Writes the pages of sorted occurrences.

use crate::layout::{KEY_BITS, Layout};
use crate::occurrence::Occurrence;
use crate::page::{Content, Frame, LISTED_MAX, Listed, Men, Node, Page, Position, place_of};
use crate::shared::{self, FEW_MAX, Players, Witness};

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

/// Pages of neighbouring places.
#[derive(Debug, Default)]
pub struct Pages {
    /// The pages, in order.
    pub pages: Vec<Page>,
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

    /// Writes the pages of occurrences, which are all those of their frames.
    ///
    /// # Errors
    /// Returns the errors of the source.
    pub fn write<S: Source>(
        &self,
        mut occurrences: Vec<Occurrence>,
        source: &S,
    ) -> Result<Pages, S::Error> {
        for one in &mut occurrences {
            one.place = self.layout.masked(one.place);
        }
        if !occurrences.is_sorted() {
            occurrences.sort_unstable();
        }
        let (mut pages, mut filling) = (Pages::default(), Filling::new(self.layout));
        let frame = |one: &Occurrence| self.layout.slots(one.place).frame;
        for frame in occurrences.chunk_by(|a, b| frame(a) == frame(b)) {
            let frame = self.frame(frame, source, &mut pages)?;
            self.pieces(frame).into_iter().for_each(|(place, bits, piece)| {
                pages.pages.extend(filling.add(place, bits, piece));
            });
        }
        pages.pages.extend(filling.finish());
        Ok(pages)
    }

    fn frame<S: Source>(
        &self,
        visits: &[Occurrence],
        source: &S,
        pages: &mut Pages,
    ) -> Result<Frame, S::Error> {
        let slot = |one: &Occurrence| self.layout.slots(one.place);
        let content = match listed(self.layout, visits) {
            Some(games) => Content::Few(games, self.positions(visits, false, source, pages)?),
            None => {
                let mut all = Vec::new();
                for men in visits.chunk_by(|a, b| slot(a).men == slot(b).men) {
                    let content = match listed(self.layout, men) {
                        Some(games) => {
                            Content::Few(games, self.positions(men, false, source, pages)?)
                        }
                        None => Content::Many(self.positions(men, true, source, pages)?),
                    };
                    let slot = men.first().map_or(0, |one| slot(one).men);
                    all.push(Men { slot, content });
                }
                Content::Many(all)
            }
        };
        Ok(Node { slot: visits.first().map_or(0, |one| slot(one).frame), content })
    }

    /// The positions of these visits that are told apart: all, or those that have blocks.
    fn positions<S: Source>(
        &self,
        visits: &[Occurrence],
        all: bool,
        source: &S,
        pages: &mut Pages,
    ) -> Result<Vec<Position>, S::Error> {
        let mut found = Vec::new();
        let mut own: Vec<Occurrence> = Vec::new();
        for position in by_position(visits) {
            // A game that returns counts once for each move that it plays.
            own.clear();
            own.extend(position);
            own.dedup_by_key(|visit| (visit.game, visit.candidate));
            let games = games_of(&own);
            pages.keys += 1;
            pages.visits += games.len() as u64;
            let content = match games.len() {
                0..=FEW_MAX if !all => continue,
                0..=FEW_MAX => Listed::Few(games),
                _ => Listed::Block(shared::write(self.layout, &own, source)?),
            };
            let slot = position.first().map_or(0, |one| self.layout.slots(one.place).key);
            found.push(Position { slot, bits: KEY_BITS, content });
        }
        // Positions of several men, if the frame has few games.
        found.sort_by_key(|position| position.slot);
        Ok(found)
    }

    /// Divides a frame into pieces that are not divided between pages, each with its place and its
    /// approximate bits.
    fn pieces(&self, frame: Frame) -> Vec<(u64, usize, Frame)> {
        let Node { slot: frame, content } = frame;
        let place = |men: u32, key: u32| place_of(self.layout, frame, men, key);
        let node = |content| Node { slot: frame, content };
        let all = match content {
            Content::Many(all) => all,
            few => {
                let bits = self.bits(&few, |_| 0);
                return vec![(place(0, 0), bits, node(few))];
            }
        };
        let mut pieces = Vec::new();
        for Node { slot, content } in all {
            let is_first = pieces.is_empty();
            let mut add = |at: u64, content: Content<Position>| {
                let bits = self.bits(&content, |position| self.position_bits(position));
                pieces.push((at, bits, node(Content::Many(vec![Node { slot, content }]))));
            };
            let start = if is_first { place(0, 0) } else { place(slot, 0) };
            match content {
                Content::Many(positions) => {
                    for (at, chunk) in chunks(positions).into_iter().enumerate() {
                        let key = chunk.first().map_or(0, |position| position.slot);
                        let at = if at == 0 { start } else { place(slot, key) };
                        add(at, Content::Many(chunk));
                    }
                }
                few => add(start, few),
            }
        }
        pieces
    }

    /// The approximate bits of a node.
    fn bits<T>(&self, content: &Content<T>, inner: impl Fn(&T) -> usize) -> usize {
        ENTRY_BITS
            + match content {
                Content::Few(games, blocks) => {
                    self.games_bits(games.len()) + BLOCK_BITS * blocks.len()
                }
                Content::Many(all) => all.iter().map(inner).sum(),
            }
    }

    fn position_bits(&self, position: &Position) -> usize {
        match &position.content {
            Listed::Few(games) => ENTRY_BITS + self.games_bits(games.len()),
            Listed::Block(_) => BLOCK_BITS,
        }
    }

    fn games_bits(&self, games: usize) -> usize {
        games * (self.layout.games().max(1).ilog2() as usize + 1)
    }
}

/// The games that a structure lists; `None` if there are many, or if it is a single position, which
/// has a block.
fn listed(layout: Layout, visits: &[Occurrence]) -> Option<Vec<u32>> {
    let games = games_of(visits);
    let is_block = |position: &[Occurrence]| {
        let alone = position.first().is_some_and(|one| layout.slots(one.place).men == 0);
        alone && games_of(position).len() > FEW_MAX
    };
    (games.len() <= LISTED_MAX && !by_position(visits).any(is_block)).then_some(games)
}

/// The visits of each position.
fn by_position(visits: &[Occurrence]) -> impl Iterator<Item = &[Occurrence]> {
    visits.chunk_by(|a, b| (a.key, a.check) == (b.key, b.check))
}

/// The games of some visits, ascending.
pub(crate) fn games_of(visits: &[Occurrence]) -> Vec<u32> {
    let mut games: Vec<u32> = visits.iter().map(|visit| visit.game).collect();
    games.sort_unstable();
    games.dedup();
    games
}

/// Divides ascending positions into chunks, none of which ends between two of the same slot.
fn chunks(positions: Vec<Position>) -> Vec<Vec<Position>> {
    let mut chunks: Vec<Vec<Position>> = Vec::new();
    for position in positions {
        let fits = |chunk: &&mut Vec<Position>| {
            let is_same = chunk.last().is_some_and(|last| last.slot == position.slot);
            is_same || chunk.len() < POSITIONS_TOGETHER
        };
        match chunks.last_mut().filter(fits) {
            Some(chunk) => chunk.push(position),
            None => chunks.push(vec![position]),
        }
    }
    chunks
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
    fn add(&mut self, place: u64, bits: usize, piece: Frame) -> Option<Page> {
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
