//! Sums by rating group: of a position that a thousand games share, how the games of each of its
//! moves, whose sums its block has, are divided among groups of ratings. So a tree of these games
//! can be narrowed to some groups without looking at any game.
//!
//! They are in blocks of their own, for positions whose blocks of moves follow each other. A
//! position is found by where its block of moves begins.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::truncated::{self, Form};
use plypack_core::bits::{golomb, varint};

use crate::checked::{seal, unsealed};
use crate::error::{Error, damaged};
use crate::layout::Layout;
use crate::list::Visit;
use crate::occurrence::Summand;
use crate::shared::{EXAMPLES, Shared};
use crate::sum::Sum;

/// The number of rating groups.
pub const GROUPS: usize = 9;

/// The least rating of each group, which are those of lichess.org's opening explorer; a group goes
/// up to the next one. Games without a rating are in the first.
pub const RATING_GROUPS: [u16; GROUPS] =
    [0, 1_000, 1_200, 1_400, 1_600, 1_800, 2_000, 2_200, 2_500];

/// The fewest games of a position with sums by rating group.
pub const RATED_MIN: u64 = 1_000;

/// The number of bytes from which on a block is full.
const BLOCK_BYTES: usize = 4 << 10;

/// The order of the Golomb code of years.
const YEAR_ORDER: u32 = 1;

/// A position's games of one rating group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupSums {
    /// The number of games.
    pub records: u64,
    /// What they add to each sum of the position: those of its moves, in their order, and that of
    /// the games that end there, if any do.
    pub sums: Vec<Sum>,
    /// The best-rated games, then the newest; up to three.
    pub best: Vec<Visit>,
}

/// Returns the place of a rating's group in [`RATING_GROUPS`].
pub fn rating_group(rating: Option<u16>) -> usize {
    let rating = rating.unwrap_or(0);
    RATING_GROUPS.partition_point(|&least| least <= rating).saturating_sub(1)
}

/// The ratings of a group: the least, and by how much the largest exceeds it.
fn span(group: usize) -> (u64, u32) {
    let least = RATING_GROUPS.get(group).copied().unwrap_or(0);
    let next = RATING_GROUPS.get(group + 1).copied().unwrap_or(Summand::RATING_MAX + 1);
    (least.into(), u32::from(next - least) - 1)
}

/// Whether a position with these sums has sums by rating group.
pub(crate) fn is_rated(records: u64, sums: &[Sum]) -> bool {
    records >= RATED_MIN && sums.iter().any(|sum| sum.rated > 0)
}

/// Writes the groups of a position with these sums. `symbol` is the place of a candidate's sum.
pub(crate) fn write(
    groups: &[GroupSums; GROUPS],
    sums: &[Sum],
    layout: Layout,
    symbol: impl Fn(Option<u16>) -> u32,
) -> Vec<u8> {
    let mut bits = BitWriter::new();
    let some: Vec<(usize, &GroupSums)> =
        groups.iter().enumerate().filter(|(_, group)| group.records > 0).collect();
    groups.iter().for_each(|group| bits.write_bit(group.records > 0));
    for (at, all) in sums.iter().enumerate() {
        let part = |(group, sums): &(usize, &GroupSums)| {
            (*group, sums.sums.get(at).copied().unwrap_or_default())
        };
        write_parts(&mut bits, all, &some.iter().map(part).collect::<Vec<_>>());
    }
    let count = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    for (_, group) in some {
        let visits: u64 = group.sums.iter().map(|sum| sum.records).sum();
        golomb::write(&mut bits, count(visits - group.records), 0);
        for Visit { game, candidate } in &group.best {
            truncated::write(&mut bits, *game, layout.games(), Form::Ascending);
            let symbols = count(sums.len() as u64);
            truncated::write(&mut bits, symbol(*candidate), symbols, Form::Ascending);
        }
    }
    bits.into_bytes()
}

/// The games of no known outcome.
fn untold(sum: &Sum) -> u64 {
    sum.records - sum.white - sum.draws - sum.black
}

/// Appends how a sum is divided among groups: what is left belongs to the last of them.
fn write_parts(bits: &mut BitWriter, all: &Sum, parts: &[(usize, Sum)]) {
    let number = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    let counts = |sum: &Sum| [sum.white, sum.draws, sum.black, untold(sum)];
    let mut left = counts(all);
    let before_last = parts.len().saturating_sub(1);
    for (_, part) in parts.iter().take(before_last) {
        for (left, count) in left.iter_mut().zip(counts(part)) {
            truncated::write(bits, number(count), number(*left + 1), Form::Ascending);
            *left -= count;
        }
    }
    let rated: Vec<&(usize, Sum)> = parts.iter().filter(|(_, part)| part.rated > 0).collect();
    for (group, part) in rated.iter().take(rated.len().saturating_sub(1)) {
        let (least, more) = span(*group);
        let mean = part.rating_sum / part.rated - least;
        truncated::write(bits, number(mean), more + 1, Form::Ascending);
        let rest = part.rating_sum % part.rated;
        truncated::write(bits, number(rest), number(part.rated), Form::Ascending);
    }
    let Some(newest) = all.last_year else { return };
    for (_, part) in parts.iter().filter(|(_, part)| part.records > 0) {
        bits.write_bit(part.last_year.is_some());
        if let Some(year) = part.last_year {
            golomb::write(bits, (newest - year).into(), YEAR_ORDER);
        }
    }
}

