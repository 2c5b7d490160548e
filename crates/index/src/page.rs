//! Pages: the entries of all keys with the same leading bits, followed by their blocks.

use std::ops::Range;

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::golomb;
use plypack_core::bits::truncated::{self, Form};

use crate::error::{Error, damaged};
use crate::list::{read_rice, rice_order, write_rice};
use crate::occurrence::Occurrence;
use crate::shared::{self, FEW_MAX, Players, Witness};

/// The approximate size limit of a page's entries, in bytes: half of what one range may have, which
/// leaves room for chance and for growing numbers.
const PAGE_BYTES: u64 = 40 << 10;

/// The number of key bits that tell an entry from other positions: one in 2^4 queries for an absent
/// position decodes a game in vain.
const CHECK_BITS: u32 = 4;

/// The number of bits for the order of the Rice code of the steps from slot to slot.
const ORDER_BITS: u32 = 5;

/// The orders of the Golomb codes of a page's number of entries and of the lengths of blocks.
const COUNT_ORDER: u32 = 12;
const LENGTH_ORDER: u32 = 6;

/// How keys are addressed: the leading bits give the page, the following ones the slot in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number of leading bits of a key that give its page; at most 31.
    pub(crate) page_bits: u8,
    /// The number of slots in a page.
    pub(crate) slots: u32,
    /// The number of games in the index.
    pub(crate) games: u32,
}

impl Layout {
    /// The layout for this many occurrences in this many games.
    pub fn new(occurrences: u64, games: u32) -> Self {
        let entry_bits = u64::from(CHECK_BITS + 3 + games.max(1).ilog2());
        let bytes = occurrences.saturating_mul(entry_bits) / 8;
        let pages = bytes.div_ceil(PAGE_BYTES).max(1).next_power_of_two();
        let page_bits = u8::try_from(pages.ilog2().min(31)).unwrap_or(31);
        // At most three in four of a file's positions are distinct.
        let distinct = (occurrences >> page_bits) * 3 / 4;
        let slots = u32::try_from(distinct << CHECK_BITS).unwrap_or(u32::MAX);
        Self { page_bits, slots: slots.max(1 << CHECK_BITS), games }
    }

    /// The layout with these numbers, if they are valid.
    pub(crate) fn of(page_bits: u8, slots: u32, games: u32) -> Option<Self> {
        (page_bits <= 31 && slots > 0).then_some(Self { page_bits, slots, games })
    }

    /// The number of games in the index.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// The same layout for this many games.
    #[must_use]
    pub fn with_games(self, games: u32) -> Self {
        Self { games, ..self }
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        1 << self.page_bits
    }

    /// The page of a key.
    pub fn page(&self, key: u64) -> usize {
        // Without page bits, the shift by 64 gives 0.
        let page = key.checked_shr(64 - u32::from(self.page_bits)).unwrap_or(0);
        usize::try_from(page).unwrap_or(0)
    }

    /// The keys of a page.
    pub fn keys(&self, page: usize) -> std::ops::RangeInclusive<u64> {
        let first = (page as u64).checked_shl(64 - u32::from(self.page_bits)).unwrap_or(0);
        first..=first | u64::MAX >> self.page_bits
    }

    /// The slot of a key in its page.
    fn slot(&self, key: u64) -> u32 {
        let rest = key << self.page_bits;
        u32::try_from((u128::from(rest) * u128::from(self.slots)) >> 64).unwrap_or(0)
    }

    /// The number of lower bits of a key that tell it from all others of its slot.
    pub(crate) fn lower_bits(&self) -> u32 {
        64 - u32::from(self.page_bits) - self.slots.ilog2()
    }

    /// The entries for a key among the entries of a page, which were read from `start` on. The
    /// games of [`Entry::Few`] must be decoded, because they may be those of another position.
    ///
    /// # Errors
    /// Returns an error if the page is damaged.
    pub fn find(&self, key: u64, page: &[u8], start: u64) -> Result<Vec<Entry>, Error> {
        let wanted = self.slot(key);
        let mut found = Vec::new();
        let mut block = start + page.len() as u64;
        self.entries(page, |slot, entry| {
            if slot > wanted {
                return false;
            }
            match entry {
                Stored::Few(games) if slot == wanted => {
                    found.push(Entry::Few(games.iter().collect()));
                }
                Stored::Few(_) => {}
                Stored::Block(length) => {
                    let end = block + u64::from(length);
                    if slot == wanted {
                        found.push(Entry::Block(Block { range: block..end }));
                    }
                    block = end;
                }
            }
            true
        })?;
        Ok(found)
    }

    /// The blocks of a page whose entries were read from `start` on.
    ///
    /// # Errors
    /// Returns an error if the page is damaged.
    pub fn blocks(&self, page: &[u8], start: u64) -> Result<Vec<Block>, Error> {
        let mut blocks = Vec::new();
        let mut next = start + page.len() as u64;
        self.entries(page, |_, entry| {
            if let Stored::Block(length) = entry {
                let end = next + u64::from(length);
                blocks.push(Block { range: next..end });
                next = end;
            }
            true
        })?;
        Ok(blocks)
    }

