//! The games that share a position, in ascending order, each with the move that it plays there.

use plypack_core::bits::bitstring::{BitReader, BitWriter};
use plypack_core::bits::huffman::Code;

use crate::checked::seal;
use crate::error::{Error, damaged};

/// The number of visits that are coded together, followed by a checksum.
const CHUNK: usize = 1_024;

/// The number of bits for the order of the Rice code of a chunk's steps.
const ORDER_BITS: u32 = 5;

/// A game that reaches a position, and the move that it plays there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The number of the game among those of the index, from 0.
    pub game: u32,
    /// The candidate that it plays; `None` if the game ends here. A game that returns and plays
    /// another move is listed twice.
    pub candidate: Option<u16>,
}

/// Writes the end of a block: its visits, each a game and the index of its move among the block's,
/// in ascending order. The first checksum also covers the bytes already in `out`.
pub(crate) fn write(out: &mut Vec<u8>, visits: impl Iterator<Item = (u32, u16)>, code: &Code) {
    let (mut last, mut unchecked) = (0, 0);
    let mut visits = visits.peekable();
    while visits.peek().is_some() {
        let mut steps = Vec::with_capacity(CHUNK);
        for (game, symbol) in visits.by_ref().take(CHUNK) {
            steps.push((game - last, symbol));
            last = game;
        }
        let mean = steps.iter().map(|step| u64::from(step.0)).sum::<u64>() / steps.len() as u64;
        let order = rice_order(mean);
        let mut bits = BitWriter::new();
        bits.write(order.into(), ORDER_BITS);
        for (step, symbol) in steps {
            write_rice(&mut bits, step, order);
            // Every symbol that occurs has a codeword.
            let _written = code.write(&mut bits, symbol);
        }
        out.extend(bits.into_bytes());
        seal(out, unchecked);
        unchecked = out.len();
    }
}

/// The order of the Rice code that is nearly the shortest for numbers of this mean.
pub(crate) fn rice_order(mean: u64) -> u32 {
    // The best order is log2(mean * ln 2), and 11/16 is close to ln 2.
    (mean * 11 / 16).max(1).ilog2().min(31)
}

/// Appends a number in a Rice code: its upper part in unary, its `order` lower bits as they are.
pub(crate) fn write_rice(bits: &mut BitWriter, number: u32, order: u32) {
    for _ in 0..number >> order {
        bits.write_bit(true);
    }
    bits.write_bit(false);
    bits.write(number.into(), order);
}

/// Reads a number in a Rice code.
pub(crate) fn read_rice(bits: &mut BitReader<'_>, order: u32) -> Option<u32> {
    let mut upper = 0u32;
    while bits.read_bit()? {
        upper = upper.checked_add(1)?;
    }
    let lower = u32::try_from(bits.read(order)?).ok()?;
    upper.checked_mul(1 << order)?.checked_add(lower)
}

/// A place in a list, before a chunk.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Where the next chunk begins in the block, and where the range of its checksum begins.
    pub at: usize,
    pub unchecked: usize,
    /// The previous game.
    pub last: u32,
    /// The number of visits left.
    pub left: u64,
}

/// How the visits of a block are coded.
#[derive(Clone, Debug)]
pub(crate) struct Symbols {
    pub code: Code,
    pub candidates: Vec<Option<u16>>,
    /// The number of games in the index.
    pub games: u32,
}

impl Symbols {
    /// Reads the next chunk of a block.
    pub fn read(&self, block: &[u8], place: &mut Place) -> Result<Vec<Visit>, Error> {
        let cut = || damaged("a list of games is truncated");
        let count = usize::try_from(place.left).map_or(CHUNK, |left| left.min(CHUNK));
        let mut bits = BitReader::new(block.get(place.at..).ok_or_else(cut)?);
        let mut visits = Vec::with_capacity(count);
        let mut game = place.last;
        let order = bits.read(ORDER_BITS).and_then(|order| u32::try_from(order).ok());
        let order = order.ok_or_else(cut)?;
        for _ in 0..count {
            let step = read_rice(&mut bits, order).ok_or_else(cut)?;
            let symbol = self.code.read(&mut bits).ok_or_else(cut)?;
            let next = game.checked_add(step).filter(|&next| next < self.games);
            game = next.ok_or_else(|| damaged("a list names a game that does not exist"))?;
            let candidate = self.candidates.get(usize::from(symbol));
            let candidate =
                *candidate.ok_or_else(|| damaged("a list names a move that does not exist"))?;
            visits.push(Visit { game, candidate });
        }
        let end = place.at + used(&bits, block.len() - place.at);
        let told = block.get(end..).and_then(|rest| rest.first_chunk()).copied();
        let covered = block.get(place.unchecked..end).ok_or_else(cut)?;
        if u32::from_le_bytes(told.ok_or_else(cut)?) != crc32fast::hash(covered) {
            return Err(damaged("the checksum of a list of games does not match"));
        }
        let at = end + 4;
        let left = place.left - visits.len() as u64;
        *place = Place { at, unchecked: at, last: game, left };
        Ok(visits)
    }
}

/// How many of `bytes` bytes are read, the last one perhaps in part.
pub(crate) fn used(bits: &BitReader<'_>, bytes: usize) -> usize {
    bytes - bits.left() / 8
}

/// The games that share a position, in ascending order.
#[derive(Debug)]
pub struct Games<'a> {
    pub(crate) block: &'a [u8],
    pub(crate) symbols: &'a Symbols,
    pub(crate) place: Place,
    pub(crate) chunk: std::vec::IntoIter<Visit>,
}

impl Iterator for Games<'_> {
    type Item = Result<Visit, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(visit) = self.chunk.next() {
            return Some(Ok(visit));
        }
        if self.place.left == 0 {
            return None;
        }
        match self.symbols.read(self.block, &mut self.place) {
            Ok(visits) => self.chunk = visits.into_iter(),
            Err(error) => {
                self.place.left = 0;
                return Some(Err(error));
            }
        }
        self.chunk.next().map(Ok)
    }
}
