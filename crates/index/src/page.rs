//! Pages: what is listed of the positions between two places, followed by their blocks.
//!
//! A page lists *frames*. A frame that few games come to has just these games, whatever position of
//! it they reach; one of many games has its *men*, and they again have their games, or, if there
//! are many, *positions*. A position that many games share has a block besides, wherever it is.

use std::ops::Range;

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::golomb;

use crate::checked::{seal, unsealed};
use crate::error::{Error, damaged};
use crate::layout::{KEY_BITS, Layout, MEN_BITS, Slots};
use crate::list::{read_rice, rice_order, write_rice};
use crate::set;
use crate::shared::{self, FEW_MAX, Written};

/// The most games that a structure lists instead of its positions: as many as a question decodes.
pub const LISTED_MAX: usize = 16;

/// The number of bits for the order of the Rice code of the steps from frame to frame.
const ORDER_BITS: u32 = 5;

/// The order of the Rice code of the steps from position to position. The slots of positions have 5
/// bits more than it takes to count them, so that one in 16 to 32 strangers is taken for one.
const STEP_ORDER: u32 = 4;

/// The number of bits for that of the bits of slots.
const WIDTH_BITS: u32 = 5;

/// From so many positions on, slots have more bits if the positions are close together, as where a
/// structure is divided between pages.
const CLOSE_MIN: usize = 32;

/// The orders of the Golomb codes: of the numbers of frames, games, men and positions, and of the
/// lengths of blocks.
const FRAMES_ORDER: u32 = 12;
const GAMES_ORDER: u32 = 0;
const MEN_ORDER: u32 = 2;
const POSITIONS_ORDER: u32 = 1;
const LENGTH_ORDER: u32 = 6;

/// The code for more than [`LISTED_MAX`] games.
const MANY: u32 = 16;
const _: () = assert!(MANY as usize == LISTED_MAX);

/// A frame, or the men in a frame.
#[derive(Debug)]
pub(crate) struct Node<T> {
    pub slot: u32,
    pub content: Content<T>,
}

#[derive(Debug)]
pub(crate) enum Content<T> {
    /// At most [`LISTED_MAX`] games, ascending, and the positions that have blocks.
    Few(Vec<u32>, Vec<Position>),
    /// What is in it, ascending.
    Many(Vec<T>),
}

pub(crate) type Frame = Node<Men>;
pub(crate) type Men = Node<Position>;

/// A position that a page tells apart.
#[derive(Debug)]
pub(crate) struct Position {
    pub slot: u32,
    /// How many bits of the slot are known; the others are zeros.
    pub bits: u32,
    pub content: Listed,
}

#[derive(Debug)]
pub(crate) enum Listed {
    /// At most [`FEW_MAX`] games, ascending.
    Few(Vec<u32>),
    Block(Written),
}

/// A part of a page, as it is read.
#[derive(Debug)]
pub(crate) struct Item {
    pub frame: u32,
    /// The men, if the frame has many games.
    pub men: Option<u32>,
    pub kind: Kind,
}

#[derive(Debug)]
pub(crate) enum Kind {
    /// The games of the frame or of the men.
    Games(Few),
    /// A position: its slot, of so many bits.
    Position { slot: u32, bits: u32, stored: Stored },
}

/// Up to [`LISTED_MAX`] games, ascending.
#[derive(Debug)]
pub(crate) struct Few {
    games: [u32; LISTED_MAX],
    count: usize,
}

impl Few {
    pub fn games(&self) -> &[u32] {
        self.games.get(..self.count).unwrap_or_default()
    }
}

/// A position as a page stores it: games, or the length of a block.
#[derive(Debug)]
pub(crate) enum Stored {
    Few(Few),
    Block(u32),
}

/// What a page has for a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The numbers of the games, ascending, at most [`LISTED_MAX`]. All must be decoded, because
    /// they may be those of another position. Those that a block lists may be among them.
    Few(Vec<u32>),
    /// The block of the position, if the block has this key.
    Block(Block),
}

/// The place of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    range: Range<u64>,
}

