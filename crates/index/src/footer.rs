//! The footer of an index: which row groups it covers, how keys are addressed, and where pages,
//! heads and remains are.

use std::ops::Range;

use plypack_core::bits::varint;

use crate::error::{Error, damaged};
use crate::heads::HEADS_GAMES;
use crate::page::Layout;
use crate::remains::REMAINS_GAMES;

/// The version of the format. Until it is 1, the format may change without notice.
pub(crate) const VERSION: u32 = 0;

/// The bytes that an index begins with.
pub(crate) const HEAD: &[u8; 8] = b"PLYINDEX";

/// The bytes that an index ends with.
const MAGIC: &[u8; 4] = b"PLYX";

/// The number of bytes after the footer's content: its checksum, its length and [`MAGIC`].
const END_BYTES: usize = 12;

/// The number of bytes at the end of an index to read first. A footer is rarely longer: one of a
/// million games takes half of that.
pub const TAIL_BYTES: u64 = 64 << 10;

/// A row group of the indexed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What identifies its content, from the file's own metadata.
    pub id: [u8; 16],
    /// The number of its games.
    pub games: u32,
}

/// The place of a page, and the length of its entries in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    start: u64,
    entries: u32,
}

/// The footer of an index.
#[derive(Clone, Debug)]
pub struct Footer {
    groups: Vec<Group>,
    layout: Layout,
    keys: u64,
    visits: u64,
    pages: Vec<Place>,
    /// Where the last page ends.
    pages_end: u64,
    /// Where each block of heads ends; the first begins where the last page ends.
    heads: Vec<u64>,
    /// Where each block of remains ends; the first begins where the heads end.
    remains: Vec<u64>,
}

/// The lengths of the parts of an index in bytes, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lengths<'a> {
    /// For each page, the lengths of its entries and of its blocks.
    pub pages: &'a [(u32, u64)],
    /// The length of each block of heads.
    pub heads: &'a [u32],
    /// The length of each block of remains.
    pub remains: &'a [u32],
}

/// The result of [`Footer::read`].
#[derive(Debug)]
pub enum Opened {
    /// The footer.
    Footer(Footer),
    /// The range to read instead, to the end of the file.
    Needs(Range<u64>),
}

impl Footer {
    /// A footer to write.
    pub fn new(
        groups: Vec<Group>,
        layout: Layout,
        keys: u64,
        visits: u64,
        lengths: Lengths<'_>,
    ) -> Self {
        let mut end = HEAD.len() as u64;
        let places = lengths.pages.iter().map(|&(entries, blocks)| {
            let start = end;
            end += u64::from(entries) + blocks;
            Place { start, entries }
        });
        let pages = places.collect();
        let pages_end = end;
        let mut ends = |bytes: &u32| {
            end += u64::from(*bytes);
            end
        };
        let heads = lengths.heads.iter().map(&mut ends).collect();
        let remains = lengths.remains.iter().map(&mut ends).collect();
        Self { groups, layout, keys, visits, pages, pages_end, heads, remains }
    }

