//! The footer of an index: which row groups it covers, and a directory of its parts, each with a
//! name, its length and a directory of its own. A part of another name is skipped.

use std::ops::Range;

use plypack_core::bits::varint;

use crate::error::{Error, damaged};
use crate::heads::HEADS_GAMES;
use crate::layout::Layout;
use crate::remains::REMAINS_GAMES;

/// The version of the format. A newer one adds to what is read: indices of version 1 are read for
/// ever (`docs/FORMAT.md`, *What will stay*).
pub(crate) const VERSION: u32 = 1;

/// The bytes that an index begins with.
pub(crate) const HEAD: &[u8; 8] = b"PLYINDEX";

/// The bytes that an index ends with.
const MAGIC: &[u8; 4] = b"PLYX";

/// The number of bytes after the footer's content: its checksum, its length and [`MAGIC`].
const END_BYTES: usize = 12;

/// The number of bytes at the end of an index to read first. A footer is rarely longer: one of a
/// million games takes about that.
pub const TAIL_BYTES: u64 = 64 << 10;

/// The names of the parts, in order.
const POSITIONS: &[u8] = b"positions";
const HEADS: &[u8] = b"heads";
const REMAINS: &[u8] = b"remains";
/// This one may be missing.
const RATINGS: &[u8] = b"ratings";

/// A row group of the indexed file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What identifies its content, from the file's own metadata.
    pub id: [u8; 16],
    /// The number of its games.
    pub games: u32,
}

/// A page: what it has, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Leaf {
    /// The place of the first position that it may have.
    place: u64,
    start: u64,
    /// The length of its entries in bytes.
    entries: u32,
}

/// Where the blocks of a part are: the start of the first, and the end of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Blocks {
    start: u64,
    ends: Vec<u64>,
}

/// The footer of an index.
#[derive(Clone, Debug)]
pub struct Footer {
    groups: Vec<Group>,
    layout: Layout,
    pages: Vec<Leaf>,
    /// Where the last page ends.
    pages_end: u64,
    heads: Blocks,
    remains: Blocks,
    ratings: Blocks,
    /// Of each block of ratings, where the block of moves of its first position begins.
    rated: Vec<u64>,
    /// Where the last part ends.
    end: u64,
}

/// The lengths of a page in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageLengths {
    /// The place of the first position that it may have.
    pub place: u64,
    /// The length of its entries.
    pub entries: u32,
    /// The length of its blocks.
    pub blocks: u64,
}

/// The lengths of the parts of an index in bytes, in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lengths<'a> {
    /// Those of each page.
    pub pages: &'a [PageLengths],
    /// The length of each block of heads.
    pub heads: &'a [u32],
    /// The length of each block of remains.
    pub remains: &'a [u32],
    /// Those of each block of ratings.
    pub ratings: &'a [RatingsLength],
}