impl Block {
    /// The whole block.
    pub fn whole(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The beginning of the block, from which [`Shared::read`](crate::Shared::read) reads
    /// everything but the list of games from the 1,025th on.
    pub fn head(&self) -> Range<u64> {
        let most = self.range.start.saturating_add(shared::BLOCK_HEAD_BYTES);
        self.range.start..self.range.end.min(most)
    }
}

impl Layout {
    /// What a page, which was read from `start` on, has for the position at a
    /// [`Spot::place`](crate::Spot::place). The games of [`Entry::Few`] must be decoded.
    ///
    /// # Errors
    /// Returns an error if the page is damaged.
    pub fn find(&self, place: u64, page: &[u8], start: u64) -> Result<Vec<Entry>, Error> {
        let wanted = self.slots(place);
        let mut found = Vec::new();
        self.entries(page, start, |item, block| {
            if item.frame > wanted.frame {
                return false;
            }
            if item.frame < wanted.frame || item.men.is_some_and(|men| men != wanted.men) {
                return true;
            }
            match item.kind {
                Kind::Games(few) => found.push(Entry::Few(few.games().to_vec())),
                Kind::Position { slot, bits, stored } => {
                    if wanted.key >> (KEY_BITS - bits) == slot {
                        found.push(match (stored, block) {
                            (_, Some(block)) => Entry::Block(block),
                            (Stored::Few(few), None) => Entry::Few(few.games().to_vec()),
                            (Stored::Block(_), None) => return true,
                        });
                    }
                }
            }
            true
        })?;
        Ok(found)
    }

    /// What a page, which was read from `start` on, has of the frame at a place. All games must be
    /// decoded.
    ///
    /// # Errors
    /// Returns an error if the page is damaged.
    pub fn find_frame(&self, place: u64, page: &[u8], start: u64) -> Result<Vec<Entry>, Error> {
        let wanted = self.slots(place);
        let (mut found, mut listed) = (Vec::new(), None);
        self.entries(page, start, |item, block| {
            if item.frame > wanted.frame {
                return false;
            }
            if item.frame < wanted.frame {
                return true;
            }
            match item.kind {
                Kind::Games(few) => {
                    listed = Some(item.men);
                    found.push(Entry::Few(few.games().to_vec()));
                }
                // The games of its block are listed already.
                Kind::Position { .. } if listed == Some(item.men) => {}
                Kind::Position { stored: Stored::Few(few), .. } => {
                    found.push(Entry::Few(few.games().to_vec()));
                }
                Kind::Position { .. } => found.extend(block.map(Entry::Block)),
            }
            true
        })?;
        Ok(found)
    }

    /// The blocks of a page that was read from `start` on.
    ///
    /// # Errors
    /// Returns an error if the page is damaged.
    pub fn blocks(&self, page: &[u8], start: u64) -> Result<Vec<Block>, Error> {
        let mut blocks = Vec::new();
        self.entries(page, start, |_, block| {
            blocks.extend(block);
            true
        })?;
        Ok(blocks)
    }

    /// Passes the items of a page, each with its block, to `each` for as long as it returns true.
    pub(crate) fn entries(
        &self,
        page: &[u8],
        start: u64,
        mut each: impl FnMut(Item, Option<Block>) -> bool,
    ) -> Result<(), Error> {
        let mut block = start + page.len() as u64;
        let mut pass = |item: Item| {
            let mut own = None;
            if let Kind::Position { stored: Stored::Block(length), .. } = item.kind {
                let end = block.saturating_add(length.into());
                own = Some(Block { range: block..end });
                block = end;
            }
            each(item, own)
        };
        // There is no page before the first one.
        if page.is_empty() {
            return Ok(());
        }
        let content = unsealed(page, "the checksum of a page does not match")?;
        let reader = Reader { bits: BitReader::new(content), layout: *self, each: &mut pass };
        reader.frames().ok_or_else(|| damaged("a page is truncated"))
    }
}

/// Reads a page. Methods return `None` if it is malformed, and false to end.
struct Reader<'a> {
    bits: BitReader<'a>,
    layout: Layout,
    each: &'a mut dyn FnMut(Item) -> bool,
}