/// Reads what [`write()`] wrote of a position with these sums, which are of so many games and of
/// these candidates; `None` if it is malformed.
fn read(
    bits: &mut BitReader<'_>,
    (records, sums): (u64, &[Sum]),
    candidates: &[Option<u16>],
    layout: Layout,
) -> Option<[GroupSums; GROUPS]> {
    let mut groups: [GroupSums; GROUPS] = Default::default();
    let mut some = Vec::with_capacity(GROUPS);
    for group in 0..GROUPS {
        if bits.read_bit()? {
            some.push(group);
        }
    }
    for all in sums {
        let parts = read_parts(bits, all, &some)?;
        for (group, part) in groups.iter_mut().zip(parts) {
            group.sums.push(part);
        }
    }
    for group in some {
        let group = groups.get_mut(group)?;
        let visits = group.sums.iter().map(|sum| sum.records).fold(0, u64::saturating_add);
        group.records = visits.checked_sub(golomb::read(bits, 0)?.into())?;
        let best = usize::try_from(group.records).unwrap_or(usize::MAX).min(EXAMPLES);
        for _ in 0..best {
            let game = truncated::read(bits, layout.games(), Form::Ascending)?;
            let symbols = u32::try_from(candidates.len()).ok()?;
            let symbol = truncated::read(bits, symbols, Form::Ascending)?;
            let candidate = *candidates.get(usize::try_from(symbol).ok()?)?;
            let is_known = game < layout.games();
            group.best.push(is_known.then_some(Visit { game, candidate })?);
        }
    }
    let all = groups.iter().map(|group| group.records).fold(0, u64::saturating_add);
    (all == records).then_some(groups)
}

/// Reads how a sum is divided among some groups. The parts add up to the sum.
fn read_parts(bits: &mut BitReader<'_>, all: &Sum, some: &[usize]) -> Option<[Sum; GROUPS]> {
    let mut parts = [Sum::default(); GROUPS];
    let told = all.white.checked_add(all.draws)?.checked_add(all.black)?;
    let mut left = [all.white, all.draws, all.black, all.records.checked_sub(told)?];
    let (&last, others) = some.split_last()?;
    for &group in others {
        let mut counts = [0; 4];
        for (count, left) in counts.iter_mut().zip(&mut left) {
            let choices = u32::try_from(left.checked_add(1)?).ok()?;
            *count = u64::from(truncated::read(bits, choices, Form::Ascending)?);
            *left = left.checked_sub(*count)?;
        }
        count_games(parts.get_mut(group)?, counts)?;
    }
    count_games(parts.get_mut(last)?, left)?;
    read_ratings(bits, all, &mut parts)?;
    read_years(bits, all, &mut parts)?;
    Some(parts)
}

fn count_games(part: &mut Sum, [white, draws, black, untold]: [u64; 4]) -> Option<()> {
    let records = white.checked_add(draws)?.checked_add(black)?.checked_add(untold)?;
    *part = Sum { records, white, draws, black, ..Sum::default() };
    Some(())
}

/// Reads the ratings of parts. Games without a rating are in the first group.
fn read_ratings(bits: &mut BitReader<'_>, all: &Sum, parts: &mut [Sum; GROUPS]) -> Option<()> {
    let mut unrated = all.records.checked_sub(all.rated)?;
    for part in parts.iter_mut() {
        part.rated = part.records.checked_sub(std::mem::take(&mut unrated))?;
    }
    let mut left = all.rating_sum;
    let mut rated = parts.iter_mut().enumerate().filter(|(_, part)| part.rated > 0).peekable();
    while let Some((group, part)) = rated.next() {
        let (least, more) = span(group);
        part.rating_sum = if rated.peek().is_none() {
            left
        } else {
            let mean = u64::from(truncated::read(bits, more + 1, Form::Ascending)?);
            let choices = u32::try_from(part.rated).ok()?;
            let rest = u64::from(truncated::read(bits, choices, Form::Ascending)?);
            (least + mean).checked_mul(part.rated)?.checked_add(rest)?
        };
        let bounds = [least, least + u64::from(more)].map(|rating| rating.checked_mul(part.rated));
        let [least, most] = [bounds[0]?, bounds[1]?];
        (least..=most).contains(&part.rating_sum).then_some(())?;
        left = left.checked_sub(part.rating_sum)?;
    }
    (left == 0).then_some(())
}