/// The length of a block of ratings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RatingsLength {
    /// Where the block of moves of its first position begins, in the index.
    pub first: u64,
    /// Its length in bytes.
    pub bytes: u32,
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
    pub fn new(groups: Vec<Group>, layout: Layout, lengths: Lengths<'_>) -> Self {
        let mut end = HEAD.len() as u64;
        let pages = lengths.pages.iter().map(|page| {
            let start = end;
            end += u64::from(page.entries) + page.blocks;
            Leaf { place: layout.masked(page.place), start, entries: page.entries }
        });
        let pages = pages.collect();
        let pages_end = end;
        let mut blocks = |lengths: &[u32]| {
            let start = end;
            let ends = lengths.iter().map(|bytes| {
                end += u64::from(*bytes);
                end
            });
            Blocks { start, ends: ends.collect() }
        };
        let (heads, remains) = (blocks(lengths.heads), blocks(lengths.remains));
        let bytes: Vec<u32> = lengths.ratings.iter().map(|block| block.bytes).collect();
        let ratings = blocks(&bytes);
        let rated = lengths.ratings.iter().map(|block| block.first).collect();
        Self { groups, layout, pages, pages_end, heads, remains, ratings, rated, end }
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
        let mut parts = vec![
            (POSITIONS, self.pages_end - HEAD.len() as u64, self.pages_to_bytes()),
            (HEADS, self.heads.bytes(), self.heads.to_bytes()),
            (REMAINS, self.remains.bytes(), self.remains.to_bytes()),
        ];
        if !self.rated.is_empty() {
            parts.push((RATINGS, self.ratings.bytes(), self.ratings_to_bytes()));
        }
        varint::write_u32(u32::try_from(parts.len()).unwrap_or(u32::MAX), &mut out);
        for (name, bytes, directory) in parts {
            for text in [name, &directory] {
                varint::write_u64(text.len() as u64, &mut out);
                out.extend(text);
            }
            varint::write_u64(bytes, &mut out);
        }
        let checksum = crc32fast::hash(&out);
        let length = u32::try_from(out.len()).unwrap_or(u32::MAX);
        out.extend(checksum.to_le_bytes());
        out.extend(length.to_le_bytes());
        out.extend(MAGIC);
        out
    }

    /// The directory of the pages.
    fn pages_to_bytes(&self) -> Vec<u8> {
        let mut out = vec![self.layout.frame_bits()];
        varint::write_u64(self.pages.len() as u64, &mut out);
        let ends = self.pages.iter().skip(1).map(|page| page.start).chain([self.pages_end]);
        let mut before = 0;
        for (page, end) in self.pages.iter().zip(ends) {
            // Most pages begin with a frame.
            let (frame, rest) = (page.place >> 32, page.place & u64::from(u32::MAX));
            varint::write_u64((frame - before) << 1 | u64::from(rest > 0), &mut out);
            if rest > 0 {
                varint::write_u64(rest, &mut out);
            }
            before = frame;
            varint::write_u32(page.entries, &mut out);
            varint::write_u64(end - page.start - u64::from(page.entries), &mut out);
        }
        out
    }

    /// The directory of the ratings.
    fn ratings_to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut before = 0;
        for (number, first) in (0..).zip(&self.rated) {
            varint::write_u64(first - before, &mut out);
            before = *first;
            let block = self.ratings.block(number);
            varint::write_u64(block.end - block.start, &mut out);
        }
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
        let mut end = HEAD.len() as u64;
        let mut parts: Vec<Part<'_>> = Vec::new();
        for _ in 0..content.number()? {
            let (name, directory) = (content.bytes()?, Content(content.bytes()?));
            let start = end;
            end = end.checked_add(content.wide_number()?).ok_or_else(|| damaged(TOO_LARGE))?;
            parts.push(Part { name, directory, start, end });
        }
        if !content.0.is_empty() {
            return Err(damaged("its footer has unknown bytes at the end"));
        }
        let part_if_any = |name| {
            let mut found = parts.iter().filter(|part| part.name == name);
            let one = found.next().cloned();
            match found.next() {
                None => Ok(one),
                Some(_) => Err(damaged("a part of it is there twice")),
            }
        };
        let part = |name| part_if_any(name)?.ok_or_else(|| damaged("a part of it is missing"));
        let (layout, pages) = part(POSITIONS)?.pages(games)?;
        let pages_end = part(POSITIONS)?.end;
        let heads = part(HEADS)?.blocks(games.div_ceil(HEADS_GAMES))?;
        let remains = part(REMAINS)?.blocks(games.div_ceil(REMAINS_GAMES))?;
        let ratings = part_if_any(RATINGS)?.map(|part| part.ratings(pages_end)).transpose()?;
        let (rated, ratings) = ratings.unwrap_or_default();
        Ok(Self { groups, layout, pages, pages_end, heads, remains, ratings, rated, end })
    }

    /// Where the last part ends, and the footer begins.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// The row groups that it covers, in the order in which games are numbered.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// How positions are addressed.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// The number of pages.
    pub fn pages(&self) -> usize {
        self.pages.len()
    }

    /// The range of the entries that may include those of a position at this place
    /// ([`Spot::place`](crate::Spot::place)); read it before [`Layout::find`]. Empty if there is
    /// none.
    pub fn page(&self, place: u64) -> Range<u64> {
        let place = self.layout.masked(place);
        let behind = self.pages.partition_point(|page| page.place <= place);
        behind.checked_sub(1).map_or(0..0, |number| self.page_at(number).1[0].clone())
    }

    /// The numbers of the pages that may have something of the frame at a
    /// [`place`](crate::Spot::place); read them before [`Layout::find_frame`].
    pub fn pages_of_frame(&self, place: u64) -> Range<usize> {
        let first = self.layout.masked(place) >> 32 << 32;
        let last = first | u64::from(u32::MAX);
        let behind = |place: u64| self.pages.partition_point(|page| page.place <= place);
        behind(first).saturating_sub(1)..behind(last)
    }

    /// The first place of the page with this number, and the ranges of its entries and blocks.
    pub fn page_at(&self, number: usize) -> (u64, [Range<u64>; 2]) {
        let Some(&Leaf { place, start, entries }) = self.pages.get(number) else {
            return (0, [0..0, 0..0]);
        };
        let end = self.pages.get(number + 1).map_or(self.pages_end, |next| next.start);
        let blocks = start + u64::from(entries);
        (place, [start..blocks, blocks..end])
    }

    /// The range of the block with the head of this game; read it before
    /// [`Heads::read`](crate::Heads::read). Empty if there is no such game.
    pub fn heads(&self, game: u32) -> Range<u64> {
        self.heads.block(game / HEADS_GAMES)
    }

    /// The range of the block of remains with this number, from 0; read it before
    /// [`read_remains`](crate::read_remains). Empty if there is none.
    pub fn remains(&self, number: u32) -> Range<u64> {
        self.remains.block(number)
    }

    /// The number of blocks of remains.
    pub fn remains_blocks(&self) -> u32 {
        self.layout.games().div_ceil(REMAINS_GAMES)
    }

    /// The range of the block that may have the sums by rating of the position whose block of moves
    /// begins at `start`; read it before [`find_ratings`](crate::find_ratings). Empty if there is
    /// none.
    pub fn ratings(&self, start: u64) -> Range<u64> {
        let behind = self.rated.partition_point(|&first| first <= start);
        let number = behind.checked_sub(1).and_then(|number| u32::try_from(number).ok());
        number.map_or(0..0, |number| self.ratings.block(number))
    }

    /// The number of blocks of ratings.
    pub fn ratings_blocks(&self) -> u32 {
        u32::try_from(self.rated.len()).unwrap_or(u32::MAX)
    }

    /// The range of the block of ratings with this number, from 0. Empty if there is none.
    pub fn ratings_at(&self, number: u32) -> Range<u64> {
        self.ratings.block(number)
    }

    /// The parts, by name, and the bytes of each. One that is missing has none.
    pub fn parts(&self) -> [(&'static str, u64); 4] {
        let positions = self.pages_end - HEAD.len() as u64;
        let (heads, remains) = (self.heads.bytes(), self.remains.bytes());
        let ratings = self.ratings.bytes();
        [("positions", positions), ("heads", heads), ("remains", remains), ("ratings", ratings)]
    }
}

