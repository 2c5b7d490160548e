//! The end of an index: which row groups it covers, how keys are addressed, and where pages and
//! heads are.

use std::ops::Range;

use plypack_bits::varint;

use crate::error::{Error, damaged};
use crate::heads::HEADS_GAMES;
use crate::page::Layout;

/// The version of the format. Until it is 1, it may change without notice.
pub(crate) const VERSION: u32 = 0;

/// The bytes that an index begins with.
pub(crate) const HEAD: &[u8; 8] = b"PLYINDEX";

/// The bytes that an index ends with.
const MAGIC: &[u8; 4] = b"PLYX";

/// The bytes behind the footer's content: its checksum, its length and [`MAGIC`].
const END_BYTES: usize = 12;

/// How many bytes from the end of an index are read at first. A footer is rarely longer: one of a
/// million games takes half of that.
pub const TAIL_BYTES: u64 = 64 << 10;

/// A row group of the file that an index is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What tells its content from that of another, by the file's own metadata.
    pub id: [u8; 16],
    /// How many games it has.
    pub games: u32,
}

/// Where a page is, and how many bytes its entries have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    start: u64,
    entries: u32,
}

/// What an index says of itself.
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
}

/// What [`Footer::read`] has got.
#[derive(Debug)]
pub enum Opened {
    /// The footer.
    Footer(Footer),
    /// It needs these bytes, to the end of the file, instead.
    Needs(Range<u64>),
}

impl Footer {
    /// A footer to write. `pages` are the bytes of each page's entries and of its blocks, `heads`
    /// those of each block of heads.
    #[must_use]
    pub fn new(
        groups: Vec<Group>,
        layout: Layout,
        keys: u64,
        visits: u64,
        pages: &[(u32, u64)],
        heads: &[u32],
    ) -> Self {
        let mut end = HEAD.len() as u64;
        let places = pages.iter().map(|&(entries, blocks)| {
            let start = end;
            end += u64::from(entries) + blocks;
            Place { start, entries }
        });
        let pages = places.collect();
        let pages_end = end;
        let heads = heads.iter().map(|&bytes| {
            end += u64::from(bytes);
            end
        });
        let heads = heads.collect();
        Self { groups, layout, keys, visits, pages, pages_end, heads }
    }

    /// The bytes that an index begins with, before its pages.
    #[must_use]
    pub fn head() -> &'static [u8] {
        HEAD
    }

    /// The footer in bytes, which follow the heads.
    #[must_use]
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
        let starts = [self.pages_end].into_iter().chain(self.heads.iter().copied());
        for (end, start) in self.heads.iter().zip(starts) {
            varint::write_u64(end - start, &mut out);
        }
        let checksum = crc32fast::hash(&out);
        let length = u32::try_from(out.len()).unwrap_or(u32::MAX);
        out.extend(checksum.to_le_bytes());
        out.extend(length.to_le_bytes());
        out.extend(MAGIC);
        out
    }

    /// The range to read first of an index of so many bytes: see [`Footer::read`].
    #[must_use]
    pub fn tail(size: u64) -> Range<u64> {
        size.saturating_sub(TAIL_BYTES)..size
    }

    /// Reads the footer from the last bytes of an index of `size` bytes.
    ///
    /// # Errors
    /// If it is no index, has another version or is damaged.
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
            return Err(damaged("its end is said to be longer than the file"));
        }
        let Some(start) = rest.len().checked_sub(length) else {
            return Ok(Opened::Needs(size - whole..size));
        };
        let content = &rest[start..];
        if crc32fast::hash(content) != checksum {
            return Err(damaged("its end has another checksum"));
        }
        let footer = Self::read_content(&mut Content(content))?;
        if footer.end() != size - whole {
            return Err(damaged("its pages and heads have another length"));
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
            games = sum.ok_or_else(|| damaged("it counts too many games"))?;
            groups.push(group);
        }
        let keys = u64::from_le_bytes(content.array()?);
        let visits = u64::from_le_bytes(content.array()?);
        let [page_bits] = content.array()?;
        let layout = Layout::of(page_bits, content.number()?, games);
        let layout = layout.ok_or_else(|| damaged("its keys are addressed in no known way"))?;
        let mut pages = Vec::new();
        let mut end = HEAD.len() as u64;
        for _ in 0..1u64 << page_bits {
            let (entries, blocks) = (content.number()?, content.wide_number()?);
            pages.push(Place { start: end, entries });
            let next = end.checked_add(u64::from(entries)).and_then(|end| end.checked_add(blocks));
            end = next.ok_or_else(|| damaged("its pages have another length"))?;
        }
        let pages_end = end;
        let mut heads = Vec::new();
        for _ in 0..games.div_ceil(HEADS_GAMES) {
            let next = end.checked_add(content.number()?.into());
            end = next.ok_or_else(|| damaged("its heads have another length"))?;
            heads.push(end);
        }
        if !content.0.is_empty() {
            return Err(damaged("something follows its list of heads"));
        }
        Ok(Self { groups, layout, keys, visits, pages, pages_end, heads })
    }

    /// Where the heads end, or without any the pages.
    fn end(&self) -> u64 {
        self.heads.last().copied().unwrap_or(self.pages_end)
    }

    /// The row groups that it covers, in the order in which games are numbered.
    #[must_use]
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// How keys are addressed.
    #[must_use]
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// How many keys there are.
    #[must_use]
    pub fn keys(&self) -> u64 {
        self.keys
    }

    /// How many pairs of a position and a game that reaches it there are.
    #[must_use]
    pub fn visits(&self) -> u64 {
        self.visits
    }

    /// How many pages there are.
    #[must_use]
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The range of the entries that may be a key's: what to read before [`Layout::find`].
    #[must_use]
    pub fn page(&self, key: u64) -> Range<u64> {
        let place = self.pages.get(self.layout.page(key)).copied();
        place.map_or(0..0, |place| place.start..place.start + u64::from(place.entries))
    }

    /// The range of the heads of 256 games among which that of this one is: what to read before
    /// [`Heads::read`](crate::Heads::read). Empty if there is no such game.
    #[must_use]
    pub fn heads(&self, game: u32) -> Range<u64> {
        let place = usize::try_from(game / HEADS_GAMES).unwrap_or(usize::MAX);
        let Some(&end) = self.heads.get(place) else { return 0..0 };
        let before = place.checked_sub(1).and_then(|before| self.heads.get(before));
        before.copied().unwrap_or(self.pages_end)..end
    }
}

/// The content of a footer, as far as it is not yet read.
struct Content<'a>(&'a [u8]);

impl Content<'_> {
    fn number(&mut self) -> Result<u32, Error> {
        let number = self.wide_number()?;
        u32::try_from(number).map_err(|_| damaged("its end has too large a number"))
    }

    fn wide_number(&mut self) -> Result<u64, Error> {
        let cut = || damaged("its end is cut");
        let (number, length) = varint::read_u64(self.0).ok_or_else(cut)?;
        self.0 = self.0.get(length..).ok_or_else(cut)?;
        Ok(number)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (array, rest) = self.0.split_first_chunk().ok_or_else(|| damaged("its end is cut"))?;
        self.0 = rest;
        Ok(*array)
    }
}