impl Reader<'_> {
    fn frames(mut self) -> Option<()> {
        let count = golomb::read(&mut self.bits, FRAMES_ORDER)?;
        let order = u32::try_from(self.bits.read(ORDER_BITS)?).ok()?;
        let mut frame = u32::try_from(self.bits.read(self.layout.frame_bits().into())?).ok()?;
        for at in 0..count {
            if at > 0 {
                let step = read_rice(&mut self.bits, order)?;
                frame = ahead(frame, step, self.layout.frame_bits().into())?;
            }
            if !self.frame(frame)? {
                break;
            }
        }
        Some(())
    }

    fn frame(&mut self, frame: u32) -> Option<bool> {
        if let Some(games) = self.listed()? {
            return self.few(frame, None, games);
        }
        let count = golomb::read(&mut self.bits, MEN_ORDER)?.checked_add(1)?;
        let order = men_order(count);
        let mut men = u32::try_from(self.bits.read(MEN_BITS)?).ok()?;
        for at in 0..count {
            if at > 0 {
                men = ahead(men, read_rice(&mut self.bits, order)?, MEN_BITS)?;
            }
            let more = match self.listed()? {
                Some(games) => self.few(frame, Some(men), games)?,
                None => self.positions(frame, Some(men), false)?,
            };
            if !more {
                return Some(false);
            }
        }
        Some(true)
    }

    /// The number of the games that are listed; `None` if there are many.
    fn listed(&mut self) -> Option<Option<usize>> {
        match golomb::read(&mut self.bits, GAMES_ORDER)? {
            MANY => Some(None),
            one if one > MANY => None,
            one => Some(Some(usize::try_from(one).ok()? + 1)),
        }
    }

    fn few(&mut self, frame: u32, men: Option<u32>, count: usize) -> Option<bool> {
        let games = self.games(count)?;
        if !(self.each)(Item { frame, men, kind: Kind::Games(games) }) {
            return Some(false);
        }
        if count > FEW_MAX && self.bits.read_bit()? {
            return self.positions(frame, men, true);
        }
        Some(true)
    }

    fn games(&mut self, count: usize) -> Option<Few> {
        let mut games = [0; LISTED_MAX];
        set::read(&mut self.bits, games.get_mut(..count)?, 0..self.layout.games())?;
        Some(Few { games, count })
    }

    /// Reads positions; all of them have blocks, or only some.
    fn positions(&mut self, frame: u32, men: Option<u32>, shared: bool) -> Option<bool> {
        let count = golomb::read(&mut self.bits, POSITIONS_ORDER)?.checked_add(1)?;
        let bits = u32::try_from(self.bits.read(WIDTH_BITS)?).ok()?;
        if bits > KEY_BITS {
            return None;
        }
        let mut slot = u32::try_from(self.bits.read(bits)?).ok()?;
        for at in 0..count {
            if at > 0 {
                let next = slot.checked_add(read_rice(&mut self.bits, STEP_ORDER)?)?;
                slot = Some(next).filter(|next| next >> bits == 0)?;
            }
            let stored = if shared { self.block()? } else { self.stored()? };
            if !(self.each)(Item { frame, men, kind: Kind::Position { slot, bits, stored } }) {
                return Some(false);
            }
        }
        Some(true)
    }

    fn stored(&mut self) -> Option<Stored> {
        for count in 1..=FEW_MAX {
            if !self.bits.read_bit()? {
                return self.games(count).map(Stored::Few);
            }
        }
        self.block()
    }

    fn block(&mut self) -> Option<Stored> {
        golomb::read(&mut self.bits, LENGTH_ORDER).map(Stored::Block)
    }
}

/// The slot a step ahead, of so many bits; `None` if it is no other, or too large.
fn ahead(slot: u32, step: u32, bits: u32) -> Option<u32> {
    let next = slot.checked_add(step).filter(|_| step > 0)?;
    Some(next).filter(|&next| u64::from(next) >> bits == 0)
}

/// The order of the Rice code of the steps between so many men in a frame.
fn men_order(count: u32) -> u32 {
    rice_order(u64::from((1 << MEN_BITS) / count))
}

/// The number of bits of the slots of these positions.
fn slot_bits(positions: &[Position]) -> u32 {
    let (Some(first), Some(last)) = (positions.first(), positions.last()) else { return 0 };
    let span = u64::from(last.slot - first.slot) + 1;
    let all = match positions.len() {
        0..CLOSE_MIN => positions.len() as u64,
        some => ((some as u64) << KEY_BITS) / span,
    };
    let known = positions.iter().map(|position| position.bits).min();
    (all.max(1).ilog2() + 5).min(known.unwrap_or(0))
}

/// A written page.
#[derive(Debug, Default)]
pub struct Page {
    /// The place of the first position that it may have.
    pub place: u64,
    /// Its entries, with their checksum.
    pub entries: Vec<u8>,
    /// Its blocks, which follow.
    pub blocks: Vec<u8>,
    /// The sums by rating group of some of its positions, each with where the position's block
    /// begins, from the first block on ([`RatingsWriter`](crate::RatingsWriter)).
    pub ratings: Vec<(u64, Vec<u8>)>,
}