    /// Passes the entries of a page, with their slots, to `each` for as long as it returns true.
    pub(crate) fn entries(
        &self,
        page: &[u8],
        mut each: impl FnMut(u32, Stored) -> bool,
    ) -> Result<(), Error> {
        let content = page.split_last_chunk().filter(|(content, checksum)| {
            crc32fast::hash(content) == u32::from_le_bytes(**checksum)
        });
        let content = content.ok_or_else(|| damaged("the checksum of a page does not match"))?.0;
        let mut bits = BitReader::new(content);
        let cut = || damaged("a page is truncated");
        let count = golomb::read(&mut bits, COUNT_ORDER).ok_or_else(cut)?;
        let order = bits.read(ORDER_BITS).and_then(|order| u32::try_from(order).ok());
        let order = order.ok_or_else(cut)?;
        let mut slot = 0u32;
        for _ in 0..count {
            let step = read_rice(&mut bits, order).ok_or_else(cut)?;
            slot = slot.checked_add(step).ok_or_else(cut)?;
            if !each(slot, self.read_entry(&mut bits).ok_or_else(cut)?) {
                break;
            }
        }
        Ok(())
    }

    fn read_entry(&self, bits: &mut BitReader<'_>) -> Option<Stored> {
        let mut count = 1;
        while bits.read_bit()? {
            count += 1;
            if count > FEW_MAX {
                return golomb::read(bits, LENGTH_ORDER).map(Stored::Block);
            }
        }
        let mut few = Few { games: [0; FEW_MAX], count };
        let mut first = 0;
        for game in few.games.iter_mut().take(count) {
            let left = self.games.checked_sub(first).filter(|&left| left > 0)?;
            *game = first + truncated::read(bits, left, Form::Ascending)?;
            first = *game + 1;
        }
        Some(Stored::Few(few))
    }
}

/// The games of an entry.
pub(crate) struct Few {
    games: [u32; FEW_MAX],
    count: usize,
}

impl Few {
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.games.into_iter().take(self.count)
    }
}

/// An entry as a page stores it: games, or the length of a block.
pub(crate) enum Stored {
    Few(Few),
    Block(u32),
}

/// The entry of a page for a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The numbers of the games, ascending. All must be decoded, because they may be those of
    /// another position.
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

/// A written page.
#[derive(Debug, Default)]
pub struct Page {
    /// Its entries, with their checksum.
    pub entries: Vec<u8>,
    /// Its blocks, which follow.
    pub blocks: Vec<u8>,
    /// The number of keys.
    pub keys: u64,
    /// The number of pairs of a position and a game.
    pub visits: u64,
}

/// Writes pages.
#[derive(Debug)]
pub struct PageWriter {
    layout: Layout,
}

impl PageWriter {
    /// A writer of pages of this layout.
    pub fn new(layout: Layout) -> Self {
        Self { layout }
    }

    /// Writes a page of sorted occurrences, which are all those of its keys.
    ///
    /// # Errors
    /// Returns the errors of the source.
    pub fn write<S: Source>(
        &self,
        occurrences: &[Occurrence],
        source: &S,
    ) -> Result<Page, S::Error> {
        let same = |a: &Occurrence, b: &Occurrence| (a.key, a.check) == (b.key, b.check);
        let mut visits: Vec<Occurrence> = Vec::new();
        let mut draft = self.draft(occurrences.chunk_by(same).count());
        for position in occurrences.chunk_by(same) {
            // A game that returns counts once for each move that it plays.
            visits.clear();
            visits.extend(position);
            visits.dedup_by_key(|visit| (visit.game, visit.candidate));
            let slot = position.first().map_or(0, |first| self.layout.slot(first.key));
            draft.push(slot, &visits, source)?;
        }
        Ok(draft.finish())
    }

    /// Begins a page of this many keys.
    pub(crate) fn draft(&self, keys: usize) -> PageDraft {
        let order = rice_order(u64::from(self.layout.slots) / keys.max(1) as u64);
        let (bits, page) = (BitWriter::new(), Page::default());
        PageDraft { layout: self.layout, order, page, bits, slot: 0 }
    }
}

/// A page being written.
pub(crate) struct PageDraft {
    layout: Layout,
    order: u32,
    page: Page,
    /// The entries.
    bits: BitWriter,
    /// The slot of the last entry.
    slot: u32,
}

impl PageDraft {
    /// Adds the next key: its slot, and its visits, one for each game and move.
    pub fn push<S: Source>(
        &mut self,
        slot: u32,
        visits: &[Occurrence],
        source: &S,
    ) -> Result<(), S::Error> {
        let Self { layout, page, bits, .. } = self;
        let games = visits.chunk_by(|a, b| a.game == b.game);
        let games: Vec<u32> = games.filter_map(|of| Some(of.first()?.game)).collect();
        page.keys += 1;
        page.visits += games.len() as u64;
        write_rice(bits, slot - self.slot, self.order);
        self.slot = slot;
        for _ in 1..games.len().min(FEW_MAX + 1) {
            bits.write_bit(true);
        }
        if games.len() > FEW_MAX {
            let block = shared::write(*layout, visits, source)?;
            let length = u32::try_from(block.len()).unwrap_or(u32::MAX);
            golomb::write(bits, length, LENGTH_ORDER);
            page.blocks.extend(block);
            return Ok(());
        }
        bits.write_bit(false);
        let mut first = 0;
        for game in games {
            truncated::write(bits, game - first, layout.games - first, Form::Ascending);
            first = game + 1;
        }
        Ok(())
    }

    /// Finishes the page.
    pub fn finish(self) -> Page {
        let Self { order, mut page, bits, .. } = self;
        let mut head = BitWriter::new();
        golomb::write(&mut head, u32::try_from(page.keys).unwrap_or(u32::MAX), COUNT_ORDER);
        head.write(order.into(), ORDER_BITS);
        head.append(&bits);
        page.entries = head.into_bytes();
        let checksum = crc32fast::hash(&page.entries);
        page.entries.extend(checksum.to_le_bytes());
        page
    }
}