impl Blocks {
    /// The number of bytes of all.
    fn bytes(&self) -> u64 {
        self.ends.last().map_or(0, |end| end - self.start)
    }

    /// The directory: the length of each.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for (end, start) in self.ends.iter().zip([self.start].iter().chain(&self.ends)) {
            varint::write_u64(end - start, &mut out);
        }
        out
    }

    /// The range of the block with this number.
    fn block(&self, number: u32) -> Range<u64> {
        let place = usize::try_from(number).unwrap_or(usize::MAX);
        let Some(&end) = self.ends.get(place) else { return 0..0 };
        let before = place.checked_sub(1).and_then(|before| self.ends.get(before));
        before.copied().unwrap_or(self.start)..end
    }
}

/// What is damaged if lengths overflow.
const TOO_LARGE: &str = "the lengths of its parts are too large";

/// A part as the directory has it.
#[derive(Clone)]
struct Part<'a> {
    name: &'a [u8],
    directory: Content<'a>,
    start: u64,
    end: u64,
}

impl Part<'_> {
    /// Reads the directory of the pages.
    fn pages(mut self, games: u32) -> Result<(Layout, Vec<Leaf>), Error> {
        let [frame_bits] = self.directory.array()?;
        let layout = Layout::of(games, frame_bits);
        let layout = layout.ok_or_else(|| damaged("its places are of an unknown kind"))?;
        let mut pages: Vec<Leaf> = Vec::new();
        let (mut start, mut frame) = (self.start, 0u64);
        for _ in 0..self.directory.wide_number()? {
            let step = self.directory.wide_number()?;
            frame = frame.saturating_add(step >> 1);
            let rest = if step & 1 == 1 { self.directory.number()? } else { 0 };
            let frame = u32::try_from(frame).map_err(|_| damaged("its pages are in no order"))?;
            let place = u64::from(frame) << 32 | u64::from(rest);
            if pages.last().is_some_and(|last| last.place >= place) {
                return Err(damaged("its pages are in no order"));
            }
            let (entries, blocks) = (self.directory.number()?, self.directory.wide_number()?);
            pages.push(Leaf { place, start, entries });
            let end = start.checked_add(entries.into()).and_then(|end| end.checked_add(blocks));
            start = end.ok_or_else(|| damaged(TOO_LARGE))?;
        }
        self.ends_at(start)?;
        Ok((layout, pages))
    }

    /// Reads the directory of so many blocks.
    fn blocks(mut self, count: u32) -> Result<Blocks, Error> {
        let mut blocks = Blocks { start: self.start, ends: Vec::new() };
        let mut end = self.start;
        for _ in 0..count {
            let next = end.checked_add(self.directory.number()?.into());
            end = next.ok_or_else(|| damaged(TOO_LARGE))?;
            blocks.ends.push(end);
        }
        self.ends_at(end)?;
        Ok(blocks)
    }

    /// Reads the directory of the ratings of positions before `pages_end`: where the first position
    /// of each block is, and the blocks.
    fn ratings(mut self, pages_end: u64) -> Result<(Vec<u64>, Blocks), Error> {
        let mut rated: Vec<u64> = Vec::new();
        let mut blocks = Blocks { start: self.start, ends: Vec::new() };
        let mut end = self.start;
        while !self.directory.0.is_empty() {
            let last = rated.last().copied();
            let first = last.unwrap_or(0).checked_add(self.directory.wide_number()?);
            let first = first.filter(|&first| first < pages_end && last.is_none_or(|l| l < first));
            rated.push(first.ok_or_else(|| damaged("its sums by rating are in no order"))?);
            let next = end.checked_add(self.directory.number()?.into());
            end = next.ok_or_else(|| damaged(TOO_LARGE))?;
            blocks.ends.push(end);
        }
        self.ends_at(end)?;
        Ok((rated, blocks))
    }

    /// Checks that the directory is read, and describes the whole part.
    fn ends_at(&self, end: u64) -> Result<(), Error> {
        if end != self.end || !self.directory.0.is_empty() {
            return Err(damaged("a part of it has the wrong length"));
        }
        Ok(())
    }
}

/// The content of a footer that is not yet read.
#[derive(Clone)]
struct Content<'a>(&'a [u8]);

impl<'a> Content<'a> {
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

    fn bytes(&mut self) -> Result<&'a [u8], Error> {
        let cut = || damaged("its footer is truncated");
        let length = usize::try_from(self.wide_number()?).map_err(|_| cut())?;
        let (bytes, rest) = self.0.split_at_checked(length).ok_or_else(cut)?;
        self.0 = rest;
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        let (array, rest) =
            self.0.split_first_chunk().ok_or_else(|| damaged("its footer is truncated"))?;
        self.0 = rest;
        Ok(*array)
    }
}