    /// The bytes that an index begins with, before its pages.
    pub fn head() -> &'static [u8] {
        HEAD
    }

    /// The footer in bytes, which follow everything else.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        varint::write_u32(VERSION, &mut out);
        varint::write_u32(u32::try_from(self.groups.len()).unwrap_or(u32::MAX), &mut out);
        for group in &self.groups {
            varint::write_u32(group.games, &mut out);
            out.extend(group.id);
        }
        out.extend(self.keys.to_le_bytes());
        out.extend(self.visits.to_le_bytes());
        out.push(self.layout.page_bits);
        varint::write_u32(self.layout.slots, &mut out);
        let ends = self.pages.iter().skip(1).map(|page| page.start).chain([self.pages_end]);
        for (page, end) in self.pages.iter().zip(ends) {
            varint::write_u32(page.entries, &mut out);
            let blocks = end - page.start - u64::from(page.entries);
            varint::write_u64(blocks, &mut out);
        }
        let ends = || self.heads.iter().chain(&self.remains);
        for (end, start) in ends().zip([self.pages_end].iter().chain(ends())) {
            varint::write_u64(end - start, &mut out);
        }
        let checksum = crc32fast::hash(&out);
        let length = u32::try_from(out.len()).unwrap_or(u32::MAX);
        out.extend(checksum.to_le_bytes());
        out.extend(length.to_le_bytes());
        out.extend(MAGIC);
        out
    }

    /// The range to read first of an index of `size` bytes; see [`Footer::read`].
    pub fn tail(size: u64) -> Range<u64> {
        size.saturating_sub(TAIL_BYTES)..size
    }

    /// Reads the footer from the last bytes of an index of `size` bytes.
    ///
    /// # Errors
    /// Returns an error if it is not an index, has another version or is damaged.
    pub fn read(size: u64, tail: &[u8]) -> Result<Opened, Error> {
        let (rest, end) = tail.split_last_chunk::<END_BYTES>().ok_or(Error::Foreign)?;
        let (sums, magic) = end.split_at(8);
        if magic != MAGIC {
            return Err(Error::Foreign);
        }
        let word = |at: usize| {
            let bytes = sums.get(at..).and_then(|bytes| bytes.first_chunk()).copied();
            u32::from_le_bytes(bytes.unwrap_or_default())
        };
        let (checksum, length) = (word(0), word(4) as usize);
        let whole = length as u64 + END_BYTES as u64;
        if whole + HEAD.len() as u64 > size {
            return Err(damaged("its footer claims to be longer than the file"));
        }
        let Some(start) = rest.len().checked_sub(length) else {
            return Ok(Opened::Needs(size - whole..size));
        };
        let content = &rest[start..];
        if crc32fast::hash(content) != checksum {
            return Err(damaged("the checksum of its footer does not match"));
        }
        let footer = Self::read_content(&mut Content(content))?;
        if footer.end() != size - whole {
            return Err(damaged("the data before its footer has the wrong length"));
        }
        Ok(Opened::Footer(footer))
    }

    fn read_content(content: &mut Content<'_>) -> Result<Self, Error> {
        let found = content.number()?;
        if found != VERSION {
            return Err(Error::Version { found });
        }
        let mut groups = Vec::new();
        let mut games = 0u32;
        for _ in 0..content.number()? {
            let group = Group { games: content.number()?, id: content.array()? };
            let sum = games.checked_add(group.games);
            games = sum.ok_or_else(|| damaged("it has too many games"))?;
            groups.push(group);
        }
        let keys = u64::from_le_bytes(content.array()?);
        let visits = u64::from_le_bytes(content.array()?);
        let [page_bits] = content.array()?;
        let layout = Layout::of(page_bits, content.number()?, games);
        let layout = layout.ok_or_else(|| damaged("its keys are addressed in an unknown way"))?;
        let mut pages = Vec::new();
        let mut end = HEAD.len() as u64;
        for _ in 0..1u64 << page_bits {
            let (entries, blocks) = (content.number()?, content.wide_number()?);
            pages.push(Place { start: end, entries });
            let next = end.checked_add(u64::from(entries)).and_then(|end| end.checked_add(blocks));
            end = next.ok_or_else(|| damaged("the lengths of its pages are too large"))?;
        }
        let pages_end = end;
        let mut ends = |blocks: u32| -> Result<Vec<u64>, Error> {
            let mut ends = Vec::new();
            for _ in 0..blocks {
                let next = end.checked_add(content.number()?.into());
                end = next.ok_or_else(|| damaged("the lengths of its blocks are too large"))?;
                ends.push(end);
            }
            Ok(ends)
        };
        let heads = ends(games.div_ceil(HEADS_GAMES))?;
        let remains = ends(games.div_ceil(REMAINS_GAMES))?;
        if !content.0.is_empty() {
            return Err(damaged("its footer has unknown bytes at the end"));
        }
        Ok(Self { groups, layout, keys, visits, pages, pages_end, heads, remains })
    }

    /// Where the heads end, or the pages if there are no heads.
    fn heads_end(&self) -> u64 {
        self.heads.last().copied().unwrap_or(self.pages_end)
    }

    /// Where the last block ends, and the footer begins.
    pub fn end(&self) -> u64 {
        self.remains.last().copied().unwrap_or_else(|| self.heads_end())
    }

    /// The row groups that it covers, in the order in which games are numbered.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// How keys are addressed.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The number of keys.
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// The number of pairs of a position and a game that reaches it.
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The range of the entries that may include a key's; read it before [`Layout::find`].
    pub fn page(&self, key: u64) -> Range<u64> {
        let place = self.pages.get(self.layout.page(key)).copied();
        place.map_or(0..0, |place| place.start..place.start + u64::from(place.entries))
    }

    /// The ranges of the entries and of the blocks of the page with this number.
    pub fn page_at(&self, number: usize) -> [Range<u64>; 2] {
        let Some(&Place { start, entries }) = self.pages.get(number) else { return [0..0, 0..0] };
        let end = self.pages.get(number + 1).map_or(self.pages_end, |next| next.start);
        let blocks = start + u64::from(entries);
        [start..blocks, blocks..end]
    }

    /// The range of the block with the head of this game; read it before
    /// [`Heads::read`](crate::Heads::read). Empty if there is no such game.
    pub fn heads(&self, game: u32) -> Range<u64> {
        block(&self.heads, game / HEADS_GAMES, self.pages_end)
    }

    /// The range of the block of remains with this number, from 0; read it before
    /// [`read_remains`](crate::read_remains). Empty if there is none.
    pub fn remains(&self, number: u32) -> Range<u64> {
        block(&self.remains, number, self.heads_end())
    }

    /// The number of blocks of remains.
    pub fn remains_blocks(&self) -> u32 {
        self.layout.games().div_ceil(REMAINS_GAMES)
    }
}

/// The range of a block, from the ends of the blocks of its kind and the start of the first.
fn block(ends: &[u64], number: u32, first: u64) -> Range<u64> {
    let place = usize::try_from(number).unwrap_or(usize::MAX);
    let Some(&end) = ends.get(place) else { return 0..0 };
    let before = place.checked_sub(1).and_then(|before| ends.get(before));
    before.copied().unwrap_or(first)..end
}

/// The content of a footer that is not yet read.
struct Content<'a>(&'a [u8]);

impl Content<'_> {
    fn number(&mut self) -> Result<u32, Error> {
        let number = self.wide_number()?;
        u32::try_from(number).map_err(|_| damaged("a number in its footer is too large"))
    }

    fn wide_number(&mut self) -> Result<u64, Error> {
        let cut = || damaged("its footer is truncated");
        let (number, length) = varint::read_u64(self.0).ok_or_else(cut)?;
        self.0 = self.0.get(length..).ok_or_else(cut)?;
        Ok(number)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (array, rest) =
            self.0.split_first_chunk().ok_or_else(|| damaged("its footer is truncated"))?;
        self.0 = rest;
        Ok(*array)
    }
}