/// Reads the last years of parts.
fn read_years(bits: &mut BitReader<'_>, all: &Sum, parts: &mut [Sum; GROUPS]) -> Option<()> {
    let Some(newest) = all.last_year else { return Some(()) };
    for part in parts.iter_mut().filter(|part| part.records > 0) {
        if bits.read_bit()? {
            let before = u16::try_from(golomb::read(bits, YEAR_ORDER)?).ok()?;
            part.last_year = Some(newest.checked_sub(before)?);
        }
    }
    let last = parts.iter().filter_map(|part| part.last_year).max();
    (last == all.last_year).then_some(())
}

impl Shared {
    /// Whether an index has the position's sums by rating group apart: a thousand games share it,
    /// and one has a rating.
    pub fn is_rated(&self) -> bool {
        is_rated(self.records, &self.sums())
    }

    /// Its games by rating group, of which an index has no sums, if none of them has a rating.
    pub fn unrated(&self) -> Option<[GroupSums; GROUPS]> {
        let sums = self.sums();
        if sums.iter().any(|sum| sum.rated > 0) {
            return None;
        }
        let none = vec![Sum::default(); sums.len()];
        let mut groups =
            [(); GROUPS].map(|()| GroupSums { sums: none.clone(), ..GroupSums::default() });
        let (records, best) = (self.records, self.best.clone());
        *groups.first_mut()? = GroupSums { records, sums, best };
        Some(groups)
    }

    /// Its games by rating group, from the bytes that [`find_ratings`] gives.
    ///
    /// # Errors
    /// Returns an error if they are damaged.
    pub fn by_rating(&self, layout: Layout, bytes: &[u8]) -> Result<[GroupSums; GROUPS], Error> {
        let played = self.moves.iter().map(|played| Some(played.candidate));
        let candidates: Vec<Option<u16>> = played.chain(self.ended.map(|_| None)).collect();
        let (mut bits, sums) = (BitReader::new(bytes), self.sums());
        let groups = read(&mut bits, (self.records, &sums), &candidates, layout);
        groups.ok_or_else(|| damaged("sums by rating do not fit their position"))
    }

    /// The sums of its moves, and of the games that end there.
    fn sums(&self) -> Vec<Sum> {
        self.moves.iter().map(|played| played.sum).chain(self.ended).collect()
    }
}

/// A block of sums by rating group.
#[derive(Debug, Default)]
pub struct RatingsBlock {
    /// Where the block of moves of its first position begins, in the index.
    pub first: u64,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Fills blocks of sums by rating group, position by position.
#[derive(Debug, Default)]
pub struct RatingsWriter {
    block: RatingsBlock,
    last: u64,
}

impl RatingsWriter {
    /// Adds the sums of the position whose block of moves begins at `start`, behind those before.
    /// Returns the block before, if it is full.
    pub fn push(&mut self, start: u64, sums: &[u8]) -> Option<RatingsBlock> {
        let full = (self.block.bytes.len() >= BLOCK_BYTES).then(|| std::mem::take(self));
        if self.block.bytes.is_empty() {
            self.block.first = start;
        }
        let bytes = &mut self.block.bytes;
        varint::write_u64(start - self.last, bytes);
        varint::write_u64(sums.len() as u64, bytes);
        bytes.extend(sums);
        self.last = start;
        full.and_then(Self::finish)
    }

    /// Returns the last block, if it has anything.
    pub fn finish(self) -> Option<RatingsBlock> {
        let mut block = self.block;
        let is_empty = block.bytes.is_empty();
        seal(&mut block.bytes, 0);
        (!is_empty).then_some(block)
    }
}

/// Returns the sums by rating group of the position whose block of moves begins at `start`, from
/// the block in the range that [`Footer::ratings`](crate::Footer::ratings) gives; `None` if there
/// are none. [`Shared::by_rating`] reads them.
///
/// # Errors
/// Returns an error if the block is damaged.
pub fn find_ratings(block: &[u8], start: u64) -> Result<Option<&[u8]>, Error> {
    let mut found = None;
    each_rating(block, |own, bytes| {
        if own == start {
            found = Some(bytes);
        }
    })?;
    Ok(found)
}

/// Passes where each position's block of moves begins, and its sums, to `each`.
fn each_rating<'b>(block: &'b [u8], mut each: impl FnMut(u64, &'b [u8])) -> Result<(), Error> {
    let mut content = unsealed(block, "the checksum of a block of sums by rating does not match")?;
    let mut start = 0u64;
    while !content.is_empty() {
        let one = |content| -> Option<(u64, &[u8], &[u8])> {
            let (step, rest) = number(content)?;
            let (length, rest) = number(rest)?;
            let (sums, rest) = rest.split_at_checked(usize::try_from(length).ok()?)?;
            Some((start.checked_add(step)?, sums, rest))
        };
        let (own, sums, rest) =
            one(content).ok_or_else(|| damaged("a block of sums by rating is malformed"))?;
        each(own, sums);
        (start, content) = (own, rest);
    }
    Ok(())
}

fn number(content: &[u8]) -> Option<(u64, &[u8])> {
    let (number, length) = varint::read_u64(content)?;
    Some((number, content.get(length..)?))
}