impl Page {
    /// Writes the page of these frames, ascending.
    pub(crate) fn of(layout: Layout, place: u64, frames: &[Frame]) -> Self {
        let mut page = Self { place, ..Self::default() };
        let mut bits = BitWriter::new();
        let first = frames.first().map_or(0, |frame| frame.slot);
        let last = frames.last().map_or(0, |frame| frame.slot);
        let order = rice_order(u64::from(last - first) / frames.len().max(1) as u64);
        golomb::write(&mut bits, count(frames.len()), FRAMES_ORDER);
        bits.write(order.into(), ORDER_BITS);
        bits.write(first.into(), layout.frame_bits().into());
        let mut before = first;
        for (at, Node { slot, content }) in frames.iter().enumerate() {
            if at > 0 {
                write_rice(&mut bits, slot - before, order);
            }
            before = *slot;
            page.write(&mut bits, layout, content, &|page, bits, men| {
                page.write_men(bits, layout, men);
            });
        }
        page.entries = bits.into_bytes();
        seal(&mut page.entries, 0);
        page
    }

    fn write<T>(
        &mut self,
        bits: &mut BitWriter,
        layout: Layout,
        content: &Content<T>,
        many: &dyn Fn(&mut Self, &mut BitWriter, &[T]),
    ) {
        match content {
            Content::Few(games, blocks) => {
                golomb::write(bits, count(games.len()) - 1, GAMES_ORDER);
                set::write(bits, games, 0..layout.games());
                if games.len() > FEW_MAX {
                    bits.write_bit(!blocks.is_empty());
                    if !blocks.is_empty() {
                        self.write_positions(bits, layout, blocks, true);
                    }
                }
            }
            Content::Many(inner) => {
                golomb::write(bits, MANY, GAMES_ORDER);
                many(self, bits, inner);
            }
        }
    }

    fn write_men(&mut self, bits: &mut BitWriter, layout: Layout, men: &[Men]) {
        golomb::write(bits, count(men.len()) - 1, MEN_ORDER);
        let order = men_order(count(men.len()));
        let first = men.first().map_or(0, |men| men.slot);
        bits.write(first.into(), MEN_BITS);
        let mut before = first;
        for (at, Node { slot, content }) in men.iter().enumerate() {
            if at > 0 {
                write_rice(bits, slot - before, order);
            }
            before = *slot;
            self.write(bits, layout, content, &|page, bits, positions| {
                page.write_positions(bits, layout, positions, false);
            });
        }
    }

    /// Appends positions; all of them have blocks, or only some.
    fn write_positions(
        &mut self,
        bits: &mut BitWriter,
        layout: Layout,
        positions: &[Position],
        shared: bool,
    ) {
        golomb::write(bits, count(positions.len()) - 1, POSITIONS_ORDER);
        let width = slot_bits(positions);
        let dropped = KEY_BITS - width;
        bits.write(width.into(), WIDTH_BITS);
        let first = positions.first().map_or(0, |position| position.slot) >> dropped;
        bits.write(first.into(), width);
        let mut before = first;
        for (at, Position { slot, content, .. }) in positions.iter().enumerate() {
            let slot = slot >> dropped;
            if at > 0 {
                write_rice(bits, slot - before, STEP_ORDER);
            }
            before = slot;
            let listed = match content {
                Listed::Few(games) => games.len() - 1,
                Listed::Block(_) => FEW_MAX,
            };
            if !shared {
                (0..listed).for_each(|_| bits.write_bit(true));
            }
            match content {
                Listed::Few(games) => {
                    bits.write_bit(false);
                    set::write(bits, games, 0..layout.games());
                }
                Listed::Block(Written { block, ratings, .. }) => {
                    golomb::write(bits, count(block.len()), LENGTH_ORDER);
                    let start = self.blocks.len() as u64;
                    self.ratings.extend(ratings.clone().map(|ratings| (start, ratings)));
                    self.blocks.extend(block);
                }
            }
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The place of the first position of a frame, of men in it, or of a position.
pub(crate) fn place_of(layout: Layout, frame: u32, men: u32, key: u32) -> u64 {
    layout.place_of(Slots { frame, men, key })
}
